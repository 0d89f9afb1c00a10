"""The context that the MCP server gives to each call of a tool, with indexes that stay open between calls."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from memtool.cli.background import in_background
from memtool.cli.session import Session
from memtool.serve.mcp.tool import SEARCHES, WRITES
from memtool.store.root import command_in

if TYPE_CHECKING:
    from memtool.core.records.scope import Scope
    from memtool.core.records.search import SearchArguments, SearchResponse
    from memtool.verbs.indexing.documents import DocumentSync
    from memtool.verbs.indexing.facts import FactSync
    from memtool.verbs.indexing.indexes import SearchIndexes

_MOST_NAME = 80
"""Characters of a client's name that are recorded."""


class ServerIndexes:
    """The search indexes of one server, each opened when it is first needed."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._search_indexes: SearchIndexes | None = None
        self._facts: FactSync | None = None
        self._notices_seen = 0

    def search_indexes(self) -> SearchIndexes:
        """The indexes of documents and turns."""
        if self._search_indexes is None:
            self._search_indexes = self._session.search_indexes()
        return self._search_indexes

    def facts(self) -> FactSync:
        """The index of facts; it is reopened after a call in which it added notices."""
        if self._facts is not None and len(self._facts.notices) > self._notices_seen:
            self._facts.close()
            self._facts = None
        if self._facts is None:
            self._facts = self._session.fact_index()
            self._notices_seen = len(self._facts.notices)
        else:
            self._facts.notices.clear()
            self._notices_seen = 0
        return self._facts

    def close(self, lane: str | None) -> None:
        """Close the indexes that calls of a lane use; the next call opens them again."""
        indexes, facts = self._search_indexes, self._facts
        if lane == SEARCHES and indexes is not None:
            self._search_indexes = None
            indexes.close()
        if lane == WRITES and facts is not None:
            self._facts = None
            facts.close()


class McpSession(Session):
    """The context of one call to a server: the workspace with its current settings, owner and group."""

    def __init__(self, start: Session, indexes: ServerIndexes, group: str | None, *, read_only: bool) -> None:
        super().__init__()
        self.given, self.environment, self.command = start.given, start.environment, start.command
        self.schedule = start.schedule
        workspace = start.workspace.with_current_settings(start.environment)
        workspace.writes = workspace.writes and not read_only
        workspace.program = lambda: command_in(os.getcwd(), workspace.root, self.given.get("layout"))
        self.adopt_workspace(workspace)
        self._group = group
        self._indexes = indexes
        self.scope = self.decide_scope(group)

    def sign(self, tool: str, agent: str) -> None:
        """Record commits under the name of this tool and of the client in the journal."""
        self.command = f"mcp {tool}"
        name = "".join(filter(str.isprintable, agent))[:_MOST_NAME]
        self.agent = {"agent": name} if name else {}

    def write_group(self) -> str | None:
        """The group whose memory the server writes, if any. Raises OutsideWorkspace where it may not."""
        return self.group(self._group, writes=True)

    @property
    def session_name(self) -> str:
        """The running session, whose own messages no prompt needs; empty where none is named."""
        return self.owner_ids.get("session", "")

    @property
    def prompt_scope(self) -> Scope:
        """What may go into a prompt of the server's group and owners."""
        return self.decide_prompt_scope(self._group)

    def search(self, arguments: SearchArguments) -> SearchResponse:
        """The response to a search in the server's group, by the watcher if one runs."""
        from memtool.cli.searching import search

        return search(self, arguments._replace(group=self._group))

    def search_indexes(self, wait: float | None = None) -> SearchIndexes:
        """The open indexes of documents and turns."""
        return self._indexes.search_indexes()

    def document_index(self, wait: float | None = None) -> DocumentSync:
        """The open index of documents."""
        return self._indexes.search_indexes().documents

    def fact_index(self, embedder: str | None = None) -> FactSync:
        """The open index of facts."""
        return self._indexes.facts()

    def close_indexes(self, lane: str | None) -> None:
        """Close the indexes that calls of a lane use."""
        self._indexes.close(lane)


def mcp_session_factory(start: Session, group: str | None, *, read_only: bool) -> Callable[[], McpSession]:
    """A factory of the context for each call. Raises NoWorkspace, BadUsage and OutsideWorkspace at once."""
    start.group(group)
    start.schedule = in_background()
    indexes = ServerIndexes(start)
    return lambda: McpSession(start, indexes, group, read_only=read_only)
