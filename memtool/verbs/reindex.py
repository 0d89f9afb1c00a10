"""reindex: build the search index anew, or compare it with the tree, byte for byte."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from memtool.errors import MemtoolError
from memtool.store.workspace import Workspace
from memtool.verbs.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Reindexed:
    """How many documents are indexed now, and what is worth knowing about it."""

    documents: int
    notices: tuple[str, ...]
    kept: bool
    """Whether the index is on disk; else nothing could be kept."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A document whose index is not what its file says: `missing`, `stale` or `gone`."""

    path: str
    what: str


def reindex(workspace: Workspace, shelf: Shelf) -> Reindexed:
    """Throw the index away and build it anew from the files. Raises Unwritable, IndexBusy."""
    view = shelf.rebuild()
    return Reindexed(len(view.stamps), view.notices, workspace.writes and shelf.is_kept)


def verify(workspace: Workspace, shelf: Shelf) -> tuple[list[Difference], list[str]]:
    """Read every file and compare it with what is indexed, trusting no time stamp; changes nothing.

    The second list says which files could not be read.
    """
    wanted, stamps = shelf.compared()
    found = [Difference(path, "gone") for path in stamps if path not in wanted]
    unread: list[str] = []
    for path in wanted:
        if path not in stamps:
            found.append(Difference(path, "missing"))
            continue
        try:
            document = workspace.read(PurePosixPath(path))
        except MemtoolError as error:
            unread.append(str(error))
            continue
        if document is None:
            found.append(Difference(path, "gone"))
        elif document.etag != stamps[path].etag:
            found.append(Difference(path, "stale"))
    return sorted(found, key=lambda one: one.path), unread
