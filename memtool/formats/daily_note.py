"""Daily note: the exchanges and notes of one day, one block each, append-only."""

from __future__ import annotations

from datetime import date, datetime, time
from functools import cached_property
from typing import Any

from msgspec import Struct

from memtool.core.records.entries import Exchange
from memtool.core.text.regex import regex
from memtool.formats.syntax import text_lines
from memtool.formats.syntax.owner_tag import TAG_PATTERN, parse_owner

_HEAD = r"(?a)\ufeff?# Daily Notes?[ \t]*(?:--|[—–:-])[ \t]*(\d{4}-\d\d-\d\d)[ \t\r]*"
_BLOCK_START = r"(?a)\ufeff?## (?:\[\d|Session Compaction )"
_COMPACTION = r"\ufeff?## Session Compaction "
_BLOCK = rf"(?a)\ufeff?## \[(\d\d:\d\d(?::\d\d)?)\](?: {TAG_PATTERN})?[ \t\r]*"
_STAMP = r"(?a)\d\d:\d\d(?::\d\d)?"
_SIDE = r"\*\*(User|Agent):\*\*(?:[ \t]+|$)"
_NEEDS_ESCAPE = r"(?a)\\*(?:\*\*(?:User|Agent):\*\*|\ufeff?## (?:\[\d|Session Compaction ))"
_ESCAPED = r"(?a)\\+(?:\*\*(?:User|Agent):\*\*|\ufeff?## (?:\[\d|Session Compaction ))"


class DailyNoteBlock(Struct, frozen=True, dict=True):
    """The lines from one `## [10:30:00]` to the next, and the exchange that they parse to.

    `exchange` is None if the heading's time or owner is invalid, and for a compaction section.
    """

    lines: tuple[str, ...]

    def __post_init__(self) -> None:
        text_lines.check(self.lines)
        if [number for number, line in enumerate(self.lines) if regex(_BLOCK_START).match(line)] != [0]:
            raise ValueError("a block must start with its heading and contain no other heading")

    @cached_property
    def exchange(self) -> Exchange | None:
        """The parsed exchange; None if the block is not one."""
        return _parse_block(self.lines)


class DailyNote(Struct, frozen=True):
    """A daily note file: the lines before the first block, then the blocks.

    A note without blocks, as other agents write, is all head.
    """

    head: tuple[str, ...]
    blocks: tuple[DailyNoteBlock, ...]

    def __post_init__(self) -> None:
        if self.head or not self.blocks:
            text_lines.check(self.head)
        if any(regex(_BLOCK_START).match(line) for line in self.head):
            raise ValueError("the text before the first block contains a block heading")


def parse(text: str) -> DailyNote:
    """Read any text; `render(parse(text)) == text`."""
    lines = text_lines.split(text)
    starts = [number for number, line in enumerate(lines) if regex(_BLOCK_START).match(line)]
    ends = [*starts[1:], len(lines)][: len(starts)]
    blocks = tuple(DailyNoteBlock(lines[start:end]) for start, end in zip(starts, ends, strict=True))
    return DailyNote(lines[: starts[0]] if starts else lines, blocks)


def render(note: DailyNote) -> str:
    """The file's text; `parse(render(note)) == note`."""
    return text_lines.join((*note.head, *(line for block in note.blocks for line in block.lines)))


def render_block(exchange: Exchange) -> str:
    """The text to append to a note for an exchange: a blank line, its heading and its lines.

    The note must end with a newline. Blank space around each text is dropped. A line that would parse as a
    heading or a side gets a backslash, which parsing removes again.
    """
    time_text = exchange.at.replace(microsecond=0, tzinfo=None).isoformat()
    parts = [f"\n## [{time_text}]" + (f" [{exchange.owner}]" if exchange.owner else "")]
    if exchange.note:
        parts += map(_escape, _text_lines(exchange.note))
    for side, text in (("User", exchange.user), ("Agent", exchange.agent)):
        if text is not None:
            first, *rest = _text_lines(text.strip())
            parts += [f"**{side}:** {first}" if first else f"**{side}:**", *map(_escape, rest)]
    return "\n".join(parts) + "\n"


def date_of(note: DailyNote) -> date | None:
    """The date in the title; None without a title or with an invalid date."""
    for line in note.head:
        if match := regex(_HEAD).fullmatch(line):
            try:
                return date.fromisoformat(match[1])
            except ValueError:
                return None
    return None


def exchanges(note: DailyNote) -> tuple[Exchange, ...]:
    """The exchanges and notes, in the order of the file."""
    return tuple(block.exchange for block in note.blocks if block.exchange)


def record(note: DailyNote) -> dict[str, Any]:
    """The record of `daily-note.schema.json`: day, blocks, and the lines of headings that do not parse."""
    entries, unread = [], []
    number = len(note.head) + 1
    for block in note.blocks:
        if exchange := block.exchange:
            entries.append(
                {
                    "line": number,
                    "at": exchange.at.isoformat(),
                    "user": exchange.user,
                    "agent": exchange.agent,
                    "note": exchange.note,
                    "owner": str(exchange.owner) if exchange.owner else None,
                }
            )
        elif not regex(_COMPACTION).match(block.lines[0]):
            unread.append(number)
        number += len(block.lines)
    title_day = date_of(note)
    return {"day": title_day.isoformat() if title_day else None, "blocks": entries, "unread": unread}


def merge(base: str, ours: str, theirs: str) -> str:
    """The text with the blocks of two versions of a base, as `merge_log` merges them."""
    from memtool.formats.syntax.log_merge import merge_log  # few commands merge

    return merge_log(base, ours, theirs, _block_time, blank=1)


def _block_time(line: str) -> datetime | None:
    """The time of a block's heading, on the first of days for one that has only a time of day."""
    if not regex(_BLOCK_START).match(line):
        return None
    stamp = regex(_STAMP).search(line)
    try:
        time_of_day = time.fromisoformat(stamp[0]) if stamp else time.min
    except ValueError:
        time_of_day = time.min
    return datetime.combine(date.min, time_of_day)


def _parse_block(lines: tuple[str, ...]) -> Exchange | None:
    match = regex(_BLOCK).fullmatch(lines[0])
    if not match:
        return None
    author = parse_owner(match[2], match[3]) if match[2] else None
    try:
        time_of_day = time.fromisoformat(match[1])
    except ValueError:
        return None
    if match[2] and author is None:
        return None
    texts: dict[str, list[str]] = {"": []}
    side_lines = texts[""]
    for line in lines[1:]:
        side = regex(_SIDE).match(line)
        if side and side[1] not in texts:
            side_lines = texts[side[1]] = [line[side.end() :]]
        else:
            side_lines.append(line[1:] if regex(_ESCAPED).match(line) else line)
    text_of_side = {side: _join_text(collected) for side, collected in texts.items()}
    return Exchange(
        time_of_day, text_of_side.get("User"), text_of_side.get("Agent"), text_of_side[""] or None, author
    )


def _join_text(lines: list[str]) -> str:
    return "\n".join(line.removesuffix("\r") for line in lines).strip("\n").rstrip()


def _text_lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip().split("\n")


def _escape(line: str) -> str:
    return "\\" + line if regex(_NEEDS_ESCAPE).match(line) else line
