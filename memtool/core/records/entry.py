"""Dated Markdown records: the entries of the write-ahead log and the exchanges of a daily note."""

from __future__ import annotations

import re
from datetime import datetime, time

from msgspec import Struct

from memtool.errors import BadUsage

_OWNER = re.compile(r"[^\W_][\w.@:+-]{0,127}", re.ASCII)


class Owner(Struct, frozen=True):
    """Whom a memory belongs to: a user, or a session when no user is known. Never absent by default."""

    kind: str
    """`user` or `session`."""
    id: str

    def __post_init__(self) -> None:
        if self.kind not in {"user", "session"}:
            raise ValueError(self.kind)
        if not _OWNER.fullmatch(self.id):
            raise BadUsage(
                f"{self.id!r} cannot name an owner: use letters, digits and . _ @ : + - "
                "(at most 128, the first a letter or digit)"
            )

    def __str__(self) -> str:
        """The tag that stands in files, without its brackets: `user:sardor`."""
        return f"{self.kind}:{self.id}"


class WalEntry(Struct, frozen=True):
    """One line of the session state: what a user message said that is worth keeping.

    `at` is aware. `detail` is one line of at most 200 characters, already redacted.
    """

    at: datetime
    category: str
    detail: str
    owner: Owner | None = None


class Fact(Struct, frozen=True):
    """One line of long-term memory: `- **preference**: I prefer dark mode`."""

    category: str
    detail: str
    owner: Owner | None = None


class Exchange(Struct, frozen=True):
    """One block of a daily note: what was asked and answered at a time of day, in the zone of the note.

    A plain note has its text in `note` and no sides.
    """

    at: time
    user: str | None = None
    agent: str | None = None
    note: str | None = None
    owner: Owner | None = None


class BufferEntry(Struct, frozen=True):
    """One block of the working buffer: what the human said, or what the agent did. `at` is aware."""

    at: datetime
    human: bool
    text: str
