"""Requests: what a front asks of search, context and recall, each with its scope."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Literal

from msgspec import Struct

from memtool.core.records.scope import Scope
from memtool.core.records.speech import is_spoken_by, turn_chat, turn_session
from memtool.core.records.turn import Message, Turn
from memtool.core.text.globs import glob_regex

SearchMode = Literal["lexical", "semantic", "hybrid"]
SEARCH_MODES: tuple[SearchMode, ...] = ("lexical", "semantic", "hybrid")
"""How search ranks: by words, by vectors, or by both."""


class SearchRequest(Struct, frozen=True):
    """A search: its text, and the scope, roles, path pattern and days (both included) that narrow it.

    `limit` is the number of hits at most, `context` the lines around each; `today` is the day in the zone of
    the workspace. `mode` is how hits are ranked; without an embedder every mode is lexical. Where speakers,
    sessions or chats are named, only messages of these are hits.
    """

    text: str
    scope: Scope
    today: date
    mode: SearchMode = "lexical"
    roles: tuple[str, ...] = ()
    path: str | None = None
    since: date | None = None
    until: date | None = None
    limit: int | None = None
    context: int = 0
    speakers: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    chats: tuple[str, ...] = ()
    lists_files: bool = False

    @property
    def is_of_messages(self) -> bool:
        """Whether only messages can be hits."""
        return bool(self.speakers or self.sessions or self.chats)

    def admits_turn(self, turn: Turn) -> bool:
        """Whether a message of a turn may be a hit, by the session and the chat of the turn."""
        return (not self.sessions or turn_session(turn) in self.sessions) and (
            not self.chats or turn_chat(turn) in self.chats
        )

    def admits_message(self, message: Message) -> bool:
        """Whether a message may be a hit, by its speaker."""
        return not self.speakers or is_spoken_by(message, self.speakers)

    def admits(self, path: str, group: str | None, day: date | None) -> bool:
        """Whether a file may hold a hit, whatever its role is. Undated files match no range of days."""
        if not self.scope.admits(group) or (self.path is not None and not glob_regex(self.path).match(path)):
            return False
        if self.since is None and self.until is None:
            return True
        return day is not None and (self.since or day) <= day <= (self.until or day)


class ContextRequest(Struct, frozen=True):
    """What goes into the prompt that follows a conversation, whose end is `prompt`.

    `budget` is in the unit of `cost`: characters, or tokens. `mode` is how snippets are ranked: `words` by
    the words at the prompt's end, `lexical` by the full search, None as the settings say. With `standing`
    there are the sections of every prompt, with `retrieval` the snippets.

    `shown` are the paths of files that stand in the conversation whole; `context` finds those of its own
    sections. Any other file may answer, and messages of past sessions: not those of `session`, which is the
    running one, nor statements with digests in `known`, which it has.
    """

    prompt: str
    scope: Scope
    today: date
    budget: int | None = None
    cost: Callable[[str], int] = len
    mode: str | None = None
    standing: bool = True
    retrieval: bool = True
    latest_episode: bool = False
    shown: frozenset[str] = frozenset()
    session: str = ""
    known: frozenset[str] = frozenset()


class RecallRequest(Struct, frozen=True):
    """A question to the facts: those of the owners in `scope` and those without an owner may answer."""

    text: str
    scope: Scope
    now: datetime
    limit: int = 5
    category: str | None = None
