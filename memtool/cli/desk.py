"""The desk of a server: the run that started it, as the world is at each call, on indexes that stay open."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memtool.cli.session import Session
from memtool.serve.mcp.tool import SEARCHES, WRITES

if TYPE_CHECKING:
    from memtool.verbs.indexing.documents import DocumentSync
    from memtool.verbs.indexing.facts import FactSync
    from memtool.verbs.indexing.indexes import SearchIndexes


class Indexes:
    """The indexes of one server, each opened when it is first needed."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._shelves: SearchIndexes | None = None
        self._facts: FactSync | None = None
        self._told = 0

    def shelves(self) -> SearchIndexes:
        """Those of documents and turns."""
        if self._shelves is None:
            self._shelves = self._session.shelves()
        return self._shelves

    def facts(self) -> FactSync:
        """That of facts; after a call in which it had something to say it is opened anew."""
        if self._facts is not None and len(self._facts.notices) > self._told:
            self._facts.close()
            self._facts = None
        if self._facts is None:
            self._facts = self._session.fact_shelf()
            self._told = len(self._facts.notices)
        else:
            self._facts.notices.clear()
            self._told = 0
        return self._facts

    def forget(self, lane: str | None) -> None:
        """Let go of those that calls of a lane use."""
        shelves, facts = self._shelves, self._facts
        if lane == SEARCHES and shelves is not None:
            self._shelves = None
            shelves.close()
        if lane == WRITES and facts is not None:
            self._facts = None
            facts.close()


class Desk(Session):
    """One call to a server: its workspace with the settings of now, and whose memory it is about."""

    def __init__(self, start: Session, indexes: Indexes, group: str | None, *, read_only: bool) -> None:
        super().__init__()
        self.given, self.environment, self.command = start.given, start.environment, start.command
        workspace = start.workspace.at_present(start.environment)
        workspace.writes = workspace.writes and not read_only
        self.adopt_workspace(workspace)
        self._asked = group
        self._indexes = indexes
        self.acting()

    def sign(self, tool: str) -> None:
        """Let the journal know which tool commits."""
        self.command = f"mcp {tool}"

    def acting(self, *, writes: bool = False) -> str | None:
        """The group that the server acts for, if any. Raises OutsideWorkspace where it may not write."""
        return self.group(self._asked, writes=writes)

    def ask(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The answer to a search, the watcher's if one lives."""
        from memtool.cli.questions import ask

        return ask(self, asked)

    def shelves(self, wait: float | None = None) -> SearchIndexes:
        """The open indexes of documents and turns."""
        return self._indexes.shelves()

    def shelf(self) -> DocumentSync:
        """The open index of documents."""
        return self._indexes.shelves().documents

    def fact_shelf(self, embedder: str | None = None) -> FactSync:
        """The open index of facts."""
        return self._indexes.facts()

    def forget(self, lane: str | None) -> None:
        """Let go of the open indexes of a lane."""
        self._indexes.forget(lane)


def desks(start: Session, group: str | None, *, read_only: bool) -> Callable[[], Desk]:
    """What gives the desk of each call. Raises NoWorkspace, BadUsage and OutsideWorkspace at once."""
    start.group(group)
    indexes = Indexes(start)
    return lambda: Desk(start, indexes, group, read_only=read_only)
