"""Core file: an identity file that stands in every prompt, with an optional description and limit."""

from __future__ import annotations

import re
from typing import Any

from memtool.formats.syntax import frontmatter
from memtool.formats.syntax.frontmatter import Page

_PLAIN = r"(?:---\n(?:[a-z_]+: [A-Za-z0-9][^:#\n\r]*\n)*---\n+)?"
"""Frontmatter of nothing but single words and plain texts, each key once or more: what it says is plain."""
_NAME = r"\{\{[ \t]*agent_name[ \t]*\}\}"


def parse(text: str) -> Page:
    """Read any text; `render(parse(text)) == text`."""
    return frontmatter.page(text)


def render(core: Page) -> str:
    """The file's text; `parse(render(core)) == core`."""
    return core.meta + core.body


def limit(core: Page) -> int | None:
    """How many characters the body may have, by the file's own word; None where it says no whole number."""
    if re.fullmatch(_PLAIN, core.meta):  # the common head, read without the import of a YAML library
        plain = re.findall(r"(?m)^limit:(.*)$", core.meta)
        if not plain:
            return None
        if len(plain) == 1 and re.fullmatch(r" *[1-9][0-9]{0,8} *", plain[0]):
            return int(plain[0])
    found = frontmatter.keys(core.meta).get("limit")
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else None


def inject(core: Page, agent_name: str) -> str:
    """The body as it goes into a prompt: `{{agent_name}}` substituted, which is never done on disk."""
    return re.sub(_NAME, lambda _: agent_name, core.body).removeprefix("\ufeff")


def record(core: Page) -> dict[str, Any]:
    """What `core-file.schema.json` describes: the frontmatter, and the length of the body in characters."""
    found = frontmatter.read(core.meta)
    if not isinstance(found, dict):
        return {"broken": {"line": found.line, "message": found.message}, "characters": len(core.body)}
    return {"meta": found, "characters": len(core.body)}
