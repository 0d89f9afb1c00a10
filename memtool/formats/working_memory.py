"""Working memory: bounded Markdown that stands in every prompt, read by its sections."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from memtool.formats.syntax import lines as text_lines
from memtool.formats.syntax.outline import outline


class WorkingMemory(Struct, frozen=True):
    """A working memory file, whole."""

    text: str


class Section(Struct, frozen=True):
    """A heading with the text up to the next heading of any level; level 0 for what stands before the first.

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


def sections(memory: WorkingMemory) -> tuple[Section, ...]:
    """The sections in order, the one before the first heading only if it says something."""
    lines = text_lines.split(memory.text)
    heads = outline(memory.text).headings
    ends = [head.first - 1 for head in heads[1:]] + [len(lines)]
    opening = text_lines.join(lines[: heads[0].first - 1] if heads else lines)
    first = () if text_lines.is_blank(opening) else (Section(1, 0, "", opening),)
    return first + tuple(
        Section(head.first, head.level, head.text, text_lines.join(lines[head.last : end]))
        for head, end in zip(heads, ends if heads else [], strict=True)
    )


def record(memory: WorkingMemory) -> dict[str, Any]:
    """What `working-memory.schema.json` describes: the length in characters, and the sections' headings."""
    return {
        "characters": len(memory.text),
        "sections": [
            {"line": part.line, "level": part.level, "heading": part.heading} for part in sections(memory)
        ],
    }
