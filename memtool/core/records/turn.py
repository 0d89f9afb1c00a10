"""A turn: one completed unit of a conversation, as messages made of parts in their canonical order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct, field

from memtool.core.text.pattern import compiled

VERSION = 2
"""The schema version that is written; an older one is upgraded, a newer one is left alone."""
MOST = 2**63 - 1
"""The greatest sequence number: those of q15, which defined the format, are signed 64-bit integers."""
DISPOSITIONS = ("commentary", "final")
"""What an assistant's text can be marked as, besides not at all: said on the way, or the answer."""

More = Mapping[str, Any]
"""Keys that memtool does not know, with their JSON values; they are kept."""


class Text(Struct, frozen=True):
    """Something said. `disposition` is commentary, final or empty."""

    text: str
    disposition: str = ""
    more: More = field(default_factory=dict)


class Reasoning(Struct, frozen=True):
    """What a model thought; `replay` is what its provider needs to take the thought up again."""

    text: str
    replay: More = field(default_factory=dict)
    more: More = field(default_factory=dict)


class ToolCall(Struct, frozen=True):
    """A tool that was called. `arguments` is JSON as the model wrote it, which need not be valid."""

    id: str
    name: str
    arguments: str
    more: More = field(default_factory=dict)


class ToolResult(Struct, frozen=True):
    """What the tool call of that id came back with."""

    tool_call_id: str
    content: str
    is_error: bool = False
    more: More = field(default_factory=dict)


Part = Text | Reasoning | ToolCall | ToolResult


class Message(Struct, frozen=True):
    """What one speaker said at once. `role` is user, assistant, system, tool, or a word we do not know."""

    role: str
    parts: tuple[Part, ...]
    more: More = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What is said in words: its texts, each on lines of its own."""
        return "\n".join(part.text for part in self.parts if isinstance(part, Text))


class Turn(Struct, frozen=True):
    """One stored turn: number `seq` of its history. `created_at` is RFC 3339, as it is written."""

    id: str
    seq: int
    created_at: str
    messages: tuple[Message, ...]
    more: More = field(default_factory=dict)

    @property
    def at(self) -> datetime:
        """When it was created, in UTC."""
        moment = moment_of(self.created_at)
        if moment is None:
            raise ValueError(f"{self.created_at!r} is no time")
        return moment


def id_of(seq: int) -> str:
    """The id of a new turn with this number."""
    return f"turn-{seq:020}"


def moment_of(text: str) -> datetime | None:
    """The moment, in UTC, of an RFC 3339 time with `T` and an offset, as Go writes them; None if it is none.

    Digits past the microsecond are dropped. A leap second is no moment, nor is a year past 9999.
    """
    match = compiled(_TIME).fullmatch(text)
    if match is None:
        return None
    seconds, fraction, offset = match.groups()
    try:
        moment = datetime.fromisoformat(
            f"{seconds}{(fraction or '')[:7]}{'+00:00' if offset == 'Z' else offset}"
        )
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


_TIME = (
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2})(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})"
)


def spell(moment: datetime) -> str:
    """A moment as a turn's `created_at` says it: UTC with `Z`, to the millisecond where it has any."""
    text = moment.astimezone(UTC).replace(tzinfo=None)
    return text.isoformat(timespec="milliseconds" if text.microsecond else "seconds") + "Z"


def kept(part: Part) -> Part | None:
    """A part in canonical form, or None where it says nothing.

    The rules are q15's: ids, names and arguments lose the blanks around them, empty arguments are `{}`, a
    call needs a name and a result the id of its call; what was said, thought or found keeps its blanks.
    """
    match part:
        case Text(text, disposition, more):
            known = disposition if disposition in DISPOSITIONS else ""
            return Text(text, known, more) if not _blank(text) else None
        case Reasoning(text, replay):
            return part if replay or not _blank(text) else None
        case ToolCall(id_, name, arguments, more):
            name = name.strip()
            return ToolCall(id_.strip(), name, arguments.strip() or "{}", more) if name else None
        case ToolResult(id_, content, is_error, more):
            id_ = id_.strip()
            return ToolResult(id_, content, is_error, more) if id_ else None


def canonical(messages: Iterator[Message] | tuple[Message, ...]) -> tuple[Message, ...]:
    """Messages whose parts are all in canonical form; those that are left with none are dropped."""
    found = (
        Message(one.role, tuple(part for part in map(kept, one.parts) if part is not None), one.more)
        for one in messages
    )
    return tuple(one for one in found if one.parts)


def _blank(text: str) -> bool:
    return not text or text.isspace()
