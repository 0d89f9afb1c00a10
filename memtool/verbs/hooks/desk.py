"""desk: what a hook works with, and the reply that it is putting together."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

from memtool.core.hooks.hook import Heard, size
from memtool.core.records.entry import Owner
from memtool.core.records.plan import Plan
from memtool.errors import MemtoolError, OutOfTime
from memtool.store.workspace import Workspace

if TYPE_CHECKING:
    from memtool.verbs.delegates.delegate import Delegate
    from memtool.verbs.indexing.documents import DocumentSync
    from memtool.verbs.indexing.turns import TurnSync


class Desk(NamedTuple):
    """One hook's workspace, clock and owner, and the indexes, each made when it is first needed.

    `owner` is whose the facts are, if anybody is named; `owners` are the user and the session as records of
    turns name them. `shelf` takes its `most` and `aside`. `extractor` is the user's command, if
    there is one. `acts_for_group` says that whoever calls may touch a group's memory alone.
    """

    workspace: Workspace
    told: Heard
    now: datetime
    zone: tzinfo
    owner: Owner | None
    owners: Mapping[str, str]
    mine: frozenset[str]
    group: str | None
    acts_for_group: bool
    budget: int
    shelf: Callable[[int, int], DocumentSync]
    turns: Callable[[], TurnSync]
    extractor: Callable[[], Delegate | None]

    @property
    def today(self) -> date:
        """The calendar day of the workspace's zone."""
        return self.now.astimezone(self.zone).date()

    def cost(self, text: str) -> int:
        """How long the agent takes a text to be."""
        return size(self.told.agent, text)


class Reply(Struct):
    """What is answered, as far as it is ready: the text for the agent, and what failed, a sentence each.

    `plans` are what was written, or would be. `after` is done once the agent has its answer.
    """

    text: str = ""
    faults: list[str] = field(default_factory=list)
    plans: list[Plan] = field(default_factory=list)
    after: list[Callable[[], None]] = field(default_factory=list)

    @contextlib.contextmanager
    def doing(self, what: str, otherwise: str) -> Iterator[None]:
        """Do one part of the work, whose failure harms no other; `otherwise` says what becomes of it then.

        Whatever goes wrong is a fault, our own mistakes included: an agent's turn is worth more.
        """
        try:
            yield
        except OutOfTime:
            self.faults.append(f"{what}: out of time; {otherwise}")
        except MemtoolError as error:
            self.faults.append(f"{what}: {error}; {otherwise}")
        except Exception as error:  # the promise of a hook: see the docstring
            self.faults.append(f"{what}: {place_of(error)}; {otherwise}")


def place_of(error: BaseException) -> str:
    """What an unforeseen error is and where, without its words, which may be somebody's."""
    step, place = error.__traceback__, "memtool"
    while step is not None:
        module = step.tb_frame.f_globals.get("__name__", "")
        if str(module).startswith("memtool."):
            place = f"{module}:{step.tb_lineno}"
        step = step.tb_next
    return f"{type(error).__name__} at {place}"
