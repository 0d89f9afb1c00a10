"""quarantine: what could not be read is kept beside its reason, and moved back once it can be."""

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
"""Days before which there is no time that memtool knows."""


class Kept(Struct, frozen=True):
    """A file in quarantine, and its record; None where that is missing or cannot be read itself."""

    path: PurePosixPath
    record: QuarantineRecord | None

    def as_json(self) -> dict[str, Any]:
        """The path and the record as they are printed with --json."""
        said = quarantine_record.record(self.record) if self.record else None
        return {"path": str(self.path), "record": said}


class Moved(Struct, frozen=True):
    """A file put into quarantine or taken out of it, where it is now, and the changes that did it."""

    path: PurePosixPath
    target: PurePosixPath
    plan: Plan


def plan_of(
    workspace: Workspace, path: PurePosixPath, content: bytes, reason: str, now: datetime, group: str | None
) -> tuple[PurePosixPath, Plan]:
    """Where a file of turns goes to, and the plan that moves it: the reason first, so it is never without.

    The place is the same under the folder of the quarantine; one that is taken gets the time added. A reason
    that a run before this one left of the same file is used again.
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
            beside = target.with_name(target.name + ENDING)
            said = workspace.read(beside)
            move = Move(path, target, etag_of(content))
            if said is None:
                return target, (Create(beside, quarantine_record.render(record)), move)
            if (left := _read(said.text)) and left.sha256 == record.sha256:
                return target, (move,)
    raise Unreadable(f"{place} and every name like it is taken; make room in the quarantine")


def kept(workspace: Workspace, unread: list[str], group: str | None = None) -> Iterator[Kept]:
    """What is in quarantine, by path, in the workspace's own history and in that of each group.

    With a group, in its alone. What cannot be listed or read is named in `unread`.
    """
    for one in groups(workspace) if group is None else [group]:
        for folder in folders(workspace, one, unread, "quarantine"):
            for name in folder.files:
                if not _is_record(name, folder.files):
                    yield Kept(folder.path / name, _record(workspace, folder.path / name))


def found(workspace: Workspace, name: str) -> PurePosixPath:
    """The file in quarantine that a name means: its path from the root, or from the quarantine's folder.

    Raises OutsideWorkspace for what lies elsewhere, BadUsage for what is not there.
    """
    path = guard.clean(name)
    for group in groups(workspace):
        folder = workspace.layout.folder("quarantine", group=group)
        for candidate in (path, folder / path):
            if candidate.is_relative_to(folder) and workspace.disk.stat(candidate) is not None:
                return candidate
            beside = candidate.with_name(candidate.name + ENDING)
            if candidate.is_relative_to(folder) and workspace.disk.stat(beside) is not None:
                return candidate  # moved back by a run that stopped before it took the record away
    located = workspace.located(str(path))
    if located is not None and located.role not in {"quarantine", "quarantine-record"}:
        raise OutsideWorkspace(f"{path} is not in quarantine; see what is with memtool quarantine list")
    raise BadUsage(f"nothing in quarantine is called {name}; see what is with memtool quarantine list")


class Content(Struct, frozen=True):
    """A file in quarantine with its text, in which a byte that is no UTF-8 is a lone surrogate.

    `faults` are where it breaks the schema of turns, and how, as far as it is JSON of the current version.
    """

    kept: Kept
    text: str
    faults: tuple[tuple[str, str], ...]

    def as_json(self) -> dict[str, Any]:
        """All of it as it is printed with --json."""
        faults = [{"where": where, "what": what} for where, what in self.faults]
        return {**self.kept.as_json(), "faults": faults, "text": self.text}


def content_of(workspace: Workspace, path: PurePosixPath) -> Content:
    """What is in a file in quarantine, and what must be mended in it."""
    document = workspace.read(path)
    text = document.text if document else ""
    return Content(Kept(path, _record(workspace, path)), text, tuple(islice(_faults(text), _MOST_FAULTS)))


def _faults(text: str) -> Iterator[tuple[str, str]]:
    try:
        found = json_text.load(text.encode("utf-8", "surrogateescape"))
    except json_text.NotJson:
        return
    if isinstance(found, dict) and found.get("schema_version") == VERSION:
        yield from schemas.faults("turn", found)


def add(workspace: Workspace, name: str, reason: str, now: datetime) -> Moved:
    """Put a file from the folders of turns into quarantine. Raises BadUsage, OutsideWorkspace, Unreadable."""
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
    """Move a file back to where it was, if it now reads as a turn, and raise the head to its number.

    Raises Unreadable where it still does not read, BadUsage where its old place is taken.
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
        there = workspace.disk.stat(target) is not None
        plan: Plan = ()
        if content is not None:
            seq = _readable_seq(path, content, target)
            if there:
                raise BadUsage(f"{path} cannot be restored: {target} is taken by another turn")
            plan = (Move(path, target, etag_of(content)), *raised(workspace, group, seq, now))
        plan += _without_record(workspace, path)
        workspace.commit(plan)
    return Moved(path, target, plan)


def _readable_seq(path: PurePosixPath, content: bytes, target: PurePosixPath) -> int:
    """The number that a turn will have once it is back. Raises Unreadable while it is none, Newer."""
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
    """Delete a file in quarantine for good, and its record after it. Raises Unwritable."""
    with workspace.lock():
        content = workspace.disk.read_bytes(path)
        plan: Plan = () if content is None else (Remove(path, etag_of(content)),)
        plan += _without_record(workspace, path)
        from memtool.verbs.indexing.reindex import forgetting

        with forgetting(workspace, plan):
            workspace.commit(plan, forget=())
    return plan


def older(workspace: Workspace, unread: list[str], days: int, now: datetime) -> list[PurePosixPath]:
    """What has been in quarantine for more than so many days; what has no record has no age."""
    last = now - timedelta(days=min(days, _AGES))
    return [
        one.path
        for one in kept(workspace, unread)
        if one.record and (at := moment_of(one.record.at)) is not None and at < last
    ]


def _without_record(workspace: Workspace, path: PurePosixPath) -> tuple[Change, ...]:
    beside = path.with_name(path.name + ENDING)
    content = workspace.disk.read_bytes(beside)
    return () if content is None else (Remove(beside, etag_of(content)),)


def _is_record(name: str, names: tuple[str, ...]) -> bool:
    """Whether a file is the record of another, unless it has a record of its own beside it."""
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
