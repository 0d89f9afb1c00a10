"""The time zone of a workspace's calendar days."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo


def time_zone(name: str) -> tzinfo | None:
    """A time zone by its IANA name; None for an unknown one."""
    if name.upper() == "UTC":
        return UTC
    from zoneinfo import ZoneInfo  # most workspaces are in UTC

    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        return None


def local_time(moment: datetime, zone: tzinfo) -> datetime | None:
    """A moment in a time zone; None where it would be before the first or after the last year there is."""
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return None
