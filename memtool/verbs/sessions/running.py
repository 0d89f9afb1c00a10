"""The agents' sessions that run: their first and last prompts as hooks report them, in the private folder.

An agent's session is not started by `memtool session start`, so nothing else says that it runs. The file also
says where its transcript is; this counts only if this user's memtool has signed it, because a workspace from
elsewhere could name any file. Where the file is lost, a session's end archives the entries of others early;
search finds them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import datetime, timedelta

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from memtool.core.records.entries import Owner
from memtool.errors import MemtoolError
from memtool.store.external.transcript_files import resolved_path
from memtool.store.files import derived
from memtool.store.workspace import Workspace

NAME = "running.json"
_SESSIONS = 64
"""Sessions in the file, the newest."""
_STEP = timedelta(minutes=30)
"""How old the recorded last prompt may be: not every prompt writes the file."""


class SessionSource(Struct, frozen=True, array_like=True):
    """Where a session's turns come from, its agent and transcript, and where they go, its group if any.

    The path of the transcript is "" if there is none, and contains no links. `acts_for_group` is that of
    `HookCall`.
    """

    agent: str = ""
    transcript: str = ""
    group: str | None = None
    acts_for_group: bool = False


class RunningSession(Struct, frozen=True):
    """A session that prompted from `started` to about `last`, and the owner of its entries, if any."""

    name: str
    owner: Owner | None
    started: datetime
    last: datetime
    source: SessionSource = SessionSource()


class _RunningRow(Struct, frozen=True, array_like=True):
    started: datetime
    last: datetime
    source: SessionSource = SessionSource()


def record_running(
    workspace: Workspace, session: str, owner: Owner | None, source: SessionSource, now: datetime
) -> None:
    """Record that a session prompts. What cannot be written is recorded at its next prompt."""
    rows = _load(workspace)
    name = _key(session, owner)
    before = rows.get(name)
    source = replace(source, transcript=resolved_path(source.transcript))
    if before is not None and not source.transcript:
        source = replace(source, transcript=before.source.transcript)
    if not workspace.writes or (before is not None and now - before.last < _STEP and before.source == source):
        return
    started = now.replace(microsecond=0) if before is None else before.started  # entries have seconds
    rows.pop(name, None)
    rows[name] = _RunningRow(started, now, source)
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
    for key, row in _load(workspace).items():
        tag, _, name = key.partition("\n")
        kind, _, id_ = tag.partition(":")
        with contextlib.suppress(MemtoolError, ValueError):
            owner = Owner(kind, id_) if tag else None
            yield RunningSession(name, owner, row.started, row.last, row.source)


def _key(session: str, owner: Owner | None) -> str:
    return f"{owner or ''}\n{session}"


def _load(workspace: Workspace) -> dict[str, _RunningRow]:
    """The rows of the file; those of an unsigned one, which older versions wrote, without their sources."""
    key = workspace.key()
    signed = derived.load(workspace.root, NAME, key) if key is not None else None
    try:
        content = derived.read(workspace.root, NAME) if signed is None else signed
        rows = msgspec.json.decode(content or b"{}", type=dict[str, _RunningRow])
    except (msgspec.MsgspecError, MemtoolError):
        return {}
    known = {name: row for name, row in rows.items() if row.started.tzinfo and row.last.tzinfo}
    return known if signed is not None else {name: _without_source(row) for name, row in known.items()}


def _write(workspace: Workspace, rows: dict[str, _RunningRow]) -> None:
    newest = dict([*rows.items()][-_SESSIONS:])
    if (key := workspace.key()) is not None:
        derived.save(workspace.root, NAME, msgspec.json.encode(newest), key)
        return
    with contextlib.suppress(MemtoolError):
        unsigned = {name: _without_source(row) for name, row in newest.items()}
        derived.write(workspace.root, NAME, msgspec.json.encode(unsigned))


def _without_source(row: _RunningRow) -> _RunningRow:
    return replace(row, source=SessionSource())
