"""Files of chat messages in the format of OpenAI's and Anthropic's APIs, which share one parser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memtool.core.compaction.chat_formats import InvalidChatMessage, parse_message
from memtool.transcripts.records import TranscriptRecord, parse_records, sample_records
from memtool.transcripts.transcript import ImportedTurn, SkippedRecord, TranscriptItem, TranscriptSource
from memtool.transcripts.turn_builder import TurnBuilder, id_of, time_of, with_id_and_time

_ROLES = {"system", "developer", "user", "assistant", "tool", "function"}
_CONTENT_KEYS = {"content", "tool_calls", "function_call", "refusal"}
_FOREIGN_KEYS = {"payload", "message", "mapping", "chat_messages", "schema_version"}
"""Keys of agents' log lines, exports and stored turns, which a chat message does not have."""
_SESSION_KEYS = ("conversation_id", "session_id", "thread_id", "id", "uuid")
_FOREIGN_BLOCKS = {"toolRequest", "toolResponse"}
"""Types of blocks of Goose, whose messages are otherwise like those of the APIs."""
_ANTHROPIC_BLOCKS = [
    "tool_use",
    "tool_result",
    "thinking",
    "redacted_thinking",
    "server_tool_use",
    "mcp_tool_use",
]


def is_chat(source: TranscriptSource, *, anthropic: bool) -> bool:
    """Whether a file begins with chat messages that only Anthropic's API accepts (`anthropic`), or others."""
    messages: list[Mapping[str, Any]] = []
    other_records, has_system = 0, False
    for record in sample_records(source):
        if isinstance(record, Mapping) and not record.keys().isdisjoint(_FOREIGN_KEYS):
            return False
        messages_of_record = _messages_in(record)
        if any(map(_foreign_block, messages_of_record)):
            return False
        valid = [message for message in messages_of_record if _is_message(message)]
        other_records += len(valid) * 2 <= len(messages_of_record) or not messages_of_record
        messages += valid
        has_system = has_system or (
            isinstance(record, Mapping) and "messages" in record and bool(record.get("system"))
        )
    if not messages or other_records > len(messages):
        return False
    return (has_system or any(map(_is_anthropic, messages))) == anthropic


def read(source: TranscriptSource, agent: str) -> Iterator[TranscriptItem]:
    """The turns of a file that is one conversation, or has one conversation per record."""
    turns = TurnBuilder(agent)
    for record in parse_records(source):
        match record:
            case SkippedRecord():
                yield record
            case TranscriptRecord(value=list() | {"messages": _}):
                yield from _conversation(record, agent)
            case TranscriptRecord():
                yield from _add_message(turns, record.value, record, record.name)
    yield from turns.finish()


def _conversation(record: TranscriptRecord, agent: str) -> Iterator[ImportedTurn | SkippedRecord]:
    fields = record.value if isinstance(record.value, Mapping) else {"messages": record.value}
    if not isinstance(fields["messages"], list):
        yield record.as_skipped("has a field 'messages' that is not a list")
        return
    turns = TurnBuilder(agent, id_of(fields, *_SESSION_KEYS), time_of(fields))
    if system := fields.get("system"):
        yield from _add_message(
            turns, {"role": "system", "content": system}, record, f"the system prompt of {record.name}"
        )
    for number, message in enumerate(fields["messages"], 1):
        yield from _add_message(turns, message, record, f"message {number} of {record.name}")
    yield from turns.finish()


def _add_message(
    turns: TurnBuilder, raw: Any, record: TranscriptRecord, name: str
) -> Iterator[ImportedTurn | SkippedRecord]:
    if kind := _foreign_block(raw):
        yield SkippedRecord(
            record.line,
            f"{name} has a block of type {kind!r}, which is not part of OpenAI's or Anthropic's format",
        )
        return
    try:
        messages = list(parse_message(raw))
    except InvalidChatMessage as error:
        yield SkippedRecord(record.line, f"{name} {error}")
        return
    time, own_id = time_of(raw), id_of(raw, "id", "uuid")
    for message in messages:
        yield from turns.add(with_id_and_time(message, time, own_id), time)


def _messages_in(record: Any) -> list[Any]:
    if isinstance(record, Mapping) and isinstance(record.get("messages"), list):
        return list(record["messages"])
    return record if isinstance(record, list) else [record]


def _is_message(record: Any) -> bool:
    if not isinstance(record, Mapping) or not record.keys().isdisjoint(_FOREIGN_KEYS):
        return False
    role = record.get("role")
    if not isinstance(role, str) or role not in _ROLES or record.keys().isdisjoint(_CONTENT_KEYS):
        return False
    kinds = [block.get("type") for block in _blocks(record)]
    return record.get("type") in [None, "message"] and not ("input_text" in kinds or "output_text" in kinds)


def _is_anthropic(message: Mapping[str, Any]) -> bool:
    return any(
        block.get("type") in _ANTHROPIC_BLOCKS or isinstance(block.get("source"), Mapping)
        for block in _blocks(message)
    )


def _foreign_block(message: Any) -> str:
    """The type of a block that only messages of another format have; "" if there is none."""
    kinds = [block.get("type") for block in _blocks(message)] if isinstance(message, Mapping) else []
    return next((kind for kind in kinds if isinstance(kind, str) and kind in _FOREIGN_BLOCKS), "")


def _blocks(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    content = message.get("content")
    return [block for block in content if isinstance(block, Mapping)] if isinstance(content, list) else []
