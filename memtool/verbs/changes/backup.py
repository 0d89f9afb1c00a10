"""Backups of the files that a migration changes, and their restoration."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from memtool.core.records.document import etag_of
from memtool.core.records.plan import Create, Move, Plan, Remove, Replace
from memtool.errors import ChangedSinceBackup, NotFound, UnreadableFile
from memtool.formats.syntax import json_text
from memtool.formats.workspace_file import with_setting
from memtool.layouts.load import LAYOUT_NAMES, load_layout, recognise_layout
from memtool.store.files import private
from memtool.store.root import PRIVATE_FOLDER, WORKSPACE_FILE
from memtool.store.workspace import Workspace
from memtool.verbs.changes.planned_tree import PlannedTree

_HOME = PurePosixPath(PRIVATE_FOLDER, "backups")
_RECORD, _FILES = "backup.json", "files"


def back_up(
    workspace: Workspace, final_etags: Mapping[PurePosixPath, str | None], now: datetime
) -> PurePosixPath:
    """Copy every file that is about to change into a new folder, and return the folder; copies are private.

    `final_etags` maps each path to its later etag, or None. The record, which names the layout of the tree,
    is written last, so a backup without one was interrupted before anything was changed. Raises Unwritable,
    UnreadableFile.
    """
    private.make(workspace.root)
    stamp = f"{now:%Y%m%dT%H%M%SZ}"
    number, home = 1, _HOME / stamp
    while workspace.disk.list_folder(home) is not None:
        number += 1
        home = _HOME / f"{stamp}-{number}"
    etags_before: dict[str, str] = {}
    for path in sorted(final_etags):
        document = workspace.read(path)
        if document is not None:
            workspace.disk.create(home / _FILES / path, document.text)
            etags_before[str(path)] = document.etag
    etags_after = {str(path): etag for path, etag in sorted(final_etags.items())}
    record = {
        "at": now.isoformat(timespec="seconds"),
        "layout": workspace.layout.name,
        "files": etags_before,
        "after": etags_after,
    }
    workspace.disk.create(home / _RECORD, json_text.dump(record))
    return home


def backups(workspace: Workspace) -> list[str]:
    """Return the names of all backups, the oldest first."""
    listed = workspace.disk.list_folder(_HOME)
    names = (
        sorted(listed.folders, key=lambda name: (name.partition("-")[0], len(name), name)) if listed else []
    )
    return [name for name in names if workspace.disk.stat(_HOME / name / _RECORD) is not None]


def backups_holding(workspace: Workspace, paths: Collection[str]) -> Iterator[PurePosixPath]:
    """Yield the folders of the backups that contain one of these files."""
    for name in backups(workspace):
        if any(workspace.disk.stat(_HOME / name / _FILES / path) is not None for path in paths):
            yield _HOME / name


class Restoration(Struct, frozen=True):
    """The name of a backup and the plan that restores its files.

    `layout` is the layout that the settings file is set to instead of being removed; "" where it is not.
    """

    backup: str
    plan: Plan
    layout: str = ""

    @property
    def restored(self) -> tuple[PurePosixPath, ...]:
        """The paths that have their content of the backup again."""
        written = (change for change in self.plan if not isinstance(change, Remove))
        return tuple(change.target if isinstance(change, Move) else change.path for change in written)

    @property
    def removed(self) -> tuple[PurePosixPath, ...]:
        """The paths that have no file any more."""
        return tuple(change.path for change in self.plan if isinstance(change, Remove | Move))


def plan_restore(workspace: Workspace, name: str | None) -> Restoration:
    """Return the plan that restores the files of a backup, by default the last one.

    Files are restored before others are removed; a second restoration changes nothing. A settings file that
    the change made is not removed, but set to the layout before, if files written since would make the tree
    look like one of another layout. Raises NotFound for an unknown backup, ChangedSinceBackup for a file that
    was written since, UnreadableFile.
    """
    names = backups(workspace)
    if not names or name not in {None, *names}:
        available = (
            f"; existing backups: {', '.join(names)}"
            if names
            else "; memtool migrate creates one only with --backup"
        )
        raise NotFound(f"there is no backup{'' if name is None else f' {name!r}'} in {_HOME}{available}")
    chosen = name or names[-1]
    home = _HOME / chosen
    record = _read_record(workspace, home / _RECORD)
    files, etags_after = record["files"], record["after"]
    layout = str(record.get("layout", ""))  # backups of older versions do not name it
    was_other = layout in LAYOUT_NAMES and WORKSPACE_FILE in etags_after
    way = f"move the files back with memtool migrate --to {layout}, " if was_other else ""
    if was_other and _has_layout(workspace, layout):
        way = f"the layout is {layout} again, so no file has to be moved back; keep the file as it is, "
    writes: Plan = ()
    removals: Plan = ()
    for path_text, etag in etags_after.items():
        path = PurePosixPath(path_text)
        current = workspace.read(path)
        if path_text in files:
            copy = workspace.read(home / _FILES / path)
            if copy is None:
                raise UnreadableFile(
                    f"{home / _FILES / path} is missing from the backup; nothing was restored"
                )
            if current is None:
                writes += (Create(path, copy.text),)
            elif current.etag != copy.etag:
                _check(current.etag, etag, path, chosen, way)
                writes += (Replace(path, copy.text, current.etag),)
        elif current is not None:
            if path_text == WORKSPACE_FILE and _has_layout(workspace, layout):
                continue  # as an earlier restoration left it
            if etag is not None:
                _check(current.etag, etag, path, chosen, way)
            removals += (Remove(path, current.etag),)
    return _with_layout(workspace, Restoration(chosen, _with_moves(writes, removals)), layout)


def _with_moves(writes: Plan, removals: Plan) -> Plan:
    """The changes, with a move in place of a file that is removed and created elsewhere with its content."""
    removed = {change.etag: change for change in removals if isinstance(change, Remove)}
    plan: Plan = ()
    for change in writes:
        content = change.text.encode("utf-8", "surrogateescape") if isinstance(change, Create) else b""
        source = removed.pop(etag_of(content), None) if isinstance(change, Create) else None
        plan += (change if source is None else Move(source.path, change.path, source.etag),)
    moved = {change.path for change in plan if isinstance(change, Move)}
    return (*plan, *(change for change in removals if change.path not in moved))


def _with_layout(workspace: Workspace, restoration: Restoration, layout: str) -> Restoration:
    """The restoration, with the settings file set to a layout instead of removed, where the tree needs it."""
    plan = restoration.plan
    removal = next((change for change in plan if change.path == PurePosixPath(WORKSPACE_FILE)), None)
    document = workspace.read(PurePosixPath(WORKSPACE_FILE))
    if not isinstance(removal, Remove) or document is None or layout not in LAYOUT_NAMES:
        return restoration
    tree, before = PlannedTree(workspace), load_layout(layout)
    tree.apply(plan)
    exists = tree.marker_test(
        lambda folder: before.can_contain_roles(folder) or workspace.layout.can_contain_roles(folder)
    )
    text = with_setting(document.text, "layout", layout)
    if text is None or recognise_layout(exists) == layout:
        return restoration
    others = tuple(change for change in plan if change is not removal)
    plan = (*others, Replace(removal.path, text, document.etag))
    return Restoration(restoration.backup, plan, layout)


def _has_layout(workspace: Workspace, layout: str) -> bool:
    """Whether the settings file is as a restoration of a change from this layout leaves it."""
    document = workspace.read(PurePosixPath(WORKSPACE_FILE))
    return document is None or with_setting(document.text, "layout", layout) == document.text


def _check(etag: str, expected: str | None, path: PurePosixPath, name: str, way: str) -> None:
    if etag != expected:
        raise ChangedSinceBackup(path, f"the backup {name} (in {_HOME / name / _FILES})", way)


def _read_record(workspace: Workspace, path: PurePosixPath) -> dict[str, Any]:
    document = workspace.read(path)
    try:
        value = json_text.loads(document.text if document else "")[0]
    except json_text.InvalidJson as error:
        raise UnreadableFile(f"{path} {error}") from error
    if (
        not isinstance(value, dict)
        or not isinstance(value.get("files"), dict)
        or not isinstance(value.get("after"), dict)
    ):
        raise UnreadableFile(f"{path} is not a valid backup record")
    return value
