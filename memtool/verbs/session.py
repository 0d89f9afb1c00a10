"""session: an open session on disk: since when, what was said in it, how long it has been quiet (CoALA)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath
from typing import Any

from memtool.core.entry import Owner
from memtool.core.plan import Plan
from memtool.core.redact import redact
from memtool.core.turn import Message, Text, spell
from memtool.errors import BadUsage
from memtool.formats import json_text
from memtool.store.workspace import Workspace
from memtool.verbs.candidates import session_of
from memtool.verbs.memory import appended


@dataclass(frozen=True, slots=True)
class Open:
    """A session that has not ended: since when, when something last happened in it, and what it holds."""

    name: str
    owner: Owner | None
    started: datetime | None
    last: datetime | None
    turns: int
    held: int

    def idle(self, now: datetime) -> timedelta | None:
        """How long it has been quiet; None where nobody can tell."""
        return None if self.last is None else now - self.last


def start(workspace: Workspace, owner: Owner | None, session: str | None, now: datetime) -> tuple[str, Plan]:
    """Begin a session, unless it is open already. Raises NoOwner."""
    name = session_of(owner, session)
    path = workspace.layout.path("session-turns", name=name)
    with workspace.lock():
        there = workspace.disk.stat(path) is not None
        plan = () if there else appended(workspace, path, _line(owner, now, {"event": "start"}))
        workspace.commit(plan)
    return name, plan


def turn(
    workspace: Workspace, messages: Sequence[Message], owner: Owner | None, session: str | None, now: datetime
) -> tuple[str, Plan]:
    """Put down what was said; secrets are taken out. Raises NoOwner, and BadUsage where nothing was said."""
    name = session_of(owner, session)
    path = workspace.layout.path("session-turns", name=name)
    said = [
        (one.role, "\n".join(part.text for part in one.parts if isinstance(part, Text))) for one in messages
    ]
    rows = [
        _line(owner, now, {"role": role, "content": redact(text)})
        for role, text in said
        if text.strip() and role in {"user", "assistant"}
    ]
    if not rows:
        raise BadUsage("nothing was said: give messages with a text of the user or the agent")
    with workspace.lock():
        plan = appended(workspace, path, "".join(rows))
        workspace.commit(plan)
    return name, plan


def said_in(workspace: Workspace, name: str) -> tuple[Message, ...]:
    """What was put down of a session, in order."""
    rows = _rows(workspace, workspace.layout.path("session-turns", name=name))
    return tuple(
        Message(str(row["role"]), (Text(str(row.get("content", ""))),)) for row in rows if "role" in row
    )


def open_sessions(workspace: Workspace) -> list[Open]:
    """Every session that has not ended, by name."""
    folder = workspace.layout.path("session-turns", name="x").parent.parent
    found = workspace.disk.folder(folder)
    sessions = []
    for name in sorted(found.folders) if found else ():
        turns = _rows(workspace, workspace.layout.path("session-turns", name=name))
        holds = _rows(workspace, workspace.layout.path("session-buffer", name=name))
        if not turns and not holds:
            continue
        times = [at for at in map(_at, (*turns, *holds)) if at is not None]
        owners = [owner for owner in map(_owner, (*turns, *holds)) if owner is not None]
        users = sum(row.get("role") == "user" for row in turns)
        begun, last = min(times, default=None), max(times, default=None)
        sessions.append(Open(name, owners[0] if owners else None, begun, last, users, len(holds)))
    return sessions


def _line(owner: Owner | None, now: datetime, more: dict[str, Any]) -> str:
    return json_text.line({"at": spell(now), "owner": str(owner), **more})


def _rows(workspace: Workspace, path: PurePosixPath) -> list[dict[str, Any]]:
    """The records of a file of lines; one that was cut short is passed over."""
    document = workspace.read(path)
    found: list[dict[str, Any]] = []
    for row in document.text.split("\n") if document else ():
        try:
            value = json_text.loads(row)[0] if row.strip() else None
        except json_text.NotJson:
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def _at(row: dict[str, Any]) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(row.get("at", "")).replace("Z", "+00:00"))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _owner(row: dict[str, Any]) -> Owner | None:
    kind, _, name = str(row.get("owner", "")).partition(":")
    try:
        return Owner(kind, name)
    except (ValueError, BadUsage):
        return None
