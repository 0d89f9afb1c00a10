"""session: start a session, record its messages, list the open sessions (CoALA)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from memtool.core.capture.withheld import withhold
from memtool.core.records.entries import Owner
from memtool.core.records.plan import Plan
from memtool.core.records.turn import Message, TextPart, format_moment
from memtool.core.secrets.redact import redact
from memtool.errors import BadUsage
from memtool.formats.syntax import json_text
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.facts.candidates import session_name
from memtool.verbs.memory_files.editable_file import append_plan
from memtool.verbs.memory_files.forgotten import remembered_messages
from memtool.verbs.turns.replay import session_messages


class OpenSession(Struct, frozen=True):
    """An owner's part of an open session: the times of its entries, and how many turns and candidates it has.

    `turns` are those of the user, `held` the candidates.
    """

    name: str
    owner: Owner | None
    times: tuple[datetime, ...]
    turns: int
    held: int

    @property
    def started(self) -> datetime | None:
        """The time of the first entry; None where no entry has a time."""
        return min(self.times, default=None)

    @property
    def last_entry(self) -> datetime | None:
        """The time of the last entry; None where no entry has a time."""
        return max(self.times, default=None)

    def is_ahead(self, now: datetime) -> bool:
        """Whether an entry has a time in the future: the clock was wrong then, or is now."""
        return any(at > now for at in self.times)

    def idle_time(self, now: datetime) -> timedelta | None:
        """The time since the last entry that is not in the future; None where there is none.

        A session none of whose entries has a time counts as idle.
        """
        last = max((at for at in self.times if at <= now), default=None)
        return None if last is None else now - last


@retry_when_stale
def start_session(
    workspace: Workspace, owner: Owner | None, session: str | None, now: datetime
) -> tuple[str, Plan]:
    """Start a session, unless it is open already; return its name and the plan. Raises NoOwner."""
    name = session_name(owner, session)
    path = workspace.layout.path("session-turns", name=name)
    with workspace.lock():
        exists = workspace.disk.stat(path) is not None
        plan = () if exists else append_plan(workspace, path, _line(owner, now, {"event": "start"}))
        workspace.commit(plan)
    return name, plan


@retry_when_stale
def record_messages(
    workspace: Workspace, messages: Sequence[Message], owner: Owner | None, session: str | None, now: datetime
) -> tuple[str, Plan]:
    """Record messages of a session, redacted, without those that were forgotten.

    Raises NoOwner, and BadUsage for messages without a text.
    """
    name = session_name(owner, session)
    path = workspace.layout.path("session-turns", name=name)
    said = [
        Message(message.role, (TextPart(redact(message.text)),))
        for message in withhold(messages)
        if message.text.strip() and message.role in {"user", "assistant"}
    ]
    if not said:
        raise BadUsage(
            "the messages contain no text; give at least one message with text from the user or the agent"
        )
    with workspace.lock():
        rows = [
            _line(owner, now, {"role": message.role, "content": message.text})
            for message in remembered_messages(workspace, said, owner, name)
        ]
        plan = append_plan(workspace, path, "".join(rows)) if rows else ()
        workspace.commit(plan)
    return name, plan


def recorded_messages(workspace: Workspace, name: str, owner: Owner | None) -> tuple[Message, ...]:
    """The recorded messages of an owner's part of a session, in order."""
    rows = _rows(workspace, workspace.layout.path("session-turns", name=name))
    return tuple(
        Message(str(row["role"]), (TextPart(str(row.get("content", ""))),))
        for row in rows
        if "role" in row and _owner(row) == owner
    )


def known_messages(
    workspace: Workspace, name: str, owner: Owner | None, *, session: str | None, user: Owner | None
) -> tuple[Message, ...]:
    """The recorded messages of an owner's part of a session, then those that only its turns have.

    `session` and `user` are the names that its turns have in the history, those of `session_messages`.
    """
    recorded = recorded_messages(workspace, name, owner)
    known = {(message.role, message.text) for message in recorded}
    turns = session_messages(workspace, session, user)
    return (*recorded, *(message for message in turns if (message.role, message.text) not in known))


def lines_of_others(text: str, owner: Owner | None) -> str:
    """The lines of a session's turns that belong to other owners; lines without an owner are left out."""
    others = []
    for row in text.split("\n"):
        row_owner = _owner(value) if isinstance(value := _value(row), dict) else None
        others += [f"{row}\n"] if row_owner is not None and row_owner != owner else []
    return "".join(others)


def open_sessions(workspace: Workspace) -> list[OpenSession]:
    """Every open session, sorted by name, once for each owner; the owner is None where no line has one."""
    folder = workspace.disk.list_folder(workspace.layout.path("session-turns", name="x").parent.parent)
    sessions = []
    for name in sorted(folder.folders) if folder else ():
        turns = _rows(workspace, workspace.layout.path("session-turns", name=name))
        holds = _rows(workspace, workspace.layout.path("session-buffer", name=name))
        if not turns and not holds:
            continue
        owners = dict.fromkeys(owner for row in (*turns, *holds) if (owner := _owner(row)) is not None)
        for owner in owners or [None]:
            mine = [row for row in turns if _owner(row) == owner]
            held = [row for row in holds if _owner(row) == owner]
            times = tuple(at for at in map(_at, (*mine, *held)) if at is not None)
            user_turns = sum(row.get("role") == "user" for row in mine)
            sessions.append(OpenSession(name, owner, times, user_turns, len(held)))
    return sessions


def _line(owner: Owner | None, now: datetime, more: dict[str, Any]) -> str:
    return json_text.dump_line({"at": format_moment(now), "owner": str(owner), **more})


def _rows(workspace: Workspace, path: PurePosixPath) -> list[dict[str, Any]]:
    """The records of a JSON Lines file; lines that cannot be parsed are skipped."""
    document = workspace.read(path)
    rows = document.text.split("\n") if document else ()
    return [value for row in rows if isinstance(value := _value(row), dict)]


def _value(row: str) -> Any:
    try:
        return json_text.loads(row)[0] if row.strip() else None
    except json_text.InvalidJson:
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
