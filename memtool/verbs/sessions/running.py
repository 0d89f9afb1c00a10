"""The agents' sessions that run: their first and last prompts as hooks report them, in the private folder.

An agent's session is not started by `memtool session start`, so nothing else says that it runs. Where the
file is lost, a session's end archives the entries of others early; search finds them.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from memtool.core.records.entries import Owner
from memtool.errors import MemtoolError
from memtool.store.files import derived
from memtool.store.workspace import Workspace

NAME = "running.json"
_SESSIONS = 64
"""Sessions in the file, the newest."""
_STEP = timedelta(minutes=30)
"""How old the recorded last prompt may be: not every prompt writes the file."""


class RunningSession(Struct, frozen=True):
    """A session that prompted from `started` to about `last`, and the owner of its entries, if any."""

    name: str
    owner: Owner | None
    started: datetime
    last: datetime


def record_running(workspace: Workspace, session: str, owner: Owner | None, now: datetime) -> None:
    """Record that a session prompts. What cannot be written is recorded at its next prompt."""
    rows = _load(workspace)
    name = _key(session, owner)
    before = _session(name, rows.get(name))
    if not workspace.writes or (before is not None and now - before.last < _STEP):
        return
    started = now.replace(microsecond=0) if before is None else before.started  # entries have seconds
    rows.pop(name, None)
    rows[name] = [started.isoformat(), now.isoformat()]
    _write(workspace, rows)


def forget_running(workspace: Workspace, session: str, owner: Owner | None) -> None:
    """Record that a session has ended."""
    rows = _load(workspace)
    if workspace.writes and rows.pop(_key(session, owner), None) is not None:
        _write(workspace, rows)


def sessions_without_end(workspace: Workspace, idle: timedelta, now: datetime) -> list[RunningSession]:
    """The running sessions that have not prompted for so long, whose agents reported no end.

    Later by up to half an hour, because not every prompt is recorded.
    """
    return [session for session in running_sessions(workspace) if now - session.last >= idle + _STEP]


def running_sessions(workspace: Workspace) -> Iterator[RunningSession]:
    """The sessions that prompted and have not ended, whenever that was."""
    for name, row in _load(workspace).items():
        if (session := _session(name, row)) is not None:
            yield session


def _key(session: str, owner: Owner | None) -> str:
    return f"{owner or ''}\n{session}"


def _session(key: str, row: Any) -> RunningSession | None:
    tag, _, name = key.partition("\n")
    kind, _, id_ = tag.partition(":")
    with contextlib.suppress(MemtoolError, ValueError, TypeError):
        started, last = map(datetime.fromisoformat, row)
        if started.tzinfo is not None and last.tzinfo is not None:
            return RunningSession(name, Owner(kind, id_) if tag else None, started, last)
    return None


def _load(workspace: Workspace) -> dict[str, Any]:
    try:
        rows = json.loads(derived.read(workspace.root, NAME) or b"{}")
    except (ValueError, RecursionError, MemtoolError):
        return {}
    return rows if isinstance(rows, dict) else {}


def _write(workspace: Workspace, rows: dict[str, Any]) -> None:
    with contextlib.suppress(MemtoolError):
        derived.write(workspace.root, NAME, json.dumps(dict([*rows.items()][-_SESSIONS:])).encode())
