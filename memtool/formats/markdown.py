"""Markdown of any kind that people can read: memories, workspace files, learnings."""

from __future__ import annotations

from typing import Any

from memtool.formats.syntax import frontmatter
from memtool.formats.syntax.frontmatter import Page
from memtool.formats.syntax.outline import Heading, outline


def parse(text: str) -> Page:
    """Read any text; `render(parse(text)) == text`."""
    return frontmatter.page(text)


def render(page: Page) -> str:
    """The file's text; `parse(render(page)) == page`."""
    return page.meta + page.body


def headings(page: Page) -> tuple[Heading, ...]:
    """The headings in order, with their lines in the whole file."""
    return outline(render(page)).headings


def title(page: Page) -> str | None:
    """The title in the frontmatter, else the first heading of any level, else None."""
    named = frontmatter.keys(page.meta).get("title")
    if isinstance(named, str) and named.strip():
        return named.strip()
    return next((head.text for head in headings(page) if head.text), None)


def record(page: Page) -> dict[str, Any]:
    """What `markdown.schema.json` describes: the title, the headings, and the frontmatter."""
    found = frontmatter.read(page.meta)
    meta: dict[str, Any] = (
        {"broken": {"line": found.line, "message": found.message}}
        if not isinstance(found, dict)
        else {"meta": found}
    )
    return {
        "title": title(page),
        "headings": [{"line": head.first, "level": head.level, "text": head.text} for head in headings(page)],
        **meta,
    }
