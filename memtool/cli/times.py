"""Parsing of times, days, durations and time zones that users give."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, tzinfo

from memtool.errors import BadUsage


def parse_time(text: str, source: str) -> datetime:
    """A time given as RFC 3339, or a date; aware only if it has an offset. Raises BadUsage.

    Years before 1000 and after 9998 are refused: in another zone such a time could be out of range.
    """
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadUsage(f"{source}: invalid time {text!r}; use a form such as 2025-01-15T10:30:00Z") from error
    if not 1000 <= moment.year <= 9998:
        raise BadUsage(f"{source}: time {text!r} is outside the years 1000 to 9998")
    return moment


def parse_day(text: str, today: date, source: str) -> date:
    """A date: `2025-01-15`, `today`, `yesterday`, or an age: `30d`, `2w`. Raises BadUsage."""
    back = {"today": 0, "yesterday": 1}.get(text)
    if back is None and text[:-1].isdecimal() and text[-1:] in {"d", "w"}:
        back = int(text[:-1]) * (7 if text.endswith("w") else 1)
    try:
        return date.fromisoformat(text[:10]) if back is None else today - timedelta(days=back)
    except (ValueError, OverflowError) as error:
        raise BadUsage(f"{source}: invalid day {text!r}; use a form such as 2025-01-15 or 30d") from error


def parse_zone(name: str) -> tzinfo:
    """A time zone by its IANA name. Raises BadUsage for an unknown name."""
    if name.upper() == "UTC":
        return UTC
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadUsage(f"timezone: unknown time zone {name!r}; use a name such as Asia/Tashkent") from error


def parse_duration(text: str, source: str) -> timedelta:
    """A duration: `90s`, `20m`, `2h`, `1d`. Raises BadUsage."""
    number, unit = text[:-1], text[-1:]
    seconds = {"s": 1, "m": 60, "h": 3600, "d": 86_400}.get(unit)
    if seconds is None or not (number.isascii() and number.isdecimal() and len(number) < 8):
        raise BadUsage(f"{source}: invalid duration {text!r}; use a form such as 90s, 20m or 1h")
    return timedelta(seconds=int(number) * seconds)
