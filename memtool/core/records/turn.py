"""Turns: completed units of a conversation, made of messages and their parts in canonical form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct, field

from memtool.core.text.regex import regex

TURN_VERSION = 2
"""The schema version that is written; an older one is upgraded, a newer one is left alone."""
MAX_SEQ = 2**63 - 1
"""The greatest sequence number: q15, which defined the format, uses signed 64-bit integers."""
DISPOSITIONS = ("commentary", "final")
"""The marks of an assistant's text, which may also have none: said while working, or the answer."""

USER, ASSISTANT = "user", "assistant"
"""The roles of the two sides of a chat with an assistant."""
ROLES = (USER, ASSISTANT, "system", "tool")
"""The roles of messages that memtool knows; others are preserved."""

CONCURRENT = "concurrent"
"""The key of the other turns that machines gave the same number, until they get numbers of their own."""

UnknownKeys = Mapping[str, Any]
"""Unknown keys with their JSON values, which are preserved."""


class TextPart(Struct, frozen=True):
    """A text part. `disposition` is commentary, final or empty."""

    text: str
    disposition: str = ""
    more: UnknownKeys = field(default_factory=dict)


class ReasoningPart(Struct, frozen=True):
    """The reasoning of a model; `replay` is what its provider needs to continue it."""

    text: str
    replay: UnknownKeys = field(default_factory=dict)
    more: UnknownKeys = field(default_factory=dict)


class ToolCall(Struct, frozen=True):
    """A call of a tool. `arguments` is JSON as the model wrote it, possibly invalid."""

    id: str
    name: str
    arguments: str
    more: UnknownKeys = field(default_factory=dict)


class ToolResult(Struct, frozen=True):
    """The result of the tool call with that id."""

    tool_call_id: str
    content: str
    is_error: bool = False
    more: UnknownKeys = field(default_factory=dict)


class UnknownPart(Struct, frozen=True):
    """A part, or a whole message, of an unknown shape: its JSON value as an older version had it."""

    value: Any
    more: UnknownKeys = field(default_factory=dict)


MessagePart = TextPart | ReasoningPart | ToolCall | ToolResult | UnknownPart


class Message(Struct, frozen=True):
    """A message of one speaker. `role` is user, assistant, system, tool, or an unknown word."""

    role: str
    parts: tuple[MessagePart, ...]
    more: UnknownKeys = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Its text parts, each on lines of its own."""
        return "\n".join(part.text for part in self.parts if isinstance(part, TextPart))


class Turn(Struct, frozen=True):
    """One stored turn with number `seq` of its history. `created_at` is RFC 3339, as written."""

    id: str
    seq: int
    created_at: str
    messages: tuple[Message, ...]
    more: UnknownKeys = field(default_factory=dict)

    @property
    def at(self) -> datetime:
        """When it was created, in UTC."""
        moment = parse_moment(self.created_at)
        if moment is None:
            raise ValueError(f"{self.created_at!r} is not an RFC 3339 time")
        return moment


def turn_id(seq: int) -> str:
    """The id of a new turn with this number."""
    return f"turn-{seq:020}"


def parse_moment(text: str) -> datetime | None:
    """Parse an RFC 3339 time with `T` and an offset, as Go writes it, into UTC; None if it is invalid.

    Digits past the microsecond are dropped. Leap seconds and years past 9999 are invalid.
    """
    match = regex(_TIME).fullmatch(text)
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


def format_moment(moment: datetime) -> str:
    """A moment in the form of `created_at`: UTC with `Z`, with milliseconds unless the fraction is 0."""
    text = moment.astimezone(UTC).replace(tzinfo=None)
    return text.isoformat(timespec="milliseconds" if text.microsecond else "seconds") + "Z"


def canonical_part(part: MessagePart) -> MessagePart | None:
    """A part in canonical form, or None if it is empty.

    The rules are q15's: ids, names and arguments are trimmed, empty arguments are `{}`, a call needs a name
    and a result the id of its call; texts, reasoning and results keep their blanks.
    """
    match part:
        case TextPart(text, disposition, more):
            known = disposition if disposition in DISPOSITIONS else ""
            return TextPart(text, known, more) if not _blank(text) else None
        case ReasoningPart(text, replay):
            return part if replay or not _blank(text) else None
        case ToolCall(id_, name, arguments, more):
            name = name.strip()
            return ToolCall(id_.strip(), name, arguments.strip() or "{}", more) if name else None
        case ToolResult(id_, content, is_error, more):
            id_ = id_.strip()
            return ToolResult(id_, content, is_error, more) if id_ else None
        case UnknownPart():
            return part


def canonical_messages(messages: Iterator[Message] | tuple[Message, ...]) -> tuple[Message, ...]:
    """Messages with all parts in canonical form; messages without parts are dropped."""
    reduced = (
        Message(
            message.role,
            tuple(part for part in map(canonical_part, message.parts) if part is not None),
            message.more,
        )
        for message in messages
    )
    return tuple(message for message in reduced if message.parts)


def _blank(text: str) -> bool:
    return not text or text.isspace()
