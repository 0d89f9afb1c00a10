"""Files of chat messages in the format of OpenAI's and Anthropic's APIs, which share one parser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memtool.core.compaction.chat import NotAMessage, message_of
from memtool.transcripts.conversation import Turns, dated, id_of, time_of
from memtool.transcripts.foreign import Imported, Item, Skipped, Source
from memtool.transcripts.records import Record, records, sample

_ROLES = {"system", "developer", "user", "assistant", "tool", "function"}
_SAYS = {"content", "tool_calls", "function_call", "refusal"}
_ENVELOPES = {"payload", "message", "mapping", "chat_messages", "schema_version"}
"""Keys of agents' log lines, exports and stored turns, which a chat message does not have."""
_SESSIONS = ("conversation_id", "session_id", "thread_id", "id", "uuid")
_BLOCKS = ["tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "mcp_tool_use"]


def is_chat(source: Source, *, anthropic: bool) -> bool:
    """Whether a file begins with chat messages that only Anthropic's API accepts (`anthropic`), or others."""
    messages: list[Mapping[str, Any]] = []
    other_records, has_system = 0, False
    for record in sample(source):
        if isinstance(record, Mapping) and not record.keys().isdisjoint(_ENVELOPES):
            return False
        messages_of_record = _messages_in(record)
        valid = [message for message in messages_of_record if _is_message(message)]
        other_records += len(valid) * 2 <= len(messages_of_record) or not messages_of_record
        messages += valid
        has_system = has_system or (
            isinstance(record, Mapping) and "messages" in record and bool(record.get("system"))
        )
    if not messages or other_records > len(messages):
        return False
    return (has_system or any(map(_is_anthropic, messages))) == anthropic


def read(source: Source, agent: str) -> Iterator[Item]:
    """The turns of a file that is one conversation, or has one conversation per record."""
    turns = Turns(agent)
    for record in records(source):
        match record:
            case Skipped():
                yield record
            case Record(value=list() | {"messages": _}):
                yield from _conversation(record, agent)
            case Record():
                yield from _said(turns, record.value, record, record.name)
    yield from turns.end()


def _conversation(record: Record, agent: str) -> Iterator[Imported | Skipped]:
    fields = record.value if isinstance(record.value, Mapping) else {"messages": record.value}
    if not isinstance(fields["messages"], list):
        yield record.skipped("has messages that are not a list")
        return
    turns = Turns(agent, id_of(fields, *_SESSIONS), time_of(fields))
    if system := fields.get("system"):
        yield from _said(turns, {"role": "system", "content": system}, record, f"the system of {record.name}")
    for number, message in enumerate(fields["messages"], 1):
        yield from _said(turns, message, record, f"message {number} of {record.name}")
    yield from turns.end()


def _said(turns: Turns, raw: Any, record: Record, name: str) -> Iterator[Imported | Skipped]:
    try:
        messages = list(message_of(raw))
    except NotAMessage as error:
        yield Skipped(record.line, f"{name} {error}")
        return
    time, own_id = time_of(raw), id_of(raw, "id", "uuid")
    for message in messages:
        yield from turns.add(dated(message, time, own_id), time)


def _messages_in(record: Any) -> list[Any]:
    if isinstance(record, Mapping) and isinstance(record.get("messages"), list):
        return list(record["messages"])
    return record if isinstance(record, list) else [record]


def _is_message(record: Any) -> bool:
    if not isinstance(record, Mapping) or not record.keys().isdisjoint(_ENVELOPES):
        return False
    role = record.get("role")
    if not isinstance(role, str) or role not in _ROLES or record.keys().isdisjoint(_SAYS):
        return False
    kinds = [block.get("type") for block in _blocks(record)]
    return record.get("type") in [None, "message"] and not ("input_text" in kinds or "output_text" in kinds)


def _is_anthropic(message: Mapping[str, Any]) -> bool:
    return any(
        block.get("type") in _BLOCKS or isinstance(block.get("source"), Mapping) for block in _blocks(message)
    )


def _blocks(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    content = message.get("content")
    return [block for block in content if isinstance(block, Mapping)] if isinstance(content, list) else []
