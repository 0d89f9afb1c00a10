"""Same frame: a value of a line that a correcting sentence gives anew in words of the line.

`Actually, I retired in 2022` is about `I drove a tram and retired in March 2023`, and `it's a blue Volvo`
about `I drive a grey Volvo`: the line has all of the sentence but the value, and one value of the kind.
"""

from __future__ import annotations

import functools
import re

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.capture.clause_subjects import is_of_others
from memtool.core.capture.clauses import clauses, line_words
from memtool.core.capture.correction_value import Correction
from memtool.core.capture.exclusive_values import ValueCue, cue_of, is_of_class
from memtool.core.capture.languages.compared_words import FIRST_PERSON, POSSESSIVES
from memtool.core.capture.languages.correction_signs import LEADS
from memtool.core.capture.languages.value_kinds import VALUE_CLASSES
from memtool.core.capture.restated_numbers import is_count
from memtool.core.capture.stated_in import stated_in, without_frequency
from memtool.core.text.dates import MONTHS, WEEKDAYS
from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_LANGUAGES = ("en", "de", "es", "fr")
_MONTH = "|".join(" ".join(MONTHS[language] for language in _LANGUAGES).split())
_DAYS = frozenset(search_fold(" ".join(WEEKDAYS[language] for language in _LANGUAGES)).split())
_DAY = rf"(?:{'|'.join(sorted(_DAYS))}|mi[ée]rcoles|s[áa]bado)s?"
_YEAR = rf"(?:(?:\d{{1,2}}\.? (?:de )?)?(?:{_MONTH})(?: de)? )?(?:19|20)\d\d"
_KINDS = (rf"(?<![\w-])(?:{_YEAR})(?![\w-])", rf"(?<![\w-])(?:{_DAY})(?![\w-])")
_BEFORE = (
    r"\b(?:in|im|on|at|am|an|auf|every|each|jeden?|immer|en|el|los|le|les|tous les|todos los|chaque|cada)"
    r"(?: (?:the year|el año|dem jahr))?\W*$"
)
_OTHER_BEFORE = (
    r"(?i)\b(?:from|since|until|till|by|before|after|around|second|other|first|third|last|next|this|a|ab|seit|bis"
    r"|vor|nach|zweiten?|anderen|letzten?|desde|hasta|antes|primer|segundo|último|depuis|jusqu\w*|avant|après"
    r"|premier|deuxième|dernier|and|or|und|oder|y|o|et|ou|not|nicht|no|pas)\W*$"
)
"""Words before a value that say more than when: of several, or from or until when."""
_AND_WHEN = (
    r"(?i)\b(?:and|und|y|et) (?:then |again )?"
    r"(?:from|in|on|at|since|von|aus|im|am|seit|en|desde|depuis|du|de)\b"
)
"""What follows a verb a second time: `retired from the navy in 2010 and from teaching in March`."""
_ADDS = (
    r"(?i)\b(?:also|too|again|another|besides|as well|first|last|once|twice|auch|erneut|nochmals?|wieder"
    r"|también|además|otra vez|aussi|encore|de nouveau)\b"
)
"""Signs that a sentence may tell of another time."""
_USER = FIRST_PERSON - POSSESSIVES | {"user"}
_THING = (
    r"(?i)(?:(?:it['’]s|it is|that['’]s|es ist|ist es|es|c['’]est|[ée] ) ?)"
    r"(?P<article>an?|eine?n?|une?|una?|um|uma) (?P<one>[\w'-]+) (?P<two>[\w'-]+(?: [A-ZÀ-Þ][\w-]*)*)\W*$"
)
_ENDINGS = r"(?:e[nmrs]?)$"
"""The endings of German adjectives."""


class _FramedValue(Struct, frozen=True):
    """A value of a sentence, the pattern of its kind, and the stems and numbers of the rest."""

    value: str
    kind: str
    stems: frozenset[str]
    said: str


def in_same_frame(correction: Correction, text: str) -> Correction:
    """A correction without an old value, with the one value of its kind in a line about the same.

    The line is about the same if the clause with the value has all content words of the sentence, and is
    about the user if the sentence is. Itself where no line is, or the sentence says only what holds now.
    """
    if cue_of(correction.statement) is ValueCue.NOW:
        return correction
    if (framed := _framed_value(correction.statement)) is not None:
        return _with_value(correction, framed, text)
    return _of_thing(correction, text)


def is_in_frame(sentence: str, text: str) -> bool:
    """Whether a line has another value than a sentence in the sentence's own words, whatever its cue."""
    framed, correction = _framed_value(sentence), Correction("", "", frozenset(), statement=sentence)
    return framed is not None and bool(_with_value(correction, framed, text).old)


@functools.lru_cache(16)
def _framed_value(sentence: str) -> _FramedValue | None:
    """The one value of a kind in a sentence; None where it may tell of another time."""
    statement = without_frequency((*stated_in(sentence), "")[0].split(",")[0]).strip(" .!")
    if regex(_ADDS).search(statement):
        return None
    for kind in _KINDS:
        matches = [*regex(kind, re.IGNORECASE).finditer(statement)]
        if len(matches) != 1:
            continue
        start, end = matches[0].span()
        if regex(_OTHER_BEFORE).search(statement[:start]):
            return None
        rest = f"{statement[:start]} {statement[end:]}"
        stems = _telling(rest)
        return _FramedValue(matches[0][0], kind, stems, rest) if content_stems(rest) else None
    return None


def _with_value(correction: Correction, framed: _FramedValue, text: str) -> Correction:
    matches = [*regex(framed.kind, re.IGNORECASE).finditer(text)]
    if len({search_fold(match[0]) for match in matches}) != 1:  # a fact may say it in its triple and quote
        return correction
    start, old = matches[-1].start(), matches[-1][0]
    if regex(_OTHER_BEFORE).search(text[:start]) or regex(_AND_WHEN).search(text):
        return correction
    clause = next(((begin, end) for begin, end in clauses(text) if begin <= start < end), (0, len(text)))
    said = text[slice(*clause)]
    new = like(framed.value, old)
    if not framed.stems <= _telling(said) or search_fold(new) == search_fold(old):
        return correction
    if is_of_others(framed.said, text, clause) or not _begin_alike(framed.said, text):
        return correction
    return replace(
        correction, old=old, new=new, raw=(old, new), subject=framed.stems, head=framed.stems, is_shift=False
    )


def _telling(text: str) -> frozenset[str]:
    """The stems of the content words of a text, and its numbers."""
    return content_stems(text) | {word.text for word in line_words(text) if is_count(word.text)}


def _begin_alike(said: str, text: str) -> bool:
    """Whether a sentence and a line are both about the user, or the line begins as the sentence does."""
    words, known = ([word.text for word in line_words(each)] for each in (said, text))
    own = [bool({*each[:2]} & _USER) for each in (words, known)]
    if any(own):
        return all(own)
    size = 2 if words and words[0] in POSSESSIVES else 1
    return words[:size] == known[:size]


def like(value: str, old: str) -> str:
    """A weekday in the form of another one: `Thursday`, of `Thursdays` in place of `Tuesday`."""
    (bare, _), (old_bare, is_plural) = _bare(value), _bare(old)
    if not bare or not old_bare:
        return value
    new = bare + "s" * (is_plural and bare[-1] != "s")
    return new[:1].upper() + new[1:] if old[:1].isupper() else new[:1].lower() + new[1:]


def _bare(day: str) -> tuple[str, bool]:
    """The name of a weekday without the ending of its plural, and whether it has that; "" for other words."""
    if search_fold(day) in _DAYS:
        return day, False
    return (day[:-1], True) if day[-1:] == "s" and search_fold(day[:-1]) in _DAYS else ("", False)


def says_day(day: str, text: str) -> bool:
    """Whether a text has a weekday, in whatever form: `Tuesdays`, of `every Tuesday`."""
    name = search_fold(_bare(day)[0])
    days = regex(_KINDS[1], re.IGNORECASE).findall(text) if name else ()
    return any(search_fold(_bare(known)[0]) == name for known in days)


def in_other_form(correction: Correction, text: str) -> Correction:
    """A correction of a weekday, with both days in the form in which a line has the old one.

    `not Tuesdays` denies `every Tuesday`. Itself where the line has the old day as it is, or other days, or
    the sentence has several new ones.
    """
    name = _bare(correction.old)[0]
    if not name or regex(rf"(?i)(?<!\w){re.escape(correction.old)}(?!\w)").search(text):
        return correction
    known = [match[0] for match in regex(_KINDS[1], re.IGNORECASE).finditer(text)]
    if len(known) != 1 or search_fold(_bare(known[0])[0]) != search_fold(name):
        return correction
    new = correction.new
    if not new:
        said = [match[0] for match in regex(_KINDS[1], re.IGNORECASE).finditer(correction.said)]
        if len(said) != 1:
            return correction
        stems = content_stems(regex(f"(?i){LEADS}").sub("", correction.said, count=1)) - content_stems(
            said[0]
        )
        if not stems:
            return correction
        correction = replace(correction, subject=stems, head=stems)
        new = said[0]
    if not _bare(new)[0]:
        return correction
    new = like(new, known[0])
    return replace(correction, old=known[0], new=new, raw=(known[0], new), said="")


def _of_thing(correction: Correction, text: str) -> Correction:
    """The correction of what a thing is like: `it's a blue Volvo`, for a line with `a grey Volvo`."""
    lead = regex(LEADS, re.IGNORECASE).match(correction.statement)
    found = regex(_THING).fullmatch(correction.statement[lead.end() if lead else 0 :])
    if found is None:
        return correction
    for value, noun, pattern in (
        (found["one"], found["two"], r"(?i)(?<!\w)(?P<value>[\w'-]+) {}(?!\w)"),
        (found["two"], found["one"], r"(?i)(?<!\w){} (?P<value>[\w'-]+)"),
    ):
        words = next((each for each in VALUE_CLASSES if is_of_class(search_fold(value), each)), None)
        matches = [*regex(pattern.format(re.escape(noun))).finditer(text)]
        if words is None or len(matches) != 1 or not noun[:1].isalpha():
            continue
        old = matches[0]["value"]
        if not is_of_class(search_fold(old), words):
            continue
        new = _inflected(value, old) if found["article"].lower().startswith("ein") else value
        if new and search_fold(new) != search_fold(old):
            head = content_stems(noun)
            return replace(correction, old=old, new=new, raw=(old, new), subject=head, head=head)
    return correction


def _inflected(value: str, old: str) -> str:
    """A German adjective with the ending of another one; as it is if one of them has none."""
    ending = regex(_ENDINGS).search(old)
    if ending is None or regex(_ENDINGS).search(value) is None or value.endswith("e"):
        return value
    return regex(_ENDINGS).sub("", value) + ending[0]
