"""Long-term memory: curated Markdown whose list items are facts, with a section that memtool appends to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from memtool.core.records.entries import Fact
from memtool.formats.syntax import frontmatter, text_lines
from memtool.formats.syntax.outline import Heading, outline
from memtool.formats.syntax.owner_tag import escape_tag, parse_tagged, render_tag

SECTION_HEADING = "Auto-captured"
"""The heading of the section that `add` appends to."""

_ITEM = r"(?a)\ufeff?[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S[^\n]*)"
_CATEGORISED = r"\*\*([a-z][a-z0-9_]{0,63})\*\*:[ \t]+(\S[^\n]*)"
_CATEGORY = r"[a-z][a-z0-9_]{0,63}"


class LongTermMemory(Struct, frozen=True):
    """A long-term memory file: its lines, without their LF."""

    lines: tuple[str, ...]

    def __post_init__(self) -> None:
        text_lines.check(self.lines)


def parse(text: str) -> LongTermMemory:
    """Read any text; `render(parse(text)) == text`."""
    return LongTermMemory(text_lines.split(text))


def render(memory: LongTermMemory) -> str:
    """The file's text; `parse(render(memory)) == memory`."""
    return text_lines.join(memory.lines)


def render_line(fact: Fact) -> str:
    """A fact as a list item, without a newline; its detail is folded to one line.

    Raises ValueError for an empty detail, or a category that is not lower case with underscores.
    """
    detail = text_lines.fold_line_breaks(fact.detail)
    if not detail or not re.fullmatch(_CATEGORY, fact.category):
        raise ValueError(fact)
    return f"- **{fact.category}**: {render_tag(fact.owner)}{escape_tag(detail)}"


def facts(memory: LongTermMemory) -> tuple[Fact, ...]:
    """Every list item of the file as a fact, in order; an item without a category has the category ""."""
    return tuple(fact for _, fact in numbered_facts(memory))


def numbered_facts(memory: LongTermMemory) -> tuple[tuple[int, Fact], ...]:
    """Every fact with its line number (from 1); list items in fenced code and frontmatter are skipped."""
    text = render(memory)
    code_lines = {number for first, last in outline(text).code_spans for number in range(first, last + 1)}
    start = frontmatter.split(text)[2]
    parsed_lines = (
        (number, _parse_line(line))
        for number, line in enumerate(memory.lines[start - 1 :], start=start)
        if number not in code_lines
    )
    return tuple((number, fact) for number, fact in parsed_lines if fact)


def section(text: str) -> Heading | None:
    """The heading of the section that `add` appends to, at any level; None if there is none."""
    return next(
        (head for head in outline(text).headings if head.text.casefold() == SECTION_HEADING.casefold()), None
    )


def add(text: str, facts: Sequence[Fact]) -> str:
    """The text with these facts at the end of its section, which is added at the end of the text if missing.

    All other lines are unchanged; blank lines may be inserted before the new ones.
    """
    if not facts:
        return text
    new = [render_line(fact) for fact in facts]
    lines = text_lines.split(text)
    headings = outline(text).headings
    section_heading = next(
        (head for head in headings if head.text.casefold() == SECTION_HEADING.casefold()), None
    )
    if section_heading is None:
        position = len(lines) - text_lines.is_blank(lines[-1])
        gap = [""] if position and not text_lines.is_blank(lines[position - 1]) else []
        return text_lines.insert(lines, position, [*gap, f"## {SECTION_HEADING}", "", *new])
    after = next(
        (
            head
            for head in headings
            if head.first > section_heading.first and head.level <= section_heading.level
        ),
        None,
    )
    end = after.first - 1 if after else len(lines)
    position = text_lines.end_of_content(lines, section_heading.last, end)
    gap = [""] if position == section_heading.last or not _continues(lines[position - 1]) else []
    underlined = after is not None and after.last > after.first
    return text_lines.insert(lines, position, [*gap, *new, *([""] if underlined and position == end else [])])


def record(memory: LongTermMemory) -> dict[str, Any]:
    """The record of `long-term.schema.json`: the line of the section, and the facts of the whole file."""
    section_heading = section(render(memory))
    return {
        "section": section_heading.first if section_heading else None,
        "facts": [
            {
                "line": number,
                "category": fact.category,
                "detail": fact.detail,
                "owner": str(fact.owner) if fact.owner else None,
            }
            for number, fact in numbered_facts(memory)
        ],
    }


def _parse_line(raw: str) -> Fact | None:
    match = re.fullmatch(_ITEM, raw)
    if not match or not match[1].strip("-*_ \t\r"):
        return None
    categorised = re.fullmatch(_CATEGORISED, match[1])
    category, statement = categorised.groups() if categorised else ("", match[1])
    owner, detail = parse_tagged(statement.rstrip())
    return Fact(category, detail, owner) if detail else None


def _continues(line: str) -> bool:
    """Whether this line is a list item or continues one, so that another item can follow directly."""
    return line.startswith((" ", "\t")) or re.fullmatch(_ITEM, line) is not None
