"""Ranges of days, times and numbers: which `from X to Y` is one, and which values are the ends of one.

`We moved the call from Monday to Tuesday` tells a change; `my night shift is from Monday to Friday` does not.
"""

from __future__ import annotations

import re

from memtool.core.capture.languages.english_forms import CHANGED
from memtool.core.text.dates import MONTHS, WEEKDAYS
from memtool.core.text.folding import search_fold
from memtool.core.text.number_words import NUMBER_WORDS, OTHER_NUMBERS
from memtool.core.text.regex import regex

_CALENDAR = "|".join(
    sorted({*search_fold(" ".join(t[name] for t in (WEEKDAYS, MONTHS) for name in WEEKDAYS)).split()})
)
_WORDS = "|".join(
    sorted(map(re.escape, {*NUMBER_WORDS, *OTHER_NUMBERS}), key=lambda word: (-len(word), word))
)
_UNIT = r"(?: ?(?:[ap]\.?m\b\.?|uhr|o'clock|h\b))?"
_POINT = (
    rf"(?:(?:the |las? |los? |le |les )?(?:half past |quarter past "
    rf"|quarter to )?(?:\d+(?:[.,:]\d+)*(?:st|nd|rd|th)?"
    rf"|(?:{_WORDS})(?:[- ](?:{_WORDS}))?|noon|midday|midnight)(?:\.? (?:de )?(?:{_CALENDAR}))?"
    rf"|(?:early |late |mid-?)?(?:{_CALENDAR})s?(?: \d{{1,2}}(?:st|nd|rd|th)?)?){_UNIT}(?![\w-])"
)
"""A day, a time, a month or a number."""
_RANGE = (
    rf"(?<![\w.:])(?P<first>{_POINT})"
    r"(?:\s*[-–—]\s*|,? (?:to|till?|until|through|bis(?: zum)?|a|al|hasta|à|au|jusqu'à|até) )"
    rf"(?P<last>{_POINT})|(?<!\w)(?:between|zwischen|entre) (?P<low>{_POINT}) (?:and|und|y|et"
    rf"|e) (?P<high>{_POINT})"
)
_OBJECT = (
    r"(?:the|an?|my|our|his|her|their|your|its|this|that|these|those"
    r"|it|them|him|us|me|everything)\b|(?-i:[A-Z])"
)
_ADVERBS = r"(?:up|down|back|over|straight|forward|away|out|all|again|right|just|now| )*"
_FINITE = (
    r"\b(?:is|are|was|were|am|isn't|aren't|will|has|have|had|does|do|runs?|lasts?|goes|go|starts?"
    r"|begins?|stays?"
    r"|takes?|opens?|works?|continues?|covers?|spans?|extends|falls?|sits?|comes?)\b|\w['’](?:s|re|ll"
    r"|m)\b(?! \w)"
)
"""A verb after a noun such as `shift`, whose range follows."""
_BREAK = (
    r"(?i:\b(?:but|so|because|who|which|that|where|when|while|then|or)\b"
    rf"|\band (?!(?:{_OBJECT}))|^(?:to|into|onto)\b)"
)
"""What ends the clause of a verb of change, or says to what it is."""
_DETERMINED = r"(?i:\b(?:the|an?|my|our|his|her|their|your|its|this|that|every|each|no)|['’]s)(?: [\w-]+)?$"
_LICENSED = (
    r"(?i:(?:^|[,;:.!?—–]|\b(?:i|we|they|you|he|she|it|to|will|can|could|should|would|must|may|might|let's"
    r"|let us|please|not|and|then|now|just|also|did|do|does|never)|\w'll|n't))\s*$"
)
"""What stands before a verb of change that could be a noun, too."""
_SUBJECT = r"(?i:\b(?:i|we|they|you)(?: (?:also|usually|mostly|only|always|often))*)\s*$"


def tells_change(text: str, start: int, old_start: int, old: str) -> bool:
    """Whether a verb of change between two places of a text governs the `from` before the second.

    `old` is the value after it. A noun (`my shift is from …`), a participle before a noun (`the moving van
    comes from …`), a verb of another clause (`changed jobs and work from …`) and what somebody does all day
    (`I cut hair from …`) govern none.
    """
    phrase = text[start:old_start]
    phrase = phrase[: phrase.lower().rfind("from")].rstrip() + " "
    return any(
        _governs(text[: start + word.start()].rstrip(), word[0].lower(), phrase[word.end() :].strip(), old)
        for word in regex(rf"(?i)\b(?:{CHANGED})\b").finditer(phrase)
    )


def _governs(before: str, word: str, gap: str, old: str) -> bool:
    is_point = regex(rf"(?i){_POINT}").match(search_fold(old)) is not None
    if (regex(_BREAK).search(gap) and is_point) or regex(rf"(?i){_FINITE}").search(gap):
        return False
    is_direct = regex(rf"(?i){_ADVERBS}").fullmatch(gap) is not None
    if word in {"going", "went"}:
        return is_direct and not (word == "going" and _is_day_or_time(old))
    has_object = not is_direct and regex(rf"(?i:{_OBJECT})").match(gap) is not None
    if word.endswith(("ed", "ing")):
        return is_direct or has_object or not regex(_DETERMINED).search(before)
    if regex(_LICENSED).search(before):
        is_habit = regex(_SUBJECT).search(before) is not None and not (is_direct or has_object)
        return not (is_habit and is_point)
    if has_object or not is_point:
        return True
    return is_direct and word.endswith("s") and word != "shifts" and not _ends_determined(before)


def _ends_determined(before: str) -> bool:
    """Whether a word that follows a text has an article or an owner before it, so that it is a noun."""
    owned = r"(?i)(?:\b(?:the|an?|my|our|his|her|their|your|its|these|those)|['’]s)$"
    return regex(owned).search(before) is not None


def _is_day_or_time(value: str) -> bool:
    folded = search_fold(value)
    is_calendar = regex(rf"(?:{_CALENDAR})s?\b").search(folded) is not None
    return is_calendar or not folded[:1].isdigit() or regex(r"\d(?::| ?[ap]m)").search(folded) is not None


def splits_range(text: str, start: int, end: int, new: str, said: str, *, denies_old: bool) -> bool:
    """Whether a value in place of a span of a text wrongly changes one end of a range that the text has.

    It is right where `said`, which gives the new value, has the range that comes out, and where it says no
    range but denies the old end: `until six, not five`.
    """
    if denies_old and not _ranges(said):
        return False
    if regex(rf"(?i){_POINT}").search(search_fold(new)) is None:
        return False
    return any(
        _parts(match, start, end) and not _says_range(text[:start] + new + text[end:], match, said)
        for match in _ranges(text)
    )


def _parts(match: re.Match[str], start: int, end: int) -> bool:
    first, last = ("first", "last") if match["first"] else ("low", "high")
    spans = (match.span(first), match.span(last))
    touched = [begin < end and start < stop for begin, stop in spans]
    return any(touched) and not all(touched)


def _ranges(text: str) -> list[re.Match[str]]:
    folded = search_fold(text)
    return [*regex(_RANGE).finditer(folded)] if len(folded) == len(text) else []


def _says_range(result: str, match: re.Match[str], said: str) -> bool:
    """Whether a sentence has the range that a text has from where another one began."""
    ends = {_ends(each) for each in _ranges(said)}
    return any(_ends(each) in ends for each in _ranges(result) if each.start() == match.start())


def _ends(match: re.Match[str]) -> tuple[str, str]:
    return (match["first"] or match["low"]).strip(), (match["last"] or match["high"]).strip()
