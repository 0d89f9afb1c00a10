"""init: make a folder a workspace by creating the files that its layout needs; overwrites nothing."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.records.plan import Create, Plan
from memtool.layouts.seeds import initial_files
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace


class InitReport(Struct, frozen=True):
    """The files that were created and those that existed, in the layout's order."""

    created: tuple[PurePosixPath, ...]
    existing: tuple[PurePosixPath, ...]
    plan: Plan


@retry_when_stale
def init(workspace: Workspace, day: date) -> InitReport:
    """Create the missing seed files of the layout. Raises Locked, UnreadableFile, Unwritable."""
    with workspace.lock():
        plan: list[Create] = []
        existing: list[PurePosixPath] = []
        for path, text in initial_files(workspace.layout, day=day):
            if workspace.disk.stat(path) is None:
                plan.append(Create(path, text))
            else:
                existing.append(path)
        workspace.commit(tuple(plan))
    return InitReport(tuple(change.path for change in plan), tuple(existing), tuple(plan))
