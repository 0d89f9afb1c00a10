"""fleet status: the trees of the fleet that a workspace may read, and how far behind they are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from msgspec import Struct

from memtool.fleet.connection import connected
from memtool.fleet.document_rows import pushed_documents
from memtool.fleet.trees import FleetTree, fleet_trees
from memtool.store.external.fleet_key import FleetKey
from memtool.verbs.fleet.push import FleetLag, lag_of
from memtool.verbs.indexing.documents import DocumentSync

SILENT_DAYS = 7
"""Days without a push after which a tree counts as silent."""


class TreeStatus(Struct, frozen=True):
    """A tree of the fleet; `lag` is that of the workspace's own tree, None for any other."""

    tree: FleetTree
    is_silent: bool
    lag: FleetLag | None


def fleet_status(key: FleetKey, index: DocumentSync, now: datetime) -> list[TreeStatus]:
    """The trees that the workspace may read, by name. Raises what `connected` raises."""
    view = index.sync()
    index.end_read()
    with connected(key.dsn) as connection:
        trees = fleet_trees(connection)
        lag = lag_of(view, pushed_documents(connection))
    return [TreeStatus(tree, is_silent(tree, now), lag if tree.is_own else None) for tree in trees]


def is_silent(tree: FleetTree, now: datetime) -> bool:
    """Whether a tree has not pushed for `SILENT_DAYS`."""
    return now - (tree.pushed_at or datetime.min.replace(tzinfo=UTC)) > timedelta(days=SILENT_DAYS)
