"""Codex's session logs (`~/.codex/sessions/**/rollout-*.jsonl`) as turns.

What was said is in the lines of type `response_item`; the same words stand in `event_msg` lines again, which
are read only where there are no such items. The oldest logs hold the items bare, after a header which alone
says when it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from memtool.core.compaction.chat import NotAMessage, arguments_of, blocks, plain
from memtool.core.records.turn import Message, Part, Reasoning, Text, ToolCall, ToolResult
from memtool.transcripts.conversation import Turns, dated, moment
from memtool.transcripts.foreign import Item, Skipped, Source
from memtool.transcripts.lines import first_objects, objects, text_of

NAME = "codex"

_ENVELOPES = {"session_meta", "response_item", "event_msg", "turn_context", "world_state", "compacted"}
_BARE = {
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "local_shell_call",
    "custom_tool_call",
}
_INTRODUCED = re.compile(r"\AAnother language model[^\n]{0,1000}:\n")
_NOT_THE_USER = re.compile(
    r"\s*(?:<(?:environment_context|user_instructions|skills_instructions|turn_aborted)>"
    r"|# AGENTS\.md instructions)"
)


def recognises(source: Source) -> bool:
    """Whether a file is such a log: enveloped lines with a payload, or bare items after a header."""
    found = first_objects(source)
    if any(text_of(one, "type") in _ENVELOPES and isinstance(one.get("payload"), dict) for one in found):
        return True
    header = found[0] if found else {}
    return "id" in header and "timestamp" in header and "type" not in header and "instructions" in header


def read(source: Source) -> Iterator[Item]:
    """The turns of the conversation, in order; a line that cannot be read is skipped and named.

    The file is read twice, and never held.
    """
    from_items = _has_items(source)
    turns = Turns(NAME, PurePosixPath(source.name).stem)
    session = ""
    begun: datetime | None = None
    for number, record in objects(source):
        if isinstance(record, Skipped):
            yield record
            continue
        kind, item = _unwrapped(record)
        at = moment(record.get("timestamp"))
        if kind == "session_meta":
            begun = begun or at or moment(item.get("timestamp"))
            session = session or text_of(item, "id")  # a fork repeats the header of what it was forked from
            turns.call(session)
            continue
        try:
            said = _item(item) if from_items and kind == "response_item" else None
            if not from_items and kind == "event_msg":
                said = _event(item)
            if said is not None:  # items have no ids: what was said so far makes one
                role, parts = said
                yield from turns.add(dated(Message(role, tuple(parts)), at, ""), at or begun)
        except NotAMessage as error:
            yield Skipped(number, str(error))
    yield from turns.end()


def compacted_as(source: Source) -> str:
    """The newest summary that a conversation was compacted to, without what introduces it; empty for none."""
    found = ""
    for _, record in objects(source):
        if isinstance(record, dict) and record.get("type") == "compacted":
            found = text_of(_unwrapped(record)[1], "message")
    return _INTRODUCED.sub("", found, count=1).strip()


def _unwrapped(record: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    payload = record.get("payload")
    if isinstance(payload, dict):
        return str(record.get("type")), payload
    kind = text_of(record, "type")
    if kind in _BARE or kind.endswith(("_call", "_output")):
        return "response_item", record
    return ("session_meta" if "instructions" in record or "id" in record else ""), record


def _has_items(source: Source) -> bool:
    """Whether there is a message among the items, so that the events need not be read."""
    for _, record in objects(source):
        if isinstance(record, dict):
            kind, item = _unwrapped(record)
            if (
                kind == "response_item"
                and item.get("type") == "message"
                and text_of(item, "role") in {"user", "assistant"}
            ):
                return True
    return False


def _item(item: Mapping[str, Any]) -> tuple[str, list[Part]] | None:
    """Who says what in an item; None for what is not said."""
    match item.get("type"):
        case "message":
            return _message(item)
        case "reasoning":
            texts = [*_texts(item.get("summary")), *_texts(item.get("content"))]
            sealed = item.get("encrypted_content")
            replay = {"encrypted_content": sealed} if isinstance(sealed, str) and sealed else {}
            return "assistant", [Reasoning("\n\n".join(texts), replay)]
        case "function_call" | "custom_tool_call":
            space = text_of(item, "namespace")
            name = f"{space}.{text_of(item, 'name')}" if space else text_of(item, "name")
            given = item.get("arguments", item.get("input"))
            return "assistant", [ToolCall(_call(item), name, arguments_of(given))]
        case "local_shell_call" | "web_search_call" | "tool_search_call" as kind:
            return "assistant", [
                ToolCall(_call(item), kind.removesuffix("_call"), arguments_of(item.get("action")))
            ]
        case str() as kind if kind.endswith("_output"):
            return "tool", [_result(item)]
        case _:
            return None


def _message(item: Mapping[str, Any]) -> tuple[str, list[Part]] | None:
    role = text_of(item, "role")
    if role not in {"user", "assistant"}:
        return None
    parts = [*blocks(item.get("content"))]
    if role == "user":
        parts = [one for one in parts if not (isinstance(one, Text) and _NOT_THE_USER.match(one.text))]
    return role, parts


def _result(item: Mapping[str, Any]) -> ToolResult:
    output = item.get("output")
    failed = False
    if isinstance(output, Mapping):
        failed = output.get("success") is False
        output = output.get("content", output.get("output", output))
    return ToolResult(_call(item), plain(output), failed)


def _call(item: Mapping[str, Any]) -> str:
    return text_of(item, "call_id") or text_of(item, "id")


def _texts(given: Any) -> Iterator[str]:
    for one in given if isinstance(given, list) else ():
        if isinstance(one, Mapping) and text_of(one, "text"):
            yield text_of(one, "text")


def _event(event: Mapping[str, Any]) -> tuple[str, list[Part]] | None:
    """Who says what in an event; None for what is not said."""
    item = event.get("item")
    if event.get("type") == "item_completed" and isinstance(item, Mapping):
        event = item
    match event.get("type"):
        case "user_message" | "UserMessage":
            parts = [Text(text_of(event, "message")), *blocks(event.get("content"))]
            return "user", [
                one for one in parts if not (isinstance(one, Text) and _NOT_THE_USER.match(one.text))
            ]
        case "agent_message" | "AgentMessage":
            return "assistant", [Text(text_of(event, "message")), *_agent_texts(event.get("content"))]
        case "agent_reasoning" | "Reasoning":
            return "assistant", [
                Reasoning(text_of(event, "text") or "\n\n".join(_texts(event.get("summary"))))
            ]
        case "McpToolCall":
            id_ = text_of(event, "id")
            name = ".".join(one for one in (text_of(event, "server"), text_of(event, "tool")) if one)
            return "assistant", [ToolCall(id_, name, arguments_of(event.get("arguments")))]
        case _:
            return None


def _agent_texts(content: Any) -> list[Part]:
    """What an agent's message says, whichever way its blocks name their type."""
    if isinstance(content, list):
        return [Text(text) for text in _texts(content)]
    return [*blocks(content)]
