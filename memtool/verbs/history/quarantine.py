"""quarantine: keep unreadable turn files with the reason beside them, and restore repaired ones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, assert_never

from msgspec import Struct

from memtool.core.history.upgrade import Newer, Upgraded
from memtool.core.history.upgrade import Unreadable as StillUnreadable
from memtool.core.records.plan import Change, Create, Move, Plan, Remove
from memtool.core.records.turn import VERSION, moment_of, spell
from memtool.errors import BadUsage, OutsideWorkspace, Unreadable
from memtool.errors import Newer as NewerFile
from memtool.formats import quarantine_record
from memtool.formats.quarantine_record import ENDING, QuarantineRecord
from memtool.formats.syntax import json_text
from memtool.store.config import schemas
from memtool.store.files import guard
from memtool.store.files.reader import etag_of
from memtool.store.workspace import Workspace
from memtool.verbs.turns.history import folders, groups, raised, seq_of
from memtool.verbs.turns.turn_file import Current, read_turn

_MOST_FAULTS = 10
_AGES = 300_000
"""Most days of an age, so that subtracting them from a date cannot overflow."""


class Kept(Struct, frozen=True):
    """A file in quarantine, and its record; None if the record is missing or unreadable."""

    path: PurePosixPath
    record: QuarantineRecord | None

    def as_json(self) -> dict[str, Any]:
        """Return the path and the record as printed with --json."""
        record = quarantine_record.record(self.record) if self.record else None
        return {"path": str(self.path), "record": record}


class Moved(Struct, frozen=True):
    """A file moved into or out of quarantine: its old path, its new path, and the plan."""

    path: PurePosixPath
    target: PurePosixPath
    plan: Plan


def plan_of(
    workspace: Workspace, path: PurePosixPath, content: bytes, reason: str, now: datetime, group: str | None
) -> tuple[PurePosixPath, Plan]:
    """Return the path in quarantine for a turn file, and the plan that writes the reason and then moves it.

    The path mirrors that of the turn; the time is added if it is taken. A record that an interrupted run left
    for the same file is reused.
    """
    turns = workspace.layout.folder("turn", group=group)
    record = QuarantineRecord(
        reason, hashlib.sha256(content).hexdigest(), len(content), spell(now), str(path)
    )
    place = workspace.layout.path("quarantine", group=group, rest=str(path.relative_to(turns)))
    for number in range(1000):
        stamp = f"-{now:%Y%m%dT%H%M%SZ}" + (f"-{number}" if number > 1 else "") if number else ""
        target = place.with_name(f"{place.stem}{stamp}{place.suffix}")
        if workspace.disk.stat(target) is None:
            record_path = target.with_name(target.name + ENDING)
            existing = workspace.read(record_path)
            move = Move(path, target, etag_of(content))
            if existing is None:
                return target, (Create(record_path, quarantine_record.render(record)), move)
            if (old_record := _read(existing.text)) and old_record.sha256 == record.sha256:
                return target, (move,)
    raise Unreadable(f"{place} and every name like it is taken; make room in the quarantine")


def kept(workspace: Workspace, unread: list[str], group: str | None = None) -> Iterator[Kept]:
    """Yield the files in quarantine by path, of the workspace and all groups, or of one group.

    What cannot be listed or read is reported in `unread`.
    """
    for group_name in groups(workspace) if group is None else [group]:
        for folder in folders(workspace, group_name, unread, "quarantine"):
            for name in folder.files:
                if not _is_record(name, folder.files):
                    yield Kept(folder.path / name, _record(workspace, folder.path / name))


def found(workspace: Workspace, name: str) -> PurePosixPath:
    """Return the file in quarantine with this path from the root or from the quarantine's folder.

    Raises OutsideWorkspace for a path outside quarantine, BadUsage for a missing file.
    """
    path = guard.clean(name)
    for group in groups(workspace):
        folder = workspace.layout.folder("quarantine", group=group)
        for candidate in (path, folder / path):
            if candidate.is_relative_to(folder) and workspace.disk.stat(candidate) is not None:
                return candidate
            record_path = candidate.with_name(candidate.name + ENDING)
            if candidate.is_relative_to(folder) and workspace.disk.stat(record_path) is not None:
                return candidate  # restored by a run that was interrupted before it removed the record
    located = workspace.located(str(path))
    if located is not None and located.role not in {"quarantine", "quarantine-record"}:
        raise OutsideWorkspace(f"{path} is not in quarantine; see what is with memtool quarantine list")
    raise BadUsage(f"nothing in quarantine is called {name}; see what is with memtool quarantine list")


class Content(Struct, frozen=True):
    """A file in quarantine with its text; invalid UTF-8 bytes are lone surrogates.

    `faults` are the violations of the turn schema, if the file is JSON of the current version.
    """

    kept: Kept
    text: str
    faults: tuple[tuple[str, str], ...]

    def as_json(self) -> dict[str, Any]:
        """Return the content as printed with --json."""
        faults = [{"where": where, "what": what} for where, what in self.faults]
        return {**self.kept.as_json(), "faults": faults, "text": self.text}


def content_of(workspace: Workspace, path: PurePosixPath) -> Content:
    """Return the content of a file in quarantine, with the schema violations to repair."""
    document = workspace.read(path)
    text = document.text if document else ""
    return Content(Kept(path, _record(workspace, path)), text, tuple(islice(_faults(text), _MOST_FAULTS)))


def _faults(text: str) -> Iterator[tuple[str, str]]:
    try:
        value = json_text.load(text.encode("utf-8", "surrogateescape"))
    except json_text.NotJson:
        return
    if isinstance(value, dict) and value.get("schema_version") == VERSION:
        yield from schemas.faults("turn", value)


def add(workspace: Workspace, name: str, reason: str, now: datetime) -> Moved:
    """Move a turn file into quarantine. Raises BadUsage, OutsideWorkspace, Unreadable."""
    path = guard.clean(name)
    for group in groups(workspace):
        if path.is_relative_to(workspace.layout.folder("turn", group=group)):
            with workspace.lock():
                content = workspace.disk.read_bytes(path)
                if content is None:
                    raise BadUsage(f"there is no file {path}")
                target, plan = plan_of(workspace, path, content, reason, now, group)
                workspace.commit(plan)
            return Moved(path, target, plan)
    folder = workspace.layout.folder("turn")
    raise OutsideWorkspace(f"{path} is no turn: only what lies under {folder} can be put into quarantine")


def restore(workspace: Workspace, path: PurePosixPath, now: datetime) -> Moved:
    """Move a file back to its old path, if it is now a readable turn, and raise the head to its number.

    Raises Unreadable if it is still unreadable, BadUsage if the old path is taken.
    """
    group = _group_of(workspace, path)
    record = _record(workspace, path)
    target = PurePosixPath(record.origin) if record else _mirrored(workspace, path, group)
    if not target.is_relative_to(workspace.layout.folder("turn", group=group)):
        raise OutsideWorkspace(
            f"{path} is not restored: its record says it was at {target}, where no turns are"
        )
    with workspace.lock():
        content = workspace.disk.read_bytes(path)
        is_taken = workspace.disk.stat(target) is not None
        plan: Plan = ()
        if content is not None:
            seq = _readable_seq(path, content, target)
            if is_taken:
                raise BadUsage(f"{path} cannot be restored: {target} is taken by another turn")
            plan = (Move(path, target, etag_of(content)), *raised(workspace, group, seq, now))
        plan += _without_record(workspace, path)
        workspace.commit(plan)
    return Moved(path, target, plan)


def _readable_seq(path: PurePosixPath, content: bytes, target: PurePosixPath) -> int:
    """The sequence number of a turn to be restored. Raises Unreadable, Newer."""
    number = seq_of(target.name)
    match read_turn(content):
        case Current(turn) | Upgraded(turn):
            return turn.seq if number is None else number
        case Newer(version):
            raise NewerFile(f"{path} is of version {version}, which this memtool does not know; it stays")
        case StillUnreadable(reason):
            raise Unreadable(f"{path} still cannot be restored: it {reason}; mend it and try again")
        case other:
            assert_never(other)


def purge(workspace: Workspace, path: PurePosixPath) -> Plan:
    """Delete a file in quarantine permanently, and then its record. Raises Unwritable."""
    with workspace.lock():
        content = workspace.disk.read_bytes(path)
        plan: Plan = () if content is None else (Remove(path, etag_of(content)),)
        plan += _without_record(workspace, path)
        from memtool.verbs.indexing.reindex import forgetting

        with forgetting(workspace, plan):
            workspace.commit(plan, forget=())
    return plan


def older(workspace: Workspace, unread: list[str], days: int, now: datetime) -> list[PurePosixPath]:
    """Return the files in quarantine for more than `days` days; files without a record are left out."""
    oldest_allowed = now - timedelta(days=min(days, _AGES))
    return [
        item.path
        for item in kept(workspace, unread)
        if item.record
        and (quarantined_at := moment_of(item.record.at)) is not None
        and quarantined_at < oldest_allowed
    ]


def _without_record(workspace: Workspace, path: PurePosixPath) -> tuple[Change, ...]:
    record_path = path.with_name(path.name + ENDING)
    content = workspace.disk.read_bytes(record_path)
    return () if content is None else (Remove(record_path, etag_of(content)),)


def _is_record(name: str, names: tuple[str, ...]) -> bool:
    """Whether a file is a record, and not a quarantined file with a record of its own."""
    return name.endswith(ENDING) and name + ENDING not in names


def _record(workspace: Workspace, path: PurePosixPath) -> QuarantineRecord | None:
    try:
        document = workspace.read(path.with_name(path.name + ENDING))
    except Unreadable:
        return None
    return _read(document.text) if document else None


def _read(text: str) -> QuarantineRecord | None:
    try:
        return quarantine_record.parse(text)
    except Unreadable:
        return None


def _group_of(workspace: Workspace, path: PurePosixPath) -> str | None:
    located = workspace.located(str(path))
    return located.group if located else None


def _mirrored(workspace: Workspace, path: PurePosixPath, group: str | None) -> PurePosixPath:
    inner = path.relative_to(workspace.layout.folder("quarantine", group=group))
    return workspace.layout.folder("turn", group=group) / inner
