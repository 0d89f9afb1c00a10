"""Counts: files, bytes, entries and tokens by role and day, and their sums by day, week or month."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Literal

from msgspec import Struct

Period = Literal["day", "week", "month"]


class MemoryCount(Struct, frozen=True):
    """Numbers of files, of bytes, of entries (messages, exchanges, facts, …) and of estimated tokens."""

    files: int = 0
    bytes: int = 0
    entries: int = 0
    tokens: int = 0

    def __add__(self, other: MemoryCount) -> MemoryCount:
        return MemoryCount(
            self.files + other.files,
            self.bytes + other.bytes,
            self.entries + other.entries,
            self.tokens + other.tokens,
        )


MemoryCounts = Mapping[tuple[str, date | None], MemoryCount]
"""Counts by role and day; the day is None for content without a date."""


def sum_by_role(counts: MemoryCounts) -> dict[str, MemoryCount]:
    """The sum of each role, in the order of the roles' first occurrence."""
    sums: dict[str, MemoryCount] = {}
    for (role, _), count in counts.items():
        sums[role] = sums.get(role, MemoryCount()) + count
    return sums


def sum_by_period(counts: MemoryCounts, period: Period) -> dict[str, dict[str, MemoryCount]]:
    """The sum of each role in each period with content, the periods in order; undated content is left out.

    A day is `2025-01-15`, a week `2025-W03` (ISO 8601), a month `2025-01`.
    """
    sums: dict[str, dict[str, MemoryCount]] = {}
    dated = [(day, role, count) for (role, day), count in counts.items() if day is not None]
    for day, role, count in sorted(dated, key=lambda row: (row[0], row[1])):
        roles = sums.setdefault(period_name(day, period), {})
        roles[role] = roles.get(role, MemoryCount()) + count
    return sums


def since(counts: MemoryCounts, first: date) -> dict[tuple[str, date | None], MemoryCount]:
    """The counts of this day and later days."""
    return {key: count for key, count in counts.items() if key[1] is not None and key[1] >= first}


def period_name(day: date, period: Period) -> str:
    """The name of the period that contains a day."""
    match period:
        case "day":
            return day.isoformat()
        case "week":
            year, week, _ = day.isocalendar()
            return f"{year:04}-W{week:02}"
        case "month":
            return f"{day.year:04}-{day.month:02}"


def total(counts: Iterable[MemoryCount]) -> MemoryCount:
    """The sum of counts."""
    return sum(counts, MemoryCount())
