"""Regular expressions compiled when a text first needs them: start-up is paid by every shell pipeline."""

from __future__ import annotations

import re
from functools import cache


@cache
def compiled(source: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern of that source, compiled once."""
    return re.compile(source, flags)
