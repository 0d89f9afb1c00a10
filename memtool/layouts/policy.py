"""The tables and markers of the write policy, from `policy.toml`."""

from __future__ import annotations

import functools
from typing import Any

from memtool.layouts.load import resource_text


def extractor_prompt() -> str:
    """The prompt that asks a model for proposals; the messages follow it."""
    return resource_text("extractor_prompt.txt")


@functools.cache
def policy_tables() -> dict[str, Any]:
    """The content of `policy.toml`."""
    import tomllib

    return tomllib.loads(resource_text("policy.toml"))
