"""Spread: one file takes at most half of the hits of a search, where other files have some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def has_dominant(paths: Sequence[str]) -> bool:
    """Whether one file has more than half of the hits, given the path of each."""
    return max(Counter(paths).values(), default=0) > _share(len(paths))


def spread(paths: Sequence[str], limit: int) -> list[int]:
    """The ranks of the hits to return, `limit` at most, in order, given the path of each, the best first.

    Half of the limit goes to any one file, at least one hit; what no other file takes, it has beside.
    """
    counts: Counter[str] = Counter()
    chosen: list[int] = []
    surplus: list[int] = []
    for rank, path in enumerate(paths):
        counts[path] += 1
        (chosen if counts[path] <= _share(limit) else surplus).append(rank)
    return sorted([*chosen, *surplus][:limit])


def _share(limit: int) -> int:
    return max(1, limit // 2)
