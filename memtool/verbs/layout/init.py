"""init: make a folder a workspace by creating what its layout needs; overwrites nothing."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.records.plan import Create, Plan
from memtool.errors import MemtoolError
from memtool.layouts.seeds import initial_files
from memtool.store.commit.retry import retry_when_stale
from memtool.store.external.sync_folders import SyncFolder, ignore_private_folder, sync_folders
from memtool.store.workspace import Workspace


class InitReport(Struct, frozen=True):
    """The files that were created and those that existed, in the layout's order, and the created folders."""

    created: tuple[PurePosixPath, ...]
    existing: tuple[PurePosixPath, ...]
    folders: tuple[PurePosixPath, ...]
    plan: Plan


@retry_when_stale
def init(workspace: Workspace, day: date) -> InitReport:
    """Create the missing seed files and notebook folders. Raises Locked, UnreadableFile, Unwritable."""
    with workspace.lock():
        plan: list[Create] = []
        existing: list[PurePosixPath] = []
        for path, text in initial_files(workspace.layout, day=day):
            if workspace.disk.stat(path) is None:
                plan.append(Create(path, text))
            else:
                existing.append(path)
        places = map(PurePosixPath, workspace.layout.notes.places.values())
        folders = tuple(place for place in places if workspace.disk.list_folder(place) is None)

        def make_folders() -> None:
            for folder in folders:
                workspace.disk.make_folder(folder)

        workspace.commit(tuple(plan), then=make_folders)
        if not plan and workspace.writes:
            make_folders()
    return InitReport(tuple(change.path for change in plan), tuple(existing), folders, tuple(plan))


def ignore_in_sync_folders(workspace: Workspace, now: datetime) -> list[SyncFolder]:
    """Have Syncthing and Dropbox leave out the private folder; the folders where they did not before.

    A failure is reported, and fails nothing.
    """
    changed = []
    for folder in sync_folders(workspace.root):
        if folder.is_ignored is False:
            try:
                if workspace.writes:
                    ignore_private_folder(folder, now)
                changed.append(folder)
            except MemtoolError as error:
                workspace.report(str(error))
    return changed
