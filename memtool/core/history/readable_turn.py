"""Readable turns: a turn as a transcript in plain lines."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.records.turn import (
    Message,
    MessagePart,
    ReasoningPart,
    TextPart,
    ToolCall,
    ToolResult,
    Turn,
    UnknownPart,
)

_INDENT = "    "


def readable_lines(turn: Turn) -> Iterator[str]:
    """The lines of a turn: a header with its number and time, then each part after its speaker."""
    yield f"--- turn {turn.seq} · {turn.created_at}"
    for message in turn.messages:
        for part in message.parts:
            yield from _lines(message, part)


def _lines(message: Message, part: MessagePart) -> Iterator[str]:
    match part:
        case TextPart(text, disposition):
            note = f" ({disposition})" if disposition == "commentary" else ""
            yield from _labelled(f"{message.role}{note}: ", text)
        case ReasoningPart(text):
            if text.strip():
                yield from _labelled(f"{message.role} (reasoning): ", text)
        case ToolCall(_, name, arguments):
            yield from _labelled(f"{message.role} calls {name}: ", arguments)
        case ToolResult(_, content, is_error):
            yield from _labelled("tool failed: " if is_error else "tool: ", content)
        case UnknownPart(value):
            kind = value.get("type") if isinstance(value, dict) else None
            named = f" of type {kind[:40]!r}" if isinstance(kind, str) else ""
            yield f"{message.role}: (unknown part{named})"


def _labelled(label: str, text: str) -> Iterator[str]:
    """A text after a label, with its further lines indented."""
    first, *rest = text.strip("\n").split("\n")
    yield f"{label}{first}".rstrip()
    yield from (f"{_INDENT}{line}".rstrip() for line in rest)
