"""The tables and markers of the write policy, from `policy.toml`."""

from __future__ import annotations

from typing import Any

from memtool.layouts.resources import resource_tables, resource_text


def extractor_prompt() -> str:
    """The prompt that asks a model for proposals; the messages follow it."""
    return resource_text("extractor_prompt.txt")


def policy_tables() -> dict[str, Any]:
    """The content of `policy.toml`."""
    return resource_tables("policy.toml")
