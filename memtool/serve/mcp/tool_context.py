"""The context that a tool receives for one call."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memtool.core.records.entries import Owner
    from memtool.core.records.scope import Scope
    from memtool.core.records.search import SearchArguments, SearchResponse
    from memtool.store.workspace import Workspace
    from memtool.verbs.indexing.facts import FactSync
    from memtool.verbs.indexing.indexes import SearchIndexes


class ToolContext(Protocol):
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
    def session_name(self) -> str:
        """The running session, whose own messages no prompt needs; empty where none is named."""

    @property
    def scope(self) -> Scope:
        """What this call may read."""

    @property
    def prompt_scope(self) -> Scope:
        """What may go into a prompt of this call's group and owners."""

    @property
    def owner_scope(self) -> Scope:
        """The scope of a tool on facts, which belong to owners and to no group."""

    def sign(self, tool: str, agent: str) -> None:
        """Record later commits under the name of this tool and of the client in the journal."""

    def write_group(self) -> str | None:
        """The group whose memory the server writes, if any. Raises OutsideWorkspace where it may not."""

    def search(self, arguments: SearchArguments) -> SearchResponse:
        """The response to a search, in the group that the server acts for."""

    def search_indexes(self) -> SearchIndexes:
        """The indexes of documents and turns."""

    def fact_index(self) -> FactSync:
        """The index of facts."""

    def close_indexes(self, lane: str | None) -> None:
        """Close the indexes of a lane after an internal error; the next call opens them again."""
