"""reindex: rebuild the indexes, compare them with the tree byte for byte, or delete them."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.records.plan import Plan, changed_paths
from memtool.errors import Unwritable
from memtool.index.engine import SEARCH_INDEX, BrokenIndex, IndexBusy
from memtool.index.opening import discard_index
from memtool.store.root import PRIVATE_FOLDER
from memtool.store.workspace import Workspace
from memtool.verbs.changes.backup import backups_holding
from memtool.verbs.indexing.facts import FactSync
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.indexing.location import DOCUMENTS, FACTS, TRANSCRIPTS, index_location

_WAIT = 5.0
"""Seconds that another writer of an index is waited for before it is deleted."""
_TURN_ROLES = {"turn", "quarantine", "quarantine-record"}


class Reindexed(Struct, frozen=True):
    """How many documents and turns are indexed now, and what is worth knowing about it."""

    documents: int
    turns: int
    notices: tuple[str, ...]
    kept: bool
    """Whether the indexes are on disk; else nothing could be stored."""


class Difference(Struct, frozen=True):
    """A file that is not what is indexed of it: `missing`, `stale` or `deleted`."""

    path: str
    what: str


def reindex(workspace: Workspace, indexes: SearchIndexes) -> Reindexed:
    """Delete the indexes and rebuild them from the files; that of facts when it is next needed.

    Raises Unwritable where the old ones cannot be deleted, IndexBusy.
    """
    try:
        discard(workspace, FACTS, workspace.settings["lock_timeout"])
    except BrokenIndex as error:
        raise Unwritable(f"{SEARCH_INDEX} {error.why}") from error
    documents = indexes.documents.rebuild()
    turns = indexes.turns.rebuild()
    count = turns.index.count() if turns.index else 0
    kept = workspace.writes and indexes.documents.is_on_disk and (indexes.turns.is_on_disk or not count)
    return Reindexed(len(documents.stamps), count, (*documents.notices, *turns.notices), kept)


def verify(indexes: SearchIndexes, facts: FactSync) -> tuple[list[Difference], list[str]]:
    """Read every file and compare it with what is indexed, trusting no time stamp; changes nothing.

    The second list says which files could not be read.
    """
    unread: list[str] = []
    differences = [
        *indexes.documents.differences(unread),
        *indexes.turns.differences(unread),
        *facts.differences(unread),
    ]
    unique = {Difference(path, what) for path, what in differences}
    return sorted(unique, key=lambda difference: (difference.path, difference.what)), [*dict.fromkeys(unread)]


def discard(workspace: Workspace, name: str, wait: float = _WAIT) -> None:
    """Delete an index, by the name of its folder; the next query rebuilds it.

    Raises BrokenIndex, IndexBusy.
    """
    location = index_location(workspace, name, None, wait)
    if workspace.writes and location.is_present():
        discard_index(location.folder, wait)


def discard_roles(workspace: Workspace) -> None:
    """Delete the index that stores roles, in a tree that may have another layout now."""
    discard_all(workspace, [DOCUMENTS])


def discard_all(workspace: Workspace, names: Collection[str]) -> list[str]:
    """Delete indexes; the folders of those that could not be, relative to the root."""
    left: list[str] = []
    for name in names:
        try:
            discard(workspace, name)
        except (BrokenIndex, IndexBusy):
            left.append(str(PurePosixPath(PRIVATE_FOLDER, name)))
    return left


@contextlib.contextmanager
def discard_while_forgetting(workspace: Workspace, plan: Plan) -> Iterator[None]:
    """Delete each index that could still hold what a plan forgets, and report what else does.

    An index only marks what it held as deleted: its words stay in its files until they are rewritten. It
    is deleted before the plan is made, so that a kill leaves no words behind, and after it, for another
    process may have searched meanwhile. What cannot be deleted is reported, for it can still be read.
    """
    if not workspace.writes:
        yield
        return
    touched = [str(path) for change in plan for path in changed_paths(change)]
    roles = {located.role for path in touched if (located := workspace.role_of(path)) is not None}
    names = [TRANSCRIPTS] if roles & _TURN_ROLES else []
    if roles - _TURN_ROLES:
        names += [DOCUMENTS, FACTS]
    discard_all(workspace, names)
    yield
    for folder in sorted(discard_all(workspace, names)):
        workspace.report(
            f"{folder} may still contain the forgotten text; rebuild the index with memtool reindex"
        )
    for copies in backups_holding(workspace, touched):
        workspace.report(
            f"{copies} contains earlier copies of the changed files; delete this folder to "
            "forget the text there as well"
        )
