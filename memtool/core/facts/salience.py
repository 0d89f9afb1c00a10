"""Salience: how prominent a fact is, by how often and how lately it was asked for (OpenLegion's layer 1)."""

from __future__ import annotations

import math
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

MOST = 10.0
"""The largest boost."""
STEP = 0.95
"""What each decay leaves of a fact's decay."""
FLOOR = 0.01
"""The least that decay leaves: nothing that is known is ever out of reach."""
_DAILY = 0.05
_LEAST = 0.1


class Salience(Struct, frozen=True):
    """How often a fact was shown, when it last was, and how far it has faded since: from 1 down to 0.01.

    A fact that nobody has asked for has none, which counts as this value's defaults. `last_accessed` is
    aware.
    """

    accesses: int = 0
    last_accessed: datetime | None = None
    decay: float = 1.0


def boost(one: Salience, now: datetime) -> float:
    """1 + ln(1 + accesses) x max(0.1, 1 - 0.05 x days since the last access), at most 10.

    Days count in full precision; a last access that lies ahead of `now` is now.
    """
    if one.last_accessed is None:
        return 1.0
    days = max(0.0, (now - one.last_accessed).total_seconds() / 86_400)
    return min(MOST, 1 + math.log1p(one.accesses) * max(_LEAST, 1 - _DAILY * days))


def salience(one: Salience, now: datetime) -> float:
    """The boost, as far as it has not faded: what a fact's relevance is multiplied by."""
    return boost(one, now) * one.decay


def accessed(one: Salience, now: datetime) -> Salience:
    """The same after one more access, to the second.

    An access takes back all decay: else a fact that is used every day would fade as fast under a nightly
    `memtool decay` as one that nobody uses.
    """
    return Salience(one.accesses + 1, now.replace(microsecond=0), 1.0)


def decayed(one: Salience) -> Salience:
    """The same a night later: 0.95 of its decay, never below 0.01."""
    return replace(one, decay=round(max(FLOOR, one.decay * STEP), 9))
