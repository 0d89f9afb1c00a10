"""Working memory: bounded Markdown included in every prompt, read by its sections."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from memtool.formats.syntax import text_lines
from memtool.formats.syntax.outline import outline


class WorkingMemory(Struct, frozen=True):
    """A working memory file, whole."""

    text: str


class WorkingMemorySection(Struct, frozen=True):
    """A heading with the text up to the next heading of any level; level 0 for the text before the first.

    `line` is the number (from 1) of the heading's line.
    """

    line: int
    level: int
    heading: str
    body: str


def parse(text: str) -> WorkingMemory:
    """Read any text; `render(parse(text)) == text`."""
    return WorkingMemory(text)


def render(memory: WorkingMemory) -> str:
    """The file's text; `parse(render(memory)) == memory`."""
    return memory.text


def sections(memory: WorkingMemory) -> tuple[WorkingMemorySection, ...]:
    """The sections in order; the text before the first heading counts only if it is not blank."""
    lines = text_lines.split(memory.text)
    headings = outline(memory.text).headings
    ends = [heading.first - 1 for heading in headings[1:]] + [len(lines)]
    opening = text_lines.join(lines[: headings[0].first - 1] if headings else lines)
    preamble = () if text_lines.is_blank(opening) else (WorkingMemorySection(1, 0, "", opening),)
    return preamble + tuple(
        WorkingMemorySection(
            heading.first, heading.level, heading.text, text_lines.join(lines[heading.last : end])
        )
        for heading, end in zip(headings, ends if headings else [], strict=True)
    )


def record(memory: WorkingMemory) -> dict[str, Any]:
    """The record of `working-memory.schema.json`: the length in characters, and the sections' headings."""
    return {
        "characters": len(memory.text),
        "sections": [
            {"line": section.line, "level": section.level, "heading": section.heading}
            for section in sections(memory)
        ],
    }
