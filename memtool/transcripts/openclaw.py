"""OpenClaw's and pi's session logs (`~/.openclaw/agents/*/sessions/*.jsonl`) as turns.

A session is a tree of entries, as in Claude Code's logs: the conversation is the branch that ends last. Newer
versions store the same entries in a SQLite table, which `store` presents as lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from memtool.core.compaction.chat import NotAMessage, blocks, plain
from memtool.core.records.turn import Message, ToolResult
from memtool.transcripts.conversation import Turns, dated, moment
from memtool.transcripts.foreign import Item, Skipped, Source
from memtool.transcripts.lines import first_objects, objects, text_of

NAME = "openclaw"

_ROLES = {"user", "assistant", "toolResult"}


def recognises(source: Source) -> bool:
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


def read(source: Source) -> Iterator[Item]:
    """The turns of the conversation in order, and the lines skipped as unreadable.

    The file is read twice and never held in memory. Consecutive sessions in one file are kept separate.
    """
    live = _live(source)
    turns = Turns(NAME, PurePosixPath(source.name).stem)
    for number, record in objects(source):
        if isinstance(record, Skipped):
            yield record
        elif record.get("type") == "session":
            yield from turns.end()
            turns = Turns(NAME, text_of(record, "id") or PurePosixPath(source.name).stem)
        elif number in live:
            try:
                yield from _said(record, turns)
            except NotAMessage as error:
                yield Skipped(number, str(error))
    yield from turns.end()


def _said(record: dict[str, Any], turns: Turns) -> Iterator[Item]:
    message: dict[str, Any] = record["message"]
    time = moment(message.get("timestamp")) or moment(record.get("timestamp"))
    id_ = text_of(record, "id")
    match message.get("role"):
        case "toolResult":
            content, failed = plain(message.get("content")), message.get("isError") is True
            result = ToolResult(text_of(message, "toolCallId"), content, failed)
            yield from turns.add(dated(Message("tool", (result,)), time, id_), time, id_)
        case "user" | "assistant" as role:
            spoken = Message(role, tuple(blocks(message.get("content"))))
            yield from turns.add(dated(spoken, time, id_), time, id_)
        case _:
            return  # internal entries of the harness


def _live(source: Source) -> set[int]:
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

    for number, record in objects(source):
        if isinstance(record, Skipped):
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
