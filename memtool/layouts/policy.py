"""The write policy's tables and markers, from the file that ships beside the layouts."""

from __future__ import annotations

import functools
from typing import Any

from memtool.layouts.load import text_of


@functools.cache
def policy_tables() -> dict[str, Any]:
    """What `policy.toml` holds."""
    import tomllib

    return tomllib.loads(text_of("policy.toml"))
