"""Working buffer: a backup log of the exchanges since the context filled up (Qanot)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from msgspec import Struct

from memtool.core.records.entries import BufferEntry
from memtool.formats.syntax import text_lines
from memtool.formats.syntax.owner_tag import TAG_PATTERN, parse_owner

_TITLE = "# Working Buffer (Danger Zone Log)"
_STATUS = r"\*\*Status:\*\*[ \t]+(\S[^\n]*?)[ \t\r]*"
_STARTED = r"\*\*Started:\*\*[ \t]+(\S[^\n]*?)[ \t\r]*"
_HEADING = (
    r"(?a)\ufeff?## \[(\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?)\] (Human|Agent)(?: \(summary\))?"
    rf"(?: {TAG_PATTERN})?[ \t\r]*"
)
_BLOCK_START = r"(?a)\ufeff?## \[\d"
_ESCAPED = r"(?a)\\+\ufeff?## \[\d"


class BufferBlock(Struct, frozen=True, dict=True):
    """The lines from one heading to the next, and the entry that they parse to, if any."""

    lines: tuple[str, ...]

    def __post_init__(self) -> None:
        text_lines.check(self.lines)
        if [number for number, line in enumerate(self.lines) if re.match(_BLOCK_START, line)] != [0]:
            raise ValueError("a block must start with its heading and contain no other heading")

    @cached_property
    def entry(self) -> BufferEntry | None:
        """The parsed entry; None if the block is not one."""
        return _parse_block(self.lines)


class WorkingBuffer(Struct, frozen=True):
    """A working buffer file: the lines before the first block, then the blocks."""

    head: tuple[str, ...]
    blocks: tuple[BufferBlock, ...]

    def __post_init__(self) -> None:
        if self.head or not self.blocks:
            text_lines.check(self.head)
        if any(re.match(_BLOCK_START, line) for line in self.head):
            raise ValueError("the text before the first block contains a block heading")


def parse(text: str) -> WorkingBuffer:
    """Read any text; `render(parse(text)) == text`."""
    lines = text_lines.split(text)
    starts = [number for number, line in enumerate(lines) if re.match(_BLOCK_START, line)]
    ends = [*starts[1:], len(lines)][: len(starts)]
    blocks = tuple(BufferBlock(lines[start:end]) for start, end in zip(starts, ends, strict=True))
    return WorkingBuffer(lines[: starts[0]] if starts else lines, blocks)


def render(buffer: WorkingBuffer) -> str:
    """The file's text; `parse(render(buffer)) == buffer`."""
    return text_lines.join((*buffer.head, *(line for block in buffer.blocks for line in block.lines)))


def render_head(started: datetime) -> str:
    """The beginning of a new buffer."""
    at = started.astimezone(UTC).isoformat(timespec="seconds")
    return f"{_TITLE}\n**Status:** ACTIVE\n**Started:** {at}\n---\n"


def render_block(entry: BufferEntry) -> str:
    """The text to append for an entry to a buffer that ends with a newline.

    Blank space around the text is dropped. A line of it that would pass for a heading gets a backslash, which
    reading takes off again.
    """
    who = "Human" if entry.human else "Agent (summary)"
    lines = entry.text.replace("\r\n", "\n").replace("\r", "\n").strip().split("\n")
    shielded = [
        "\\" + line if re.match(_BLOCK_START, line) or re.match(_ESCAPED, line) else line for line in lines
    ]
    at = entry.at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    owner = f" [{entry.owner}]" if entry.owner else ""
    return "\n".join((f"\n## [{at}] {who}{owner}", *shielded)) + "\n"


def keep_newest(text: str, max_chars: int) -> str:
    """The buffer cut to `max_chars` characters: its newest blocks, and its head if it fits.

    Of a last block that is too long by itself the end stays.
    """
    if len(text) <= max_chars:
        return text
    buffer = parse(text)
    texts: list[str] = []
    space = max_chars
    for block in reversed(buffer.blocks):
        block_text = "\n".join(block.lines)
        if len(block_text) + 1 > space:
            break
        texts.append(block_text)
        space -= len(block_text) + 1
    if not texts:
        return text[-max_chars:]
    opening = "\n".join(buffer.head)
    return "\n".join([*([opening] if len(opening) + 1 <= space else []), *reversed(texts)])


def record(buffer: WorkingBuffer) -> dict[str, Any]:
    """The record of `working-buffer.schema.json`: status, start, entries, and invalid headings."""
    entries, unread = [], []
    number = len(buffer.head) + 1
    for block in buffer.blocks:
        if entry := block.entry:
            speaker = "human" if entry.human else "agent"
            entries.append(
                {
                    "line": number,
                    "at": entry.at.isoformat(),
                    "speaker": speaker,
                    "text": entry.text,
                    "owner": str(entry.owner) if entry.owner else None,
                }
            )
        else:
            unread.append(number)
        number += len(block.lines)
    opening = "\n".join(buffer.head)
    return {
        "status": _head_field(_STATUS, opening),
        "started": _head_field(_STARTED, opening),
        "entries": entries,
        "unread": unread,
    }


def _head_field(pattern: str, head: str) -> str | None:
    match = re.search(rf"(?m)^{pattern}$", head)
    return match[1] if match else None


def merge(base: str, ours: str, theirs: str) -> str:
    """The text with the exchanges of two versions of a base, as `merge_log` merges them.

    An exchange begins at the heading of a human's text, so that replies stay below what they reply to.
    """
    from memtool.formats.syntax.log_merge import merge_log  # few commands merge

    return merge_log(base, ours, theirs, _exchange_time, blank=1)


def _exchange_time(line: str) -> datetime | None:
    heading = re.fullmatch(_HEADING, line)
    if heading is None or heading[2] != "Human":
        return None
    try:
        return datetime.fromisoformat(heading[1])
    except ValueError:
        return datetime.min


def _parse_block(lines: tuple[str, ...]) -> BufferEntry | None:
    match = re.fullmatch(_HEADING, lines[0])
    if match is None:
        return None
    try:
        moment = datetime.fromisoformat(match[1]).replace(tzinfo=UTC)
    except ValueError:
        return None
    body = (line.removesuffix("\r") for line in lines[1:])
    text = "\n".join(line[1:] if re.match(_ESCAPED, line) else line for line in body).strip()
    owner = parse_owner(match[3], match[4]) if match[3] else None
    if match[3] and owner is None:
        return None
    return BufferEntry(moment, match[2] == "Human", text, owner)
