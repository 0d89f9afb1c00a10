"""The searchable text of a message, and the part that a line of it comes from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from memtool.core.records.turn import (
    Message,
    MessagePart,
    ReasoningPart,
    TextPart,
    ToolCall,
    ToolResult,
    UnknownPart,
)
from memtool.core.text.chat_log import without_chat_marks


def searchable_text(message: Message) -> str:
    """The texts of all parts in order, each on lines of its own."""
    return "\n".join(searchable_part(part) for part in message.parts)


def part_at(message: Message, line: int) -> int:
    """The number of the part that a line of `spoken(message)` comes from; both count from 0."""
    lines = 0
    for number, part in enumerate(message.parts):
        lines += searchable_part(part).count("\n") + 1
        if line < lines:
            return number
    return max(0, len(message.parts) - 1)


def searchable_part(part: MessagePart) -> str:
    """The text of a part, without the marks of a chat's log; of a tool call the name and its arguments."""
    match part:
        case TextPart(text):
            return without_chat_marks(text)
        case ReasoningPart(text):
            return text
        case ToolResult(_, content):
            return content
        case ToolCall(_, name, arguments):
            return "\n".join((name, *_texts(arguments)))
        case UnknownPart():
            return ""


def _texts(arguments: str) -> Iterator[str]:
    """The keys and values of JSON arguments, without escapes; arguments that are not JSON unchanged."""
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        yield arguments
        return
    yield from _nested_texts(value)


def _nested_texts(value: Any) -> Iterator[str]:
    """Every key and value, outermost first, without recursion."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            for key, inner in item.items():
                if isinstance(inner, dict | list):
                    yield str(key)
                    stack.append(inner)
                else:
                    yield f"{key}: {inner}"
        elif isinstance(item, list):
            stack += reversed(item)
        elif item is not None:
            yield str(item)
