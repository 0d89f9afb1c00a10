"""Entries of Markdown files: WAL entries, facts, exchanges of a daily note, working buffer entries."""

from __future__ import annotations

import re
from datetime import datetime, time

from msgspec import Struct

from memtool.core.text.regex import regex
from memtool.errors import BadUsage

_OWNER = r"[^\W_][\w.@:+-]{0,127}"


FACT_CATEGORY = "fact"
"""The category of an entry that states a circumstance of the user."""


class Owner(Struct, frozen=True):
    """The owner of a memory: a user, or a session if no user is known. No parameter defaults to an owner."""

    kind: str
    """`user` or `session`."""
    id: str

    def __post_init__(self) -> None:
        if self.kind not in {"user", "session"}:
            raise ValueError(self.kind)
        if not regex(_OWNER, re.ASCII).fullmatch(self.id):
            raise BadUsage(
                f"invalid owner {self.id!r}: use letters, digits and . _ @ : + - "
                "(at most 128 characters, starting with a letter or digit)"
            )

    def __str__(self) -> str:
        """The tag in files, without its brackets: `user:sardor`."""
        return f"{self.kind}:{self.id}"


def user_of(owner: Owner | None) -> Owner | None:
    """The user among owners; None for a session, which says where memory is from: it is everybody's."""
    return owner if owner is not None and owner.kind == "user" else None


def is_same_user(one: Owner | None, other: Owner | None) -> bool:
    """Whether memory of two owners is one user's, or everybody's."""
    return user_of(one) == user_of(other)


class WalEntry(Struct, frozen=True):
    """One line of the session state, from a user message.

    `at` is aware. `detail` is one redacted line of at most 200 characters.
    """

    at: datetime
    category: str
    detail: str
    owner: Owner | None = None


class RecordedEntry(Struct, frozen=True):
    """An entry that `scan` recorded, the span of the message that it comes from, and whether it is durable.

    A durable entry outlives the session; `duplicate` says that memory has it already.
    """

    entry: WalEntry
    span: tuple[int, int]
    durable: bool
    duplicate: bool = False


class Fact(Struct, frozen=True):
    """One line of long-term memory: `- **preference**: I prefer dark mode`."""

    category: str
    detail: str
    owner: Owner | None = None


class Exchange(Struct, frozen=True):
    """One block of a daily note: a user message and its reply at a time of day, in the zone of the note.

    A plain note has its text in `note`, and neither user nor agent.
    """

    at: time
    user: str | None = None
    agent: str | None = None
    note: str | None = None
    owner: Owner | None = None


class BufferEntry(Struct, frozen=True):
    """One block of the working buffer: a message of the user, or what the agent did. `at` is aware."""

    at: datetime
    human: bool
    text: str
    owner: Owner | None = None
