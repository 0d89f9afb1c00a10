"""A conversation as it was handed in: its messages, each with the very text that it was written as."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct

from memtool.core.records.turn import Message, Text, ToolCall, ToolResult


class Item(Struct, frozen=True, dict=True):
    """One record of a conversation. `gap` is the text before it, `raw` its own; `messages` what it says.

    A record can say several messages: a tool's results and what the user added, in Anthropic's shape.
    """

    gap: str
    raw: str
    role: str
    messages: tuple[Message, ...]

    @cached_property
    def results(self) -> tuple[str, ...]:
        """The ids of the calls whose results it holds."""
        return tuple(
            part.tool_call_id for one in self.messages for part in one.parts if isinstance(part, ToolResult)
        )

    @property
    def words(self) -> str:
        """The text of it, without thoughts, calls and results."""
        return "\n".join(part.text for one in self.messages for part in one.parts if isinstance(part, Text))


class Conversation(Struct, frozen=True):
    """Items between an `opening` and a `closing` text: a JSON array, an object with `messages`, or lines.

    `in_parts` says that its records are of q15's shape; `apart` is what stands between two records.
    """

    opening: str
    items: tuple[Item, ...]
    closing: str
    in_parts: bool
    apart: str

    def spell(self, role: str, text: str) -> Mapping[str, Any]:
        """A message of this conversation's shape that says a text."""
        if self.in_parts:
            return {"role": role, "parts": [{"type": "text", "text": text}]}
        return {"role": role, "content": text}


def pairs(items: tuple[Item, ...]) -> Iterator[tuple[int, int]]:
    """The numbers (from 0) of items that must not be parted: a tool's call and each of its results.

    A result belongs to the last call before it with its id, for agents count their ids anew; one without an
    id, or with one that nobody gave a call, belongs to the last call of any id.
    """
    by_id: dict[str | None, int] = {}
    last: int | None = None
    for number, item in enumerate(items):
        for message in item.messages:
            for part in message.parts:
                if isinstance(part, ToolCall):
                    by_id[part.id.strip()] = last = number
                elif isinstance(part, ToolResult):
                    call = by_id.get(part.tool_call_id.strip() or None, last)
                    if call is not None and call != number:
                        yield call, number
        if item.role in {"tool", "function"} and not item.results and last is not None and last != number:
            yield last, number
