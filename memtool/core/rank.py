"""Rank: how lists of hits become one, and how old daily notes give way."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

K = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""
AGING = frozenset({"daily-note"})
"""Roles whose hits lose weight with age."""

Item = TypeVar("Item", bound=Hashable)


def fuse(lists: Iterable[Sequence[Item]], k: int = K) -> list[tuple[Item, float]]:
    """Lists that are each in their own order, as one: an item scores 1/(k + rank) in every list it is in.

    Best first; equal scores keep the order in which the items were first met, list by list. Meant for
    disjoint lists (documents, transcripts, facts): two opinions on the same items are better summed.
    """
    scores: dict[Item, float] = {}
    for items in lists:
        for rank, item in enumerate(dict.fromkeys(items), 1):
            scores[item] = scores.get(item, 0.0) + 1 / (k + rank)
    return sorted(scores.items(), key=lambda scored: -scored[1])


def age_weight(days: int) -> float:
    """What a daily note's score is multiplied by when it is `days` old: 1 today, 1/2 after a month.

    A note from the future counts as today's.
    """
    return 1 / (1 + max(0, days) / 30)
