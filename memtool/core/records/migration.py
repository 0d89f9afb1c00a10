"""A migration's steps: what becomes of one file after another."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Literal

from msgspec import Struct

from memtool.core.records.plan import Plan

Result = Literal["move", "merge", "edit", "drop", "keep"]
"""`move`: under a new name; `merge`: added to what is there; `edit`: in place; `drop`: its target says
the same, or it is empty; `keep`: it stays as it is, and `why` says what keeps it."""


class Step(Struct, frozen=True):
    """What becomes of one file, and the changes that do it; a step is committed whole, one after the other.

    `lines` counts the lines that go somewhere, `links` those of its links that are written anew. `lasting`
    says that migrating back does not undo it. A step that is not `shown` is a part of one that is.
    """

    result: Result
    path: PurePosixPath
    target: PurePosixPath | None = None
    plan: Plan = ()
    why: str = ""
    lines: int = 0
    links: int = 0
    role: str = ""
    lasting: bool = False
    shown: bool = True


class Stage(Struct, frozen=True):
    """One migration, by name, why there is such a thing, and its steps in this tree."""

    name: str
    why: str
    steps: tuple[Step, ...]

    @property
    def pending(self) -> bool:
        """Whether there is anything to do."""
        return any(step.plan for step in self.steps)


def lines_of(text: str) -> int:
    """How many lines a text has."""
    return text.count("\n") + (not text.endswith("\n") and bool(text))


def pending(stages: Iterable[Stage]) -> tuple[str, ...]:
    """The names of what is to be done."""
    return tuple(stage.name for stage in stages if stage.pending)
