"""Markdown of any kind: memories, workspace files, learnings."""

from __future__ import annotations

from typing import Any

from memtool.formats.syntax import frontmatter
from memtool.formats.syntax.frontmatter import MarkdownFile
from memtool.formats.syntax.outline import Heading, outline


def parse(text: str) -> MarkdownFile:
    """Read any text; `render(parse(text)) == text`."""
    return frontmatter.parse(text)


def render(page: MarkdownFile) -> str:
    """The file's text; `parse(render(page)) == page`."""
    return page.meta + page.body


def headings(page: MarkdownFile) -> tuple[Heading, ...]:
    """The headings in order, with their lines in the whole file."""
    return outline(render(page)).headings


def title(page: MarkdownFile) -> str | None:
    """The title of the frontmatter, else the first heading of any level, else None."""
    declared = frontmatter.keys_or_empty(page.meta).get("title")
    if isinstance(declared, str) and declared.strip():
        return declared.strip()
    return next((heading.text for heading in headings(page) if heading.text), None)


def record(page: MarkdownFile) -> dict[str, Any]:
    """The record of `markdown.schema.json`: the title, the headings, and the frontmatter."""
    frontmatter_keys = frontmatter.load_keys(page.meta)
    meta: dict[str, Any] = (
        {"broken": {"line": frontmatter_keys.line, "message": frontmatter_keys.message}}
        if not isinstance(frontmatter_keys, dict)
        else {"meta": frontmatter_keys}
    )
    return {
        "title": title(page),
        "headings": [
            {"line": heading.first, "level": heading.level, "text": heading.text}
            for heading in headings(page)
        ],
        **meta,
    }
