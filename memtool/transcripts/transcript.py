"""The input and output types of the transcript parsers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Protocol

from msgspec import Struct

from memtool.core.records.turn import Message


class TranscriptSource(Protocol):
    """A transcript file, read as a stream any number of times and never held in memory."""

    @property
    def name(self) -> str:
        """Its path, for error messages and as a default session name."""
        ...

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """The lines from the beginning, with their numbers (from 1) and without line ends."""
        ...

    def blocks(self) -> Iterator[bytes]:
        """The content from the beginning, in blocks of at most 256 KiB."""
        ...


class TurnOrigin(Struct, frozen=True):
    """Identifies a turn of a conversation by the agent's own ids; equal origins are the same turn.

    `id` is that of the message that opens the turn, so origins stay the same when a transcript grows.
    """

    agent: str
    session: str
    id: str

    @property
    def key(self) -> str:
        """The origin as one text; without the session if the id is a UUID, which is kept in copied logs.

        pi's log and OpenClaw's, which has the same ids, have one key: a log may be taken for either.
        """
        agent = "openclaw" if self.agent == "pi" else self.agent
        return "\n".join((agent, "" if _is_uuid(self.id) else self.session, self.id))


class ImportedTurn(Struct, frozen=True):
    """A turn of a transcript: a user message and everything up to the next one.

    `at` is its start, if known. A message's `more` holds its `id` and its time as `at` (RFC 3339, UTC), if
    known.
    """

    origin: TurnOrigin
    at: datetime | None
    messages: tuple[Message, ...]


class ImportedFact(Struct, frozen=True):
    """A memory that the agent stored about its user, with its time."""

    text: str
    at: datetime | None


class SkippedRecord(Struct, frozen=True):
    """An unreadable part of a transcript, and why; `line` is its number, or 0 if it is not a line."""

    line: int
    reason: str


TranscriptItem = ImportedTurn | ImportedFact | SkippedRecord


def _is_uuid(text: str) -> bool:
    return len(text) == 36 and text[8] == text[13] == text[18] == text[23] == "-"
