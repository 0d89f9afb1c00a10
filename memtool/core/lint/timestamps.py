"""Timestamps: whether a text is a valid date or time in a form that programs read."""

from __future__ import annotations

from datetime import date, datetime

from memtool.core.text.regex import regex

_ISO = r"(?a)(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)(?: ?(Z|z|[+-]\d\d(?::?\d\d)?))?)?"
_COMPACT = r"(?a)((?:19|20)\d{6})(?:(\d{4})(\d\d)?)?"


def has_iso_form(text: str) -> bool:
    """Whether a text has the form of a date, or of a date and time, of RFC 3339 or ISO 8601."""
    return regex(_ISO).fullmatch(text) is not None


def is_valid_iso(text: str) -> bool:
    """Whether a text has that form and its date and time are valid."""
    match = regex(_ISO).fullmatch(text)
    if match is None:
        return False
    return _is_valid(match[1], match[2], match[3])


def is_valid_compact(digits: str) -> bool | None:
    """Whether 8, 12 or 14 digits are a valid date, with a time if longer; None for any other text."""
    match = regex(_COMPACT).fullmatch(digits)
    if match is None:
        return None
    day = f"{match[1][:4]}-{match[1][4:6]}-{match[1][6:]}"
    clock = f"{match[2][:2]}:{match[2][2:]}:{match[3] or '00'}" if match[2] else None
    return _is_valid(day, clock, None)


def _is_valid(day: str, clock: str | None, offset: str | None) -> bool:
    try:
        date.fromisoformat(day)
        if clock is not None:
            zone = "" if offset is None else "+00:00" if offset in "zZ" else offset
            datetime.fromisoformat(f"2000-01-01T{clock.replace(',', '.')}{zone}")
    except ValueError:
        return False
    return True
