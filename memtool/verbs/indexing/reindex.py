"""reindex: build the search indexes anew, or compare them with the tree, byte for byte."""

from __future__ import annotations

from pathlib import PurePosixPath

from msgspec import Struct

from memtool.errors import MemtoolError
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.fact_shelf import FactShelf, throw_away
from memtool.verbs.indexing.shelves import Shelves


class Reindexed(Struct, frozen=True):
    """How many documents and turns are indexed now, and what is worth knowing about it."""

    documents: int
    turns: int
    notices: tuple[str, ...]
    kept: bool
    """Whether the indexes are on disk; else nothing could be kept."""


class Difference(Struct, frozen=True):
    """A file whose index is not what it says: `missing`, `stale` or `gone`."""

    path: str
    what: str


def reindex(workspace: Workspace, shelves: Shelves) -> Reindexed:
    """Throw the indexes away and build them anew from the files; that of facts when they are next asked.

    Raises Unwritable, IndexBusy.
    """
    throw_away(workspace)
    documents = shelves.documents.rebuild()
    turns = shelves.turns.rebuild()
    count = turns.index.count() if turns.index else 0
    kept = workspace.writes and shelves.documents.is_kept and (shelves.turns.is_kept or not count)
    return Reindexed(len(documents.stamps), count, (*documents.notices, *turns.notices), kept)


def verify(workspace: Workspace, shelves: Shelves, facts: FactShelf) -> tuple[list[Difference], list[str]]:
    """Read every file and compare it with what is indexed, trusting no time stamp; changes nothing.

    The second list says which files could not be read.
    """
    wanted, stamps = shelves.documents.compared()
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
    found += [Difference(path, what) for path, what in shelves.turns.compared(unread)]
    found += [Difference(path, what) for path, what in facts.compared(unread)]
    return sorted({*found}, key=lambda one: (one.path, one.what)), [*dict.fromkeys(unread)]
