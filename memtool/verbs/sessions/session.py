"""session: an open session on disk: since when, what was said in it, how long it has been quiet (CoALA)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from memtool.core.records.entry import Owner
from memtool.core.records.plan import Plan
from memtool.core.records.turn import Message, Text, spell
from memtool.core.secrets.redact import redact
from memtool.errors import BadUsage
from memtool.formats.syntax import json_text
from memtool.store.workspace import Workspace
from memtool.verbs.facts.candidates import session_of
from memtool.verbs.memory.editable_file import appended


class Open(Struct, frozen=True):
    """An owner's part of a session that has not ended: since when, until when, what was said and is held."""

    name: str
    owner: Owner | None
    started: datetime | None
    last: datetime | None
    turns: int
    held: int

    def idle(self, now: datetime) -> timedelta | None:
        """How long it has been quiet; None where nobody can tell: then it counts as quiet for ever."""
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
    rows = [
        _line(owner, now, {"role": one.role, "content": redact(one.text)})
        for one in messages
        if one.text.strip() and one.role in {"user", "assistant"}
    ]
    if not rows:
        raise BadUsage("nothing was said: give messages with a text of the user or the agent")
    with workspace.lock():
        plan = appended(workspace, path, "".join(rows))
        workspace.commit(plan)
    return name, plan


def said_in(workspace: Workspace, name: str, owner: Owner | None) -> tuple[Message, ...]:
    """What was put down of an owner's part of a session, in order."""
    rows = _rows(workspace, workspace.layout.path("session-turns", name=name))
    return tuple(
        Message(str(row["role"]), (Text(str(row.get("content", ""))),))
        for row in rows
        if "role" in row and _owner(row) == owner
    )


def not_of(text: str, owner: Owner | None) -> str:
    """The lines of a session's turns that are not an owner's, nor nobody's."""
    kept = []
    for row in text.split("\n"):
        other = _owner(value) if isinstance(value := _value(row), dict) else None
        kept += [f"{row}\n"] if other is not None and other != owner else []
    return "".join(kept)


def open_sessions(workspace: Workspace) -> list[Open]:
    """Every session that has not ended, by name, once for each owner; None where no line names one."""
    folder = workspace.layout.path("session-turns", name="x").parent.parent
    found = workspace.disk.folder(folder)
    sessions = []
    for name in sorted(found.folders) if found else ():
        turns = _rows(workspace, workspace.layout.path("session-turns", name=name))
        holds = _rows(workspace, workspace.layout.path("session-buffer", name=name))
        if not turns and not holds:
            continue
        owners = dict.fromkeys(owner for row in (*turns, *holds) if (owner := _owner(row)) is not None)
        for owner in owners or [None]:
            mine = [row for row in turns if _owner(row) == owner]
            held = [row for row in holds if _owner(row) == owner]
            times = [at for at in map(_at, (*mine, *held)) if at is not None]
            users = sum(row.get("role") == "user" for row in mine)
            begun, last = min(times, default=None), max(times, default=None)
            sessions.append(Open(name, owner, begun, last, users, len(held)))
    return sessions


def _line(owner: Owner | None, now: datetime, more: dict[str, Any]) -> str:
    return json_text.line({"at": spell(now), "owner": str(owner), **more})


def _rows(workspace: Workspace, path: PurePosixPath) -> list[dict[str, Any]]:
    """The records of a file of lines; one that was cut short is passed over."""
    document = workspace.read(path)
    rows = document.text.split("\n") if document else ()
    return [value for row in rows if isinstance(value := _value(row), dict)]


def _value(row: str) -> Any:
    try:
        return json_text.loads(row)[0] if row.strip() else None
    except json_text.NotJson:
        return None


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
