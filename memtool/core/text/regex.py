"""Regular expressions that are compiled on first use, because every command pays for start-up."""

from __future__ import annotations

import re
from functools import cache


@cache
def regex(source: str, flags: int = 0) -> re.Pattern[str]:
    """The compiled pattern of a source, from a cache without bound: no source may contain a user's text."""
    return re.compile(source, flags)
