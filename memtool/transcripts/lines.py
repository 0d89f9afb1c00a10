"""JSON Lines of an agent's log: each line an object or a reason, and what they say gathered into turns."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from memtool.core.turn import Message, Part, canonical, moment_of, spell
from memtool.transcripts.foreign import Imported, Origin, Skipped, Source

_PEEK_LINES = 50
_PEEK_BYTES = 1_000_000
_LAST_SECOND = 1e11  # a larger number of seconds is one of milliseconds


def objects(source: Source) -> Iterator[tuple[int, dict[str, Any] | Skipped]]:
    """Each line that is not blank, with its number: the object it is, or why it is none. Never raises."""
    for number, raw in source.lines():
        if not raw.strip():
            continue
        try:
            value = json.loads(raw.decode("utf-8-sig" if number == 1 else "utf-8"))
        except (ValueError, RecursionError) as error:
            yield number, Skipped(number, _why(error))
            continue
        yield number, value if isinstance(value, dict) else Skipped(number, "is not a JSON object")


def first_objects(source: Source) -> list[dict[str, Any]]:
    """The objects at the beginning of a file, to recognise it by; few, and none of a file that is no text."""
    found: list[dict[str, Any]] = []
    size = 0
    for number, raw in source.lines():
        size += len(raw)
        if number > _PEEK_LINES or size > _PEEK_BYTES:
            break
        try:
            value = json.loads(raw)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def _why(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "is not UTF-8 text"
    if isinstance(error, RecursionError):
        return "is nested too deeply"
    if isinstance(error, json.JSONDecodeError) and (
        error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated")
    ):
        return "is cut short"
    return f"is not JSON ({error})"


def time_of(value: Any) -> datetime | None:
    """The moment, in UTC, that an ISO time or a number of seconds or milliseconds since 1970 says."""
    if isinstance(value, str):
        return moment_of(value if value[10:11] != " " else f"{value[:10]}T{value[11:]}")
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return datetime.fromtimestamp(value / 1000 if abs(value) > _LAST_SECOND else value, UTC)
        except (ValueError, OverflowError, OSError):
            return None
    return None


def about(id_: Any, at: datetime | None) -> dict[str, str]:
    """What is kept of a message besides its words: its own id and time, where they are known."""
    found = {"id": id_} if isinstance(id_, str) and id_ else {}
    return found | ({"at": spell(at)} if at is not None else {})


def digest(*texts: str) -> str:
    """A short text that stands for these and for no others."""
    return hashlib.blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def text_of(mapping: Mapping[str, Any], key: str) -> str:
    """The text under a key; empty where there is none."""
    value = mapping.get(key)
    return value if isinstance(value, str) else ""


class Turns:
    """Messages as they come, gathered into turns: a user's message opens one, and others go on with it."""

    def __init__(self, agent: str, session: str) -> None:
        self._agent = agent
        self.session = session
        self._id = ""
        self._at: datetime | None = None
        self._key: str | None = None
        self._messages: list[Message] = []

    def say(
        self,
        role: str,
        parts: Iterable[Part],
        *,
        id_: str = "",
        at: datetime | None = None,
        opens: bool = False,
        key: str | None = None,
        place: str = "",
    ) -> Iterator[Imported]:
        """Take up a message; where it opens a turn, the one before it is done.

        A message with the `key` of the one before is a further piece of it. Messages that say nothing are
        passed by, and open nothing. A turn is known by the `place` of its first message, else by its id.
        """
        found = canonical((Message(role, tuple(parts), about(id_, at)),))
        if not found:
            return
        if opens:
            yield from self.done()
        if not self._messages:
            self._id, self._at = place or id_ or digest(self.session, *map(repr, found)), at
        last = self._messages[-1] if self._messages else None
        if last is not None and key is not None and key == self._key and last.role == role:
            self._messages[-1] = Message(role, last.parts + found[0].parts, last.more)
        else:
            self._messages.append(found[0])
        self._key = key

    def done(self) -> Iterator[Imported]:
        """The turn so far, if it says anything; the next message begins another."""
        if self._messages:
            origin = Origin(self._agent, self.session, self._id)
            yield Imported(origin, self._at, tuple(self._messages))
        self._messages, self._key = [], None
