"""The agents' sessions that run: their first and last prompts, or turns, in the private folder.

Hooks report prompts, and `append-turn` the turns of a loop without hooks. Such a session is not started by
`memtool session start`, so nothing else says that it runs. The file also says where its transcript is; this
counts only if this user's memtool has signed it, because a workspace from elsewhere could name any file.
Where the file is lost, a session's end archives the entries of others early; search finds them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import datetime, timedelta

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from memtool.core.records.entries import Owner, user_of
from memtool.errors import MemtoolError
from memtool.store.commit.retry import retry_when_stale
from memtool.store.external.transcript_files import resolved_path
from memtool.store.files import derived
from memtool.store.workspace import Workspace

NAME = "running.json"
_SESSIONS = 64
"""Sessions of hooks in the file, the newest."""
_LOOPS = 512
"""Sessions of loops without hooks, the newest: a loop may have a session for each of its jobs."""
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
    """A session that prompted from `started` to `last`, and the owner of its entries, if any.

    Unless `is_exact`, the last prompt may be up to half an hour later than `last`.
    """

    name: str
    owner: Owner | None
    started: datetime
    last: datetime
    source: SessionSource = SessionSource()
    is_exact: bool = False

    @property
    def full_name(self) -> tuple[str, Owner]:
        """The session's name and its owner, which is the session itself if it names no user."""
        return self.name, self.owner or Owner("session", self.name)

    def is_idle(self, idle: timedelta, now: datetime) -> bool:
        """Whether it has certainly not prompted for so long."""
        return now - self.last >= (idle if self.is_exact else idle + _STEP)


class _RunningRow(Struct, frozen=True, array_like=True):
    started: datetime
    last: datetime
    source: SessionSource = SessionSource()
    is_exact: bool = False


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
    is_recent = before is not None and abs(now - before.last) < _STEP and not before.is_exact
    if not workspace.writes or (before is not None and is_recent and before.source == source):
        return
    _write_row(workspace, rows, name, _RunningRow(now, now, source))


@retry_when_stale
def record_turn(
    workspace: Workspace, session: str, owner: Owner | None, group: str | None, now: datetime
) -> None:
    """Record that a session has a new turn. One that hooks record, too, keeps its source. Raises Locked."""
    with workspace.lock():
        rows = _load(workspace)
        name = _key(session, owner)
        if group is not None and (name not in rows or not rows[name].source.agent):
            name += f"\n{group}"  # what is private of the session ends by itself
        before = rows.get(name)
        source = SessionSource(group=group) if before is None or not before.source.agent else before.source
        if workspace.writes:
            _write_row(workspace, rows, name, _RunningRow(now, now, source, is_exact=not source.agent))


def _write_row(workspace: Workspace, rows: dict[str, _RunningRow], name: str, row: _RunningRow) -> None:
    """Write the file with this row as the newest; a session that has a row keeps its start."""
    before = rows.pop(name, None)
    started = row.started.replace(microsecond=0) if before is None else before.started  # entries have seconds
    rows[name] = replace(row, started=started)
    _write(workspace, rows)


def forget_running(workspace: Workspace, session: str, owner: Owner | None) -> None:
    """Record that a session has ended."""
    rows = _load(workspace)
    if workspace.writes and rows.pop(_key(session, owner), None) is not None:
        _write(workspace, rows)


@retry_when_stale
def forget_unless_resumed(workspace: Workspace, session: RunningSession) -> None:
    """Record that a session has ended, unless it has prompted since it was read. Raises Locked."""
    with workspace.lock():
        rows = _load(workspace)
        left = {key: row for key, row in rows.items() if _session(key, row) != session}
        if workspace.writes and len(left) < len(rows):
            _write(workspace, left)


@retry_when_stale
def end_future_times(workspace: Workspace, now: datetime) -> None:
    """Record that sessions with a time in the future prompted now: the clock was set back. Raises Locked."""
    if all(found.last <= now for found in running_sessions(workspace)):
        return
    with workspace.lock():
        rows = {name: replace(row, last=min(row.last, now)) for name, row in _load(workspace).items()}
        if workspace.writes:
            _write(workspace, rows)


def running_sessions(workspace: Workspace) -> Iterator[RunningSession]:
    """The sessions that prompted and have not ended, whenever that was."""
    yield from filter(None, (_session(key, row) for key, row in _load(workspace).items()))


def running_session(workspace: Workspace, session: str, owner: Owner | None) -> RunningSession | None:
    """A session that prompted and has not ended, of nobody or of a user, outside of groups."""
    row = _load(workspace).get(key := _key(session, owner))
    return _session(key, row) if row else None


def _session(key: str, row: _RunningRow) -> RunningSession | None:
    tag, name, *_ = *key.split("\n"), ""
    kind, _, id_ = tag.partition(":")
    with contextlib.suppress(MemtoolError, ValueError):
        owner = user_of(Owner(kind, id_)) if tag else None
        return RunningSession(name, owner, row.started, row.last, row.source, row.is_exact)
    return None


def _key(session: str, owner: Owner | None) -> str:
    """A session's key. Hooks and loops name the same session, whether or not it counts as an owner."""
    return f"{user_of(owner) or ''}\n{session}"


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
    hooked = [name for name, row in rows.items() if row.source.agent]
    loops = [name for name, row in rows.items() if not row.source.agent]
    kept = {*hooked[-_SESSIONS:], *loops[-_LOOPS:]}
    newest = {name: row for name, row in rows.items() if name in kept}
    if (key := workspace.key()) is not None:
        derived.save(workspace.root, NAME, msgspec.json.encode(newest), key)
        return
    with contextlib.suppress(MemtoolError):
        unsigned = {name: _without_source(row) for name, row in newest.items()}
        derived.write(workspace.root, NAME, msgspec.json.encode(unsigned))


def _without_source(row: _RunningRow) -> _RunningRow:
    return replace(row, source=SessionSource())
