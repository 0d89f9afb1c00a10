"""What a message says, as one text to be searched, and which of its parts a line of that text is from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from memtool.core.records.turn import Message, Part, Reasoning, Text, ToolCall, ToolResult


def spoken(message: Message) -> str:
    """The words of all parts, those of each part on lines of their own, in order."""
    return "\n".join(spoken_part(part) for part in message.parts)


def part_at(message: Message, line: int) -> int:
    """Which part the line (from 0) of `spoken(message)` is from, from 0."""
    seen = 0
    for number, part in enumerate(message.parts):
        seen += spoken_part(part).count("\n") + 1
        if line < seen:
            return number
    return max(0, len(message.parts) - 1)


def spoken_part(part: Part) -> str:
    """What a part says: its text; of a tool call the name and the texts in its arguments."""
    match part:
        case Text(text) | Reasoning(text):
            return text
        case ToolResult(_, content):
            return content
        case ToolCall(_, name, arguments):
            return "\n".join((name, *_texts(arguments)))


def _texts(arguments: str) -> Iterator[str]:
    """The keys and values in JSON arguments, where escapes no longer hide words; other text as it is."""
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        yield arguments
        return
    yield from _inside(value)


def _inside(value: Any) -> Iterator[str]:
    """Every key and value, outermost first; deep structures are walked without recursion."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            for key, inner in one.items():
                if isinstance(inner, dict | list):
                    yield str(key)
                    waiting.append(inner)
                else:
                    yield f"{key}: {inner}"
        elif isinstance(one, list):
            waiting += reversed(one)
        elif one is not None:
            yield str(one)
