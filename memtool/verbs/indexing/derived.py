"""What is derived from files, thrown away: indexes that hold what is to be forgotten, or stale roles."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator

from memtool.core.records.plan import Plan
from memtool.index.engine import BrokenIndex, IndexBusy
from memtool.index.seal import discard
from memtool.store.files import private
from memtool.store.workspace import Workspace
from memtool.store.workspace import touched as paths_of
from memtool.verbs.changes.backup import holding
from memtool.verbs.indexing import fact_shelf, shelf, turn_shelf

_WAIT = 5.0
"""Seconds that another writer of an index is waited for."""
_TURNS = ("turn", "quarantine", "quarantine-record")


@contextlib.contextmanager
def forgetting(workspace: Workspace, plan: Plan) -> Iterator[None]:
    """Throw away each index that could still hold what a plan forgets, and tell of what else does.

    An index only marks as gone what it held: its words stay in its files until they are written anew. It goes
    before the plan is made, so that a kill leaves no words behind, and after it, for somebody may have asked
    meanwhile. What cannot be thrown away is said, for it is still there to be read.
    """
    if not workspace.writes:
        yield
        return
    touched = [str(path) for change in plan for path in paths_of(change)]
    roles = {located.role for path in touched if (located := workspace.located(path)) is not None}
    folders = {turn_shelf.FOLDER} if roles & {*_TURNS} else set()
    if roles - {*_TURNS}:
        folders |= {shelf.FOLDER, fact_shelf.FOLDER}
    discarded(workspace, folders)
    yield
    for name in sorted(discarded(workspace, folders)):
        workspace.tell(f"{name} may still hold what was forgotten; throw it away with: memtool reindex")
    for copies in holding(workspace, touched):
        workspace.tell(
            f"{copies} holds files as they were before; remove it if they are to be forgotten, too"
        )


def discard_roles(workspace: Workspace) -> None:
    """Throw away the index that keeps roles, in a tree that may have another layout now."""
    discarded(workspace, [shelf.FOLDER])


def discarded(workspace: Workspace, folders: Collection[str]) -> list[str]:
    """Throw indexes away, by the names of their folders; the next question builds them anew.

    Given back are the folders of those that could not be: somebody writes them, or the disk refuses.
    """
    left: list[str] = []
    for name in folders:
        folder = os.path.join(private.folder(workspace.root), name)
        if os.path.isdir(folder):
            try:
                discard(folder, _WAIT)
            except (BrokenIndex, IndexBusy):
                left.append(os.path.relpath(folder, workspace.root))
    return left
