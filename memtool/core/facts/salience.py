"""Salience: the prominence of a fact, by the number and age of its accesses (OpenLegion's layer 1)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

MAX_BOOST = 10.0
"""The largest boost."""
DECAY_FACTOR = 0.95
"""The factor of each decay."""
MIN_DECAY = 0.01
"""The least decay, so that every fact can be found."""
SALIENCE_BAND = 0.05
"""Scores that differ by at most this share of the greater one count as about equal."""
_DAILY_LOSS = 0.05
_MIN_RECENCY = 0.1

Key = TypeVar("Key")


class Salience(Struct, frozen=True):
    """The number of accesses to a fact, the last one (aware), and its decay since: from 1 down to 0.01.

    `last_decayed` is when it was last decayed (aware); None if never, or by an earlier version of memtool.

    A fact that was never accessed has no record, which is equal to the defaults.
    """

    accesses: int = 0
    last_accessed: datetime | None = None
    decay: float = 1.0
    last_decayed: datetime | None = None


def boost(record: Salience, now: datetime) -> float:
    """1 + ln(1 + accesses) x max(0.1, 1 - 0.05 x days since the last access), at most 10.

    Days count in full precision; a last access after `now` counts as now.
    """
    if record.last_accessed is None:
        return 1.0
    days = max(0.0, (now - record.last_accessed).total_seconds() / 86_400)
    return min(MAX_BOOST, 1 + math.log1p(record.accesses) * max(_MIN_RECENCY, 1 - _DAILY_LOSS * days))


def salience_factor(record: Salience, now: datetime) -> float:
    """Boost times decay: what orders facts that answer about equally well."""
    return boost(record, now) * record.decay


def order_by_salience(
    scored: Iterable[tuple[Key, float]],
    salience: Mapping[Key, tuple[float, ...]],
    band: float = SALIENCE_BAND,
) -> list[tuple[Key, float]]:
    """Items by score, the best first; of those that answer about equally well, the most salient first.

    The items whose scores lie within `band` of the best one form a group, then those within it of the best of
    the rest, and so on; `salience`, which may begin with what is to be compared before it, orders a group and
    nothing else. Equal ones stay in the given order.
    """
    rest = sorted(scored, key=lambda item: -item[1])
    ordered: list[tuple[Key, float]] = []
    while rest:
        least = rest[0][1] * (1 - band)
        size = next((number for number, item in enumerate(rest) if item[1] < least), len(rest))
        ordered += sorted(rest[:size], key=lambda item: salience[item[0]], reverse=True)
        rest = rest[size:]
    return ordered


def add_access(record: Salience, now: datetime) -> Salience:
    """The salience after one more access, to the second.

    An access resets all decay. Otherwise a nightly `memtool decay` would lower a fact that is used every day
    as fast as one that is never used.
    """
    return replace(record, accesses=record.accesses + 1, last_accessed=now.replace(microsecond=0), decay=1.0)


def decay_once(record: Salience, now: datetime) -> Salience:
    """The salience after one nightly decay: 0.95 of its decay, never below 0.01."""
    decay = round(max(MIN_DECAY, record.decay * DECAY_FACTOR), 9)
    return replace(record, decay=decay, last_decayed=now.replace(microsecond=0))
