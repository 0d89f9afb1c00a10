"""Codex's session logs (`~/.codex/sessions/**/rollout-*.jsonl`) as turns.

Messages are in lines of type `response_item`; `event_msg` lines repeat them and are read only if there are no
such items. The oldest logs have items without envelopes, after a header with the only timestamp.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from memtool.core.compaction.chat_formats import (
    InvalidChatMessage,
    arguments_json,
    content_parts,
    content_text,
)
from memtool.core.records.turn import Message, MessagePart, ReasoningPart, TextPart, ToolCall, ToolResult
from memtool.transcripts.json_lines import first_objects, parse_objects, text_of
from memtool.transcripts.transcript import SkippedRecord, TranscriptItem, TranscriptSource
from memtool.transcripts.turn_builder import TurnBuilder, parse_time, with_id_and_time

NAME = "codex"

_ENVELOPES = {"session_meta", "response_item", "event_msg", "turn_context", "world_state", "compacted"}
_BARE = {
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "local_shell_call",
    "custom_tool_call",
}
_INTRODUCED = re.compile(r"\AAnother language model[^\n]{0,1000}:\n")
_NOT_THE_USER = re.compile(
    r"\s*(?:<(?:environment_context|user_instructions|skills_instructions|turn_aborted)>"
    r"|# AGENTS\.md instructions)"
)


def recognises(source: TranscriptSource) -> bool:
    """Whether a file is such a log: enveloped lines with a payload, or items after a header."""
    records = first_objects(source)
    if any(
        text_of(record, "type") in _ENVELOPES and isinstance(record.get("payload"), dict)
        for record in records
    ):
        return True
    header = records[0] if records else {}
    return "id" in header and "timestamp" in header and "type" not in header and "instructions" in header


def read(source: TranscriptSource) -> Iterator[TranscriptItem]:
    """The turns of the conversation in order, and the lines skipped as unreadable.

    The file is read twice and never held in memory.
    """
    from_items = _has_items(source)
    turns = TurnBuilder(NAME, PurePosixPath(source.name).stem)
    session = ""
    session_start: datetime | None = None
    for number, record in parse_objects(source):
        if isinstance(record, SkippedRecord):
            yield record
            continue
        kind, item = _unwrap(record)
        time = parse_time(record.get("timestamp"))
        if kind == "session_meta":
            session_start = session_start or time or parse_time(item.get("timestamp"))
            session = session or text_of(item, "id")  # a fork repeats its origin's header
            turns.set_session(session)
            continue
        try:
            message = _item(item) if from_items and kind == "response_item" else None
            if not from_items and kind == "event_msg":
                message = _event(item)
            if message is not None:  # items have no ids: a digest of the preceding messages is used
                role, parts = message
                yield from turns.add(
                    with_id_and_time(Message(role, tuple(parts)), time, ""), time or session_start
                )
        except InvalidChatMessage as error:
            yield SkippedRecord(number, str(error))
    yield from turns.finish()


def newest_summary(source: TranscriptSource) -> str:
    """The newest compaction summary without its introduction; empty if there is none."""
    summary = ""
    for _, record in parse_objects(source):
        if isinstance(record, dict) and record.get("type") == "compacted":
            summary = text_of(_unwrap(record)[1], "message")
    return _INTRODUCED.sub("", summary, count=1).strip()


def _unwrap(record: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    payload = record.get("payload")
    if isinstance(payload, dict):
        return str(record.get("type")), payload
    kind = text_of(record, "type")
    if kind in _BARE or kind.endswith(("_call", "_output")):
        return "response_item", record
    return ("session_meta" if "instructions" in record or "id" in record else ""), record


def _has_items(source: TranscriptSource) -> bool:
    """Whether the items include a message, so that events need not be read."""
    for _, record in parse_objects(source):
        if isinstance(record, dict):
            kind, item = _unwrap(record)
            if (
                kind == "response_item"
                and item.get("type") == "message"
                and text_of(item, "role") in {"user", "assistant"}
            ):
                return True
    return False


def _item(item: Mapping[str, Any]) -> tuple[str, list[MessagePart]] | None:
    """The role and parts of an item; None for an item without a message."""
    match item.get("type"):
        case "message":
            return _message(item)
        case "reasoning":
            texts = [*_texts(item.get("summary")), *_texts(item.get("content"))]
            sealed = item.get("encrypted_content")
            replay = {"encrypted_content": sealed} if isinstance(sealed, str) and sealed else {}
            return "assistant", [ReasoningPart("\n\n".join(texts), replay)]
        case "function_call" | "custom_tool_call":
            space = text_of(item, "namespace")
            name = f"{space}.{text_of(item, 'name')}" if space else text_of(item, "name")
            given = item.get("arguments", item.get("input"))
            return "assistant", [ToolCall(_call(item), name, arguments_json(given))]
        case "local_shell_call" | "web_search_call" | "tool_search_call" as kind:
            return "assistant", [
                ToolCall(_call(item), kind.removesuffix("_call"), arguments_json(item.get("action")))
            ]
        case str() as kind if kind.endswith("_output"):
            return "tool", [_result(item)]
        case _:
            return None


def _message(item: Mapping[str, Any]) -> tuple[str, list[MessagePart]] | None:
    role = text_of(item, "role")
    if role not in {"user", "assistant"}:
        return None
    parts = [*content_parts(item.get("content"))]
    if role == "user":
        parts = [
            part for part in parts if not (isinstance(part, TextPart) and _NOT_THE_USER.match(part.text))
        ]
    return role, parts


def _result(item: Mapping[str, Any]) -> ToolResult:
    output = item.get("output")
    failed = False
    if isinstance(output, Mapping):
        failed = output.get("success") is False
        output = output.get("content", output.get("output", output))
    return ToolResult(_call(item), content_text(output), failed)


def _call(item: Mapping[str, Any]) -> str:
    return text_of(item, "call_id") or text_of(item, "id")


def _texts(given: Any) -> Iterator[str]:
    for block in given if isinstance(given, list) else ():
        if isinstance(block, Mapping) and text_of(block, "text"):
            yield text_of(block, "text")


def _event(event: Mapping[str, Any]) -> tuple[str, list[MessagePart]] | None:
    """The role and parts of an event; None for an event without a message."""
    item = event.get("item")
    if event.get("type") == "item_completed" and isinstance(item, Mapping):
        event = item
    match event.get("type"):
        case "user_message" | "UserMessage":
            parts = [TextPart(text_of(event, "message")), *content_parts(event.get("content"))]
            return "user", [
                part for part in parts if not (isinstance(part, TextPart) and _NOT_THE_USER.match(part.text))
            ]
        case "agent_message" | "AgentMessage":
            return "assistant", [TextPart(text_of(event, "message")), *_agent_texts(event.get("content"))]
        case "agent_reasoning" | "Reasoning":
            return "assistant", [
                ReasoningPart(text_of(event, "text") or "\n\n".join(_texts(event.get("summary"))))
            ]
        case "McpToolCall":
            id_ = text_of(event, "id")
            name = ".".join(value for value in (text_of(event, "server"), text_of(event, "tool")) if value)
            return "assistant", [ToolCall(id_, name, arguments_json(event.get("arguments")))]
        case _:
            return None


def _agent_texts(content: Any) -> list[MessagePart]:
    """The texts of an agent's message, in either spelling of block types."""
    if isinstance(content, list):
        return [TextPart(text) for text in _texts(content)]
    return [*content_parts(content)]
