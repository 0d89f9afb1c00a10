"""Gemini CLI's sessions (`~/.gemini/tmp/*/chats/session-*`) as turns.

Older versions write one JSON document. Newer ones write lines: a header, messages, `$set` with changes of
the header or a new list of messages, and `$rewindTo` with the first message that was taken back. A message
that is written again replaces the one with its id.
Format: https://github.com/google-gemini/gemini-cli, packages/core/src/services/chatRecordingTypes.ts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from memtool.core.compaction.chat_formats import InvalidChatMessage, arguments_json, content_text
from memtool.core.records.turn import Message, MessagePart, ReasoningPart, TextPart, ToolCall, ToolResult
from memtool.transcripts.genai import genai_parts, genai_result
from memtool.transcripts.json_lines import text_of
from memtool.transcripts.records import parse_records, sample_records
from memtool.transcripts.transcript import SkippedRecord, TranscriptItem, TranscriptSource
from memtool.transcripts.turn_builder import TurnBuilder, parse_time, with_id_and_time

NAME = "gemini"

_ROLES = {"user": "user", "gemini": "assistant"}
_CONTEXT = ("<session_context>", "<hook_context>")
"""How messages begin that the program puts in the user's place."""


def recognises(source: TranscriptSource) -> bool:
    """Whether a file is such a session: its first record names a session and the hash of a project."""
    records = sample_records(source)
    header = records[0] if records else None
    return isinstance(header, Mapping) and "sessionId" in header and "projectHash" in header


def read(source: TranscriptSource) -> Iterator[TranscriptItem]:
    """The turns of the conversation in order, and the records skipped as unreadable.

    The messages are held in memory, because later records change them.
    """
    session = ""
    messages: dict[str, tuple[int, Mapping[str, Any]]] = {}
    for record in parse_records(source):
        if isinstance(record, SkippedRecord):
            yield record
            continue
        value = record.value
        if not isinstance(value, Mapping):
            yield record.as_skipped("is not an object")
            continue
        fields = value.get("$set", value)
        if "$rewindTo" in value:
            _rewind(messages, text_of(value, "$rewindTo"))
        elif isinstance(fields, Mapping) and (fields is not value or "projectHash" in value):
            session = text_of(fields, "sessionId") or session
            if isinstance(listed := fields.get("messages"), list):
                messages = {}
                _put(messages, listed, record.line)
        else:
            _put(messages, [value], record.line)
    turns = TurnBuilder(NAME, session or PurePosixPath(source.name).stem)
    for line, message in messages.values():
        try:
            yield from _add_message(message, turns)
        except InvalidChatMessage as error:
            yield SkippedRecord(line, f"the message {error}")
    yield from turns.finish()


def _put(messages: dict[str, tuple[int, Mapping[str, Any]]], listed: list[Any], line: int) -> None:
    for message in listed:
        if isinstance(message, Mapping) and (id_ := text_of(message, "id")):
            messages[id_] = line, message


def _rewind(messages: dict[str, tuple[int, Mapping[str, Any]]], first: str) -> None:
    """Remove a message and those after it; all where it is not there, as Gemini CLI does."""
    ids = [*messages]
    for id_ in ids[ids.index(first) if first in messages else 0 :]:
        del messages[id_]


def _add_message(message: Mapping[str, Any], turns: TurnBuilder) -> Iterator[TranscriptItem]:
    role = _ROLES.get(text_of(message, "type"))
    if role is None:
        return  # a notice of the program
    time, id_ = parse_time(message.get("timestamp")), text_of(message, "id")
    parts: list[MessagePart] = [*_thoughts(message.get("thoughts")), *genai_parts(message.get("content"))]
    if role == "user" and any(
        isinstance(part, TextPart) and part.text.startswith(_CONTEXT) for part in parts
    ):
        return
    calls = [call for call in _list(message.get("toolCalls")) if isinstance(call, Mapping)]
    parts += [_call(call) for call in calls]
    yield from turns.add(with_id_and_time(Message(role, tuple(parts)), time, id_), time, id_)
    results = tuple(_result(call) for call in calls if call.get("result") is not None)
    if results:
        yield from turns.add(with_id_and_time(Message("tool", results), time, ""), time)


def _thoughts(thoughts: Any) -> Iterator[MessagePart]:
    for thought in _list(thoughts):
        if isinstance(thought, Mapping):
            lines = [text_of(thought, "subject"), text_of(thought, "description")]
            yield ReasoningPart("\n".join(filter(None, lines)))


def _call(call: Mapping[str, Any]) -> ToolCall:
    return ToolCall(text_of(call, "id"), text_of(call, "name"), arguments_json(call.get("args")))


def _result(call: Mapping[str, Any]) -> ToolResult:
    """The result of a call, which is a list of parts: function responses, or anything else as text."""
    failed = text_of(call, "status") in {"error", "cancelled"}
    id_, value = text_of(call, "id"), call.get("result")
    listed = value if isinstance(value, list) else [value]
    responses = [part.get("functionResponse") if isinstance(part, Mapping) else None for part in listed]
    results = [genai_result(response, id_) for response in responses if isinstance(response, Mapping)]
    if not results:
        return ToolResult(id_, content_text(value), failed)
    is_error = failed or any(result.is_error for result in results)
    return ToolResult(id_, "\n".join(result.content for result in results), is_error)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
