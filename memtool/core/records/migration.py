"""Migrations: their stages and steps."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Literal

from msgspec import Struct

from memtool.core.records.plan import Plan

MigrationResult = Literal["move", "merge", "edit", "drop", "keep"]
"""`move`: to a new name; `merge`: into an existing file; `edit`: in place; `drop`: its target has the same
content, or it is empty; `keep`: unchanged, and `why` says why."""


class MigrationStep(Struct, frozen=True):
    """The result for one file, and the changes for it, which are committed together.

    `lines` counts the lines that move, `links` the links that are rewritten. Migrating back does not undo a
    `is_irreversible` step. A step that is not `shown` belongs to one that is.
    """

    result: MigrationResult
    path: PurePosixPath
    target: PurePosixPath | None = None
    plan: Plan = ()
    why: str = ""
    lines: int = 0
    links: int = 0
    role: str = ""
    is_irreversible: bool = False
    shown: bool = True


class MigrationStage(Struct, frozen=True):
    """One migration: its name, its reason, and its steps in this tree."""

    name: str
    why: str
    steps: tuple[MigrationStep, ...]

    @property
    def pending(self) -> bool:
        """Whether any step changes a file."""
        return any(step.plan for step in self.steps)


def line_count(text: str) -> int:
    """The number of lines of a text."""
    return text.count("\n") + (not text.endswith("\n") and bool(text))


def pending_stages(stages: Iterable[MigrationStage]) -> tuple[str, ...]:
    """The names of the pending stages."""
    return tuple(stage.name for stage in stages if stage.pending)
