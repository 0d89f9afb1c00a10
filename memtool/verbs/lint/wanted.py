"""What is asked of lint, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from memtool.core.lint.baseline import Baseline
from memtool.core.lint.codes import BY_NAME
from memtool.core.lint.problem import Problem
from memtool.core.records.plan import Plan

Progress = Callable[[int, int], None]


class Wanted(Struct, frozen=True):
    """Which files (paths from the root, all if none), which codes, and what is known of old.

    `given` holds contents that stand in for files, as an editor has them. `group` is the group whose files
    alone are asked for. `key` seals what is kept for the next time; without one nothing is kept.
    """

    paths: tuple[str, ...] = ()
    codes: frozenset[str] = frozenset(BY_NAME)
    baseline: Baseline | None = None
    given: Mapping[str, bytes] = field(default_factory=dict)
    group: str | None = None
    key: bytes | None = None
    progress: Progress | None = None


class Linted(Struct, frozen=True):
    """The problems in order of path and line; how many files there are, and how many had to be read.

    `known` counts what the baseline knew, `gone` what of it is no more.
    """

    problems: tuple[Problem, ...]
    files: int
    read: int
    known: int = 0
    gone: int = 0


class Mended(Struct, frozen=True):
    """How many problems were mended, in how many files, by which plan; what could not be, a sentence each."""

    problems: int = 0
    files: int = 0
    plan: Plan = ()
    notices: tuple[str, ...] = ()
