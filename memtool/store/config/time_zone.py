"""The time zone of a workspace's calendar days."""

from __future__ import annotations

from datetime import UTC, tzinfo


def time_zone(name: str) -> tzinfo | None:
    """A time zone by its IANA name; None for an unknown one."""
    if name.upper() == "UTC":
        return UTC
    from zoneinfo import ZoneInfo  # most workspaces are in UTC

    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        return None
