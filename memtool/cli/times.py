"""Parsing of times, days, durations and time zones that users give."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, tzinfo

from memtool.errors import BadUsage
from memtool.store.config.time_zone import time_zone

_DAYS_OF_UNIT = {"d": 1, "day": 1, "w": 7, "wk": 7, "week": 7, "month": 30, "yr": 365, "year": 365}
_UNIT_OF_SPAN = {
    **dict.fromkeys(("s", "sec", "second"), "s"),
    **dict.fromkeys(("m", "min", "minute"), "m"),
    **dict.fromkeys(("h", "hr", "hour"), "h"),
    **dict.fromkeys(("d", "day"), "d"),
}
_DAY_FORMS = "; use a form such as 2025-01-15, 30d or yesterday"
_COUNTED = r"(\d{1,4})\s*([A-Za-z]{1,8})"
"""A number with a unit, as `2 weeks`; compiled only for a message on a wrong value."""


def parse_time(text: str, source: str) -> datetime:
    """A time given as RFC 3339, or a date; aware only if it has an offset. Raises BadUsage.

    Years before 1000 and after 9998 are refused: in another zone such a time could be out of range.
    """
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        reason = _nonexistent_day(text) or "; use a form such as 2025-01-15T10:30:00Z"
        raise BadUsage(f"{source}: invalid time {text!r}{reason}") from error
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
        reason = _nonexistent_day(text) or _hint(day_form(text)) or _DAY_FORMS
        raise BadUsage(f"{source}: invalid day {text!r}{reason}") from error


def day_form(text: str) -> str:
    """The form that `parse_day` takes for an age in words: `2w` for `2 weeks`; "" for any other text."""
    match = re.fullmatch(_COUNTED, text, re.ASCII)
    days = _DAYS_OF_UNIT.get(_singular(match[2])) if match else None
    if match is None or days is None:
        return ""
    return f"{match[1]}w" if days == 7 else f"{int(match[1]) * days}d"


def duration_form(text: str) -> str:
    """The form that `parse_duration` takes for words: `5m` for `5 minutes`; "" for any other text."""
    match = re.fullmatch(_COUNTED, text, re.ASCII)
    unit = _UNIT_OF_SPAN.get(_singular(match[2])) if match else None
    return f"{int(match[1])}{unit}" if match and unit else ""


def _singular(unit: str) -> str:
    word = unit.lower()
    return word if len(word) == 1 else word.removesuffix("s")


def _nonexistent_day(text: str) -> str:
    """The end of the message on a time whose day is in no calendar, such as 2025-02-30; else ""."""
    if (written := re.match(r"\d{4}-\d\d-\d\d", text, re.ASCII)) is None:
        return ""
    if _is_day(written[0]):
        return ""
    year, month, day = written[0].split("-")
    swapped = f"{year}-{day}-{month}"
    return f": there is no such day{_hint(swapped) if _is_day(swapped) else ''}"


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _hint(form: str) -> str:
    return f" (did you mean {form}?)" if form else ""


def parse_zone(name: str) -> tzinfo:
    """A time zone by its IANA name. Raises BadUsage for an unknown name."""
    if (zone := time_zone(name)) is not None:
        return zone
    from zoneinfo import available_timezones

    city = name.rpartition("/")[2].replace(" ", "_").lower()
    near = sorted(zone_name for zone_name in available_timezones() if zone_name.lower().endswith(f"/{city}"))
    hint = _hint(near[0]) if near else "; use a name such as Asia/Tashkent"
    raise BadUsage(f"timezone: unknown time zone {name!r}{hint}")


def parse_duration(text: str, source: str) -> timedelta:
    """A duration: `90s`, `20m`, `2h`, `1d`. Raises BadUsage."""
    number, unit = text[:-1], text[-1:]
    seconds = {"s": 1, "m": 60, "h": 3600, "d": 86_400}.get(unit)
    if seconds is None or not (number.isascii() and number.isdecimal() and len(number) < 8):
        hint = _hint(duration_form(text)) or "; use a form such as 90s, 20m or 1h"
        raise BadUsage(f"{source}: invalid duration {text!r}{hint}")
    return timedelta(seconds=int(number) * seconds)
