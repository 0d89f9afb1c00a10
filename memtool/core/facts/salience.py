"""Salience: the prominence of a fact, by the number and age of its accesses (OpenLegion's layer 1)."""

from __future__ import annotations

import math
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

MOST = 10.0
"""The largest boost."""
STEP = 0.95
"""The factor of each decay."""
FLOOR = 0.01
"""The least decay, so that every fact can be found."""
_DAILY = 0.05
_LEAST = 0.1


class Salience(Struct, frozen=True):
    """The number of accesses to a fact, the last one (aware), and its decay since: from 1 down to 0.01.

    A fact that was never accessed has no record, which is equal to the defaults.
    """

    accesses: int = 0
    last_accessed: datetime | None = None
    decay: float = 1.0


def boost(one: Salience, now: datetime) -> float:
    """1 + ln(1 + accesses) x max(0.1, 1 - 0.05 x days since the last access), at most 10.

    Days count in full precision; a last access after `now` counts as now.
    """
    if one.last_accessed is None:
        return 1.0
    days = max(0.0, (now - one.last_accessed).total_seconds() / 86_400)
    return min(MOST, 1 + math.log1p(one.accesses) * max(_LEAST, 1 - _DAILY * days))


def salience(one: Salience, now: datetime) -> float:
    """Boost times decay: the factor of a fact's relevance."""
    return boost(one, now) * one.decay


def accessed(one: Salience, now: datetime) -> Salience:
    """The salience after one more access, to the second.

    An access resets all decay. Otherwise a nightly `memtool decay` would lower a fact that is used every day
    as fast as one that is never used.
    """
    return Salience(one.accesses + 1, now.replace(microsecond=0), 1.0)


def decayed(one: Salience) -> Salience:
    """The salience after one nightly decay: 0.95 of its decay, never below 0.01."""
    return replace(one, decay=round(max(FLOOR, one.decay * STEP), 9))
