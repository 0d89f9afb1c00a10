"""backup: what a migration touches, as it was, and the way back to it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from memtool.core.records.plan import Create, Plan, Remove, Replace
from memtool.errors import BadUsage, ChangedSince, Unreadable
from memtool.formats.syntax import json_text
from memtool.store.files import private
from memtool.store.root import PRIVATE_FOLDER
from memtool.store.workspace import Workspace

_HOME = PurePosixPath(PRIVATE_FOLDER, "backups")
_RECORD, _FILES = "backup.json", "files"


def back_up(
    workspace: Workspace, outcome: Mapping[PurePosixPath, str | None], now: datetime
) -> PurePosixPath:
    """Copy every file that changes are about to touch; the folder that holds the copies, each private.

    `outcome` says what will stand at each path: an etag, or None. The record of what is there comes last, so
    that a backup without one was stopped before anything was touched. Raises Unwritable, Unreadable.
    """
    private.make(workspace.root)
    stamp = f"{now:%Y%m%dT%H%M%SZ}"
    number, home = 1, _HOME / stamp
    while workspace.disk.folder(home) is not None:
        number += 1
        home = _HOME / f"{stamp}-{number}"
    kept: dict[str, str] = {}
    for path in sorted(outcome):
        document = workspace.read(path)
        if document is not None:
            workspace.disk.create(home / _FILES / path, document.text)
            kept[str(path)] = document.etag
    after = {str(path): etag for path, etag in sorted(outcome.items())}
    record = {"at": now.isoformat(timespec="seconds"), "files": kept, "after": after}
    workspace.disk.create(home / _RECORD, json_text.dump(record))
    return home


def backups(workspace: Workspace) -> list[str]:
    """The names of all backups, the oldest first."""
    found = workspace.disk.folder(_HOME)
    names = sorted(found.folders, key=lambda name: (name.partition("-")[0], len(name), name)) if found else []
    return [name for name in names if workspace.disk.stat(_HOME / name / _RECORD) is not None]


def holding(workspace: Workspace, paths: Collection[str]) -> Iterator[PurePosixPath]:
    """The folders of the backups that have a copy of one of these files."""
    for name in backups(workspace):
        if any(workspace.disk.stat(_HOME / name / _FILES / path) is not None for path in paths):
            yield _HOME / name


def restored(workspace: Workspace, name: str | None) -> tuple[str, Plan]:
    """The plan that puts everything back as it was before a migration: the last one, or that of a backup.

    What is put back comes before what is taken away; made twice, the second time changes nothing. Raises
    BadUsage where there is no such backup, ChangedSince for a file that was written since, Unreadable.
    """
    names = backups(workspace)
    if not names or name not in {None, *names}:
        known = f"; there are {', '.join(names)}" if names else ""
        raise BadUsage(f"there is no backup{'' if name is None else f' {name!r}'}{known}")
    chosen = name or names[-1]
    home = _HOME / chosen
    record = _record(workspace, home / _RECORD)
    files, after = record["files"], record["after"]
    put: Plan = ()
    gone: Plan = ()
    for name_of, etag in after.items():
        path = PurePosixPath(name_of)
        there = workspace.read(path)
        if name_of in files:
            copy = workspace.read(home / _FILES / path)
            if copy is None:
                raise Unreadable(f"{home / _FILES / path} is gone; nothing was put back")
            if there is None:
                put += (Create(path, copy.text),)
            elif there.etag != copy.etag:
                _check(there.etag, etag, path, chosen)
                put += (Replace(path, copy.text, there.etag),)
        elif there is not None:
            if etag is not None:
                _check(there.etag, etag, path, chosen)
            gone += (Remove(path, there.etag),)
    return chosen, put + gone


def _check(found: str, expected: str | None, path: PurePosixPath, name: str) -> None:
    if found != expected:
        raise ChangedSince(path, f"the backup {name}, which is in {_HOME / name / _FILES}")


def _record(workspace: Workspace, path: PurePosixPath) -> dict[str, Any]:
    document = workspace.read(path)
    try:
        found = json_text.loads(document.text if document else "")[0]
    except json_text.NotJson as error:
        raise Unreadable(f"{path} {error}") from error
    if (
        not isinstance(found, dict)
        or not isinstance(found.get("files"), dict)
        or not isinstance(found.get("after"), dict)
    ):
        raise Unreadable(f"{path} is no record of a backup")
    return found
