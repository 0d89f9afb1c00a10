"""The desk: what a tool is handed by whoever started the server, as it is at the moment of one call."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from memtool.core.records.entry import Owner
    from memtool.store.workspace import Workspace
    from memtool.verbs.indexing.documents import DocumentSync
    from memtool.verbs.indexing.facts import FactSync


class Desk(Protocol):
    """The workspace, the clock and whose memory it is, for one call; the indexes stay open between calls.

    Everything may raise a MemtoolError. SearchIndexes are used by one call at a time; see `Tool.lane`.
    """

    @property
    def workspace(self) -> Workspace:
        """The workspace, with the settings that hold now; it writes only where this server may."""

    @property
    def now(self) -> datetime:
        """The time it is, in UTC."""

    @property
    def zone(self) -> tzinfo:
        """The zone of the workspace's calendar days."""

    @property
    def owner(self) -> Owner | None:
        """Whom what is stored belongs to."""

    @property
    def mine(self) -> frozenset[str]:
        """The tags of the owners for whom is asked, `user:ann`."""

    def sign(self, tool: str) -> None:
        """Say by which tool what is written from here on is written; the name is one of memtool's own."""

    def acting(self, *, writes: bool = False) -> str | None:
        """The group that the server acts for, if any. Raises OutsideWorkspace where it may not write."""

    def ask(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The answer to a search: `hits`, `notices` and the `exit` code of `memtool search`."""

    def shelf(self) -> DocumentSync:
        """The index of documents."""

    def fact_shelf(self) -> FactSync:
        """The index of facts."""

    def forget(self, lane: str | None) -> None:
        """Let go of the open indexes of a lane, after something went wrong; the next call opens them anew."""
