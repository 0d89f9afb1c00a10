"""Qwen Code's session logs (`~/.qwen/projects/*/chats/*.jsonl`) as turns.

The lines are like Claude Code's, a tree by `parentUuid`, but a message has `parts` in Google's format and
results have lines of type `tool_result`. What a hook adds to a prompt is a part of the user's message.
Format: https://github.com/QwenLM/qwen-code, packages/core/src/services/chatRecordingService.ts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from memtool.core.compaction.chat_formats import InvalidChatMessage
from memtool.core.records.turn import Message, ToolResult
from memtool.transcripts.entry_tree import TreeEntry, conversation_lines, tree_entry
from memtool.transcripts.genai import genai_parts, without_hook_parts
from memtool.transcripts.json_lines import first_objects, parse_objects, text_of
from memtool.transcripts.transcript import SkippedRecord, TranscriptItem, TranscriptSource
from memtool.transcripts.turn_builder import TurnBuilder, parse_time, with_id_and_time

NAME = "qwen"

_SPEAKERS = {"user", "assistant", "tool_result"}
_TYPED = {"", "mid_turn_user_message"}
"""Subtypes of what the user typed; others are notifications and prompts of the program."""


def recognises(source: TranscriptSource) -> bool:
    """Whether a file is such a log: its lines have ids, and messages with parts."""
    return any(_is_message(record) and text_of(record, "uuid") for record in first_objects(source))


def read(source: TranscriptSource) -> Iterator[TranscriptItem]:
    """The turns of the conversation in order, and the lines skipped as unreadable.

    The file is read twice and never held in memory.
    """
    live = conversation_lines(_entries(source))
    turns = TurnBuilder(NAME, PurePosixPath(source.name).stem)
    for number, record in parse_objects(source):
        if isinstance(record, SkippedRecord):
            yield record
        elif number in live and _is_spoken(record):
            try:
                yield from _add_message(record, turns)
            except InvalidChatMessage as error:
                yield SkippedRecord(number, str(error))
    yield from turns.finish()


def _entries(source: TranscriptSource) -> Iterator[TreeEntry]:
    for number, record in parse_objects(source):
        if not isinstance(record, SkippedRecord):
            yield tree_entry(number, record, "uuid", "parentUuid", is_message=_is_message(record))


def _is_message(record: Mapping[str, Any]) -> bool:
    message = record.get("message")
    return text_of(record, "type") in _SPEAKERS and isinstance(message, dict) and "parts" in message


def _is_spoken(record: Mapping[str, Any]) -> bool:
    """Whether a message is one of the conversation: the agent's, or typed by the user."""
    if record.get("type") != "user":
        return True
    is_users = text_of(record, "provenance") in {"", "real_user"}
    return is_users and text_of(record, "subtype") in _TYPED


def _add_message(record: dict[str, Any], turns: TurnBuilder) -> Iterator[TranscriptItem]:
    turns.set_session(text_of(record, "sessionId"))
    parts = [*genai_parts(record["message"].get("parts"))]
    results = [part for part in parts if isinstance(part, ToolResult)]
    spoken = [part for part in parts if not isinstance(part, ToolResult)]
    time, id_ = parse_time(record.get("timestamp")), text_of(record, "uuid")
    if results:
        yield from turns.add(with_id_and_time(Message("tool", tuple(results)), time, id_), time, id_)
    said = without_hook_parts(spoken) if record["type"] == "user" else spoken
    if said and record["type"] != "tool_result":
        message = Message(str(record["type"]), tuple(said))
        yield from turns.add(with_id_and_time(message, time, id_), time, id_)
