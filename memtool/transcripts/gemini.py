"""Gemini CLI's sessions (`~/.gemini/tmp/*/chats/session-*`) as turns.

Older versions write one JSON document. Newer ones write lines: a header, messages, `$set` with changes of
the header or a list of messages, and `$rewindTo` with the first message that was taken back. A message that
is written again replaces the one with its id.

A `$set` list is what the model is given (seen of 0.61): at the beginning the context of the session; where
the session is resumed or compressed, what is left of the conversation, in part under new ids, with a
`<state_snapshot>` in the place of the rest. So once messages have lines of their own, a list adds nothing.
The result of a tool is in its call and in a message of the user.
Format: https://github.com/google-gemini/gemini-cli, packages/core/src/services/chatRecordingTypes.ts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from memtool.core.compaction.chat_formats import InvalidChatMessage, arguments_json, content_text
from memtool.core.records.turn import Message, MessagePart, ReasoningPart, TextPart, ToolCall, ToolResult
from memtool.transcripts.genai import genai_parts, genai_result, without_hook_parts
from memtool.transcripts.json_lines import text_of
from memtool.transcripts.records import parse_records, sample_records
from memtool.transcripts.transcript import SkippedRecord, TranscriptItem, TranscriptSource
from memtool.transcripts.turn_builder import TurnBuilder, parse_time, with_id_and_time

NAME = "gemini"

_ROLES = {"user": "user", "gemini": "assistant"}
_CONTEXT = ("<session_context>", _SNAPSHOT := "<state_snapshot>")
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
    has_lines = False
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
            if isinstance(listed := fields.get("messages"), list) and not has_lines:
                messages = {}
                _put(messages, listed, record.line)
        else:
            has_lines = True
            _put(messages, [value], record.line)
    turns = TurnBuilder(NAME, session or PurePosixPath(source.name).stem)
    results: set[str] = set()
    for line, message in messages.values():
        try:
            yield from _add_message(message, turns, results)
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


def newest_snapshot(source: TranscriptSource) -> str:
    """The id of the message that took the place of the conversation when it was last compressed, or ""."""
    newest = ""
    for record in parse_records(source):
        value = None if isinstance(record, SkippedRecord) else record.value
        fields = value.get("$set") if isinstance(value, Mapping) else None
        for message in _list(fields.get("messages")) if isinstance(fields, Mapping) else ():
            if isinstance(message, Mapping) and _begins_with(message, (_SNAPSHOT,)):
                newest = text_of(message, "id")
    return newest


def _begins_with(message: Mapping[str, Any], openings: tuple[str, ...]) -> bool:
    """Whether a message of the user's place begins with one of these texts."""
    if text_of(message, "type") != "user":
        return False
    try:
        part = next(genai_parts(message.get("content")), None)
    except InvalidChatMessage:
        return False
    return isinstance(part, TextPart) and part.text.startswith(openings)


def _add_message(
    message: Mapping[str, Any], turns: TurnBuilder, seen_results: set[str]
) -> Iterator[TranscriptItem]:
    role = _ROLES.get(text_of(message, "type"))
    if role is None or _begins_with(message, _CONTEXT):
        return  # a notice or a text of the program
    time, id_ = parse_time(message.get("timestamp")), text_of(message, "id")
    parts: list[MessagePart] = [*_thoughts(message.get("thoughts")), *genai_parts(message.get("content"))]
    if role == "user":
        parts = [part for part in parts if not _is_known(part, seen_results)]
        parts = without_hook_parts(parts)
    calls = [call for call in _list(message.get("toolCalls")) if isinstance(call, Mapping)]
    parts += [_call(call) for call in calls]
    yield from turns.add(with_id_and_time(Message(role, tuple(parts)), time, id_), time, id_)
    results = tuple(_result(call) for call in calls if call.get("result") is not None)
    seen_results.update(result.tool_call_id for result in results)
    if results:
        yield from turns.add(with_id_and_time(Message("tool", results), time, ""), time)


def _is_known(part: MessagePart, results: set[str]) -> bool:
    return isinstance(part, ToolResult) and part.tool_call_id in results


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
