"""Group a conversation's messages into turns with stable origins."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from memtool.core.records.turn import (
    Message,
    Part,
    Reasoning,
    Text,
    ToolCall,
    ToolResult,
    canonical,
    moment_of,
    spell,
)
from memtool.transcripts.foreign import Imported, Origin

_TIMES = ("at", "created_at", "timestamp", "create_time", "created")
"""Keys for a message's time in the formats in use, the most specific first."""


class Turns:
    """Groups the messages of one conversation into turns; a turn is returned once the next one opens.

    Messages before the user's first one belong to the first turn. A conversation without a session id gets a
    digest of all messages up to the user's first one; a message without an id gets a digest of all messages
    up to it.
    """

    def __init__(self, agent: str, session: str = "", began: datetime | None = None) -> None:
        self._agent, self._session, self._began = agent, session, began
        self._chain = sha256()
        self._held: list[Message] = []
        self._id = ""
        self._at: datetime | None = None
        self._open = False
        self._piece = ""

    def call(self, session: str) -> None:
        """Set the conversation's session id, unless it is empty."""
        self._session = session or self._session

    def add(
        self,
        message: Message,
        at: datetime | None = None,
        own_id: str = "",
        *,
        opens: bool | None = None,
        piece: str = "",
    ) -> Iterator[Imported]:
        """Add the next message, unless it is empty; returns the turn that it completes.

        A user's message opens a turn unless `opens` says otherwise. A message with the same `piece` id as the
        one before it is joined to it.
        """
        for normalised in canonical((message,)):
            previous = self._held[-1] if self._held else None
            if previous is not None and piece and piece == self._piece and previous.role == normalised.role:
                self._chain.update(_words(normalised))
                self._held[-1] = Message(previous.role, previous.parts + normalised.parts, previous.more)
                continue
            self._piece = piece
            if opens is None:
                opens = normalised.role == "user" and any(
                    not isinstance(part, ToolResult) for part in normalised.parts
                )
            if opens and self._open:
                yield self._turn()
            self._chain.update(_words(normalised))
            if opens or not self._id:
                self._id = own_id or self._chain.hexdigest()[:32]
                self._at = at
            if opens:
                self._open = True
                self._session = self._session or self._chain.hexdigest()[:32]
            self._held.append(normalised)
            self._at = self._at or at

    def end(self) -> Iterator[Imported]:
        """The last turn, if anyone but the system spoke; afterwards another conversation can be added."""
        if any(message.role != "system" for message in self._held):
            yield self._turn()
        self._held, self._id, self._open, self._piece = [], "", False, ""

    def _turn(self) -> Imported:
        session = self._session = self._session or self._id
        turn = Imported(Origin(self._agent, session, self._id), self._at or self._began, tuple(self._held))
        self._held, self._began, self._at = [], None, None
        return turn


def dated(message: Message, at: datetime | None, own_id: str) -> Message:
    """A message with its id and time in `more` as `id` and `at`, and under no other keys."""
    more = {key: value for key, value in message.more.items() if key not in {"id", "at"}}
    if own_id:
        more["id"] = own_id
    if at is not None:
        more = {key: value for key, value in more.items() if key not in _TIMES or moment(value) != at}
        more["at"] = spell(at)
    return Message(message.role, message.parts, more)


def time_of(record: Mapping[str, Any]) -> datetime | None:
    """The time of a record under any of the usual keys; None if there is none."""
    times = (moment(record[key]) for key in _TIMES if key in record)
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


def moment(value: Any) -> datetime | None:
    """The time of an ISO 8601 text, or of a number since 1970 (seconds to nanoseconds); None if invalid.

    A text without an offset is UTC; the unit of a number follows from its size.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return _written(value.strip())
    if not isinstance(value, int | float) or not 0 < value < 1e20:
        return None
    seconds = float(value)
    while seconds > 1e11:
        seconds /= 1000
    return datetime.fromtimestamp(seconds, UTC)


def _written(text: str) -> datetime | None:
    if (time := moment_of(text)) is not None:
        return time
    try:
        if "-" not in text:
            return moment(float(text)) if len(text) >= 9 else None
        parsed = datetime.fromisoformat(text)
        return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def walk(parents: Mapping[str, str], leaf: str) -> tuple[list[str], str]:
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
        return path, f"goes in a circle at message {node}"
    return path, f"lacks message {node} and what came before it" if node else ""


def _words(message: Message) -> bytes:
    content = [message.role, *map(_said, message.parts)]
    return json.dumps(content, separators=(",", ":")).encode() + b"\n"


def _said(part: Part) -> list[Any]:
    match part:
        case Text(text):
            return ["text", text]
        case Reasoning(text):
            return ["reasoning", text]
        case ToolCall(call, name, arguments):
            return ["call", call, name, arguments]
        case ToolResult(call, content, is_error):
            return ["result", call, content, is_error]
