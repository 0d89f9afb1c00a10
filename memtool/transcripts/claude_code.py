"""Claude Code's session logs (`~/.claude/projects/*/*.jsonl`) as turns.

A log is a tree: each line names its parent, a rewind leaves an abandoned branch, and a compaction starts a
new root that names its logical parent. The conversation is the branch that ends last, with the side branches
of parallel tool calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from msgspec.structs import replace

from memtool.core.compaction.chat import NotAMessage, blocks
from memtool.core.records.turn import Message, Part, Text, ToolCall, ToolResult
from memtool.transcripts.conversation import Turns, dated, moment
from memtool.transcripts.foreign import Item, Skipped, Source
from memtool.transcripts.lines import first_objects, objects, text_of

NAME = "claude-code"

_SPEAKERS = {"user", "assistant"}
_COMMAND = re.compile(
    r"\s*<(?:local-command|command-(?:name|message|args)|bash-(?:input|stdout|stderr)|task-notification)\b"
)
_OPENS, _CLOSES = "<system-reminder>", "</system-reminder>"
_INTERRUPTED = re.compile(r"\s*\[Request interrupted by user")


_LINE_BEFORE = ""
"""A parent id that no line has: the conversation continues from the preceding line."""


class _Node(NamedTuple):
    """The data of a line that the first pass keeps."""

    number: int
    parent: str | None
    speaks: bool
    message: str
    calls: tuple[str, ...]
    results: tuple[str, ...]


def recognises(source: Source) -> bool:
    """Whether a file is such a log: it has lines with a speaker's type, an id and a chat message."""
    records = first_objects(source)
    return any(
        text_of(record, "type") in _SPEAKERS and isinstance(record.get("message"), dict) and "uuid" in record
        for record in records
    )


def read(source: Source) -> Iterator[Item]:
    """The turns of the conversation in order, and the lines skipped as unreadable.

    If every line is a sub-agent's, the file is that sub-agent's conversation; otherwise sub-agents' lines are
    left out. The file is read several times and never held in memory.
    """
    aside = _is_aside(source)
    live = _live(source, aside=aside)
    turns = Turns(NAME, PurePosixPath(source.name).stem)
    for number, record in objects(source):
        if isinstance(record, Skipped):
            yield record
        elif number in live:
            try:
                yield from _said(record, turns, aside=aside)
            except NotAMessage as error:
                yield Skipped(number, str(error))
    yield from turns.end()


def _said(record: dict[str, Any], turns: Turns, *, aside: bool) -> Iterator[Item]:
    message = record["message"]
    role, time = str(record["type"]), moment(record.get("timestamp"))
    session = text_of(record, "sessionId")
    if session:
        agent = text_of(record, "agentId")
        turns.call(f"{session}/{agent}" if aside and agent else session)
    parts = [part for part in map(_unreminded, blocks(message.get("content"))) if not _is_noise(part)]
    results = [part for part in parts if isinstance(part, ToolResult)]
    spoken = [part for part in parts if not isinstance(part, ToolResult)]
    id_ = text_of(record, "uuid")
    if results:
        yield from turns.add(dated(Message("tool", tuple(results)), time, id_), time, id_)
    if spoken:
        interrupted = all(isinstance(part, Text) and _INTERRUPTED.match(part.text) for part in spoken)
        yield from turns.add(
            dated(Message(role, tuple(spoken)), time, id_),
            time,
            id_,
            opens=role == "user" and not interrupted,
            piece=text_of(message, "id") if role == "assistant" else "",
        )


def _unreminded(part: Part) -> Part:
    """A text part without the host's system reminders before and after the text.

    A trailing reminder must begin a line; one in the middle of a line was typed by the user.
    """
    if not isinstance(part, Text) or _OPENS not in part.text:
        return part
    text = part.text
    start, end = _past_blanks(text, 0), len(text.rstrip())
    span = start, end
    while text.startswith(_OPENS, start) and (closed := text.find(_CLOSES, start, end)) >= 0:
        start = _past_blanks(text, closed + len(_CLOSES))
    while text.endswith(_CLOSES, start, end) and (opened := text.rfind(_OPENS, start, end)) >= 0:
        is_whole = text.find(_CLOSES, opened, end) + len(_CLOSES) == end
        before = _before_blanks(text, start, opened)
        begins = before == start or "\n" in text[before:opened] or text.endswith(_CLOSES, start, before)
        if not is_whole or not begins:
            break
        end = before
    return part if (start, end) == span else replace(part, text=text[start:end])


def _before_blanks(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1].isspace():
        end -= 1
    return end


def _past_blanks(text: str, start: int) -> int:
    while start < len(text) and text[start].isspace():
        start += 1
    return start


def _is_noise(part: Part) -> bool:
    return isinstance(part, Text) and _COMMAND.match(part.text) is not None


def _is_aside(source: Source) -> bool:
    """Whether all messages of the file are a sub-agent's."""
    has_messages = False
    for _, record in objects(source):
        if isinstance(record, dict) and text_of(record, "type") in _SPEAKERS:
            if record.get("isSidechain") is not True:
                return False
            has_messages = True
    return has_messages


def _live(source: Source, *, aside: bool) -> set[int]:
    """The numbers of the lines that belong to the conversation."""
    nodes: dict[str, _Node] = {}
    before: dict[str, str | None] = {}
    lines_without_id: list[int] = []
    leaf = last = None
    for number, record in objects(source):
        if isinstance(record, Skipped) or (record.get("isSidechain") is True) != aside:
            continue
        node = _node(number, record)
        uuid = text_of(record, "uuid")
        if not uuid:
            lines_without_id += [number] * node.speaks
            continue
        nodes.setdefault(uuid, node)
        before.setdefault(uuid, last)
        last = uuid
        if node.speaks:
            leaf = uuid
    chain: set[str] = set()
    current = leaf
    while current is not None and current not in chain:
        chain.add(current)
        parent = nodes[current].parent
        current = parent if parent is None or parent in nodes else before[current]
    messages = {nodes[uuid].message for uuid in chain} - {""}
    branch = {uuid for uuid, node in nodes.items() if uuid in chain or node.message in messages}
    calls = {call for uuid in branch for call in nodes[uuid].calls}
    branch |= {uuid for uuid, node in nodes.items() if node.results and calls.issuperset(node.results)}
    return {nodes[uuid].number for uuid in branch if nodes[uuid].speaks} | {*lines_without_id}


def _node(number: int, record: dict[str, Any]) -> _Node:
    parent = record.get("parentUuid")
    if parent is None and (
        record.get("subtype") == "compact_boundary" or record.get("isCompactSummary") is True
    ):
        parent = record.get("logicalParentUuid") or _LINE_BEFORE
    message = record.get("message")
    speaks = (
        text_of(record, "type") in _SPEAKERS
        and isinstance(message, dict)
        and not any(
            record.get(key) is True for key in ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
        )
        and message.get("model") != "<synthetic>"
    )
    parts = list(_quietly(message)) if isinstance(message, dict) else []
    return _Node(
        number,
        parent if isinstance(parent, str) else None,
        speaks,
        text_of(message, "id") if isinstance(message, dict) and record.get("type") == "assistant" else "",
        tuple(part.id for part in parts if isinstance(part, ToolCall)),
        tuple(part.tool_call_id for part in parts if isinstance(part, ToolResult)),
    )


def _quietly(message: dict[str, Any]) -> Iterator[Part]:
    """The parts of a message up to the first unreadable one."""
    try:
        yield from blocks(message.get("content"))
    except NotAMessage:
        return
