"""quarantine: keep unreadable turn files with the reason beside them, and restore repaired ones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, assert_never

from msgspec import Struct

from memtool.core.history.upgrade import NewerTurn, UnreadableTurn, UpgradedTurn
from memtool.core.records.document import etag_of
from memtool.core.records.plan import Change, Create, Move, Plan, Remove
from memtool.core.records.turn import TURN_VERSION, format_moment, parse_moment
from memtool.core.records.unknown_id import id_hint
from memtool.errors import BadUsage, NewerVersion, NotFound, OutsideWorkspace, UnreadableFile
from memtool.formats import quarantine_record
from memtool.formats.quarantine_record import SUFFIX, QuarantineRecord
from memtool.formats.syntax import json_text
from memtool.store.commit.retry import retry_when_stale
from memtool.store.config import schemas
from memtool.store.files import path_guard
from memtool.store.workspace import Workspace
from memtool.verbs.turns.history import history_groups, raise_head, seq_of_name, walk_folders
from memtool.verbs.turns.turn_file import CurrentTurn, read_turn

_MOST_FAULTS = 10
_MOST_DAYS = 300_000
"""Most days of an age, so that subtracting them from a date cannot overflow."""


class QuarantinedFile(Struct, frozen=True):
    """A file in quarantine, and its record; None if the record is missing or unreadable."""

    path: PurePosixPath
    record: QuarantineRecord | None

    def as_json(self) -> dict[str, Any]:
        """Return the path and the record as printed with --json."""
        record = quarantine_record.record(self.record) if self.record else None
        return {"path": str(self.path), "record": record}


class QuarantineMove(Struct, frozen=True):
    """A file moved into or out of quarantine: its old path, its new path, and the plan."""

    path: PurePosixPath
    target: PurePosixPath
    plan: Plan


def plan_quarantine(
    workspace: Workspace, path: PurePosixPath, content: bytes, reason: str, now: datetime, group: str | None
) -> tuple[PurePosixPath, Plan]:
    """Return the path in quarantine for a turn file, and the plan that writes the reason and then moves it.

    The path mirrors that of the turn; the time is added if it is taken. A record that an interrupted run left
    for the same file is reused.
    """
    turns = workspace.layout.folder("turn", group=group)
    record = QuarantineRecord(
        reason, hashlib.sha256(content).hexdigest(), len(content), format_moment(now), str(path)
    )
    place = workspace.layout.path("quarantine", group=group, rest=str(path.relative_to(turns)))
    for number in range(1000):
        stamp = f"-{now:%Y%m%dT%H%M%SZ}" + (f"-{number}" if number > 1 else "") if number else ""
        target = place.with_name(f"{place.stem}{stamp}{place.suffix}")
        if workspace.disk.stat(target) is None:
            record_path = target.with_name(target.name + SUFFIX)
            existing = workspace.read(record_path)
            move = Move(path, target, etag_of(content))
            if existing is None:
                return target, (Create(record_path, quarantine_record.render(record)), move)
            if (old_record := _parse_record(existing.text)) and old_record.sha256 == record.sha256:
                return target, (move,)
    raise UnreadableFile(f"{place}: no free file name is left; delete some of the files in quarantine first")


def list_quarantine(
    workspace: Workspace, unread: list[str], group: str | None = None
) -> Iterator[QuarantinedFile]:
    """Yield the files in quarantine by path, of the workspace and all groups, or of one group.

    What cannot be listed or read is reported in `unread`.
    """
    for group_name in history_groups(workspace) if group is None else [group]:
        for folder in walk_folders(workspace, group_name, unread, "quarantine"):
            for name in folder.files:
                if not _is_record(name, folder.files):
                    yield QuarantinedFile(folder.path / name, _read_record(workspace, folder.path / name))


def find_quarantined(workspace: Workspace, name: str) -> PurePosixPath:
    """Return the file in quarantine with this path from the root or from the quarantine's folder.

    Raises OutsideWorkspace for a path outside quarantine, NotFound for a missing file.
    """
    path = path_guard.check_name(name)
    for group in history_groups(workspace):
        folder = workspace.layout.folder("quarantine", group=group)
        for candidate in (path, folder / path):
            if candidate.is_relative_to(folder) and workspace.disk.stat(candidate) is not None:
                return candidate
            record_path = candidate.with_name(candidate.name + SUFFIX)
            if candidate.is_relative_to(folder) and workspace.disk.stat(record_path) is not None:
                return candidate  # restored by a run that was interrupted before it removed the record
    located = workspace.role_of(str(path))
    if located is not None and located.role not in {"quarantine", "quarantine-record"}:
        raise OutsideWorkspace(f"{path} is not in quarantine; see memtool quarantine list")
    texts = {str(entry.path): str(entry.path) for entry in list_quarantine(workspace, [])}
    raise NotFound(f"no file named {name} in quarantine{id_hint(name, texts, 'memtool quarantine list')}")


class QuarantinedContent(Struct, frozen=True):
    """A file in quarantine with its text; invalid UTF-8 bytes are lone surrogates.

    `faults` are the violations of the turn schema, if the file is JSON of the current version.
    """

    file: QuarantinedFile
    text: str
    faults: tuple[tuple[str, str], ...]

    def as_json(self) -> dict[str, Any]:
        """Return the content as printed with --json."""
        faults = [{"where": where, "what": what} for where, what in self.faults]
        return {**self.file.as_json(), "faults": faults, "text": self.text}


def read_quarantined(workspace: Workspace, path: PurePosixPath) -> QuarantinedContent:
    """Return the content of a file in quarantine, with the schema violations to fix."""
    document = workspace.read(path)
    text = document.text if document else ""
    return QuarantinedContent(
        QuarantinedFile(path, _read_record(workspace, path)), text, tuple(islice(_faults(text), _MOST_FAULTS))
    )


def _faults(text: str) -> Iterator[tuple[str, str]]:
    try:
        value = json_text.load(text.encode("utf-8", "surrogateescape"))
    except json_text.InvalidJson:
        return
    if isinstance(value, dict) and value.get("schema_version") == TURN_VERSION:
        yield from schemas.violations("turn", value)


@retry_when_stale
def add_to_quarantine(workspace: Workspace, name: str, reason: str, now: datetime) -> QuarantineMove:
    """Move a turn file into quarantine.

    Raises NotFound, BadUsage for another file, OutsideWorkspace, UnreadableFile.
    """
    path = path_guard.check_name(name)
    for group in history_groups(workspace):
        if path.is_relative_to(workspace.layout.folder("turn", group=group)):
            with workspace.lock():
                content = workspace.disk.read_bytes(path)
                if content is None:
                    raise NotFound(f"{path}: no such file")
                target, plan = plan_quarantine(workspace, path, content, reason, now, group)
                workspace.commit(plan)
            return QuarantineMove(path, target, plan)
    if not workspace.disk.path_exists(path):
        raise NotFound(f"{path}: no such file")
    folder = workspace.layout.folder("turn")
    raise BadUsage(f"{path} is not a turn file; only files under {folder} can be quarantined")


@retry_when_stale
def restore_from_quarantine(workspace: Workspace, path: PurePosixPath, now: datetime) -> QuarantineMove:
    """Move a file back to its old path, if it is now a readable turn, and raise the head to its number.

    Raises UnreadableFile if it is still unreadable, BadUsage if the old path is taken.
    """
    group = _group_of(workspace, path)
    record = _read_record(workspace, path)
    target = PurePosixPath(record.origin) if record else _mirrored_path(workspace, path, group)
    if not target.is_relative_to(workspace.layout.folder("turn", group=group)):
        raise OutsideWorkspace(
            f"{path} was not restored: its original path, {target}, is not in the folder of turn files"
        )
    with workspace.lock():
        content = workspace.disk.read_bytes(path)
        is_taken = workspace.disk.stat(target) is not None
        plan: Plan = ()
        if content is not None:
            seq = _readable_seq(path, content, target)
            if is_taken:
                raise BadUsage(f"{path} cannot be restored: {target} already contains another turn")
            plan = (Move(path, target, etag_of(content)), *raise_head(workspace, group, seq, now))
        plan += _remove_record(workspace, path)
        workspace.commit(plan)
    return QuarantineMove(path, target, plan)


def _readable_seq(path: PurePosixPath, content: bytes, target: PurePosixPath) -> int:
    """The sequence number of a turn to be restored. Raises UnreadableFile, NewerVersion."""
    number = seq_of_name(target.name)
    match read_turn(content):
        case CurrentTurn(turn) | UpgradedTurn(turn):
            return turn.seq if number is None else number
        case NewerTurn(version):
            raise NewerVersion(
                f"{path} was not restored, because a newer version of memtool wrote it "
                f"(turn version {version}); update memtool"
            )
        case UnreadableTurn(reason):
            raise UnreadableFile(f"{path} cannot be restored: it {reason}; fix the file and try again")
        case other:
            assert_never(other)


@retry_when_stale
def purge_quarantined(workspace: Workspace, path: PurePosixPath) -> Plan:
    """Delete a file in quarantine permanently, and then its record. Raises Unwritable."""
    with workspace.lock():
        content = workspace.disk.read_bytes(path)
        plan: Plan = () if content is None else (Remove(path, etag_of(content)),)
        plan += _remove_record(workspace, path)
        from memtool.verbs.indexing.reindex import discard_while_forgetting

        with discard_while_forgetting(workspace, plan):
            workspace.commit(plan, forget=())
    return plan


def quarantined_before(
    workspace: Workspace, unread: list[str], days: int, now: datetime
) -> list[PurePosixPath]:
    """Return the files in quarantine for more than `days` days; files without a record are left out."""
    oldest_allowed = now - timedelta(days=min(days, _MOST_DAYS))
    return [
        item.path
        for item in list_quarantine(workspace, unread)
        if item.record
        and (quarantined_at := parse_moment(item.record.at)) is not None
        and quarantined_at < oldest_allowed
    ]


def _remove_record(workspace: Workspace, path: PurePosixPath) -> tuple[Change, ...]:
    record_path = path.with_name(path.name + SUFFIX)
    content = workspace.disk.read_bytes(record_path)
    return () if content is None else (Remove(record_path, etag_of(content)),)


def _is_record(name: str, names: tuple[str, ...]) -> bool:
    """Whether a file is a record, and not a quarantined file with a record of its own."""
    return name.endswith(SUFFIX) and name + SUFFIX not in names


def _read_record(workspace: Workspace, path: PurePosixPath) -> QuarantineRecord | None:
    try:
        document = workspace.read(path.with_name(path.name + SUFFIX))
    except UnreadableFile:
        return None
    return _parse_record(document.text) if document else None


def _parse_record(text: str) -> QuarantineRecord | None:
    try:
        return quarantine_record.parse(text)
    except UnreadableFile:
        return None


def _group_of(workspace: Workspace, path: PurePosixPath) -> str | None:
    located = workspace.role_of(str(path))
    return located.group if located else None


def _mirrored_path(workspace: Workspace, path: PurePosixPath, group: str | None) -> PurePosixPath:
    inner = path.relative_to(workspace.layout.folder("quarantine", group=group))
    return workspace.layout.folder("turn", group=group) / inner
