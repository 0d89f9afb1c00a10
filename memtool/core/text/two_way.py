"""Two-way merge: two versions of a text whose common ancestor is unknown, merged so that no line is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from memtool.core.text.diff import unique_matches

MergeVersions = Callable[[str, str, str], str | None]
"""Merges two versions of a base, given first; None if they cannot be merged."""


_LEAST_SHARE = 0.5
"""The least share of words that two versions of a line have in common."""


def merge_without_base(merge: MergeVersions, ours: str, theirs: str, *, is_prose: bool = False) -> str | None:
    """The text with the records of both versions; None if they cannot be merged.

    The lines that both have in the same order stand in for the base, so that what both have keeps its place,
    and what one alone has was added by it. In prose, so do the words that two lines at the same place have in
    common, so that these are versions of one line. Where `merge` would delete a line then, because records
    consist of several lines, the base is empty.
    """
    merged = merge(common_text(ours, theirs, with_words=is_prose), ours, theirs)
    if merged is not None and not (missing := _missing(merged, ours, theirs)):
        return merged
    union = merge("", ours, theirs)
    if merged is None or union is None:
        return union
    return merged if missing <= _missing(union, ours, theirs) else union


def common_text(ours: str, theirs: str, *, with_words: bool = False) -> str:
    """The lines that two texts have in common, in their order: of long texts not always the most.

    Lines that occur once in each are matched first (patience diff), then their equal neighbours, in a time
    proportional to n log n. With `with_words`, also the common words of other lines at the same place, if
    these are half of their words.
    """
    left, right = (text.replace("\r\n", "\n").split("\n") for text in (ours, theirs))
    common: list[str] = []
    at = other = 0
    for place, other_place in (*_matches(left, right), (len(left), len(right))):
        if with_words:
            common += _common_words(left[at:place], right[other:other_place])
        common += left[place : place + 1]
        at, other = place + 1, other_place + 1
    return "\n".join(common)


def _common_words(left: Sequence[str], right: Sequence[str]) -> list[str]:
    """The common words of lines, in pairs, or of all of them where one side has more lines."""
    if len(left) != len(right):
        return _common_words([" ".join(left)], [" ".join(right)]) if left and right else []
    found = []
    for line, other in zip(left, right, strict=True):
        words, other_words = line.split(), other.split()
        common = Counter(words) & Counter(other_words)
        if common and 2 * common.total() >= _LEAST_SHARE * (len(words) + len(other_words)):
            found.append(" ".join(word for word in dict.fromkeys(words) if word in common))
    return found


def without_deleted(text: str, version: str, later: str) -> str:
    """A text without the lines that lead from an earlier version of it to a later one by deletion.

    A text that has not every line of the earlier version is returned as it is: it may never have had them.
    """
    before, lines = _lines(version), text.splitlines(keepends=True)
    if not before <= _lines(text):
        return text
    deleted = before - _lines(later)
    kept = []
    for line in lines:
        if deleted[line.strip()] > 0:
            deleted[line.strip()] -= 1
        else:
            kept.append(line)
    return "".join(kept)


def _missing(merged: str, *versions: str) -> Counter[str]:
    """The lines of some versions that a merged text lacks."""
    needed = Counter[str]()
    for version in versions:
        needed |= _lines(version)
    return needed - _lines(merged)


def _lines(text: str) -> Counter[str]:
    """The lines of a text that are not blank, counted."""
    return Counter(line for line in map(str.strip, text.splitlines()) if line)


def _matches(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """Places of equal lines, which rise in both sequences."""
    anchors = [(-1, -1), *unique_matches(left, right), (len(left), len(right))]
    matches: list[tuple[int, int]] = []
    for (low, other_low), (high, other_high) in pairwise(anchors):
        if low >= 0:
            matches.append((low, other_low))
        room = min(high - low, other_high - other_low) - 1
        after = next((n for n in range(room) if left[low + 1 + n] != right[other_low + 1 + n]), room)
        matches += ((low + n, other_low + n) for n in range(1, after + 1))
        room -= after
        before = next((n for n in range(room) if left[high - 1 - n] != right[other_high - 1 - n]), room)
        matches += ((high - n, other_high - n) for n in range(before, 0, -1))
    return matches
