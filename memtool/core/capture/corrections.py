"""Corrections: what a sentence replaces by what, and which lines of memory it makes wrong.

Explicit corrections name both values: `it isn't X, it's Y`, `Y, not X`, `instead of X use Y`, `we moved it
from X to Y`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from memtool.core.capture.ages import stated_age
from memtool.core.capture.correction_value import Correction, correction_forms
from memtool.core.capture.languages.correcting_forms import (
    DENIALS,
    RENEWED,
    REVISED,
    SHIFTS,
    SPELLING_SIGNS,
)
from memtool.core.capture.languages.correction_signs import (
    LEADS,
    OPENINGS,
    PRONOUNS,
    RENEWALS,
    RETRACTED,
)
from memtool.core.capture.languages.english_forms import (
    CLEFT,
    FIRST_PERSON,
    FROM_TO,
    NO_MORE,
    NOT_BUT,
    OBJECT_MOVED,
)
from memtool.core.capture.particles import is_particle
from memtool.core.text.discourse import INTERJECTIONS, MISTAKES
from memtool.core.text.folding import is_continuous, search_fold
from memtool.core.text.function_words import ENGLISH, is_function_word
from memtool.core.text.phrases import plain_text
from memtool.core.text.regex import regex
from memtool.core.text.sentences import CLAUSE_STOP
from memtool.core.text.stems import content_stems, stem

_EDGE = (
    r"(?i)^(?:(?:on|at|in|to|the|an?|called|named|spelled|spelt|with|using|by|really|actually|just|now"
    r"|only|my|our"
    r"|is|for|until|\W)\s+|[\"'“”‘’*_`(\[]+)+"
)
_TAIL = (
    r"(?i)(?:[\s\"'“”‘’*_`)\].]|\s(?:please|now|any ?more|though|btw|sorry|instead|thanks|again|as i said"
    r"|yesterday|today|recently|(?:last|this) (?:week|month|year|night|spring|summer|autumn|fall|winter)"
    r"|in (?:the )?(?:spring|summer|autumn|fall|winter)|\w+ (?:days?|weeks?|months?|years?) ago))+$"
)
_ACTION = (  # a participle, and what it governs
    r"(?!(?:morning|evening|meeting|building|wedding|spring|string|king|ring|thing|something|nothing|everything"
    r"|anything|training|painting|ceiling|clothing|housing|parking|being|sibling|earring|lightning)s?\b)"
    r"[a-z]{2,}ing [^\W\d_]"
)
_BEFORE_STATEMENT = rf"(?i)^\W*(?:(?:{INTERJECTIONS})\b[\s,.!:;—–-]+)*"
"""Words before a statement that are no part of it."""
_CONTRADICTION = rf"{OPENINGS}(?:(?:sorry|{MISTAKES})[,:.;!—–]+\s*)*"
"""How a sentence begins that contradicts what was said before."""
_ARTICLES = frozenset(["the", "a", "an", "my", "our", "his", "her", "their", "its", "your", "this", "that"])
_HAVING = frozenset(["has", "have", "had", "is", "are", "was", "were"])
"""Verbs that are no part of the value after them."""
_IS_CALLED = r"\b(?:is|are|was|were)(?: \w+ly)? (?:called|named)\b"
_CALLED = content_stems("called named")
"""What leads to a name and says nothing of its bearer."""
_JOINED = r"\s(?P<word>and|&|und|y|et|e|и|ve) (?P<tail>\S[^,;:!?—–\n]{0,60})$"
"""The last thing of a list."""
_NO_VALUE_WORDS = """
    it that this there so sure true right wrong ok okay good bad only just what how why because if when much
    yet too very really working necessary possible enough going trying able clear easy hard a an the
"""
_NO_VALUE = frozenset(_NO_VALUE_WORDS.split())
_NO_SUBJECT_WORDS = """
    actually no not sorry wrong incorrect mean meant instead
    rather now tell told correct correction spell spelled spelt right say said should
    from to let please
    sino nicht sondern kein keine pas mais ce ne nao não mas sim да нет не degil değil emas
    longer anymore really just always never mistake typo outdated date
    isn aren wasn weren didn don doesn last week month year yesterday today recently
    mehr nein falsch korrektur corrección perdón non faux correção поправка неверно hayır yanlış tuzatish
"""
_CHANGE_WORDS = """
    move moved change changed use using make update updated switch switched replace replaced reschedule
    rescheduled postpone postponed going went push pushed rename renamed migrate migrated convert converted
"""


def corrections(sentence: str) -> tuple[Correction, ...]:
    """The values that a sentence replaces, in order; one without an old value for a sentence such as `No, the
    launch is on 14 May`; empty for others. Linear in its length."""
    text = _as_denial(" ".join(sentence.replace("’", "'").split()))
    found: dict[tuple[str, str], Correction] = {}
    ends = [0]
    for language, match in _form_matches(text):
        raw = _without_same_particle(text, match, _parallel(*_whole_lists(text, match)))
        old, new = _value(raw[0]), _value(raw[1])
        key = plain_text(old), plain_text(new)
        if not old or not new or key[0] == key[1] or _is_of_actions(match, old):
            continue
        if match.re.pattern == FROM_TO and _is_name(old) and not (_is_name(new) or new[:1].isdigit()):
            continue  # "from Jenkins to lunch"
        if match.re.pattern == FROM_TO and not _tells_change(text, match):
            continue  # "my night shift is from Tuesday to Friday"
        if any(known[0] == key[0] for known in found):  # the longer of two readings: "it's 12 May"
            continue
        terms = _terms(_without_lead(text[: match.start()]), language)
        if is_continuous(key[0][0]):  # its words have no ends, so that some would be parts of the values
            terms |= _terms(text[match.end() :], language)
        else:
            terms |= _terms(text[match.start() :], language)
        values = f"{match['old']} {match['new']}" if match.re.pattern == FROM_TO else f"{old} {new}"
        no_subject = _no_subject() | (
            _CALLED if regex(_IS_CALLED, re.IGNORECASE).search(text) else frozenset()
        )
        subject = terms - content_stems(values) - no_subject
        statement = _statement(text, match, raw[0]) if language == ENGLISH and subject else ""
        start = min(
            match.start(name) + max(match[name].rfind(value), 0)
            for name, value in zip(("old", "new"), raw, strict=True)
        )
        before = _last_clause(text[max(end for end in ends if end <= start) : start])
        said = _terms(_without_lead(before), language) - content_stems(old) - content_stems(new)
        head, verbs = said - no_subject, said & _verbs_of_change()
        head |= {word for word in before.split() if word.isdigit()}
        if is_continuous(key[0][0]):  # pieces of what stands around the value
            subject, head = subject | head, frozenset()
        is_move = match.re.pattern == FROM_TO and regex(OBJECT_MOVED, re.IGNORECASE).search(before) is None
        is_first_person = match.re.pattern == NO_MORE or (
            (is_move or match.re.pattern != FROM_TO)
            and (regex(FIRST_PERSON, re.IGNORECASE).match(before) is not None)
        )
        ends.append(match.end())
        subject_part = match.groupdict().get("head") or before
        is_of_it = regex(rf"\W*(?:{PRONOUNS})\b", re.IGNORECASE).match(subject_part) is not None
        correction = Correction(
            old,
            new,
            subject | head,
            _restated(match),
            statement,
            raw,
            head,
            is_move,
            is_first_person,
            verbs,
            is_of_it,
            text[: match.end("new")] if match.start("new") < match.start("old") else "",
        )
        found.setdefault(key, correction)
    if not found and (tentative := _denial(text) or _shift(text) or stated_age(text) or _spelling(text)):
        return (tentative,)
    if not found and any(regex(form, re.IGNORECASE).match(text) for form in (_CONTRADICTION, RENEWALS)):
        return (Correction("", "", frozenset(), statement=text),)
    return tuple(found.values())


def _as_denial(text: str) -> str:
    """`Morag is in Halifax, not Glasgow`, for `forget what I said about Glasgow, Morag is in Halifax`.

    `I'm allergic to rye, not oats`, for `it's rye I'm allergic to, not oats`.
    """
    if cleft := regex(CLEFT, re.IGNORECASE).match(text):
        return f"{cleft['clause']} {cleft['new']}, not {cleft['old']}"
    match = regex(RETRACTED).match(text)
    if match is None or regex(r"[A-ZÀ-Þ\d]").match(match["old"] or "") is None:
        return text
    stated = text[match.end() :].rstrip(" .!").replace(" still ", " ")
    return f"{stated}, not {match['old']}"


def _denial(text: str) -> Correction | None:
    """A correction of a sentence that denies a value at its end, in another form: `…, pas la chimie`."""
    for sign, pattern in DENIALS:
        match = regex(pattern, re.IGNORECASE).match(text) if sign in text.lower() else None
        if match is None or regex(_ACTION).match(match["old"]) is not None:
            continue
        if old := _value(match["old"]):
            return Correction(
                old, "", frozenset(), statement=text, raw=(match["old"], ""), said=match["said"]
            )
    return None


def _shift(text: str) -> Correction | None:
    """A correction of a sentence that says to what a date, a time or an amount was moved, or what it is."""
    lowered = text.lower()
    for sign, pattern in (*SHIFTS, *RENEWED, *REVISED):
        match = regex(pattern, re.IGNORECASE).match(text) if sign in lowered else None
        if match is None:
            continue
        of_something = match.groupdict().get("subject") or ""
        subject = content_stems(regex(_BEFORE_STATEMENT).sub("", of_something)) - _no_subject()
        if subject or (sign, pattern) in REVISED:
            return Correction(
                "",
                match["new"].strip(),
                subject,
                statement=text,
                head=subject,
                is_shift=True,
                is_renewal=(sign, pattern) in RENEWED,
                is_first_person=not subject,
            )
    return None


def _spelling(text: str) -> Correction | None:
    """A correction of a sentence that says how a name is spelled."""
    if not any(sign in text.lower() for sign in SPELLING_SIGNS):
        return None
    from memtool.core.capture.respelling import spelled_name  # few sentences spell a name

    name = spelled_name(text)
    return Correction("", name, frozenset(), statement=text, is_spelling=True) if name else None


def _without_lead(text: str) -> str:
    """A text without "Actually", "Eigentlich" and the like before it."""
    lead = regex(LEADS, re.IGNORECASE).match(text)
    return text[lead.end() :] if lead else text


def _last_clause(text: str) -> str:
    """The last clause of the text before a value that says something."""
    clauses = [
        part
        for part in regex(rf"(?:[,;:!?—–]| -|{CLAUSE_STOP})\s", re.IGNORECASE).split(text)
        if any(map(str.isalpha, part))
    ]
    return clauses[-1].strip() if clauses else ""


def _without_same_particle(text: str, match: re.Match[str], raw: tuple[str, str]) -> tuple[str, str]:
    """The values without words after them, and without a preposition that stands before both."""
    bare = [regex(_TAIL).sub("", value) for value in raw]
    for number, other in enumerate(("new", "old")):
        first, _, rest = bare[number].partition(" ")
        before = text[: match.end(other)].rstrip().removesuffix(raw[1 - number])
        last = before.rsplit(maxsplit=1)[-1:]
        head, found, tail = bare[number].rpartition(f" {last[0]} ") if last else ("", "", "")
        if head and found and tail:
            bare[number] = tail  # "vive en Lima", not in "Cusco"
        elif rest and is_particle(first) and before.lower().endswith(f" {first.lower()} "):
            bare[number] = rest
    return bare[0], bare[1]


def _terms(text: str, language: str) -> frozenset[str]:
    """The stems of the content words of a text in a language."""
    if language == ENGLISH:
        return content_stems(text)
    words = regex(r"[\w'’-]+").findall(text)
    return content_stems(
        " ".join(word for word in words if not is_function_word(search_fold(word), language))
    )


def _form_matches(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    lowered = text.lower()
    for form in (form for form in correction_forms() if any(sign in lowered for sign in form.signs)):
        for match in regex(form.pattern, re.IGNORECASE).finditer(text):
            yield form.language, match


def _restated(match: re.Match[str]) -> str:
    """The subject of a match with its new value: `My name is Rob.`; empty if it has none of its own."""
    groups = match.groupdict()
    head, be = groups.get("head") or "", groups.get("be") or ""
    if head.split(" ", 1)[0].lower() not in {"my", "our", "the"}:
        return ""
    verb = regex(r"(?i)^(?:is|was|are|were)").match(be)
    return f"{head} {verb[0].lower() if verb else 'is'} {match['new'].strip()}."


def _whole_lists(text: str, match: re.Match[str]) -> tuple[str, str]:
    """The values of a match, the old one with what is joined to it where the new one is such a list, too.

    `Ada and Bo`, where the form ends before `and`; without what is last in both lists.
    """
    old, new = match["old"].strip(), match["new"].strip()
    joined = regex(_JOINED).search(new)
    rest = regex(_JOINED).match(text, match.end("old")) if joined else None
    if joined is None or rest is None or joined["word"] != rest["word"]:
        return old, new
    last, old_last = joined["tail"], rest["tail"].rstrip(" .!")
    if last == old_last:
        return old, new[: joined.start()]
    is_alike = len(last.split()) == len(old_last.split()) and last[0].isupper() == old_last[0].isupper()
    return (f"{old} {rest['word']} {old_last}", new) if is_alike else (old, new)


def _parallel(old: str, new: str) -> tuple[str, str]:
    """Two values in contrast, the longer one from where the shorter one's first or last word says it begins.

    Where a value begins is a guess in most forms: `key hangs behind the red door`, not `the blue door`.
    """
    longer, shorter = sorted((old.split(" "), new.split(" ")), key=len, reverse=True)
    if len(longer) == len(shorter):
        return old, new
    words, first, last = [word.lower() for word in longer], shorter[0].lower(), shorter[-1].lower()
    start = words.index(first, 1) if first in words[1:] else 0
    if not start and len(shorter) > 1 and words[-1] == last:
        start = len(longer) - len(shorter)
    if len(shorter) == 1 and all(regex(r"\D*\d[\d.,:]*").fullmatch(word) for word in (last, words[-1])):
        start = len(longer) - 1  # `born in 1991`, not `1990`
    if not start and words[0] in _HAVING and first not in _HAVING:
        start = 1  # `has carrots`, not `beetroot`
    if any(map(str.isdigit, "".join(words[:start]))):
        return old, new
    if is_particle(longer[0]) and first not in _ARTICLES and not all(map(is_particle, longer[:start])):
        return old, new  # "in the box on the shelf", not "on the table"
    cut = " ".join(longer[start:])
    return (cut, new) if len(old.split(" ")) > len(new.split(" ")) else (old, cut)


def _statement(text: str, match: re.Match[str], old: str) -> str:
    """The sentence of a match without what it denies; empty where it has no subject, or another form."""
    start, end = match.span("old")
    if match.start("new") < start:
        if regex(r"(?i)[\s,–—-]*(?:and )?not ").fullmatch(text, match.end("new"), start) is None:
            return ""
        said = text[: match.end("new")] + text[end:]
    elif match.re.pattern == NOT_BUT:
        kept = text[start : end - len(old)]  # "I'm not [allergic] to peanuts but to almonds"
        said = text[: match.start()] + kept + text[match.start("new") :]
    else:
        return ""
    said = regex(_BEFORE_STATEMENT).sub("", said).strip()
    if regex(r"(?i)(?:it|that|this|he|she|they|there|these|those|not)\b").match(said):
        return ""
    return said[:1].upper() + said[1:]


def _value(text: str) -> str:
    """A value without articles, prepositions and quotes around it; empty if it is not a value."""
    value = regex(_TAIL).sub("", regex(_EDGE).sub("", text.strip()))
    first = value.split(" ", 1)[0].lower()
    return "" if first in _NO_VALUE or not any(map(str.isalnum, value)) else value


def _is_name(value: str) -> bool:
    """Whether a value has a word with a capital."""
    return any(map(str.isupper, value))


def _tells_change(text: str, match: re.Match[str]) -> bool:
    from memtool.core.capture.ranges import tells_change  # few sentences say "from" after such a word

    return tells_change(text, match.start(), match.start("old"), match["old"])


def _is_of_actions(match: re.Match[str], old: str) -> bool:
    """Whether "… and not …" joins what something does: "caching correctly and not overwriting data"."""
    before = match[0][: match.start("old") - match.start()]
    return (
        regex(r"(?i)(?:,| and) not $").search(before) is not None
        and regex(r"(?i)\bmean").search(before) is None
        and regex(_ACTION).match(old) is not None
    )


@functools.cache
def _no_subject() -> frozenset[str]:
    return frozenset(map(stem, search_fold(_NO_SUBJECT_WORDS).split())) | _verbs_of_change()


@functools.cache
def _verbs_of_change() -> frozenset[str]:
    return frozenset(map(stem, _CHANGE_WORDS.split()))
