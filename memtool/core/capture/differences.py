"""Differences: what two sentences have in common at both ends, and what they have between."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from memtool.core.capture.clauses import LineWord
from memtool.core.capture.languages.compared_words import ARTICLES, COMPARATORS


class ClauseDifference(Struct, frozen=True):
    """Where the values of two texts are that begin and end with the same words, and these words."""

    before: list[str]
    new: list[LineWord]
    old: list[LineWord]
    after: list[str]


def difference_of(said: Sequence[LineWord], known: Sequence[LineWord]) -> ClauseDifference:
    """What two texts have in common at their beginning and end, and what they have between."""
    new, old = [word.text for word in said], [word.text for word in known]
    start = _shared(new, old)
    tail = _shared(new[start:][::-1], old[start:][::-1])
    ends = len(new) - tail, len(old) - tail
    return ClauseDifference(new[:start], [*said[start : ends[0]]], [*known[start : ends[1]]], new[ends[0] :])


def swapped_values(said: Sequence[LineWord], known: Sequence[LineWord]) -> ClauseDifference | None:
    """Where two texts compare the same things the other way round, after the same words."""
    if len(said) != len(known) or said == known:
        return None
    new, old = [word.text for word in said], [word.text for word in known]
    start = _shared(new, old)
    rest = old[start:]
    for first in range(1, len(rest) - 1):
        for size in (1, 2, 3, 4, 5):
            between = rest[first : first + size]
            if "".join(between[:-1] if between[-1] in ARTICLES and size > 1 else between) not in COMPARATORS:
                continue
            for last in range(first + size + 1, len(rest) + 1):
                swapped = [*rest[first + size : last], *between, *rest[:first], *rest[last:]]
                if new[start:] == swapped:
                    end = start + last
                    return ClauseDifference(new[:start], [*said[start:end]], [*known[start:end]], new[end:])
    return None


def _shared(words: Sequence[str], others: Sequence[str]) -> int:
    """How many words two texts begin with together."""
    pairs = enumerate(zip(words, others, strict=False))
    return next((number for number, (word, other) in pairs if word != other), min(len(words), len(others)))
