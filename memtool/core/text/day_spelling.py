"""Spellings of a day in a file's name: 2025-01-15, 2025_01_15, 20250115, 15-01-2025, 2025/01/15."""

from __future__ import annotations

import re
from datetime import date

from msgspec import Struct

_YEAR_FIRST = re.compile(r"(?a)(\d{4})([-_. /]?)(\d{2})\2(\d{2})")
_YEAR_LAST = re.compile(r"(?a)(\d{1,2})([-_. ])(\d{1,2})\2(\d{4})")


class Spelled(Struct, frozen=True):
    """What a name says: the one day, or two where day and month could be either.

    `first` is what stands first in a name that ends with the year: `day`, `month`, or empty where it cannot
    be told, or where the year stands first.
    """

    days: tuple[date, ...]
    first: str = ""


def spelled(name: str) -> Spelled | None:
    """The day that a name without its ending spells; None for a name that spells none."""
    if match := _YEAR_FIRST.fullmatch(name):
        day = _date(match[1], match[3], match[4])
        return Spelled((day,)) if day else None
    if match := _YEAR_LAST.fullmatch(name):
        by_day, by_month = _date(match[4], match[3], match[1]), _date(match[4], match[1], match[3])
        if by_day and by_month and by_day != by_month:
            return Spelled((by_day, by_month))
        if by_day or by_month:
            days = tuple(dict.fromkeys(day for day in (by_day, by_month) if day))
            both = by_day is not None and by_month is not None
            return Spelled(days, "" if both else "day" if by_day else "month")
    return None


def settled(one: Spelled, firsts: set[str], said: date | None) -> date | None:
    """The day that is meant: the only one, the one that the note itself says, or as its neighbours spell.

    `firsts` is what stands first in the unmistakable names beside it. None where it cannot be told.
    """
    if len(one.days) == 1:
        return one.days[0]
    if said in one.days:
        return said
    return one.days[0 if firsts == {"day"} else 1] if len(firsts) == 1 else None


def _date(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
