"""Claude Code's session logs (`~/.claude/projects/*/*.jsonl`) as turns.

A log is a tree: each line names its parent, a rewind leaves a branch that nobody follows, and a compaction
starts a new root that names its logical parent. Only the branch that ends last is the conversation. The lines
of calls made side by side hang on it as twigs, and belong to it.
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
"""A parent that no line has; then the conversation goes on with the line before."""


class _Node(NamedTuple):
    """What is kept of a line on the first pass."""

    number: int
    parent: str | None
    speaks: bool
    message: str
    calls: tuple[str, ...]
    results: tuple[str, ...]


def recognises(source: Source) -> bool:
    """Whether a file is such a log: lines of a type, some with the ids of a tree and a chat message."""
    found = first_objects(source)
    return any(
        text_of(one, "type") in _SPEAKERS and isinstance(one.get("message"), dict) and "uuid" in one
        for one in found
    )


def read(source: Source) -> Iterator[Item]:
    """The turns of the conversation, in order; a line that cannot be read is skipped and named.

    A file in which every line is a sub-agent's is that sub-agent's conversation; in others their lines are
    left out. The file is read more than once, and never held.
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
    role, at = str(record["type"]), moment(record.get("timestamp"))
    session = text_of(record, "sessionId")
    if session:
        agent = text_of(record, "agentId")
        turns.call(f"{session}/{agent}" if aside and agent else session)
    parts = [part for part in map(_unreminded, blocks(message.get("content"))) if not _is_noise(part)]
    results = [part for part in parts if isinstance(part, ToolResult)]
    words = [part for part in parts if not isinstance(part, ToolResult)]
    id_ = text_of(record, "uuid")
    if results:
        yield from turns.add(dated(Message("tool", tuple(results)), at, id_), at, id_)
    if words:
        interrupted = all(isinstance(one, Text) and _INTERRUPTED.match(one.text) for one in words)
        yield from turns.add(
            dated(Message(role, tuple(words)), at, id_),
            at,
            id_,
            opens=role == "user" and not interrupted,
            piece=text_of(message, "id") if role == "assistant" else "",
        )


def _unreminded(part: Part) -> Part:
    """A part without what the host reminds the model of, before or behind what was said.

    Behind it that begins a line; what stands in the midst of one was typed.
    """
    if not isinstance(part, Text) or _OPENS not in part.text:
        return part
    text = part.text
    start, end = _past_blanks(text, 0), len(text.rstrip())
    said = start, end
    while text.startswith(_OPENS, start) and (closed := text.find(_CLOSES, start, end)) >= 0:
        start = _past_blanks(text, closed + len(_CLOSES))
    while text.endswith(_CLOSES, start, end) and (opened := text.rfind(_OPENS, start, end)) >= 0:
        is_whole = text.find(_CLOSES, opened, end) + len(_CLOSES) == end
        before = _before_blanks(text, start, opened)
        begins = before == start or "\n" in text[before:opened] or text.endswith(_CLOSES, start, before)
        if not is_whole or not begins:
            break
        end = before
    return part if (start, end) == said else replace(part, text=text[start:end])


def _before_blanks(text: str, start: int, at: int) -> int:
    while at > start and text[at - 1].isspace():
        at -= 1
    return at


def _past_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _is_noise(part: Part) -> bool:
    return isinstance(part, Text) and _COMMAND.match(part.text) is not None


def _is_aside(source: Source) -> bool:
    """Whether all that is said in the file is a sub-agent's."""
    said = False
    for _, record in objects(source):
        if isinstance(record, dict) and text_of(record, "type") in _SPEAKERS:
            if record.get("isSidechain") is not True:
                return False
            said = True
    return said


def _live(source: Source, *, aside: bool) -> set[int]:
    """The numbers of the lines that are the conversation."""
    nodes: dict[str, _Node] = {}
    before: dict[str, str | None] = {}
    loose: list[int] = []
    leaf = last = None
    for number, record in objects(source):
        if isinstance(record, Skipped) or (record.get("isSidechain") is True) != aside:
            continue
        node = _node(number, record)
        uuid = text_of(record, "uuid")
        if not uuid:
            loose += [number] * node.speaks
            continue
        nodes.setdefault(uuid, node)
        before.setdefault(uuid, last)
        last = uuid
        if node.speaks:
            leaf = uuid
    chain: set[str] = set()
    here = leaf
    while here is not None and here not in chain:
        chain.add(here)
        parent = nodes[here].parent
        here = parent if parent is None or parent in nodes else before[here]
    messages = {nodes[one].message for one in chain} - {""}
    branch = {one for one, node in nodes.items() if one in chain or node.message in messages}
    calls = {call for one in branch for call in nodes[one].calls}
    branch |= {one for one, node in nodes.items() if node.results and calls.issuperset(node.results)}
    return {nodes[one].number for one in branch if nodes[one].speaks} | {*loose}


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
    said = list(_quietly(message)) if isinstance(message, dict) else []
    return _Node(
        number,
        parent if isinstance(parent, str) else None,
        speaks,
        text_of(message, "id") if isinstance(message, dict) and record.get("type") == "assistant" else "",
        tuple(one.id for one in said if isinstance(one, ToolCall)),
        tuple(one.tool_call_id for one in said if isinstance(one, ToolResult)),
    )


def _quietly(message: dict[str, Any]) -> Iterator[Part]:
    """The parts of a message, as far as they can be read."""
    try:
        yield from blocks(message.get("content"))
    except NotAMessage:
        return
