"""Group a conversation's messages into turns with stable origins."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from memtool.core.records.turn import (
    Message,
    MessagePart,
    ReasoningPart,
    TextPart,
    ToolCall,
    ToolResult,
    UnknownPart,
    canonical_messages,
    format_moment,
    parse_moment,
)
from memtool.transcripts.transcript import ImportedTurn, TurnOrigin

_TIME_KEYS = ("at", "created_at", "timestamp", "create_time", "created")
"""Keys for a message's time in the formats in use, the most specific first."""


class TurnBuilder:
    """Groups the messages of one conversation into turns; a turn is returned once the next one opens.

    Messages before the user's first one belong to the first turn. A conversation without a session id gets a
    digest of all messages up to the user's first one; a message without an id gets a digest of all messages
    up to it.
    """

    def __init__(self, agent: str, session: str = "", began: datetime | None = None) -> None:
        self._agent, self._session, self._began = agent, session, began
        self._digest = sha256()
        self._messages: list[Message] = []
        self._id = ""
        self._at: datetime | None = None
        self._is_open = False
        self._piece_id = ""

    def set_session(self, session: str) -> None:
        """Set the conversation's session id, unless it is empty."""
        self._session = session or self._session

    def add(
        self,
        message: Message,
        at: datetime | None = None,
        own_id: str = "",
        *,
        opens_turn: bool | None = None,
        piece_id: str = "",
    ) -> Iterator[ImportedTurn]:
        """Add the next message, unless it is empty; returns the turn that it completes.

        A user's message opens a turn unless `opens_turn` says otherwise. A message with the same `piece_id`
        id as the one before it is joined to it.
        """
        for normalised in canonical_messages((message,)):
            previous = self._messages[-1] if self._messages else None
            if (
                previous is not None
                and piece_id
                and piece_id == self._piece_id
                and previous.role == normalised.role
            ):
                self._digest.update(_digest_input(normalised))
                self._messages[-1] = Message(previous.role, previous.parts + normalised.parts, previous.more)
                continue
            self._piece_id = piece_id
            if opens_turn is None:
                opens_turn = normalised.role == "user" and any(
                    not isinstance(part, ToolResult) for part in normalised.parts
                )
            if opens_turn and self._is_open:
                yield self._close_turn()
            self._digest.update(_digest_input(normalised))
            if opens_turn or not self._id:
                self._id = own_id or self._digest.hexdigest()[:32]
                self._at = at
            if opens_turn:
                self._is_open = True
                self._session = self._session or self._digest.hexdigest()[:32]
            self._messages.append(normalised)
            self._at = self._at or at

    def finish(self) -> Iterator[ImportedTurn]:
        """The last turn, if anyone but the system spoke; afterwards another conversation can be added."""
        if any(message.role != "system" for message in self._messages):
            yield self._close_turn()
        self._messages, self._id, self._is_open, self._piece_id = [], "", False, ""

    def _close_turn(self) -> ImportedTurn:
        session = self._session = self._session or self._id
        turn = ImportedTurn(
            TurnOrigin(self._agent, session, self._id), self._at or self._began, tuple(self._messages)
        )
        self._messages, self._began, self._at = [], None, None
        return turn


def with_id_and_time(message: Message, at: datetime | None, own_id: str) -> Message:
    """A message with its id and time in `more` as `id` and `at`, and under no other keys."""
    more = {key: value for key, value in message.more.items() if key not in {"id", "at"}}
    if own_id:
        more["id"] = own_id
    if at is not None:
        more = {key: value for key, value in more.items() if key not in _TIME_KEYS or parse_time(value) != at}
        more["at"] = format_moment(at)
    return Message(message.role, message.parts, more)


def time_of(record: Mapping[str, Any]) -> datetime | None:
    """The time of a record under any of the usual keys; None if there is none."""
    times = (parse_time(record[key]) for key in _TIME_KEYS if key in record)
    return next((time for time in times if time is not None), None)


def id_of(record: Mapping[str, Any], *keys: str) -> str:
    """The first of these keys' values that is an id, a text or an integer; empty if there is none."""
    for key in keys:
        value = record.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value) if -(2**63) < value < 2**64 else ""
    return ""


def parse_time(value: Any) -> datetime | None:
    """The time of an ISO 8601 text, or of a number since 1970 (seconds to nanoseconds); None if invalid.

    A text without an offset is UTC; the unit of a number follows from its size.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return _parse_time_text(value.strip())
    if not isinstance(value, int | float) or not 0 < value < 1e20:
        return None
    seconds = float(value)
    while seconds > 1e11:
        seconds /= 1000
    return datetime.fromtimestamp(seconds, UTC)


def _parse_time_text(text: str) -> datetime | None:
    if (time := parse_moment(text)) is not None:
        return time
    try:
        if "-" not in text:
            return parse_time(float(text)) if len(text) >= 9 else None
        parsed = datetime.fromisoformat(text)
        return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def branch_to(parents: Mapping[str, str], leaf: str) -> tuple[list[str], str]:
    """The path from the root to a leaf, and an error if it does not begin at a root, else an empty text."""
    path: list[str] = []
    seen: set[str] = set()
    node = leaf
    while node in parents and node not in seen:
        seen.add(node)
        path.append(node)
        node = parents[node]
    path.reverse()
    if node in seen:
        return path, f"has parent links that form a cycle at message {node}"
    return path, f"lacks message {node} and the messages before it" if node else ""


def _digest_input(message: Message) -> bytes:
    content = [message.role, *map(_part_values, message.parts)]
    return json.dumps(content, separators=(",", ":")).encode() + b"\n"


def _part_values(part: MessagePart) -> list[Any]:
    match part:
        case TextPart(text):
            return ["text", text]
        case ReasoningPart(text):
            return ["reasoning", text]
        case ToolCall(call, name, arguments):
            return ["call", call, name, arguments]
        case ToolResult(call, content, is_error):
            return ["result", call, content, is_error]
        case UnknownPart(value):
            return ["unknown", value]
