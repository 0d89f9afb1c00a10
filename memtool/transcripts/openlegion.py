"""OpenLegion's chat transcript (`chat_transcript.jsonl`, and `chat_archive/`) as turns.

A line is `{"role", "content", "ts", "turn_id"?, "partial"?, "tools"?}`, `ts` in seconds since 1970. Of the
lines with one `turn_id` the last counts, at the place of the first: a reply is written before its tools run,
and anew when they have. Format: https://github.com/openlegion-ai/openlegion, src/agent/workspace.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from memtool.core.records.turn import Message, TextPart, ToolCall, ToolResult
from memtool.transcripts.json_lines import first_objects, parse_objects, text_of
from memtool.transcripts.transcript import SkippedRecord, TranscriptItem, TranscriptSource
from memtool.transcripts.turn_builder import TurnBuilder, parse_time, with_id_and_time

NAME = "openlegion"

_SESSION = "chat"
"""One name for all files of an agent, for its transcript moves to the archive and loses its beginning."""
_ROLES = {"user", "assistant", "system"}


def recognises(source: TranscriptSource) -> bool:
    """Whether a file is such a transcript: lines of a role, a text and a time `ts`."""
    records = list(first_objects(source))
    return bool(records) and all(
        text_of(record, "role") in _ROLES
        and isinstance(record.get("content"), str)
        and isinstance(record.get("ts"), int | float)
        for record in records
    )


def read(source: TranscriptSource) -> Iterator[TranscriptItem]:
    """The turns in order, and the lines skipped as unreadable. The file is read twice."""
    first_lines: dict[str, int] = {}
    latest: dict[int, dict[str, Any]] = {}  # by the line of the first, for turns with several lines
    for number, record in parse_objects(source):
        if isinstance(record, SkippedRecord) or not (turn_id := text_of(record, "turn_id")):
            continue
        if (first := first_lines.setdefault(turn_id, number)) != number:
            latest[first] = record
    turns = TurnBuilder(NAME, _SESSION)
    for number, record in parse_objects(source):
        if isinstance(record, SkippedRecord):
            yield record
        elif first_lines.get(text_of(record, "turn_id"), number) == number:
            yield from _add_entry(latest.get(number, record), turns, number)
    yield from turns.finish()


def _add_entry(entry: dict[str, Any], turns: TurnBuilder, number: int) -> Iterator[TranscriptItem]:
    role, content, at = text_of(entry, "role"), entry.get("content"), parse_time(entry.get("ts"))
    if role not in _ROLES or not isinstance(content, str):
        yield SkippedRecord(number, "the record is not an OpenLegion message")
        return
    id_ = text_of(entry, "turn_id") or (f"{at.timestamp():.6f}" if at is not None else "")
    for message in (*_tool_messages(entry, id_), Message(role, (TextPart(content),))):
        yield from turns.add(with_id_and_time(message, at, id_), at, id_)


def _tool_messages(entry: dict[str, Any], id_: str) -> Iterator[Message]:
    """What the transcript has of an entry's tools: their names, and the beginnings of input and output."""
    tools = entry.get("tools")
    for number, tool in enumerate(tools if isinstance(tools, list) else [], 1):
        call_id = f"{id_}-{number}"
        shown = tool if isinstance(tool, dict) else {"name": str(tool)}
        given = text_of(shown, "inputPreview")
        arguments = json.dumps({"inputPreview": given}, ensure_ascii=False) if given else "{}"
        yield Message("assistant", (ToolCall(call_id, text_of(shown, "name") or "?", arguments),))
        if output := text_of(shown, "outputPreview"):
            yield Message("tool", (ToolResult(call_id, output),))
