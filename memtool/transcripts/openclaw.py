"""OpenClaw's and pi's session logs (`~/.openclaw/agents/*/sessions/*.jsonl`) as turns.

A session is a tree of entries, as in Claude Code's logs: the conversation is the branch that ends last. Newer
versions store the same entries in a SQLite table, which `store` presents as lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from memtool.core.compaction.chat_formats import InvalidChatMessage, content_parts, content_text
from memtool.core.records.turn import Message, ToolResult
from memtool.transcripts.json_lines import first_objects, parse_objects, text_of
from memtool.transcripts.transcript import SkippedRecord, TranscriptItem, TranscriptSource
from memtool.transcripts.turn_builder import TurnBuilder, parse_time, with_id_and_time

NAME = "openclaw"

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
    """The turns of the conversation in order, and the lines skipped as unreadable.

    The file is read twice and never held in memory. Consecutive sessions in one file are kept separate.
    """
    live = _conversation_lines(source)
    turns = TurnBuilder(NAME, PurePosixPath(source.name).stem)
    for number, record in parse_objects(source):
        if isinstance(record, SkippedRecord):
            yield record
        elif record.get("type") == "session":
            yield from turns.finish()
            turns = TurnBuilder(NAME, text_of(record, "id") or PurePosixPath(source.name).stem)
        elif number in live:
            try:
                yield from _add_message(record, turns)
            except InvalidChatMessage as error:
                yield SkippedRecord(number, str(error))
    yield from turns.finish()


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


def _conversation_lines(source: TranscriptSource) -> set[int]:
    """The line numbers of the messages on each session's branch that ends last."""
    live: set[int] = set()
    numbers: dict[str, int] = {}
    parents: dict[str, str | None] = {}
    lines_without_id: list[int] = []
    before: dict[str, str | None] = {}
    leaf = last = None

    def settle() -> None:
        current, seen = leaf, set[str]()
        while current is not None and current not in seen:
            seen.add(current)
            parent = parents[current]
            current = parent if parent is None or parent in parents else before[current]
        live.update(numbers[entry] for entry in seen if entry in numbers)
        live.update(lines_without_id)

    for number, record in parse_objects(source):
        if isinstance(record, SkippedRecord):
            continue
        if record.get("type") == "session":
            settle()
            numbers, parents, lines_without_id, before, leaf, last = {}, {}, [], {}, None, None
            continue
        is_message = record.get("type") == "message" and isinstance(record.get("message"), dict)
        id_ = text_of(record, "id")
        if not id_:
            lines_without_id += [number] * is_message
            continue
        parent = record.get("parentId")
        if id_ not in parents:
            parents[id_] = parent if isinstance(parent, str) else None if "parentId" in record else last
            before[id_] = last
        last = id_
        if is_message:
            numbers.setdefault(id_, number)
            leaf = id_
    settle()
    return live
