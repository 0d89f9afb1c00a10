"""init: make a folder a workspace by seeding the files that its layout needs, overwriting nothing."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.records.plan import Create, Plan
from memtool.layouts.seeds import seeds
from memtool.store.workspace import Workspace


class Initialised(Struct, frozen=True):
    """What was made and what was there already, in the layout's order."""

    created: tuple[PurePosixPath, ...]
    kept: tuple[PurePosixPath, ...]
    plan: Plan


def init(workspace: Workspace, day: date) -> Initialised:
    """Create every seed file of the layout that is not there yet. Raises Locked, Unreadable, Unwritable."""
    with workspace.lock():
        plan: list[Create] = []
        kept: list[PurePosixPath] = []
        for path, text in seeds(workspace.layout, day=day):
            if workspace.disk.stat(path) is None:
                plan.append(Create(path, text))
            else:
                kept.append(path)
        workspace.commit(tuple(plan))
    return Initialised(tuple(change.path for change in plan), tuple(kept), tuple(plan))
