"""fleet status: the trees of the fleet that a workspace may read, and how far behind they are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from msgspec import Struct

from memtool.core.records.health import HealthCheck, HealthState, count_noun
from memtool.errors import MemtoolError
from memtool.fleet.connection import connected, missing_fixes
from memtool.fleet.document_rows import pushed_documents
from memtool.fleet.trees import FleetTree, fleet_trees
from memtool.fleet.work import NO_WORK, WorkState, work_states
from memtool.store.external.fleet_key import FleetKey
from memtool.verbs.fleet.push import FleetLag, lag_of
from memtool.verbs.indexing.documents import DocumentSync

SILENT_DAYS = 7
"""Days without a push after which a tree counts as silent."""


class TreeStatus(Struct, frozen=True):
    """A tree of the fleet, with its worker and waiting jobs.

    `lag` is that of the workspace's own tree, None for any other.
    """

    tree: FleetTree
    is_silent: bool
    lag: FleetLag | None
    work: WorkState


class FleetStatus(Struct, frozen=True):
    """The trees that a workspace may read, by name, and the version of the server as libpq gives it."""

    trees: tuple[TreeStatus, ...]
    server_version: int


def fleet_status(key: FleetKey, index: DocumentSync, now: datetime) -> FleetStatus:
    """The state of the fleet that the workspace has joined. Raises what `connected` raises."""
    view = index.sync()
    index.end_read()
    with connected(key.dsn) as connection:
        trees = fleet_trees(connection)
        lag = lag_of(view, pushed_documents(connection))
        work = work_states(connection)
        version = connection.info.server_version
    rows = (
        TreeStatus(
            tree,
            is_silent(tree, now),
            lag if tree.is_own else None,
            work.get(tree.name, NO_WORK),
        )
        for tree in trees
    )
    return FleetStatus(tuple(rows), version)


def check_fleet(key: FleetKey, index: DocumentSync, now: datetime) -> HealthCheck:
    """The state of a workspace in its fleet, for doctor."""
    try:
        status = fleet_status(key, index, now)
    except MemtoolError as error:
        return HealthCheck("fleet", "unknown", str(error), "memtool fleet status")
    rows = status.trees
    own = next((row for row in rows if row.lag is not None), None)
    if own is None or own.lag is None:
        text = (
            f"this workspace joined the fleet as {key.name!r}, but the fleet's database does not contain "
            "this workspace's key"
        )
        return HealthCheck("fleet", "wrong", text, f"memtool fleet join DSN --as {key.name} --replace")
    behind = len(own.lag.put) + len(own.lag.removed)
    silent = [row.tree.name for row in rows if row.is_silent and row is not own]
    if behind:
        state: HealthState = "wrong" if own.is_silent else "note"
        return HealthCheck(
            "fleet", state, f"{count_noun(behind, 'file')} not pushed yet", "memtool fleet push"
        )
    if own.work.waiting and own.work.is_silent:
        verb = "is" if own.work.waiting == 1 else "are"
        text = f"{count_noun(own.work.waiting, 'fleet job')} {verb} waiting, and no worker is running"
        return HealthCheck("fleet", "note", text, "memtool fleet work")
    if silent:
        text = f"other trees that have not pushed for {SILENT_DAYS} days: {', '.join(silent)}"
        return HealthCheck("fleet", "note", text, "memtool fleet status")
    if fixes := missing_fixes(status.server_version):
        return HealthCheck("fleet", "note", f"{fixes}; update the server")
    return HealthCheck(
        "fleet",
        "ok",
        f"joined as {key.name}; the fleet has the current version of every document in this workspace",
    )


def is_silent(tree: FleetTree, now: datetime) -> bool:
    """Whether a tree has not pushed for `SILENT_DAYS`."""
    return now - (tree.pushed_at or datetime.min.replace(tzinfo=UTC)) > timedelta(days=SILENT_DAYS)
