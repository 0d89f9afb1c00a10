"""The state of one hook call: workspace, event, clock, owner and indexes; and its reply."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

from memtool.core.hooks.hook_event import HookEvent, agent_length
from memtool.core.records.entries import Owner
from memtool.core.records.plan import Plan
from memtool.core.records.scope import Scope
from memtool.errors import DeadlineExceeded, MemtoolError, error_place
from memtool.store.workspace import Workspace

if TYPE_CHECKING:
    from memtool.verbs.delegates.delegate import Delegate
    from memtool.verbs.indexing.documents import DocumentSync
    from memtool.verbs.indexing.turns import TurnSync


class HookCall(NamedTuple):
    """One hook call: its workspace, event, clock and owner, and the indexes, each opened on first use.

    `owner` is the owner of new facts, if any; `record_owners` has the user and the session under the keys of
    a turn's record. `document_index` takes the
    bytes to index before the search and those to index in memory. `extractor` returns the user's command, if
    there is one. `acts_for_group` says that the caller may access a group's memory only.
    """

    workspace: Workspace
    event: HookEvent
    now: datetime
    zone: tzinfo
    owner: Owner | None
    record_owners: Mapping[str, str]
    scope: Scope
    acts_for_group: bool
    budget: int
    document_index: Callable[[int, int], DocumentSync]
    turn_index: Callable[[], TurnSync]
    extractor: Callable[[], Delegate | None]

    @property
    def today(self) -> date:
        """The calendar day of the workspace's zone."""
        return self.now.astimezone(self.zone).date()

    @property
    def group(self) -> str | None:
        """The group whose memory is written; None for the workspace itself."""
        return self.scope.group

    def size_of(self, text: str) -> int:
        """The size of a text in the unit of the agent's limit."""
        return agent_length(self.event.agent, text)


class HookOutcome(Struct):
    """The reply under construction: the text for the agent, and the errors, a sentence each.

    `plans` are the committed plans, or with dry runs the intended ones. `deferred` runs once the agent has
    its reply.
    """

    text: str = ""
    errors: list[str] = field(default_factory=list)
    plans: list[Plan] = field(default_factory=list)
    deferred: list[Callable[[], None]] = field(default_factory=list)

    @contextlib.contextmanager
    def step(self, name: str, consequence: str) -> Iterator[None]:
        """Run one step; a failure is reported with `consequence`, and later steps still run.

        This includes bugs of memtool, because a hook must not break the agent's turn.
        """
        try:
            yield
        except DeadlineExceeded:
            self.errors.append(f"{name}: out of time; {consequence}")
        except MemtoolError as error:
            self.errors.append(f"{name}: {error}; {consequence}")
        except Exception as error:  # a hook must not break the turn
            self.errors.append(f"{name}: {error_place(error)}; {consequence}")
