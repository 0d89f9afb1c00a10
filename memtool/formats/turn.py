"""Turn file: one turn of a conversation as JSON, in the current version only.

There are many such files, so records are checked by hand; a test compares the checks with
`turn.schema.json`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from memtool.core.records.turn import (
    CONCURRENT,
    DISPOSITIONS,
    MAX_SEQ,
    TURN_VERSION,
    Message,
    MessagePart,
    ReasoningPart,
    TextPart,
    ToolCall,
    ToolResult,
    Turn,
    UnknownPart,
    parse_moment,
    turn_id,
)
from memtool.errors import NewerVersion, UnreadableFile
from memtool.formats.syntax import json_text

_TURN_KEYS = {"schema_version", "id", "seq", "created_at", "messages"}
_TEXT_KEYS = {"type", "text", "disposition"}
_REASONING_KEYS = {"type", "text", "replay"}
_TOOL_CALL_KEYS = {"type", "id", "name", "arguments"}
_UNKNOWN_KEYS = {"type", "value"}
_TOOL_RESULT_KEYS = {"type", "tool_call_id", "content", "is_error"}


def parse(text: str) -> Turn:
    """Read a turn file; `parse(render(turn)) == turn`. Raises UnreadableFile, NewerVersion."""
    try:
        record = json_text.load(text.encode("utf-8", "surrogateescape"))
    except json_text.InvalidJson as error:
        raise UnreadableFile(f"the turn {error}") from error
    if reason := invalid_reason(record):
        version = record.get("schema_version") if isinstance(record, dict) else None
        if type(version) is int and version > TURN_VERSION:
            raise NewerVersion("the turn was written by a newer version of memtool; update memtool")
        raise UnreadableFile(f"the turn {reason}")
    return from_record(record)


def render(turn: Turn) -> str:
    """The turn as the text of its file."""
    return json_text.dump(record(turn))


def merge(base: str, ours: str, theirs: str) -> str:
    """One file with the turns of both versions, without those that either deleted since the base.

    Machines give the same number to different turns while they cannot see each other. The file is then the
    earliest turn, with the others in its key `concurrent`. Raises UnreadableFile, NewerVersion.
    """
    old, left, right = (turns_of(parse(text)) if text.strip() else [] for text in (base, ours, theirs))
    known, in_left, in_right = ({identity(turn) for turn in turns} for turns in (old, left, right))
    kept = [
        turn
        for turn in (*left, *right)
        if identity(turn) in (in_left & in_right) | (in_left ^ in_right) - known
    ]
    first, *others = in_order(kept or [*left, *right])
    return render(
        replace(first, more={**first.more, CONCURRENT: [record(turn) for turn in others]})
        if others
        else first
    )


def turns_of(turn: Turn) -> list[Turn]:
    """The turns in a turn's file: the turn itself, and those that were merged into it."""
    merged = turn.more.get(CONCURRENT)
    if merged is None:
        return [turn]
    more = {key: value for key, value in turn.more.items() if key != CONCURRENT}
    return [replace(turn, more=more), *(from_record(each) for each in merged)]


def in_order(turns: Iterable[Turn]) -> list[Turn]:
    """The turns by time, each once: a turn that another one of the same time continues is left out."""
    by_time: dict[str, dict[str, Turn]] = {}
    for turn in turns:
        by_time.setdefault(turn.created_at, {})[identity(turn)] = turn
    whole = (
        turn
        for same_time in by_time.values()
        for turn in same_time.values()
        if not any(_continues(other, turn) for other in same_time.values())
    )
    return sorted(whole, key=_time_and_identity)


def identity(turn: Turn) -> str:
    """What makes two records the same turn: all but the number, and the id where it is made of that."""
    return render(replace(turn, seq=0, id="" if turn.id == turn_id(turn.seq) else turn.id))


def _continues(turn: Turn, start: Turn) -> bool:
    """Whether a turn continues another one of its time, as an imported turn does once its file has grown."""
    return (
        len(turn.messages) > len(start.messages)
        and turn.messages[: len(start.messages)] == start.messages
        and turn.more == start.more
    )


def _time_and_identity(turn: Turn) -> tuple[datetime, str]:
    moment = parse_moment(turn.created_at)
    assert moment is not None  # parse has checked it
    return moment, identity(turn)


def from_record(record: Mapping[str, Any]) -> Turn:
    """The turn of a record in which `invalid_reason` finds nothing wrong."""
    return Turn(
        id=record["id"],
        seq=int(record["seq"]),
        created_at=record["created_at"],
        messages=tuple(_message(message) for message in record["messages"]),
        more=_unknown_keys(record, _TURN_KEYS),
    )


def record(turn: Turn) -> dict[str, Any]:
    """The turn as a JSON record; keys that memtool does not know come before the messages."""
    head = {"schema_version": TURN_VERSION, "id": turn.id, "seq": turn.seq, "created_at": turn.created_at}
    return {**head, **turn.more, "messages": [message_record(message) for message in turn.messages]}


def message_record(message: Message) -> dict[str, Any]:
    """A message as a JSON record."""
    return {"role": message.role, **message.more, "parts": [_part_record(part) for part in message.parts]}


def invalid_reason(record: Any) -> str | None:
    """Why a record is not a canonical turn of the current version; None if it is one.

    The reason is worded to follow the name of the file.
    """
    if type(record) is not dict:
        return "is not a JSON object"
    if record.get("schema_version") != TURN_VERSION:
        return f"does not have schema_version {TURN_VERSION}"
    if type(record.get("id")) is not str:
        return "has no id, or an id that is not a string"
    seq = record.get("seq")
    if (type(seq) is not int and not (type(seq) is float and seq.is_integer())) or not 0 <= seq <= MAX_SEQ:
        return f"has no valid seq (a whole number from 0 to {MAX_SEQ})"
    created = record.get("created_at")
    if type(created) is not str or parse_moment(created) is None:
        return "has no valid created_at (an RFC 3339 time)"
    messages = record.get("messages")
    if type(messages) is not list:
        return "has no list of messages"
    for number, message in enumerate(messages, 1):
        if reason := _invalid_message_reason(message):
            return f"has an invalid message (number {number}): {reason}"
    return _invalid_concurrent_reason(record[CONCURRENT]) if CONCURRENT in record else None


def _invalid_concurrent_reason(turns: Any) -> str | None:
    """Why a value is not a list of turns that were merged into another one."""
    if type(turns) is not list:
        return f"has a field {CONCURRENT!r} that is not a list"
    for number, turn in enumerate(turns, 1):
        if type(turn) is dict and CONCURRENT in turn:
            return f"has an invalid turn in {CONCURRENT!r} (number {number}): it must not contain other turns"
        if reason := invalid_reason(turn):
            return f"has an invalid turn in {CONCURRENT!r} (number {number}): it {reason}"
    return None


def _invalid_message_reason(message: Any) -> str | None:
    if type(message) is not dict:
        return "it is not a JSON object"
    if type(message.get("role")) is not str:
        return "it has no role, or a role that is not a string"
    parts = message.get("parts")
    if type(parts) is not list or not parts:
        return "its list of parts is missing or empty"
    for number, part in enumerate(parts, 1):
        if why := _invalid_part_reason(part):
            return f"part {number} {why}"
    return None


def _invalid_part_reason(part: Any) -> str | None:
    if type(part) is not dict:
        return "is not an object"
    match part.get("type"):
        case "text":
            if type(text := part.get("text")) is not str or not text or text.isspace():
                return "has no text"
            return None if part.get("disposition", "final") in DISPOSITIONS else "has an unknown disposition"
        case "reasoning":
            replay = part.get("replay")
            if "replay" in part and (type(replay) is not dict or not replay):
                return "has a field 'replay' that is empty or not an object"
            text = part.get("text", "")
            is_valid = type(text) is str and bool(replay or (text and not text.isspace()))
            return None if is_valid else "has no reasoning"
        case "tool_call":
            if not _is_trimmed(part.get("name")):
                return "has no name, or a name with leading or trailing whitespace"
            if not _is_trimmed(part.get("arguments")):
                return "has no arguments, or arguments with leading or trailing whitespace"
            id_ = part.get("id", "")
            return (
                None
                if id_ == "" or _is_trimmed(id_)
                else "has an id that is not a string, or one with leading or trailing whitespace"
            )
        case "tool_result":
            if not _is_trimmed(part.get("tool_call_id")):
                return "has no tool_call_id, or one with leading or trailing whitespace"
            if type(part.get("content", "")) is not str:
                return "has a field 'content' that is not a string"
            return (
                None
                if type(part.get("is_error", False)) is bool
                else "has a field 'is_error' that is not a boolean"
            )
        case "unknown":
            return None if "value" in part else "has type 'unknown' but no value"
        case _:
            return "has an unknown type"


def _is_trimmed(value: Any) -> bool:
    return type(value) is str and bool(value) and not (value[0].isspace() or value[-1].isspace())


def _message(record: Mapping[str, Any]) -> Message:
    parts = tuple(_part(part) for part in record["parts"])
    return Message(record["role"], parts, _unknown_keys(record, {"role", "parts"}))


def _part(record: Mapping[str, Any]) -> MessagePart:
    match record["type"]:
        case "text":
            return TextPart(record["text"], record.get("disposition", ""), _unknown_keys(record, _TEXT_KEYS))
        case "reasoning":
            return ReasoningPart(
                record.get("text", ""), record.get("replay", {}), _unknown_keys(record, _REASONING_KEYS)
            )
        case "tool_call":
            more = _unknown_keys(record, _TOOL_CALL_KEYS)
            return ToolCall(record.get("id", ""), record["name"], record["arguments"], more)
        case "unknown":
            return UnknownPart(record["value"], _unknown_keys(record, _UNKNOWN_KEYS))
        case _:
            content, is_error = record.get("content", ""), record.get("is_error", False)
            return ToolResult(
                record["tool_call_id"], content, is_error, _unknown_keys(record, _TOOL_RESULT_KEYS)
            )


def _part_record(part: MessagePart) -> dict[str, Any]:
    match part:
        case TextPart(text, disposition, more):
            marked = {"disposition": disposition} if disposition else {}
            return {"type": "text", "text": text, **marked, **more}
        case ReasoningPart(text, replay, more):
            return {"type": "reasoning", "text": text, **({"replay": replay} if replay else {}), **more}
        case ToolCall(id_, name, arguments, more):
            return {"type": "tool_call", "id": id_, "name": name, "arguments": arguments, **more}
        case ToolResult(id_, content, is_error, more):
            return {
                "type": "tool_result",
                "tool_call_id": id_,
                "content": content,
                "is_error": is_error,
                **more,
            }
        case UnknownPart(value, more):
            return {"type": "unknown", "value": value, **more}


def _unknown_keys(record: Mapping[str, Any], known_keys: set[str]) -> dict[str, Any]:
    return (
        {key: value for key, value in record.items() if key not in known_keys}
        if record.keys() - known_keys
        else {}
    )
