"""The request and the report of a lint run, and the selection of files and codes that it covers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from memtool.core.lint.baseline import Baseline
from memtool.core.lint.codes import BY_NAME, chosen
from memtool.core.lint.problem import Problem
from memtool.core.records.plan import Plan
from memtool.store.files import globs
from memtool.store.workspace import Workspace

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


_SETTING = "lint.per_file"


class Selection:
    """What is asked of one run. Raises BadUsage for codes and globs in the settings that are none."""

    def __init__(self, workspace: Workspace, wanted: Wanted) -> None:
        self._codes = wanted.codes
        self._paths = wanted.paths
        layout = workspace.layout
        self._below = f"{layout.groups}/{wanted.group}/" if wanted.group else ""
        self._besides = f"{layout.groups}/" if wanted.group == "" and layout.groups else ""
        self._per_file = [
            (globs.matcher([glob], _SETTING), chosen(codes, f'{_SETTING} "{glob}"'))
            for glob, codes in workspace.settings[_SETTING].items()
        ]

    def has(self, path: str) -> bool:
        """Whether a file or folder is among those that are asked for."""
        return self.may_read(path) and (
            not self._paths
            or any(not one or path == one or path.startswith(f"{one}/") for one in self._paths)
        )

    def may_read(self, path: str) -> bool:
        """Whether a file lies in the memory of the group that is asked for."""
        return path.startswith(self._below) and not (self._besides and path.startswith(self._besides))

    def keeps(self, path: str, code: str) -> bool:
        """Whether a problem of such a code is asked for, of a file that is."""
        if code not in self._codes or not self.has(path):
            return False
        return not any(code in codes and is_meant(path) for is_meant, codes in self._per_file)
