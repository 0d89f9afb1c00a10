"""fleet init, join and forget: the operator's commands on the fleet's database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from memtool.fleet import schema
from memtool.fleet.connection import connected, tree_dsn
from memtool.fleet.schema import Migrated
from memtool.store.external.fleet_key import FleetKey, write_key


def init_fleet(dsn: str) -> Migrated:
    """Make the fleet in a database, or bring it to this version; raises what `connected` and `init` raise."""
    with connected(dsn) as connection:
        return schema.init(connection)


def join_fleet(
    root: str,
    dsn: str,
    name: str,
    reads: Sequence[str],
    users: Sequence[str],
    environment: Mapping[str, str],
    now: datetime,
    *,
    replace: bool,
) -> str:
    """Let the tree at a root join as `name`, and store its key; the path of the key.

    `dsn` is the operator's. Raises what `connected`, `schema.join` and `write_key` raise; a tree whose key
    could not be stored has not joined.
    """
    with connected(dsn) as connection, connection.transaction():
        tree = schema.join(connection, name, reads, users, replace=replace)
        own = tree_dsn(connection, dsn, tree.role, tree.key)
        return write_key(environment, FleetKey(root, name, own), now)


def remove_from_fleet(dsn: str, name: str) -> int:
    """Remove a tree from the fleet, with all that it pushed; its number of documents.

    Raises what `connected` and `schema.remove_tree` raise.
    """
    with connected(dsn) as connection:
        return schema.remove_tree(connection, name)
