"""OpenClaw's and pi's session logs (`~/.openclaw/agents/*/sessions/*.jsonl`) as turns.

A session is a tree of entries, as in Claude Code's logs: only the branch that ends last is the conversation.
Newer versions keep the same entries in a SQLite table, from which they come one a line.
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
    """Whether a file is such a log: a header of type session, or entries of type message."""
    found = first_objects(source)
    return any(
        (one.get("type") == "session" and "id" in one and ("version" in one or "cwd" in one))
        or (
            one.get("type") == "message"
            and isinstance(one.get("message"), dict)
            and text_of(one["message"], "role") in _ROLES
        )
        for one in found
    )


def read(source: Source) -> Iterator[Item]:
    """The turns of the conversation, in order; a line that cannot be read is skipped and named.

    The file is read twice, and never held. Lines of several sessions one after the other are kept apart.
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
    at = moment(message.get("timestamp")) or moment(record.get("timestamp"))
    id_ = text_of(record, "id")
    match message.get("role"):
        case "toolResult":
            content, failed = plain(message.get("content")), message.get("isError") is True
            result = ToolResult(text_of(message, "toolCallId"), content, failed)
            yield from turns.add(dated(Message("tool", (result,)), at, id_), at, id_)
        case "user" | "assistant" as role:
            said = Message(role, tuple(blocks(message.get("content"))))
            yield from turns.add(dated(said, at, id_), at, id_)
        case _:
            return  # what the harness says to itself


def _live(source: Source) -> set[int]:
    """The numbers of the messages' lines that are on the branch that ends last, session by session."""
    live: set[int] = set()
    numbers: dict[str, int] = {}
    parents: dict[str, str | None] = {}
    loose: list[int] = []
    before: dict[str, str | None] = {}
    leaf = last = None

    def settle() -> None:
        here, seen = leaf, set[str]()
        while here is not None and here not in seen:
            seen.add(here)
            parent = parents[here]
            here = parent if parent is None or parent in parents else before[here]
        live.update(numbers[one] for one in seen if one in numbers)
        live.update(loose)

    for number, record in objects(source):
        if isinstance(record, Skipped):
            continue
        if record.get("type") == "session":
            settle()
            numbers, parents, loose, before, leaf, last = {}, {}, [], {}, None, None
            continue
        speaks = record.get("type") == "message" and isinstance(record.get("message"), dict)
        id_ = text_of(record, "id")
        if not id_:
            loose += [number] * speaks
            continue
        parent = record.get("parentId")
        if id_ not in parents:
            parents[id_] = parent if isinstance(parent, str) else None if "parentId" in record else last
            before[id_] = last
        last = id_
        if speaks:
            numbers.setdefault(id_, number)
            leaf = id_
    settle()
    return live
