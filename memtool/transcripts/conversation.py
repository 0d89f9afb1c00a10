"""A conversation's messages, gathered into turns that keep their origin as it grows."""

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
"""The keys under which the formats in use say when a message was said, the most telling first."""


class Turns:
    """Gathers the messages of one conversation; a turn is given once the next one opens.

    What came before the first message of the user goes into the first turn. Where the conversation has no
    session of its own, a digest of all up to the first message of the user is it; where a message has no id,
    a digest of all up to it is.
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
        """Call the conversation so from here on, where there is a name."""
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
        """Take the next message, which says nothing where no part of it does; gives the turn that it ends.

        A user's words open a turn unless `opens` says otherwise. A message that is a `piece` of the same as
        the one before it is joined to it.
        """
        for one in canonical((message,)):
            last = self._held[-1] if self._held else None
            if last is not None and piece and piece == self._piece and last.role == one.role:
                self._chain.update(_words(one))
                self._held[-1] = Message(last.role, last.parts + one.parts, last.more)
                continue
            self._piece = piece
            if opens is None:
                opens = one.role == "user" and any(not isinstance(part, ToolResult) for part in one.parts)
            if opens and self._open:
                yield self._turn()
            self._chain.update(_words(one))
            if opens or not self._id:
                self._id = own_id or self._chain.hexdigest()[:32]
                self._at = at
            if opens:
                self._open = True
                self._session = self._session or self._chain.hexdigest()[:32]
            self._held.append(one)
            self._at = self._at or at

    def end(self) -> Iterator[Imported]:
        """The last turn; a conversation in which nobody but the system spoke has none. Another may follow."""
        if any(one.role != "system" for one in self._held):
            yield self._turn()
        self._held, self._id, self._open, self._piece = [], "", False, ""

    def _turn(self) -> Imported:
        session = self._session = self._session or self._id
        turn = Imported(Origin(self._agent, session, self._id), self._at or self._began, tuple(self._held))
        self._held, self._began, self._at = [], None, None
        return turn


def dated(message: Message, at: datetime | None, own_id: str) -> Message:
    """A message whose `more` says its id and time as they are kept, and in no other way."""
    more = {key: value for key, value in message.more.items() if key not in {"id", "at"}}
    if own_id:
        more["id"] = own_id
    if at is not None:
        more = {key: value for key, value in more.items() if key not in _TIMES or moment(value) != at}
        more["at"] = spell(at)
    return Message(message.role, message.parts, more)


def time_of(record: Mapping[str, Any]) -> datetime | None:
    """When a record says that it was made, under any key in use for it."""
    found = (moment(record[key]) for key in _TIMES if key in record)
    return next((at for at in found if at is not None), None)


def id_of(record: Mapping[str, Any], *keys: str) -> str:
    """The first of these keys that holds an id, which is a text or a whole number; empty if none does."""
    for key in keys:
        found = record.get(key)
        if isinstance(found, str) and found.strip():
            return found.strip()
        if isinstance(found, int) and not isinstance(found, bool):
            return str(found) if -(2**63) < found < 2**64 else ""
    return ""


def moment(value: Any) -> datetime | None:
    """The moment that an ISO 8601 text or a number since 1970 (seconds to nanoseconds) tells; None if none.

    A text without an offset is taken as UTC; a number of milliseconds or less is known by its size.
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
    if (found := moment_of(text)) is not None:
        return found
    try:
        if "-" not in text:
            return moment(float(text)) if len(text) >= 9 else None
        at = datetime.fromisoformat(text)
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def walk(parents: Mapping[str, str], leaf: str) -> tuple[list[str], str]:
    """The way from the root to a leaf, and why it does not begin at a root; empty where it does."""
    way: list[str] = []
    seen: set[str] = set()
    node = leaf
    while node in parents and node not in seen:
        seen.add(node)
        way.append(node)
        node = parents[node]
    way.reverse()
    if node in seen:
        return way, f"goes in a circle at message {node}"
    return way, f"lacks message {node} and what came before it" if node else ""


def _words(message: Message) -> bytes:
    said = [message.role, *map(_said, message.parts)]
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"


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
