"""The request and the report of a lint run, and the selection of files and codes that it covers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from memtool.core.lint.baseline import Baseline
from memtool.core.lint.codes.all_codes import CODES_BY_NAME, select_codes
from memtool.core.lint.problem import Problem
from memtool.core.records.plan import Plan
from memtool.errors import MemtoolError
from memtool.store.files import globs
from memtool.store.workspace import Workspace

Progress = Callable[[int, int], None]


class LintRequest(Struct, frozen=True):
    """A lint run: the files (paths from the root, all if none), the codes, and the baseline.

    Problems with the codes `counted` are counted in the report, not listed.
    `overrides` holds contents that replace those of files, such as an editor's buffers. `group` limits the
    run to the files of a group. `key` authenticates the cache; without a key nothing is cached.
    """

    paths: tuple[str, ...] = ()
    codes: frozenset[str] = frozenset(CODES_BY_NAME)
    baseline: Baseline | None = None
    overrides: Mapping[str, bytes] = field(default_factory=dict)
    group: str | None = None
    key: bytes | None = None
    progress: Progress | None = None
    counted: frozenset[str] = frozenset()


class LintReport(Struct, frozen=True):
    """The problems in order of path and line, the number of files, and how many of them were read.

    `suppressed` counts the problems that the baseline suppressed, `stale` its entries that no longer occur.
    `counted` are the codes of the problems that were only counted, one for each problem.
    """

    problems: tuple[Problem, ...]
    files: int
    files_read: int
    suppressed: int = 0
    stale: int = 0
    counted: tuple[str, ...] = ()


class FixReport(Struct, frozen=True):
    """How many problems were fixed in how many files, the plan, and a notice for each failure.

    `failure` is the first one that is the disk's or the lock's.
    """

    problems: int = 0
    files: int = 0
    plan: Plan = ()
    notices: tuple[str, ...] = ()
    failure: MemtoolError | None = None


_SETTING = "lint.per_file"


class LintSelection:
    """The files and codes that a run covers. Raises BadUsage for invalid codes and globs in the settings."""

    def __init__(self, workspace: Workspace, request: LintRequest) -> None:
        self._codes = request.codes
        self._paths = request.paths
        layout = workspace.layout
        self._group_prefix = f"{layout.groups}/{request.group}/" if request.group else ""
        self._excluded_prefix = f"{layout.groups}/" if request.group == "" and layout.groups else ""
        self._per_file = [
            (globs.matcher([glob], _SETTING), select_codes(codes, f'{_SETTING} "{glob}"'))
            for glob, codes in workspace.settings[_SETTING].items()
        ]

    def includes_path(self, path: str) -> bool:
        """Whether a file or folder is selected."""
        return self.is_in_group(path) and (
            not self._paths
            or any(
                not selected_path or path == selected_path or path.startswith(f"{selected_path}/")
                for selected_path in self._paths
            )
        )

    def is_in_group(self, path: str) -> bool:
        """Whether a file belongs to the requested group."""
        return path.startswith(self._group_prefix) and not (
            self._excluded_prefix and path.startswith(self._excluded_prefix)
        )

    def includes(self, path: str, code: str) -> bool:
        """Whether a problem of this code in this file is selected."""
        if code not in self._codes or not self.includes_path(path):
            return False
        return not any(code in codes and is_meant(path) for is_meant, codes in self._per_file)
