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

from memtool.core.compaction.chat_formats import InvalidChatMessage, content_parts
from memtool.core.records.turn import Message, MessagePart, TextPart, ToolCall, ToolResult
from memtool.transcripts.entry_tree import branch_of
from memtool.transcripts.json_lines import first_objects, parse_objects, text_of
from memtool.transcripts.transcript import SkippedRecord, TranscriptItem, TranscriptSource
from memtool.transcripts.turn_builder import TurnBuilder, parse_time, with_id_and_time

NAME = "claude-code"

_SPEAKERS = {"user", "assistant"}
_COMMAND = re.compile(
    r"\s*<(?:local-command|command-(?:name|message|args)|bash-(?:input|stdout|stderr)|task-notification)\b"
)
_OPENS, _CLOSES = "<system-reminder>", "</system-reminder>"
_INTERRUPTED = re.compile(r"\s*\[Request interrupted by user")


_LINE_BEFORE = ""
"""A parent id that no line has: the conversation continues from the preceding line."""


class _LogLine(NamedTuple):
    """The data of a line that the first pass keeps."""

    number: int
    parent: str | None
    is_message: bool
    message_id: str
    calls: tuple[str, ...]
    results: tuple[str, ...]


def recognises(source: TranscriptSource) -> bool:
    """Whether a file is such a log: it has lines with a speaker's type, an id and a chat message."""
    records = first_objects(source)
    return any(
        text_of(record, "type") in _SPEAKERS
        and "uuid" in record
        and isinstance(record.get("message"), dict)
        and "parts" not in record["message"]  # Qwen Code's
        for record in records
    )


def read(source: TranscriptSource) -> Iterator[TranscriptItem]:
    """The turns of the conversation in order, and the lines skipped as unreadable.

    If every line is a sub-agent's, the file is that sub-agent's conversation; otherwise sub-agents' lines are
    left out. The file is read several times and never held in memory.
    """
    aside = _is_sub_agent_log(source)
    live = _conversation_lines(source, is_sub_agent=aside)
    turns = TurnBuilder(NAME, PurePosixPath(source.name).stem)
    for number, record in parse_objects(source):
        if isinstance(record, SkippedRecord):
            yield record
        elif number in live:
            try:
                yield from _add_message(record, turns, is_sub_agent=aside)
            except InvalidChatMessage as error:
                yield SkippedRecord(number, str(error))
    yield from turns.finish()


def _add_message(
    record: dict[str, Any], turns: TurnBuilder, *, is_sub_agent: bool
) -> Iterator[TranscriptItem]:
    message = record["message"]
    role, time = str(record["type"]), parse_time(record.get("timestamp"))
    session = text_of(record, "sessionId")
    if session:
        agent = text_of(record, "agentId")
        turns.set_session(f"{session}/{agent}" if is_sub_agent and agent else session)
    parts = [
        part for part in map(_without_reminders, content_parts(message.get("content"))) if not _is_noise(part)
    ]
    results = [part for part in parts if isinstance(part, ToolResult)]
    spoken = [part for part in parts if not isinstance(part, ToolResult)]
    id_ = text_of(record, "uuid")
    if results:
        yield from turns.add(with_id_and_time(Message("tool", tuple(results)), time, id_), time, id_)
    if spoken:
        interrupted = all(isinstance(part, TextPart) and _INTERRUPTED.match(part.text) for part in spoken)
        yield from turns.add(
            with_id_and_time(Message(role, tuple(spoken)), time, id_),
            time,
            id_,
            opens_turn=role == "user" and not interrupted,
            piece_id=text_of(message, "id") if role == "assistant" else "",
        )


def _without_reminders(part: MessagePart) -> MessagePart:
    """A text part without the host's system reminders before and after the text.

    A trailing reminder must begin a line; one in the middle of a line was typed by the user.
    """
    if not isinstance(part, TextPart) or _OPENS not in part.text:
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


def _is_noise(part: MessagePart) -> bool:
    return isinstance(part, TextPart) and _COMMAND.match(part.text) is not None


def _is_sub_agent_log(source: TranscriptSource) -> bool:
    """Whether all messages of the file are a sub-agent's."""
    has_messages = False
    for _, record in parse_objects(source):
        if isinstance(record, dict) and text_of(record, "type") in _SPEAKERS:
            if record.get("isSidechain") is not True:
                return False
            has_messages = True
    return has_messages


def _conversation_lines(source: TranscriptSource, *, is_sub_agent: bool) -> set[int]:
    """The numbers of the lines that belong to the conversation."""
    nodes: dict[str, _LogLine] = {}
    before: dict[str, str | None] = {}
    lines_without_id: list[int] = []
    leaf = last = None
    for number, record in parse_objects(source):
        if isinstance(record, SkippedRecord) or (record.get("isSidechain") is True) != is_sub_agent:
            continue
        node = _log_line(number, record)
        uuid = text_of(record, "uuid")
        if not uuid:
            lines_without_id += [number] * node.is_message
            continue
        nodes.setdefault(uuid, node)
        before.setdefault(uuid, last)
        last = uuid
        if node.is_message:
            leaf = uuid
    chain = branch_of(leaf, {uuid: node.parent for uuid, node in nodes.items()}, before)
    messages = {nodes[uuid].message_id for uuid in chain} - {""}
    branch = {uuid for uuid, node in nodes.items() if uuid in chain or node.message_id in messages}
    calls = {call for uuid in branch for call in nodes[uuid].calls}
    branch |= {uuid for uuid, node in nodes.items() if node.results and calls.issuperset(node.results)}
    return {nodes[uuid].number for uuid in branch if nodes[uuid].is_message} | {*lines_without_id}


def _log_line(number: int, record: dict[str, Any]) -> _LogLine:
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
    parts = list(_readable_parts(message)) if isinstance(message, dict) else []
    return _LogLine(
        number,
        parent if isinstance(parent, str) else None,
        speaks,
        text_of(message, "id") if isinstance(message, dict) and record.get("type") == "assistant" else "",
        tuple(part.id for part in parts if isinstance(part, ToolCall)),
        tuple(part.tool_call_id for part in parts if isinstance(part, ToolResult)),
    )


def _readable_parts(message: dict[str, Any]) -> Iterator[MessagePart]:
    """The parts of a message up to the first unreadable one."""
    try:
        yield from content_parts(message.get("content"))
    except InvalidChatMessage:
        return
