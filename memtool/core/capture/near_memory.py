"""Near memory: which stored texts a correction may be about that superseded none of them."""

from __future__ import annotations

import re

from memtool.core.capture.languages.correction_signs import LEADS, NOW
from memtool.core.facts.duplicates import comparison_key
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems

_LEAST_SHARED = 2
"""Content words that a near text shares with a correction, unless one is a name."""


def nearness(correction: str, text: str) -> int:
    """How many content words a stored text shares with a correction; 0 if it is not near.

    A near text shares two, or a name. One that has the correction's own words is what it was recorded as.
    """
    statement = _without_signs(correction)
    if comparison_key(statement) in comparison_key(text):
        return 0
    terms, others = content_stems(statement), content_stems(text)
    shared = terms & others
    if terms <= others:
        return 0
    names = content_stems(" ".join(_names(statement) + _names(text)))
    return len(shared) if len(shared) >= _LEAST_SHARED or shared & names else 0


def _names(text: str) -> list[str]:
    """The words of a text with a capital, except the first one."""
    return regex(r"(?<=\s)[A-ZА-ЯÀ-Þ][\w'’-]+").findall(text)


def _without_signs(correction: str) -> str:
    """A correction without "Actually", "now" and the like."""
    lead = regex(LEADS, re.IGNORECASE).match(correction)
    statement = correction[lead.end() :] if lead else correction
    return " ".join(regex(NOW, re.IGNORECASE).sub(" ", statement).split())
