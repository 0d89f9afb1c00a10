"""Working buffer: what was said since the context filled up, kept in case compaction loses it (Qanot)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from msgspec import Struct

from memtool.core.records.entry import BufferEntry
from memtool.formats.syntax import lines as text_lines

_TITLE = "# Working Buffer (Danger Zone Log)"
_STATUS = r"\*\*Status:\*\*[ \t]+(\S[^\n]*?)[ \t\r]*"
_STARTED = r"\*\*Started:\*\*[ \t]+(\S[^\n]*?)[ \t\r]*"
_HEADING = (
    r"(?a)\ufeff?## \[(\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?)\] (Human|Agent)(?: \(summary\))?[ \t\r]*"
)
_STARTS = r"(?a)\ufeff?## \[\d"
_ESCAPED = r"(?a)\\+\ufeff?## \[\d"


class Block(Struct, frozen=True, dict=True):
    """The lines from one heading to the next, and the entry that they read as; None where they do not."""

    lines: tuple[str, ...]

    def __post_init__(self) -> None:
        text_lines.check(self.lines)
        if [number for number, line in enumerate(self.lines) if re.match(_STARTS, line)] != [0]:
            raise ValueError("a block starts with its heading, and holds no other")

    @cached_property
    def entry(self) -> BufferEntry | None:
        """What the text reads as; None where it does not."""
        return _read(self.lines)


class WorkingBuffer(Struct, frozen=True):
    """A working buffer file: the lines before the first block, then the blocks."""

    head: tuple[str, ...]
    blocks: tuple[Block, ...]

    def __post_init__(self) -> None:
        if self.head or not self.blocks:
            text_lines.check(self.head)
        if any(re.match(_STARTS, line) for line in self.head):
            raise ValueError("a block's heading stands in the head")


def parse(text: str) -> WorkingBuffer:
    """Read any text; `render(parse(text)) == text`."""
    lines = text_lines.split(text)
    starts = [number for number, line in enumerate(lines) if re.match(_STARTS, line)]
    ends = [*starts[1:], len(lines)][: len(starts)]
    blocks = tuple(Block(lines[start:end]) for start, end in zip(starts, ends, strict=True))
    return WorkingBuffer(lines[: starts[0]] if starts else lines, blocks)


def render(buffer: WorkingBuffer) -> str:
    """The file's text; `parse(render(buffer)) == buffer`."""
    return text_lines.join((*buffer.head, *(line for block in buffer.blocks for line in block.lines)))


def head(started: datetime) -> str:
    """The beginning of a new buffer."""
    at = started.astimezone(UTC).isoformat(timespec="seconds")
    return f"{_TITLE}\n**Status:** ACTIVE\n**Started:** {at}\n---\n"


def block(entry: BufferEntry) -> str:
    """The text that records an entry, to be appended to any buffer that ends with a newline.

    Blank space around the text is dropped. A line of it that would pass for a heading gets a backslash, which
    reading takes off again.
    """
    who = "Human" if entry.human else "Agent (summary)"
    lines = entry.text.replace("\r\n", "\n").replace("\r", "\n").strip().split("\n")
    shielded = [
        "\\" + line if re.match(_STARTS, line) or re.match(_ESCAPED, line) else line for line in lines
    ]
    at = entry.at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    return "\n".join((f"\n## [{at}] {who}", *shielded)) + "\n"


def newest(text: str, most: int) -> str:
    """The buffer within `most` characters: the newest blocks, the last at least, and its head if it fits.

    A last block that is too long by itself keeps its end.
    """
    if len(text) <= most:
        return text
    buffer = parse(text)
    kept: list[str] = []
    room = most
    for one in reversed(buffer.blocks):
        said = "\n".join(one.lines)
        if len(said) + 1 > room:
            break
        kept.append(said)
        room -= len(said) + 1
    if not kept:
        return text[-most:]
    opening = "\n".join(buffer.head)
    return "\n".join([*([opening] if len(opening) + 1 <= room else []), *reversed(kept)])


def record(buffer: WorkingBuffer) -> dict[str, Any]:
    """What `working-buffer.schema.json` describes: status, start, entries, and headings that do not read."""
    told, unread = [], []
    number = len(buffer.head) + 1
    for one in buffer.blocks:
        if entry := one.entry:
            speaker = "human" if entry.human else "agent"
            told.append({"line": number, "at": entry.at.isoformat(), "speaker": speaker, "text": entry.text})
        else:
            unread.append(number)
        number += len(one.lines)
    opening = "\n".join(buffer.head)
    return {
        "status": _said(_STATUS, opening),
        "started": _said(_STARTED, opening),
        "entries": told,
        "unread": unread,
    }


def _said(pattern: str, head: str) -> str | None:
    match = re.search(rf"(?m)^{pattern}$", head)
    return match[1] if match else None


def _read(lines: tuple[str, ...]) -> BufferEntry | None:
    match = re.fullmatch(_HEADING, lines[0])
    if match is None:
        return None
    try:
        at = datetime.fromisoformat(match[1]).replace(tzinfo=UTC)
    except ValueError:
        return None
    said = (line.removesuffix("\r") for line in lines[1:])
    text = "\n".join(line[1:] if re.match(_ESCAPED, line) else line for line in said).strip()
    return BufferEntry(at, match[2] == "Human", text)
