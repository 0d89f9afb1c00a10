"""pi's session logs (`~/.pi/agent/sessions/*/*.jsonl`) as turns.

A session is a tree of entries, as in Claude Code's logs: the conversation is the branch that ends last.
OpenClaw embeds pi and has the same entries; a log in which nothing names OpenClaw is taken for pi's.
Format: https://github.com/badlogic/pi-mono, packages/coding-agent/docs/session.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from memtool.core.compaction.chat_formats import InvalidChatMessage, content_parts, content_text
from memtool.core.records.turn import Message, ToolResult
from memtool.transcripts.entry_tree import TreeEntry, conversation_lines, tree_entry
from memtool.transcripts.json_lines import first_objects, parse_objects, text_of
from memtool.transcripts.transcript import SkippedRecord, TranscriptItem, TranscriptSource
from memtool.transcripts.turn_builder import TurnBuilder, parse_time, with_id_and_time

NAME = "pi"

_ROLES = {"user", "assistant", "toolResult"}


def recognises(source: TranscriptSource) -> bool:
    """Whether a file is such a log: it has a header of type session, or entries of type message."""
    records = first_objects(source)
    return any(
        (record.get("type") == "session" and "id" in record and ("version" in record or "cwd" in record))
        or (
            record.get("type") == "message"
            and isinstance(record.get("message"), dict)
            and text_of(record["message"], "role") in _ROLES
        )
        for record in records
    )


def read(source: TranscriptSource) -> Iterator[TranscriptItem]:
    """The turns of the conversation in order, and the lines skipped as unreadable."""
    return read_as(source, NAME)


def read_as(source: TranscriptSource, agent: str) -> Iterator[TranscriptItem]:
    """The turns of an agent that has pi's entries, and the lines skipped as unreadable.

    The file is read twice and never held in memory. Consecutive sessions in one file are kept separate. A
    fork begins with copies of another session's entries, with their ids: these are turns of that session.
    """
    live = conversation_lines(_entries(source))
    turns = TurnBuilder(agent, PurePosixPath(source.name).stem)
    fork: tuple[str, datetime | None] | None = None
    for number, record in parse_objects(source):
        if isinstance(record, SkippedRecord):
            yield record
        elif record.get("type") == "session":
            yield from turns.finish()
            session = text_of(record, "id") or PurePosixPath(source.name).stem
            original = _session_of_file(text_of(record, "parentSession"))
            fork = (session, parse_time(record.get("timestamp"))) if original else None
            turns = TurnBuilder(agent, original or session)
        elif number in live:
            if fork is not None and _is_after_fork(record, fork[1]):
                yield from turns.finish()
                turns, fork = TurnBuilder(agent, fork[0]), None
            try:
                yield from _add_message(record, turns)
            except InvalidChatMessage as error:
                yield SkippedRecord(number, str(error))
    yield from turns.finish()


def _session_of_file(path: str) -> str:
    """The id in the name of a session's file, `<time>_<id>.jsonl`; empty if there is none."""
    return PurePosixPath(path).stem.partition("_")[2]


def _is_after_fork(record: dict[str, Any], began: datetime | None) -> bool:
    """Whether a message opens the first turn of a fork: the user's first one since the fork began."""
    time = parse_time(record.get("timestamp"))
    is_new = began is None or time is None or time >= began
    return is_new and record["message"].get("role") == "user"


def _add_message(record: dict[str, Any], turns: TurnBuilder) -> Iterator[TranscriptItem]:
    message: dict[str, Any] = record["message"]
    time = parse_time(message.get("timestamp")) or parse_time(record.get("timestamp"))
    id_ = text_of(record, "id")
    match message.get("role"):
        case "toolResult":
            content, failed = content_text(message.get("content")), message.get("isError") is True
            result = ToolResult(text_of(message, "toolCallId"), content, failed)
            yield from turns.add(with_id_and_time(Message("tool", (result,)), time, id_), time, id_)
        case "user" | "assistant" as role:
            spoken = Message(role, tuple(content_parts(message.get("content"))))
            yield from turns.add(with_id_and_time(spoken, time, id_), time, id_)
        case _:
            return  # internal entries of the harness


def _entries(source: TranscriptSource) -> Iterator[TreeEntry | None]:
    """Each entry of the tree, and None where another session begins."""
    for number, record in parse_objects(source):
        if isinstance(record, SkippedRecord):
            continue
        if record.get("type") == "session":
            yield None
            continue
        is_message = record.get("type") == "message" and isinstance(record.get("message"), dict)
        yield tree_entry(number, record, "id", "parentId", is_message=is_message)
