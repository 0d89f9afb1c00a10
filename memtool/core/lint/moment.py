"""Moments: whether a text that stands for a day or a time is one, in a form that programs read."""

from __future__ import annotations

from datetime import date, datetime

from memtool.core.text.pattern import compiled

_ISO = r"(?a)(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)(?: ?(Z|z|[+-]\d\d(?::?\d\d)?))?)?"
_COMPACT = r"(?a)((?:19|20)\d{6})(?:(\d{4})(\d\d)?)?"


def is_iso(text: str) -> bool:
    """Whether a text has the form of a day, or of a day and a time, as RFC 3339 and ISO 8601 write it."""
    return compiled(_ISO).fullmatch(text) is not None


def is_real(text: str) -> bool:
    """Whether a text of that form names a day and a time that there is."""
    found = compiled(_ISO).fullmatch(text)
    if found is None:
        return False
    return _is_real(found[1], found[2], found[3])


def compact(digits: str) -> bool | None:
    """Whether 8, 12 or 14 digits name a day, and a time; None for what is no such number of digits."""
    found = compiled(_COMPACT).fullmatch(digits)
    if found is None:
        return None
    day = f"{found[1][:4]}-{found[1][4:6]}-{found[1][6:]}"
    clock = f"{found[2][:2]}:{found[2][2:]}:{found[3] or '00'}" if found[2] else None
    return _is_real(day, clock, None)


def _is_real(day: str, clock: str | None, offset: str | None) -> bool:
    try:
        date.fromisoformat(day)
        if clock is not None:
            zone = "" if offset is None else "+00:00" if offset in "zZ" else offset
            datetime.fromisoformat(f"2000-01-01T{clock.replace(',', '.')}{zone}")
    except ValueError:
        return False
    return True
