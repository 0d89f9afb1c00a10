"""The trees of a fleet, as its database lists them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    import psycopg


class FleetTree(Struct, frozen=True):
    """A tree, with the numbers of its documents and of the chunks that the caller may read.

    `pushed_at` is when its files were last compared with the fleet as a whole; None before the first push.
    """

    name: str
    is_own: bool
    documents: int
    chunks: int
    joined_at: datetime
    pushed_at: datetime | None


def fleet_trees(connection: psycopg.Connection[Any]) -> list[FleetTree]:
    """The trees that the caller may read, by name."""
    return [
        FleetTree(
            name,
            is_own,
            documents,
            int(chunks),
            joined_at.astimezone(UTC),
            pushed_at and pushed_at.astimezone(UTC),
        )
        for name, is_own, documents, chunks, joined_at, pushed_at in connection.execute(
            "SELECT name, is_own, documents, chunks, joined_at, pushed_at FROM memtool.trees()"
        )
    ]
