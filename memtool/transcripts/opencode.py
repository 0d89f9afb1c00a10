"""opencode's sessions as turns: what `opencode export` prints, its database, or its older folders.

Each session is one record: `info` of the session, and `messages`, each with `info` and `parts`. `store`
presents the database and the folders as such records.
Format: https://github.com/sst/opencode, packages/opencode/src/session/message-v2.ts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from memtool.core.compaction.chat_formats import (
    InvalidChatMessage,
    arguments_json,
    content_text,
    placeholder,
)
from memtool.core.records.turn import Message, MessagePart, ReasoningPart, TextPart, ToolCall, ToolResult
from memtool.transcripts.json_lines import text_of
from memtool.transcripts.records import TranscriptRecord, parse_records, sample_records
from memtool.transcripts.transcript import SkippedRecord, TranscriptItem, TranscriptSource
from memtool.transcripts.turn_builder import TurnBuilder, parse_time, with_id_and_time

NAME = "opencode"

_ENDED = {"completed", "error"}


def recognises(source: TranscriptSource) -> bool:
    """Whether a file is such a session: `info` with an id, and messages with parts."""
    return any(
        isinstance(record, Mapping) and isinstance(record.get("info"), Mapping) and "messages" in record
        for record in sample_records(source)
    )


def read(source: TranscriptSource) -> Iterator[TranscriptItem]:
    """The turns of each session in order, and what was skipped as unreadable."""
    for record in parse_records(source):
        if isinstance(record, SkippedRecord):
            yield record
        else:
            yield from _session(record, PurePosixPath(source.name).stem)


def _session(record: TranscriptRecord, name: str) -> Iterator[TranscriptItem]:
    value = record.value if isinstance(record.value, Mapping) else {}
    info, messages = value.get("info"), value.get("messages")
    if not isinstance(info, Mapping) or not isinstance(messages, list):
        yield record.as_skipped("is not an opencode session")
        return
    turns = TurnBuilder(NAME, text_of(info, "id") or name)
    for number, message in enumerate(messages, 1):
        try:
            yield from _add_message(message, turns)
        except InvalidChatMessage as error:
            yield SkippedRecord(record.line, f"message {number} of {record.name} {error}")
    yield from turns.finish()


def _add_message(message: Any, turns: TurnBuilder) -> Iterator[TranscriptItem]:
    info = message.get("info") if isinstance(message, Mapping) else None
    if not isinstance(info, Mapping):
        raise InvalidChatMessage("has no 'info' object")
    role = text_of(info, "role")
    if role not in {"user", "assistant"} or info.get("summary") is True:
        return  # the summary of a compaction was not said
    time_fields = info.get("time")
    time = parse_time(time_fields.get("created")) if isinstance(time_fields, Mapping) else None
    id_ = text_of(info, "id")
    records = message.get("parts")
    parts = [
        part
        for record in (records if isinstance(records, list) else [])
        if isinstance(record, Mapping)
        for part in _parts(record)
    ]
    spoken = tuple(part for part in parts if not isinstance(part, ToolResult))
    results = tuple(part for part in parts if isinstance(part, ToolResult))
    yield from turns.add(with_id_and_time(Message(role, spoken), time, id_), time, id_)
    if results:
        yield from turns.add(with_id_and_time(Message("tool", results), time, ""), time)


def _parts(record: Mapping[str, Any]) -> Iterator[MessagePart]:
    """The parts of a record; none for text that the program added, and for its own marks."""
    match record.get("type"):
        case "text" if record.get("synthetic") is not True and record.get("ignored") is not True:
            yield TextPart(text_of(record, "text"))
        case "reasoning":
            yield ReasoningPart(text_of(record, "text"))
        case "file":
            media = {"type": "file", "mime_type": record.get("mime"), "url": record.get("url")}
            yield TextPart(placeholder({**media, "filename": record.get("filename")}))
        case "tool":
            state = record.get("state")
            fields: Mapping[str, Any] = state if isinstance(state, Mapping) else {}
            call = text_of(record, "callID")
            yield ToolCall(call, text_of(record, "tool"), arguments_json(fields.get("input")))
            if (status := text_of(fields, "status")) in _ENDED:
                failed = status == "error"
                yield ToolResult(call, content_text(fields.get("error" if failed else "output")), failed)
