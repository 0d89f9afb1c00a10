"""Conversation: chat messages as JSON, parsed so that unchanged messages are written back byte for byte."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from memtool.core.compaction.chat_formats import InvalidChatMessage, parse_message
from memtool.core.compaction.conversation import Conversation, ConversationItem
from memtool.core.records.turn import Message, TextPart, ToolCall, ToolResult
from memtool.formats.syntax import json_text

_BLANK = " \t\r\n"


class InvalidConversation(ValueError):
    """A text that is not a conversation; the message is a sentence about the input."""


def parse(text: str) -> Conversation:
    """Read a JSON array of messages, an object with `messages`, or JSON Lines. Raises InvalidConversation.

    `render(parse(text), parse(text).items) == text` for every valid text.
    """
    if not text.strip(_BLANK + "\ufeff"):
        raise InvalidConversation("the input is empty")
    try:
        value, bom = json_text.loads(text)
    except json_text.InvalidJson as error:
        return _parse_lines(text, error)
    if isinstance(value, dict) and "role" not in value and isinstance(value.get("messages"), list):
        return _parse_array(text, _messages(text, _skip_blanks(text, bom)))
    return _parse_array(text, _skip_blanks(text, bom)) if isinstance(value, list) else _parse_lines(text)


def render(conversation: Conversation, items: Iterable[ConversationItem]) -> str:
    """The text of the conversation with these items; parsed items are written unchanged."""
    first = conversation.items[0] if conversation.items else None
    pieces = [conversation.opening]
    for number, item in enumerate(items):
        pieces += [
            (first.gap if first else "") if number == 0 else item.gap or conversation.separator,
            item.raw,
        ]
    return "".join([*pieces, conversation.closing])


def new_item(conversation: Conversation, role: str, text: str, gap: str) -> ConversationItem:
    """A new item in the conversation's shape; `gap` is the text between it and the item before."""
    record = conversation.message_record(role, text)
    return ConversationItem(gap, json.dumps(record, ensure_ascii=False), role, tuple(parse_message(record)))


def item_value(item: ConversationItem) -> Any:
    """The JSON value of an item."""
    return json_text.loads(item.raw)[0]


def render_lines(messages: Iterable[Message]) -> str:
    """Messages as JSON Lines in the shape of OpenAI's chat, without reasoning."""
    records = (record for message in messages for record in _records(message))
    return "".join(map(json_text.dump_line, records))


def _records(message: Message) -> Iterator[dict[str, Any]]:
    texts = [part.text for part in message.parts if isinstance(part, TextPart)]
    calls = [
        {"id": part.id, "type": "function", "function": {"name": part.name, "arguments": part.arguments}}
        for part in message.parts
        if isinstance(part, ToolCall)
    ]
    if texts or calls:
        record: dict[str, Any] = {"role": message.role, "content": "\n\n".join(texts)}
        yield {**record, "tool_calls": calls} if calls else record
    for part in message.parts:
        if isinstance(part, ToolResult):
            yield {"role": "tool", "tool_call_id": part.tool_call_id, "content": part.content}


def _parse_array(text: str, opens: int) -> Conversation:
    """The conversation whose list starts at `opens`, in valid JSON."""
    items: list[ConversationItem] = []
    records: list[Any] = []
    previous_end, position = opens + 1, _skip_blanks(text, opens + 1)
    while text[position] != "]":
        start = _skip_blanks(text, position + (text[position] == ","))
        record, end = json_text.load_at(text, start)
        items.append(_item(record, text[previous_end:start], text[start:end], f"message {len(items) + 1}"))
        records.append(record)
        previous_end, position = end, _skip_blanks(text, end)
    return Conversation(text[: opens + 1], tuple(items), text[previous_end:], _uses_parts(records), ", ")


def _parse_lines(text: str, whole: json_text.InvalidJson | None = None) -> Conversation:
    """The conversation of consecutive JSON values; `whole` is the error of parsing the text as one value."""
    items: list[ConversationItem] = []
    records: list[Any] = []
    line, previous_end, start = 1, 0, _skip_blanks(text, int(text.startswith("\ufeff")))
    if whole is not None and text[start] == "[":
        raise InvalidConversation(f"the conversation {whole}") from whole
    while start < len(text):
        line += text.count("\n", previous_end, start)
        where = f"the message on line {line}"
        try:
            record, end = json_text.load_at(text, start)
        except json_text.InvalidJson as error:
            reason = f"{where} {error}" if items else f"the conversation {whole or error}"
            raise InvalidConversation(reason) from error
        items.append(_item(record, text[previous_end:start], text[start:end], where))
        line += text.count("\n", start, end)
        records.append(record)
        previous_end, start = end, _skip_blanks(text, end)
    return Conversation("", tuple(items), text[previous_end:], _uses_parts(records), "\n")


def _item(record: Any, gap: str, raw: str, where: str) -> ConversationItem:
    try:
        messages = tuple(parse_message(record))
    except InvalidChatMessage as error:
        raise InvalidConversation(f"{where} {error}") from error
    role = record["role"].strip().lower()
    return ConversationItem(gap, raw, "system" if role == "developer" else role, messages)


def _messages(text: str, start: int) -> int:
    """The offset of the list under the last key `messages` of the JSON object that starts at `start`."""
    position_of_list, position = 0, _skip_blanks(text, start + 1)
    while text[position] != "}":
        key, end = json_text.load_at(text, _skip_blanks(text, position + (text[position] == ",")))
        value = _skip_blanks(text, _skip_blanks(text, end) + 1)
        position_of_list = value if key == "messages" else position_of_list
        position = _skip_blanks(text, json_text.load_at(text, value)[1])
    return position_of_list


def _uses_parts(records: Iterable[Any]) -> bool:
    return any("parts" in record for record in records)


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at
