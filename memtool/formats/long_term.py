"""Long-term memory: curated Markdown whose list items are facts, with a section that memtool appends to."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from memtool.core.records.entries import Fact
from memtool.core.text.regex import regex
from memtool.formats.syntax import frontmatter, text_lines
from memtool.formats.syntax.outline import Heading, outline
from memtool.formats.syntax.owner_tag import escape_tag, parse_tagged, render_tag

if TYPE_CHECKING:
    from memtool.core.text.record_merge import MergeRecord

SECTION_HEADING = "Auto-captured"
"""The heading of the section that `add` appends to."""
SECTION_HEADINGS = (SECTION_HEADING, "Gemini Added Memories")
"""The sections that `add` appends to where they exist, the first that does; the second is Gemini CLI's."""

_ITEM = r"(?a)\ufeff?[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S[^\n]*)"
_CATEGORISED = r"\*\*([a-z][a-z0-9_]{0,63})\*\*:[ \t]+(\S[^\n]*)"
_CATEGORY = r"[a-z][a-z0-9_]{0,63}"
_SUPERSEDED = r"(?a)[ \t]+\[superseded: (\d{4}-\d\d-\d\d)\]$"
_SUPERSEDED_START = "[superseded: "
_BLOCK_ID = r"[ \t]+\^[A-Za-z0-9-]+[ \t\r]*$"
_INTERRUPTS = r"[ \t]*(?:#{1,6}(?:\s|$)|>|`{3}|~{3}|<!--|[-*+]\s*$|(?:[-*_][ \t]*){3,}\r?$)"
"""A line that is no part of the list item directly above it, though it is neither blank nor indented."""


class LongTermItem(Struct, frozen=True):
    """A list item: its line (from 1), its fact, and the day on which a newer one superseded it, if any.

    `goes_on` says that lines below belong to it: more of its text, or items of its own.
    """

    line: int
    fact: Fact
    superseded: date | None = None
    goes_on: bool = False


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

    A detail that ends like the mark of a superseded line gets round brackets there. Raises ValueError for an
    empty detail, or a category that is not lower case with underscores.
    """
    detail = text_lines.fold_line_breaks(fact.detail)
    if not detail or not regex(_CATEGORY).fullmatch(fact.category):
        raise ValueError(fact)
    statement = render_tag(fact.owner) + escape_tag(detail)
    if _split_mark(statement)[1] is not None:
        statement = regex(_SUPERSEDED).sub(r" (superseded: \1)", statement)
    return f"- **{fact.category}**: {statement}"


def facts(memory: LongTermMemory) -> tuple[Fact, ...]:
    """Every list item of the file that holds, in order; an item without a category has the category ""."""
    return tuple(item.fact for item in items(memory) if item.superseded is None)


def items(memory: LongTermMemory) -> tuple[LongTermItem, ...]:
    """Every list item, including superseded ones; those in fenced code and frontmatter are skipped."""
    text = render(memory)
    code_lines = {number for first, last in outline(text).code_spans for number in range(first, last + 1)}
    start = frontmatter.split(text)[2]
    rows = memory.lines
    parsed_lines = (
        _parse_line(number, rows) for number in range(start, len(rows) + 1) if number not in code_lines
    )
    return tuple(item for item in parsed_lines if item)


def handwritten(memory: LongTermMemory) -> tuple[LongTermItem, ...]:
    """The list items that have no category, without those that end with the mark of a superseded line."""
    return tuple(item for item in items(memory) if not item.fact.category and not is_superseded(item))


def is_superseded(item: LongTermItem) -> bool:
    """Whether a list item is marked as superseded, also one without a category, which has no `superseded`."""
    return item.superseded is not None or _split_mark(item.fact.detail)[1] is not None


def supersede(text: str, lines: Collection[int], day: date) -> str:
    """The text with these list items (by line, from 1) marked as superseded on a day."""
    rows = text_lines.split(text)
    marked = [
        f"{row.rstrip()} {_SUPERSEDED_START}{day.isoformat()}]" + ("\r" if row.endswith("\r") else "")
        if number in lines
        else row
        for number, row in enumerate(rows, start=1)
    ]
    return text_lines.join(tuple(marked))


def restate(text: str, line: int, detail: str) -> str:
    """The text with another statement in a list item (by line, from 1) without a category.

    The list marker, the indentation, the owner and the block id stay.
    """
    rows = [*text_lines.split(text)]
    row = rows[line - 1]
    match, name = regex(_ITEM).fullmatch(row), regex(_BLOCK_ID).search(row)
    if match is None:
        raise ValueError(row)
    owner, _ = parse_tagged(match[1])
    end = name[0] if name else "\r" if row.endswith("\r") else ""
    statement = render_tag(owner) + escape_tag(text_lines.fold_line_breaks(detail))
    rows[line - 1] = f"{row[: match.start(1)]}{statement}{end}"
    return text_lines.join(tuple(rows))


def without_items(text: str, lines: Collection[int]) -> str:
    """The text without these list items (by line, from 1)."""
    rows = enumerate(text_lines.split(text), start=1)
    return text_lines.join(tuple(row for number, row in rows if number not in lines))


def without_block_id(detail: str) -> str:
    """What an item says without its block id, such as `^kiln`, by which notes link to it."""
    return regex(_BLOCK_ID).sub("", detail)


def goes_on(text: str, line: int, *, nested: bool = False) -> bool:
    """Whether a list item has text on later lines; with `nested`, also whether it has items of its own."""
    rows = text_lines.split(text)
    return _last_line(rows, line) > line or (nested and _has_items(rows, line))


def active_text(text: str) -> str:
    """The text without superseded list items, hand-written ones too, for a prompt; items below them stay."""
    if _SUPERSEDED_START not in text:
        return text
    rows = text_lines.split(text)
    gone: set[int] = set()
    for item in items(parse(text)):
        if is_superseded(item):
            gone.update(range(item.line, _last_line(rows, item.line) + 1))
    return text_lines.join(tuple(row for number, row in enumerate(rows, start=1) if number not in gone))


def _last_line(rows: Sequence[str], line: int) -> int:
    """The last line of a list item's text, without the items below it; lines count from 1.

    As in Markdown, a line goes on with the item if it is indented further, also after blank lines; and a line
    directly below the text does whatever its indentation, unless it begins something else.
    """
    last, depth = line, _indentation(rows[line - 1])
    for number, row in enumerate(rows[line:], start=line + 1):
        if text_lines.is_blank(row):
            continue
        is_lazy = number == last + 1 and not regex(_INTERRUPTS).match(row)
        if regex(_ITEM).fullmatch(row) or not (is_lazy or _indentation(row) > depth):
            break
        last = number
    return last


def _has_items(rows: Sequence[str], line: int) -> bool:
    """Whether the first line below a list item's text is an item of its own."""
    below = next((row for row in rows[_last_line(rows, line) :] if not text_lines.is_blank(row)), "")
    return regex(_ITEM).fullmatch(below) is not None and _indentation(below) > _indentation(rows[line - 1])


def _indentation(row: str) -> int:
    row = row.removeprefix("\ufeff")
    return len(row) - len(row.lstrip(" \t"))


def section(text: str) -> Heading | None:
    """The heading of the section that `add` appends to, at any level; None if there is none."""
    return _section_heading(outline(text).headings)


def _section_heading(headings: Sequence[Heading]) -> Heading | None:
    heads = (
        head for name in SECTION_HEADINGS for head in headings if head.text.casefold() == name.casefold()
    )
    return next(heads, None)


def add(text: str, facts: Sequence[Fact]) -> str:
    """The text with these facts at the end of its section, which is added at the end of the text if missing.

    All other lines are unchanged; blank lines may be inserted before the new ones.
    """
    if not facts:
        return text
    new = [render_line(fact) for fact in facts]
    lines = text_lines.split(text)
    headings = outline(text).headings
    section_heading = _section_heading(headings)
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
                "line": item.line,
                "category": item.fact.category,
                "detail": item.fact.detail,
                "owner": str(item.fact.owner) if item.fact.owner else None,
                "superseded": item.superseded.isoformat() if item.superseded else None,
            }
            for item in items(memory)
        ],
    }


def merge(base: str, ours: str, theirs: str) -> str:
    """The text with the blocks of two versions of a base; a superseded item wins over the active one."""
    from memtool.formats.syntax.record_tree import merge_tree

    return merge_tree(base, ours, theirs, _describe)


def _describe(block: str) -> MergeRecord:
    from memtool.core.text.record_merge import MergeRecord

    active, superseded = _split_mark(block.rstrip())
    return MergeRecord(active if superseded else block.rstrip(), block, rank=(superseded is not None,))


def _parse_line(number: int, rows: Sequence[str]) -> LongTermItem | None:
    match = regex(_ITEM).fullmatch(rows[number - 1])
    if not match or not match[1].strip("-*_ \t\r"):
        return None
    categorised = regex(_CATEGORISED).fullmatch(match[1])
    category, statement = categorised.groups() if categorised else ("", match[1])
    statement, superseded = _split_mark(statement.rstrip()) if categorised else (statement, None)
    owner, detail = parse_tagged(statement.rstrip())
    if not detail:
        return None
    has_more = _last_line(rows, number) > number or _has_items(rows, number)
    return LongTermItem(number, Fact(category, detail, owner), superseded, has_more)


def _split_mark(statement: str) -> tuple[str, date | None]:
    """A statement without the mark of a superseded line, and the day in the mark."""
    mark = regex(_SUPERSEDED).search(statement) if statement.endswith("]") else None
    try:
        return (statement[: mark.start()], date.fromisoformat(mark[1])) if mark else (statement, None)
    except ValueError:
        return statement, None


def _continues(line: str) -> bool:
    """Whether this line is a list item or continues one, so that another item can follow directly."""
    return line.startswith((" ", "\t")) or regex(_ITEM).fullmatch(line) is not None
