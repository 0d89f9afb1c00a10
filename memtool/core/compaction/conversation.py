"""Conversation: the messages given to `compact`, each with its exact source text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct

from memtool.core.records.turn import Message, TextPart, ToolCall, ToolResult


class ConversationItem(Struct, frozen=True, dict=True):
    """One record of a conversation: the text before it (`gap`), its own text (`raw`), and its messages.

    A record in Anthropic's format can hold several messages: tool results and text of the user.
    """

    gap: str
    raw: str
    role: str
    messages: tuple[Message, ...]

    @cached_property
    def results(self) -> tuple[str, ...]:
        """The ids of the tool calls whose results are in the record."""
        return tuple(
            part.tool_call_id
            for message in self.messages
            for part in message.parts
            if isinstance(part, ToolResult)
        )

    @property
    def text(self) -> str:
        """The text parts of the record, without reasoning, tool calls and tool results."""
        return "\n".join(
            part.text for message in self.messages for part in message.parts if isinstance(part, TextPart)
        )


class Conversation(Struct, frozen=True):
    """Items between an `opening` and a `closing` text: a JSON array, an object with `messages`, JSON Lines.

    `has_parts` is true for records in q15's format; `separator` is the text between two records.
    """

    opening: str
    items: tuple[ConversationItem, ...]
    closing: str
    has_parts: bool
    separator: str

    def message_record(self, role: str, text: str) -> Mapping[str, Any]:
        """A message record with this text, in the format of this conversation."""
        if self.has_parts:
            return {"role": role, "parts": [{"type": "text", "text": text}]}
        return {"role": role, "content": text}


def call_result_pairs(items: tuple[ConversationItem, ...]) -> Iterator[tuple[int, int]]:
    """The index pairs of items that must stay together: a tool call and each of its results.

    A result belongs to the last call before it with its id, because agents reuse ids; one without an id, or
    with an unknown id, belongs to the last call of any id.
    """
    by_id: dict[str | None, int] = {}
    last_call: int | None = None
    for number, item in enumerate(items):
        for message in item.messages:
            for part in message.parts:
                if isinstance(part, ToolCall):
                    by_id[part.id.strip()] = last_call = number
                elif isinstance(part, ToolResult):
                    call = by_id.get(part.tool_call_id.strip() or None, last_call)
                    if call is not None and call != number:
                        yield call, number
        if (
            item.role in {"tool", "function"}
            and not item.results
            and last_call is not None
            and last_call != number
        ):
            yield last_call, number
