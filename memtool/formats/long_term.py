"""Long-term memory: curated Markdown whose list lines are facts, with a section that a tool adds to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from memtool.core.records.entry import Fact
from memtool.formats.syntax import frontmatter
from memtool.formats.syntax import lines as text_lines
from memtool.formats.syntax.outline import Heading, outline
from memtool.formats.syntax.tag import shield, tag, untag

SECTION = "Auto-captured"
"""The heading of the section that `add` writes to."""

_ITEM = r"(?a)\ufeff?[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S[^\n]*)"
_CATEGORISED = r"\*\*([a-z][a-z0-9_]{0,63})\*\*:[ \t]+(\S[^\n]*)"
_CATEGORY = r"[a-z][a-z0-9_]{0,63}"


class LongTerm(Struct, frozen=True):
    """A long-term memory file: its lines, without their LF."""

    lines: tuple[str, ...]

    def __post_init__(self) -> None:
        text_lines.check(self.lines)


def parse(text: str) -> LongTerm:
    """Read any text; `render(parse(text)) == text`."""
    return LongTerm(text_lines.split(text))


def render(memory: LongTerm) -> str:
    """The file's text; `parse(render(memory)) == memory`."""
    return text_lines.join(memory.lines)


def line(fact: Fact) -> str:
    """The line that states a fact, without a newline; its detail is folded to one line.

    Raises ValueError for a fact without detail, or a category that is not lower case with underscores.
    """
    detail = text_lines.one_line(fact.detail)
    if not detail or not re.fullmatch(_CATEGORY, fact.category):
        raise ValueError(fact)
    return f"- **{fact.category}**: {tag(fact.owner)}{shield(detail)}"


def facts(memory: LongTerm) -> tuple[Fact, ...]:
    """Every list line of the file as a fact, in order; one that names no category has the category ""."""
    return tuple(fact for _, fact in numbered(memory))


def numbered(memory: LongTerm) -> tuple[tuple[int, Fact], ...]:
    """Every fact with the number (from 1) of its line; fenced code and frontmatter state no facts."""
    text = render(memory)
    hidden = {number for first, last in outline(text).code for number in range(first, last + 1)}
    start = frontmatter.split(text)[2]
    found = (
        (number, _read(line))
        for number, line in enumerate(memory.lines[start - 1 :], start=start)
        if number not in hidden
    )
    return tuple((number, fact) for number, fact in found if fact)


def section(text: str) -> Heading | None:
    """The heading of the section that `add` writes to, whatever its level; None where there is none."""
    return next((head for head in outline(text).headings if head.text.casefold() == SECTION.casefold()), None)


def add(text: str, facts: Sequence[Fact]) -> str:
    """The text with these facts at the end of its section, which is made at the end of the text if missing.

    All other lines stay as they are, in their order; blank lines may come between them and what is new.
    """
    if not facts:
        return text
    new = [line(fact) for fact in facts]
    whole = text_lines.split(text)
    heads = outline(text).headings
    home = next((head for head in heads if head.text.casefold() == SECTION.casefold()), None)
    if home is None:
        at = len(whole) - text_lines.is_blank(whole[-1])
        gap = [""] if at and not text_lines.is_blank(whole[at - 1]) else []
        return text_lines.insert(whole, at, [*gap, f"## {SECTION}", "", *new])
    after = next((head for head in heads if head.first > home.first and head.level <= home.level), None)
    end = after.first - 1 if after else len(whole)
    at = text_lines.behind(whole, home.last, end)
    gap = [""] if at == home.last or not _continues(whole[at - 1]) else []
    underlined = after is not None and after.last > after.first
    return text_lines.insert(whole, at, [*gap, *new, *([""] if underlined and at == end else [])])


def record(memory: LongTerm) -> dict[str, Any]:
    """What `long-term.schema.json` describes: where the section is, and the facts of the whole file."""
    home = section(render(memory))
    return {
        "section": home.first if home else None,
        "facts": [
            {
                "line": number,
                "category": fact.category,
                "detail": fact.detail,
                "owner": str(fact.owner) if fact.owner else None,
            }
            for number, fact in numbered(memory)
        ],
    }


def _read(raw: str) -> Fact | None:
    match = re.fullmatch(_ITEM, raw)
    if not match or not match[1].strip("-*_ \t\r"):
        return None
    named = re.fullmatch(_CATEGORISED, match[1])
    category, said = named.groups() if named else ("", match[1])
    owner, detail = untag(said.rstrip())
    return Fact(category, detail, owner) if detail else None


def _continues(line: str) -> bool:
    """Whether a list line can follow this one directly: it is a list line itself, or part of one."""
    return line.startswith((" ", "\t")) or re.fullmatch(_ITEM, line) is not None
