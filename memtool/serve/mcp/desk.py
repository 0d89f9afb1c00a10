"""The context that a tool receives for one call."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from memtool.core.records.entry import Owner
    from memtool.store.workspace import Workspace
    from memtool.verbs.indexing.fact_shelf import FactShelf
    from memtool.verbs.indexing.shelf import Shelf


class Desk(Protocol):
    """The workspace, clock, owner and group for one call, and the indexes, which stay open between calls.

    Every member may raise a MemtoolError. Calls that use the same index run one after another.
    """

    @property
    def workspace(self) -> Workspace:
        """The workspace with its current settings; it writes nothing if the server is read-only."""

    @property
    def now(self) -> datetime:
        """The current time, in UTC."""

    @property
    def zone(self) -> tzinfo:
        """The time zone of the workspace's calendar days."""

    @property
    def owner(self) -> Owner | None:
        """The owner of new records."""

    @property
    def mine(self) -> frozenset[str]:
        """The tags of the owners whose memory is searched, such as `user:ann`."""

    def sign(self, tool: str) -> None:
        """Record later commits under the name of this tool in the journal."""

    def acting(self, *, writes: bool = False) -> str | None:
        """The group that the server acts for, if any. Raises OutsideWorkspace if it may not write there."""

    def ask(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The response to a search: `hits`, `notices` and the `exit` code of `memtool search`."""

    def shelf(self) -> Shelf:
        """The index of documents."""

    def fact_shelf(self) -> FactShelf:
        """The index of facts."""

    def forget(self, lane: str | None) -> None:
        """Close the indexes of a lane after an internal error; the next call opens them again."""
