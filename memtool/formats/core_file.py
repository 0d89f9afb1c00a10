"""Core file: an identity file included in every prompt, with an optional description and limit."""

from __future__ import annotations

import re
from typing import Any

from memtool.formats.syntax import frontmatter
from memtool.formats.syntax.frontmatter import MarkdownFile

_NAME = r"\{\{[ \t]*agent_name[ \t]*\}\}"


def parse(text: str) -> MarkdownFile:
    """Read any text; `render(parse(text)) == text`."""
    return frontmatter.parse(text)


def render(core: MarkdownFile) -> str:
    """The file's text; `parse(render(core)) == core`."""
    return core.meta + core.body


def limit(core: MarkdownFile) -> int | None:
    """The `limit` of the frontmatter, in characters of the body; None unless it is a positive integer."""
    value = frontmatter.keys_or_empty(core.meta).get("limit")
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def inject(core: MarkdownFile, agent_name: str) -> str:
    """The body as placed in a prompt, with `{{agent_name}}` substituted; the file keeps the placeholder."""
    return re.sub(_NAME, lambda _: agent_name, core.body).removeprefix("\ufeff")


def record(core: MarkdownFile) -> dict[str, Any]:
    """The record of `core-file.schema.json`: the frontmatter, and the length of the body in characters."""
    keys = frontmatter.load_keys(core.meta)
    if not isinstance(keys, dict):
        return {"broken": {"line": keys.line, "message": keys.message}, "characters": len(core.body)}
    return {"meta": keys, "characters": len(core.body)}
