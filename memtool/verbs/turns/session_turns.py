"""session-turns: the messages of a session, as far as the history holds its turns."""

from __future__ import annotations

from memtool.core.records.turn import Message
from memtool.store.workspace import Workspace
from memtool.verbs.turns.replay import replay

_NEWEST = 500
"""Turns of the history that are looked into, from its end."""


def turns_of(workspace: Workspace, session: str | None) -> tuple[Message, ...]:
    """The messages of the turns that carry this session's id, in order; none without an id."""
    if session is None:
        return ()
    notices: list[str] = []
    turns = [turn for _, turn in replay(workspace, _NEWEST, notices) if turn.more.get("session") == session]
    return tuple(message for turn in turns for message in turn.messages)
