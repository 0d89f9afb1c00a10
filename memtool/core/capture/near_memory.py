"""Near memory: which stored texts a correction may be about that superseded none of them."""

from __future__ import annotations

import re

from memtool.core.capture.clauses import line_words
from memtool.core.capture.languages.compared_words import COPULAS
from memtool.core.capture.languages.correction_signs import LEADS, NOW
from memtool.core.facts.duplicates import comparison_key
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_LEAST_SHARED = 2
"""Content words that a near text shares with a correction, unless one is a name or its whole subject."""


def nearness(correction: str, text: str) -> int:
    """How many content words a stored text shares with a correction; 0 if it is not near.

    A near text shares two, a name, or what the correction is about with the verb: `my dog is`. One that has
    the correction's own words is what it was recorded as.
    """
    statement = _without_signs(correction)
    if comparison_key(statement) in comparison_key(text):
        return 0
    terms, others = content_stems(statement), content_stems(text)
    shared = terms & others
    if terms <= others:
        return 0
    names = content_stems(" ".join(_names(statement) + _names(text)))
    is_near = len(shared) >= _LEAST_SHARED or shared & names or (shared and _is_of_same(statement, text))
    return len(shared) if is_near else 0


def _is_of_same(statement: str, text: str) -> bool:
    """Whether a text says what the subject of a statement is, in the words of the statement."""
    words, others = ([word.text for word in line_words(each)] for each in (statement, text))
    verb = next((number for number, word in enumerate(words) if number and word in COPULAS), 0)
    beginning = " ".join(words[: verb + 1])
    is_named = verb > 0 and bool(content_stems(beginning))
    return is_named and f" {beginning} " in f" {' '.join(others)} "


def _names(text: str) -> list[str]:
    """The words of a text with a capital, except the first one."""
    return regex(r"(?<=\s)[A-ZА-ЯÀ-Þ][\w'’-]+").findall(text)


def _without_signs(correction: str) -> str:
    """A correction without "Actually", "now" and the like."""
    lead = regex(LEADS, re.IGNORECASE).match(correction)
    statement = correction[lead.end() :] if lead else correction
    return " ".join(regex(NOW, re.IGNORECASE).sub(" ", statement).split())
