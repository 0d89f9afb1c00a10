"""What a foreign transcript is read from, and what it is read as."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Protocol

from msgspec import Struct

from memtool.core.records.turn import Message


class Source(Protocol):
    """A transcript's file, read as a stream and as often as needed; nobody holds it whole."""

    @property
    def name(self) -> str:
        """Its path, for messages and where a transcript does not name its own session."""
        ...

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """From its beginning, each line with its number (from 1) and without its line end."""
        ...

    def blocks(self) -> Iterator[bytes]:
        """From its beginning, in blocks of at most 256 KiB."""
        ...


class Origin(Struct, frozen=True):
    """Which turn of which conversation this is, in the agent's own words; equal origins are the same turn.

    `id` names the message that opens the turn, so a transcript that has grown keeps the origins it had.
    """

    agent: str
    session: str
    id: str

    @property
    def key(self) -> str:
        """The origin as one text. A UUID needs no session, and keeps when a log is copied into another."""
        return "\n".join((self.agent, "" if _is_uuid(self.id) else self.session, self.id))


class Imported(Struct, frozen=True):
    """One turn as it was found: what one user message set off, up to the next.

    `at` is when it began; None where the transcript does not say. Where the transcript knows them, a
    message's `more` holds its own `id` and its time as `at` (RFC 3339, UTC).
    """

    origin: Origin
    at: datetime | None
    messages: tuple[Message, ...]


class Fact(Struct, frozen=True):
    """Something that the agent had put down about its user, with when it did: a memory, not a turn."""

    text: str
    at: datetime | None


class Skipped(Struct, frozen=True):
    """What could not be read, and why; `line` is its number, or 0 where it is no line."""

    line: int
    why: str


Item = Imported | Fact | Skipped


def _is_uuid(text: str) -> bool:
    return len(text) == 36 and text[8] == text[13] == text[18] == text[23] == "-"
