"""The context that the server receives for one request, and how it is opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memtool.core.records.scope import Scope
    from memtool.store.workspace import Workspace
    from memtool.verbs.indexing.indexes import SearchIndexes
    from memtool.verbs.lint.request import LintRequest


class LspContext(Protocol):
    """The workspace, clock and scope for one request, with current settings; each member may raise a
    MemtoolError."""

    @property
    def workspace(self) -> Workspace:
        """The workspace; it writes nothing in incognito mode."""

    @property
    def visible_workspace(self) -> Workspace:
        """The workspace as the user of this run may read it."""

    @property
    def scope(self) -> Scope:
        """What the server may read."""

    @property
    def owner_tags(self) -> frozenset[str]:
        """The tag of the user of this run; empty if none is named."""

    @property
    def acts_for_group(self) -> bool:
        """Whether the server is limited to a group, and so to files that are not facts or candidates."""

    def check_no_group(self) -> None:
        """Raise OutsideWorkspace where the server is limited to a group."""

    @property
    def now(self) -> datetime:
        """The current time, in UTC."""

    @property
    def zone(self) -> tzinfo:
        """The time zone of the workspace's calendar days."""

    @property
    def lint_request(self) -> LintRequest:
        """The codes, the baseline and the group of lint."""

    def search_indexes(self) -> SearchIndexes:
        """The indexes of documents and turns; whoever asks for them closes them."""

    def sign(self, action: str, client: str) -> None:
        """Record later commits under this action and the name of the client in the journal."""


OpenWorkspace = Callable[[Sequence[str]], tuple[Callable[[], LspContext], str]]
"""Opens the workspace of the folders that a client names, the most important first.

Returns what makes the context of each request, and a notice for the user or "". Raises MemtoolError.
"""
