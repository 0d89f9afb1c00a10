"""Which segments of an index are merged, and when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtool.index.documents.segment_builder import Segment

_MOST_SMALL = 8
"""Small segments from which an update merges some: each adds its own look-ups to every query."""
_CHEAP = 500
"""Chunks in a segment that is cheap to write again."""
_LARGE = 20_000
"""Chunks of a segment that only a quiet moment rewrites: merging takes a second for 10,000."""
_MOST_LARGE = 12
_MOST_DELETED = 0.2
"""Share of deleted chunks from which a merge is worth its time."""
_MOST_BESIDE = 0.1
"""The same of chunks outside of the largest of the small segments."""


def in_update(segments: Iterable[Segment]) -> list[list[Segment]]:
    """The groups of segments that an update merges: none, until there are too many; then the smallest."""
    small = sorted((each for each in segments if not _is_large(each)), key=_alive)
    if len(small) < _MOST_SMALL:
        return []
    together = 0
    for i, segment in enumerate(small):
        if i >= _MOST_SMALL // 2 and _alive(segment) > max(_CHEAP, together):
            return [small[:i]]
        together += _alive(segment)
    return [small]


def in_quiet_moment(segments: Sequence[Segment]) -> list[list[Segment]]:
    """The groups of segments that are merged into one each where nobody waits.

    The small ones become two, or one if much of them is deleted or beside the largest. A large one is
    written again without its deleted chunks, if there are many; the two smallest become one, if there are
    many large ones.
    """
    small = sorted((each for each in segments if not _is_large(each)), key=_size)
    large = sorted((each for each in segments if _is_large(each)), key=_size)
    groups = [[each] for each in large if _is_worn([each])]
    if len(large) > _MOST_LARGE and not groups:
        groups.append(large[:2])
    beside = sum(map(_size, small[:-1]))
    if _is_worn(small) or beside > _MOST_BESIDE * sum(map(_size, small)):
        groups.append(small)
    elif len(small) > 2:
        groups.append(small[:-1])
    return groups


def _is_worn(segments: Sequence[Segment]) -> bool:
    """Whether many of the chunks are deleted."""
    chunks = sum(map(_size, segments))
    return chunks - sum(map(_alive, segments)) > _MOST_DELETED * chunks


def _is_large(segment: Segment) -> bool:
    return _size(segment) >= _LARGE


def _size(segment: Segment) -> int:
    return int(segment.doc_count_all())


def _alive(segment: Segment) -> int:
    return int(segment.doc_count())
