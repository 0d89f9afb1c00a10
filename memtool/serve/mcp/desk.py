"""The desk: what a tool is handed by whoever started the server, as it is at the moment of one call."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memtool.core.records.entry import Owner
    from memtool.core.records.scope import Scope
    from memtool.core.records.search import SearchArguments, SearchResponse
    from memtool.store.workspace import Workspace
    from memtool.verbs.indexing.fact_shelf import FactShelf
    from memtool.verbs.indexing.shelf import Shelf


class Desk(Protocol):
    """The workspace, the clock and whose memory it is, for one call; the indexes stay open between calls.

    Everything may raise a MemtoolError. Indexes are used by one call at a time; see `Tool.lane`.
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
    def scope(self) -> Scope:
        """What this call may read."""

    @property
    def prompt_scope(self) -> Scope:
        """What may go into a prompt of this call's group and owners."""

    @property
    def owner_scope(self) -> Scope:
        """The scope of a tool on facts, which belong to owners and to no group."""

    def sign(self, tool: str) -> None:
        """Say by which tool what is written from here on is written; the name is one of memtool's own."""

    def write_group(self) -> str | None:
        """The group whose memory the server writes, if any. Raises OutsideWorkspace where it may not."""

    def search(self, arguments: SearchArguments) -> SearchResponse:
        """The response to a search, in the group that the server acts for."""

    def shelf(self) -> Shelf:
        """The index of documents."""

    def fact_shelf(self) -> FactShelf:
        """The index of facts."""

    def forget(self, lane: str | None) -> None:
        """Let go of the open indexes of a lane, after something went wrong; the next call opens them anew."""
