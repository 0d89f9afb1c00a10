"""Upgrade: converts turn records of older schema versions; only this module knows the old formats.

The formats are those of q15 (github.com/q15co/q15). Version 1 has chat messages with a `content`, keys in
snake_case or CamelCase, and the provider's raw answer; version 2 has messages made of parts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, to_builtins

from memtool.core.records.turn import (
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
    canonical_part,
    parse_moment,
)

JsonRecord = Mapping[str, Any]


class UpgradedTurn(Struct, frozen=True):
    """The record was converted to `turn`; `version` is the version that it had."""

    turn: Turn
    version: int


class NewerTurn(Struct, frozen=True):
    """The record has a later version than this memtool supports."""

    version: int


class UnreadableTurn(Struct, frozen=True):
    """The record is not a turn; `reason` continues a sentence that begins with the name of its file."""

    reason: str


UpgradeResult = UpgradedTurn | NewerTurn | UnreadableTurn


class _InvalidTurn(Exception):
    """A required field is missing or has the wrong type."""


def upgrade_turn(record: Any) -> UpgradeResult:
    """Upgrade a record that the turn format cannot parse as it is.

    No `schema_version`, or 0, means version 1. A required field that is missing or has the wrong type makes
    the whole record unreadable; the caller quarantines it, so nothing is lost. Of an upgraded record nothing
    that holds a text or a number is lost: a part or message of an unknown shape becomes an UnknownPart, and a
    field that has no place in the new version stays an unknown key. What is empty is dropped. The format can
    parse the turn of an upgraded record, unless its unknown key `concurrent` is not a list of turns.
    """
    if not isinstance(record, dict):
        return UnreadableTurn(f"is {_type_name(record)}, not a JSON object")
    version = record.get("schema_version")
    if version is None or (version == 0 and version is not False):
        return _upgrade_from(record, 1)
    if (
        isinstance(version, bool)
        or not isinstance(version, int | float)
        or version != int(version)
        or version < 2
    ):
        return UnreadableTurn(
            f"has an unknown schema_version: {json.dumps(version, ensure_ascii=False)[:60]}"
        )
    return _upgrade_from(record, TURN_VERSION) if version == TURN_VERSION else NewerTurn(int(version))


def _upgrade_from(record: JsonRecord, version: int) -> UpgradeResult:
    try:
        fields = _in_snake_case(record, _TURN_KEYS) if version == 1 else record
        seq = _seq(fields)
        created_at = _string(fields, "created_at", required=True)
        if parse_moment(created_at) is None:
            raise _InvalidTurn(f"has an invalid created_at (RFC 3339 time expected): {created_at[:40]!r}")
        given = fields.get("messages")
        if not isinstance(given, list):
            raise _InvalidTurn("has no list of messages")
        read_message = _parse_message if version == TURN_VERSION else _parse_old_message
        messages = tuple(_parse_messages(read_message, given))
        more = {key: value for key, value in fields.items() if key not in {"schema_version", *_TURN_KEYS}}
        turn = Turn(_string(fields, "id", required=True), seq, created_at, messages, more)
    except _InvalidTurn as fault:
        return UnreadableTurn(str(fault))
    return UpgradedTurn(turn, version)


_TURN_KEYS = ("id", "seq", "created_at", "messages")


def _parse_messages(
    parse_message: Callable[[JsonRecord], Message], messages: Sequence[Any]
) -> Iterator[Message]:
    for number, record in enumerate(messages, 1):
        try:
            if not isinstance(record, dict):
                raise _InvalidTurn(f"is {_type_name(record)}, not an object")
            message = parse_message(record)
            parts = tuple(part for part in map(canonical_part, message.parts) if part is not None)
            if parts:
                yield Message(message.role, parts, message.more)
            elif any(_holds_content(value) for key, value in record.items() if key.lower() != "role"):
                yield Message(message.role, (UnknownPart(record),))
        except _InvalidTurn as fault:
            raise _InvalidTurn(f"has an invalid message: message {number} {fault}") from fault


def _parse_message(record: JsonRecord) -> Message:
    """Parse a message of version 2."""
    parts = tuple(_parts(record.get("parts")))
    return Message(_string(record, "role", required=True), parts, _without(record, "role", "parts"))


def _parts(parts: Any) -> Iterator[MessagePart]:
    if parts is not None and not isinstance(parts, list):
        raise _InvalidTurn("has a field 'parts' that is not a list")
    for part in parts or ():
        if part is None:
            continue
        if not isinstance(part, dict):
            raise _InvalidTurn(f"has a part that is {_type_name(part)}, not an object")
        known = canonical_part(_known_part(part))
        if known is not None:
            yield known
        elif any(_holds_content(value) for key, value in part.items() if key != "type"):
            yield UnknownPart(part)


def _known_part(part: JsonRecord) -> MessagePart:
    """The part of a record, not in canonical form yet; an UnknownPart for a type that version 2 has not."""
    match part.get("type"):
        case "text":
            more = _without(part, "type", "text", "disposition")
            disposition = _string(part, "disposition")
            if disposition.strip() and disposition not in DISPOSITIONS:
                more["unknown_disposition"] = disposition
            return TextPart(_string(part, "text"), disposition, more)
        case "reasoning":
            replay = part.get("replay")
            if replay is not None and not isinstance(replay, dict):
                raise _InvalidTurn("has a field 'replay' that is not an object")
            return ReasoningPart(
                _string(part, "text"), replay or {}, _without(part, "type", "text", "replay")
            )
        case "tool_call":
            more = _without(part, "type", "id", "name", "arguments")
            return ToolCall(_string(part, "id"), _string(part, "name"), _string(part, "arguments"), more)
        case "tool_result":
            is_error = part.get("is_error")
            if is_error is not None and not isinstance(is_error, bool):
                raise _InvalidTurn("has a field 'is_error' that is not a boolean")
            more = _without(part, "type", "tool_call_id", "content", "is_error")
            call, content = _string(part, "tool_call_id"), _string(part, "content")
            return ToolResult(call, content, bool(is_error), more)
        case "unknown" if "value" in part:
            return UnknownPart(part["value"], _without(part, "type", "value"))
        case _:
            return UnknownPart(part)


def _parse_old_message(record: JsonRecord) -> Message:
    """Parse a message of version 1; if it has parts nevertheless, they are used.

    Fields that the message has no place for, such as the calls of a user, stay as unknown keys.
    """
    fields = _in_snake_case(record, _MESSAGE_KEYS)
    role = _string(fields, "role", required=True).strip()
    content, phase, call = (
        _string(fields, "content"),
        _string(fields, "phase"),
        _string(fields, "tool_call_id"),
    )
    calls = tuple(_calls(fields.get("tool_calls")))
    parts: tuple[MessagePart, ...]
    if isinstance(fields.get("parts"), list) and not content:
        parts, used = tuple(_parts(fields["parts"])), {"content", "parts"}
    elif role == "assistant":
        parts = tuple(_assistant_parts(content, phase, calls, fields.get("provider_raw")))
        used = {"content", "tool_calls", *(["phase"] if _disposition(phase) else [])}
    elif role == "tool":  # a result needs the id of its call
        is_result = bool(call.strip())
        parts = (ToolResult(call, content),) if is_result else ()
        used = {"content", "tool_call_id"} if is_result else set()
    else:
        parts, used = (TextPart(content),), {"content"}
    unused = {key: fields[key] for key in _MESSAGE_KEYS[1:] if key in fields and key not in used}
    raw = unused.get("provider_raw")
    if isinstance(raw, dict):  # what the message has, too, need not be stored twice
        canonical = [part for part in map(canonical_part, parts) if part is not None]
        stored = set(_contents(to_builtins(canonical)))
        unused["provider_raw"] = {
            key: value
            for key, value in raw.items()
            if not stored.issuperset(_contents(_without_marks(key, value)))
        }
    more = _without(fields, *_MESSAGE_KEYS, "parts")
    more |= {key: value for key, value in unused.items() if _holds_content(value)}
    if "parts" not in used and _holds_content(fields.get("parts")):
        parts += (UnknownPart({"parts": fields["parts"]}),)
    return Message(role, parts, more)


def _without_marks(key: str, value: Any) -> Any:
    """A field of a provider's answer without the words that name kinds of things, and hold nothing."""
    if (key, value) == ("role", "assistant") or (
        key == "phase" and isinstance(value, str) and _disposition(value)
    ):
        return None
    if key == "tool_calls" and isinstance(value, list):
        return [
            _without(call, "type") if isinstance(call, dict) and call.get("type") == "function" else call
            for call in value
        ]
    return value


_MESSAGE_KEYS = ("role", "content", "phase", "tool_calls", "tool_call_id", "provider_raw")


def _assistant_parts(
    content: str, phase: str, calls: tuple[MessagePart, ...], raw: Any
) -> Iterator[MessagePart]:
    """The reasoning, text and calls of an assistant; missing ones are taken from the provider's answer."""
    raw = raw if isinstance(raw, dict) else {}
    yield ReasoningPart(_raw_text(raw, "reasoning_content"))
    disposition = _disposition(phase) or _disposition(_raw_text(raw, "phase"))
    yield TextPart(content if content.strip() else _raw_text(raw, "content"), disposition)
    yield from calls or _raw_calls(raw.get("tool_calls"))


def _disposition(phase: str) -> str:
    return {"commentary": "commentary", "final": "final", "final_answer": "final"}.get(phase.strip(), "")


def _calls(calls: Any) -> Iterator[MessagePart]:
    if calls is not None and not isinstance(calls, list):
        raise _InvalidTurn("has a field 'tool_calls' that is not a list")
    for record in calls or ():
        if not isinstance(record, dict):
            raise _InvalidTurn("has a tool call that is not an object")
        call = _in_snake_case(record, _CALL_KEYS)
        function = call.get("function")
        if isinstance(function, dict) and not (
            _holds_content([call.get("name"), call.get("arguments")]) or function.keys() & {"id", *record}
        ):
            call = {**function, **_without(call, "function", "name", "arguments")}
        id_, name = _string(call, "id"), _string(call, "name")
        if name.strip():
            yield ToolCall(id_, name, _arguments(call), _without(call, *_CALL_KEYS))
        elif _holds_content(record):
            yield UnknownPart(record)


_CALL_KEYS = ("id", "name", "arguments")


def _raw_calls(calls: Any) -> Iterator[ToolCall]:
    for record in calls if isinstance(calls, list) else ():
        function = record.get("function") if isinstance(record, dict) else None
        if isinstance(function, dict):
            arguments = function.get("arguments")
            arguments_text = _arguments(function) if isinstance(arguments, str | dict | list) else ""
            yield ToolCall(_raw_text(record, "id"), _raw_text(function, "name"), arguments_text)


def _arguments(call: JsonRecord) -> str:
    """A call's arguments as JSON text; arguments that are not text are serialized."""
    arguments = call.get("arguments")
    return (
        json.dumps(arguments, ensure_ascii=False)
        if isinstance(arguments, dict | list)
        else _string(call, "arguments")
    )


def _raw_text(raw: JsonRecord, key: str) -> str:
    value = raw.get(key)
    return value if isinstance(value, str) else ""


def _in_snake_case(record: JsonRecord, keys: Sequence[str]) -> JsonRecord:
    """The record with these keys in snake_case: `ToolCallID` becomes `tool_call_id`.

    If both spellings are present, the one in snake_case takes precedence unless it is empty; the other keeps
    its name.
    """
    by_folded_name = {key.replace("_", ""): key for key in keys}
    normalized: dict[str, Any] = {key: value for key, value in record.items() if key in keys}
    for key, value in record.items():
        target_key = by_folded_name.get(key.lower())
        if key in keys:
            continue
        if target_key is None or _holds_content(normalized.get(target_key)):
            normalized[key] = value
        else:
            normalized[target_key] = value
    return normalized


def _holds_content(value: Any) -> bool:
    """Whether there is a text or a number in a JSON value."""
    return next(_contents(value), None) is not None


def _contents(value: Any) -> Iterator[str]:
    """Each text in a JSON value that is not blank, without blanks around it, and each number."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack += item.values()
        elif isinstance(item, list | tuple):
            stack += item
        elif isinstance(item, str):
            if text := item.strip():
                yield text
        elif item is not None and not isinstance(item, bool):
            yield repr(item)


def _seq(record: JsonRecord) -> int:
    seq = record.get("seq")
    if (
        isinstance(seq, bool)
        or not isinstance(seq, int | float)
        or seq != int(seq)
        or not 0 <= seq <= MAX_SEQ
    ):
        raise _InvalidTurn(f"has no valid seq (a whole number from 0 to {MAX_SEQ})")
    return int(seq)


def _string(record: JsonRecord, key: str, *, required: bool = False) -> str:
    value = record.get(key)
    if isinstance(value, str):
        return value
    if value is None and not required:
        return ""
    raise _InvalidTurn(
        f"has no {key}" if value is None else f"has a field {key!r} that is {_type_name(value)}, not a string"
    )


def _without(record: JsonRecord, *keys: str) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key not in keys}


def _type_name(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "a list"
        case _:
            return "an object"
