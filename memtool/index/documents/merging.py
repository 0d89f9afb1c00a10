"""Which segments of an index are merged, and when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtool.index.documents.segment_builder import Segment

_MOST_SMALL = 8
"""Small segments from which an update merges some: each adds its own look-ups to every query."""
_CHEAP = 500
"""Chunks in a segment that is cheap to write again."""
_LARGE = 20_000
"""Chunks of a segment that only a quiet moment rewrites: merging takes a second for 10,000."""
_MOST_LARGE = 12
_MOST_DELETED = 0.2
_MOST_BESIDE = 0.1


def in_update(segments: Iterable[Segment]) -> list[list[Segment]]:
    """The groups of segments that an update merges: none, until there are too many; then the smallest."""
    small = sorted((each for each in segments if not _is_large(each)), key=_alive)
    count = quickly_merged([*map(_alive, small)])
    return [small[:count]] if count else []


def quickly_merged(sizes: Sequence[int]) -> int:
    """How many segments, given by their chunks in the order of merging, an update makes one.

    None while there are few. Else four, and each that follows while it is small, or no larger than all before
    it together.
    """
    if len(sizes) < _MOST_SMALL:
        return 0
    together = 0
    for count, chunks in enumerate(sizes):
        if count >= _MOST_SMALL // 2 and chunks > max(_CHEAP, together):
            return count
        together += chunks
    return len(sizes)


def is_worn(deleted: float, chunks: int) -> bool:
    """Whether so many of the chunks are deleted that a merge is worth its time."""
    return deleted > _MOST_DELETED * chunks


def is_scattered(beside: int, chunks: int) -> bool:
    """Whether so many of the chunks are outside of the main segment that a merge is worth its time."""
    return beside > _MOST_BESIDE * chunks


def merged_within(sizes: Sequence[int], most: int | None) -> int:
    """How many segments, given by their chunks in the order of merging, become one of at most `most` chunks.

    All if `most` is None; none if it is not even two, or a single one that is all there are.
    """
    if most is None:
        return len(sizes)
    count = sum(together <= most for together in accumulate(sizes))
    return count if count >= min(2, len(sizes)) else 0


def in_quiet_moment(segments: Sequence[Segment], most: int | None = None) -> list[list[Segment]]:
    """The groups of segments that are merged into one each where nobody waits.

    The small ones become two, or one if much of them is deleted or beside the largest. A large one is
    written again without its deleted chunks, if there are many; the two smallest become one, if there are
    many large ones. Of a group with more than `most` chunks only the smallest are merged.
    """
    small = sorted((each for each in segments if not _is_large(each)), key=_size)
    large = sorted((each for each in segments if _is_large(each)), key=_size)
    groups = [[each] for each in large if _are_worn([each])]
    if len(large) > _MOST_LARGE and not groups:
        groups.append(large[:2])
    beside = sum(map(_size, small[:-1]))
    if _are_worn(small) or is_scattered(beside, sum(map(_size, small))):
        groups.append(small)
    elif len(small) > 2:
        groups.append(small[:-1])
    within = (group[: merged_within([*map(_size, group)], most)] for group in groups)
    return [group for group in within if group]


def _are_worn(segments: Sequence[Segment]) -> bool:
    chunks = sum(map(_size, segments))
    return is_worn(chunks - sum(map(_alive, segments)), chunks)


def _is_large(segment: Segment) -> bool:
    return _size(segment) >= _LARGE


def _size(segment: Segment) -> int:
    return int(segment.doc_count_all())


def _alive(segment: Segment) -> int:
    return int(segment.doc_count())
