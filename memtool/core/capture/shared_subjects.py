"""Shared subjects: what a statement about the user and somebody else says of the other one.

`I live in Bonn now` leaves true that my sister lives in Ulm, of `My sister and I live in Ulm`.
"""

from __future__ import annotations

import re

from memtool.core.capture.languages.correction_signs import LEADS
from memtool.core.facts.relatives import is_household
from memtool.core.text.regex import regex

_FORMS = """
    live lives live, work works work, study studies study, wohnen wohnt wohnen, leben lebt leben
    arbeiten arbeitet arbeiten, studieren studiert studieren, vivimos vive viven, trabajamos trabaja trabajan
    estudiamos estudia estudian, vivons vit vivent, habitons habite habitent
    travaillons travaille travaillent
"""
_VERBS = {
    we: (one, several)
    for we, one, several in (row.split() for row in ",".join(_FORMS.strip().splitlines()).split(","))
}
"""Verbs with `we`, each as it is with one other person and with several."""
_WHO = (
    r"(?i:my|our|meine?|unsere?|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos) [\w'’-]+(?: [\w'’-]+)?"
    r"|[A-ZÀ-Þ][\w'’-]+"
)
_SELF = r"(?:I|ich|yo|moi)\b"
_SHARED = (
    rf"(?P<who>{_WHO}) (?:and|und|y|et) {_SELF}(?: (?:both|beide|nous))?"
    rf" (?P<verb>{'|'.join(_VERBS)})(?P<rest> .+)"
)
_HOME_VERBS = frozenset(
    ["live", "wohne", "wohnen", "lebe", "leben", "vivo", "vivimos", "vis", "vivons", "habite", "habitons"]
)
_SEVERAL = r"(?:[a-zà-þ].*[^s]s|.*(?:[Ee]ltern|[Kk]inder|children|people|parents))"
"""How the last word about several people looks; that of a name in `s` has a capital."""
_TOGETHER = (
    r"(?i)\W*(?:we|we['’]\w+|our|both|wir|unser\w*|beide|nosotr[oa]s|nuestr[oa]s?|nous|on|notre|nos)\b"
)
_NO_SUBJECT = (
    r",?\s(?:and|but|und|aber|y|pero|et|mais)\s"
    r"(?!(?i:i|we|he|she|they|it|ich|wir|er|sie|yo|él|ella|je|il|elle|nous|my|our|the|mein\w*|unser\w*|mi|mon|ma)\b"
    r"|j['’]|[A-ZÀ-Þ])"
)
"""What joins a verb that has the same subject: `and have two kids`."""


def with_shared_subjects(text: str, clauses: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans of clauses of a text, those at `and` in a subject such as `my wife and I` joined again."""
    joined: list[tuple[int, int]] = []
    for start, end in clauses:
        if (
            joined
            and regex(rf"\s*{_SELF}").match(text[start:end])
            and regex(rf"\W*(?:{_WHO})\s*").fullmatch(text[slice(*joined[-1])])
        ):
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return joined


def is_home_verb(word: str) -> bool:
    """Whether a word says, with `I` or `we`, that somebody lives somewhere."""
    return word in _HOME_VERBS


def is_shared_with_others(text: str, said: str) -> bool:
    """Whether a text is about the user and somebody else of whom a newer sentence says nothing.

    Partners, children and pets are where the user is.
    """
    match = regex(_SHARED).match(text)
    if match is None or is_household(match["who"]):
        return False
    if " " not in match["who"] and match["verb"] in _HOME_VERBS:
        return False  # Lena may be the user's wife
    lead = regex(LEADS, re.IGNORECASE).match(said)
    stated = said[lead.end() :] if lead else said
    return regex(_TOGETHER).match(stated) is None and match["who"].lower() not in said.lower()


def part_of_others(text: str) -> str:
    """What a text that is shared with others says of them: `My sister lives in Ulm.`

    Clauses that follow stay if they have a subject of their own; "" for a text that is not shared.
    """
    match = regex(_SHARED).match(text)
    if match is None:
        return ""
    is_several = regex(_SEVERAL).fullmatch(match["who"].rpartition(" ")[2]) is not None
    rest = regex(_NO_SUBJECT).split(match["rest"])[0]
    return f"{match['who']} {_VERBS[match['verb']][is_several]}{rest.rstrip('.')}."
