"""Known sessions: the names of the sessions that left a trace, by which a mistyped name is recognised."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.records.entries import Owner
from memtool.errors import MemtoolError
from memtool.formats import session_state
from memtool.store.workspace import Workspace
from memtool.verbs.sessions.episodes import list_episodes
from memtool.verbs.sessions.running import running_sessions
from memtool.verbs.sessions.session import open_sessions
from memtool.verbs.turns.replay import newest_sessions

_MIN_SIMILARITY = 0.75
_MOST_NAMED = 3


def is_known(workspace: Workspace, name: str, owner: Owner | None) -> bool:
    """Whether a session left a trace.

    Traces are turns, recorded or in the history, candidates, prompts, entries that it owns, and its episode.
    """
    return name in _names(workspace, owner)


def similar_sessions(workspace: Workspace, name: str, owner: Owner | None) -> list[str]:
    """The known sessions of an owner for which a name may be mistyped: none whose number differs."""
    from difflib import get_close_matches

    names = [other for other in dict.fromkeys(_names(workspace, owner)) if _digits(other) == _digits(name)]
    return get_close_matches(name, names, n=_MOST_NAMED, cutoff=_MIN_SIMILARITY)


def _digits(name: str) -> str:
    return "".join(filter(str.isdigit, name))


def _names(workspace: Workspace, owner: Owner | None) -> Iterator[str]:
    sessions = [(found.name, found.owner) for found in open_sessions(workspace)]
    sessions += [(found.name, found.owner) for found in running_sessions(workspace)]
    yield from (name for name, other in sessions if other in {None, owner, Owner("session", name)})
    yield from newest_sessions(workspace, owner)
    for role in ("session-state", "session-state-archive"):
        if workspace.has(role) and (document := _read(workspace, role)):
            for entry in session_state.entries(session_state.parse(document)):
                if entry.owner is not None and entry.owner.kind == "session":
                    yield entry.owner.id
    for episode in list_episodes(workspace, []) if workspace.has("episode") else ():
        if owner is None or owner.kind == "session" or episode.header.owner in {"", str(owner)}:
            yield episode.header.session


def _read(workspace: Workspace, role: str) -> str:
    try:
        document = workspace.read(workspace.layout.path(role))
    except MemtoolError:  # the end of the session reports it
        return ""
    return document.text if document else ""
