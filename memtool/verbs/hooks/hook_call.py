"""The state of one hook call: workspace, event, clock, owner and indexes; and its reply."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING

from msgspec import Struct, field

from memtool.core.hooks.hook_event import HookEvent, agent_length
from memtool.core.records.entries import Owner
from memtool.core.records.plan import Plan
from memtool.core.records.scope import Scope
from memtool.errors import (
    DeadlineExceeded,
    Locked,
    MemtoolError,
    StaleWrite,
    UnfinishedCommit,
    Unwritable,
    error_place,
)
from memtool.store.workspace import Workspace

if TYPE_CHECKING:
    from memtool.core.context.budget import FittedText
    from memtool.verbs.delegates.delegate import Delegate
    from memtool.verbs.indexing.documents import DocumentSync
    from memtool.verbs.indexing.turns import TurnSync
    from memtool.verbs.sessions.running import SessionSource


_CONFLICTS = (Locked, StaleWrite, UnfinishedCommit)
"""Errors of a step that wrote nothing that stays, because of another writer or an unfinished commit."""
TRANSIENT = (*_CONFLICTS, Unwritable, DeadlineExceeded)
"""Errors after which the next writer may record the event; after others nobody can."""


class HookCall(Struct, frozen=True):
    """One hook call: its workspace, event, clock and owner, and the indexes, each opened on first use.

    `event_id` is the same in each process that handles the event: one of them records it. `owner` is the
    owner of new facts, if any; `record_owners` has the user and the session under the keys of a turn's
    record. `document_index` takes the bytes to index before the search and those to index in memory.
    `extractor` returns the user's command, if there is one. `acts_for_group` says that the caller may access
    a group's memory only. `was_queued` says that the event was queued, so that nobody waits for an answer.
    After `until`, of the monotonic clock, whoever waits gives up and handles the event, so that nothing may
    be recorded here.
    """

    workspace: Workspace
    event: HookEvent
    event_id: str
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
    was_queued: bool = False
    until: float = float("inf")

    @property
    def today(self) -> date:
        """The calendar day of the workspace's zone."""
        return self.now.astimezone(self.zone).date()

    @property
    def group(self) -> str | None:
        """The group whose memory is written; None for the workspace itself."""
        return self.scope.group

    @property
    def session_source(self) -> SessionSource:
        """Where the turns of the session come from and go."""
        from memtool.verbs.sessions.running import SessionSource

        return SessionSource(self.event.agent, self.event.transcript, self.group, self.acts_for_group)

    def size_of(self, text: str) -> int:
        """The size of a text in the unit of the agent's limit."""
        return agent_length(self.event.agent, text)


class HookOutcome(Struct):
    """The reply under construction: the text for the agent, and the errors, a sentence each.

    `injected` are the parts of the text, if it has any. `plans` are the committed plans, or with dry runs the
    intended ones. `deferred` runs once the agent has its reply. `failures` are the errors that ended a step.
    `missed` says that the event is not recorded and may be later: the text of the error, and what follows
    where it is not recorded later either. `is_late` says that nothing was recorded because the caller gives
    up; `is_behind`, that there is too much to index for a hook. `without_turn` says why no turn was recorded.
    """

    text: str = ""
    injected: FittedText | None = None
    errors: list[str] = field(default_factory=list)
    plans: list[Plan] = field(default_factory=list)
    deferred: list[Callable[[], None]] = field(default_factory=list)
    failures: list[BaseException] = field(default_factory=list)
    missed: tuple[str, str] | None = None
    is_late: bool = False
    is_behind: bool = False
    without_turn: str = ""

    @contextlib.contextmanager
    def step(self, name: str, consequence: str, *, records: bool = False) -> Iterator[None]:
        """Run one step; a failure is reported with `consequence`, and later steps still run.

        The event is missed after a conflict with another writer, and after any transient error of a step that
        `records` it; where the time of that is over, it may be recorded even so. Failures include bugs of
        memtool, because a hook must not break the agent's turn.
        """
        try:
            yield
        except (Exception, DeadlineExceeded) as error:  # a hook must not break the turn
            self.failures.append(error)
            if is_timeout(error):
                text = "timed out"
            else:
                text = str(error) if isinstance(error, MemtoolError) else error_place(error)
            transient = TRANSIENT if records else _CONFLICTS
            if isinstance(error, transient) or isinstance(error.__cause__, transient):
                self.missed = f"{name}: {text}", consequence
            else:
                self.errors.append(f"{name}: {text}; {consequence}")


def is_timeout(error: BaseException) -> bool:
    """Whether an error is a passed deadline, or the RuntimeError in which Python 3.11 wraps one that passes
    while a class is created.
    """
    return isinstance(error, DeadlineExceeded) or isinstance(error.__cause__, DeadlineExceeded)
