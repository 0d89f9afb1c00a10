"""Fix problems that have one right answer, file by file; each file is fixed whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from memtool.core.lint.baseline import Baseline, compare
from memtool.core.lint.lint_target import LintTarget
from memtool.core.lint.problem import Problem, apply_fixes
from memtool.core.records.document import etag_of
from memtool.core.records.plan import Change, Replace, Secure
from memtool.core.text.edits import TextEdit
from memtool.errors import Locked, MemtoolError, UnfinishedCommit, Unwritable
from memtool.formats.lint.check import check_file
from memtool.store.commit.retry import retry_when_stale
from memtool.store.config import schemas
from memtool.store.files.posix import encode
from memtool.store.workspace import Workspace
from memtool.verbs.lint import copies, permissions
from memtool.verbs.lint.checked_files import check_files
from memtool.verbs.lint.lint import lint
from memtool.verbs.lint.request import FixReport, LintRequest, LintSelection
from memtool.verbs.lint.subjects import SubjectResolver

_PERMISSION_CODES = frozenset(permissions.CODES)
_CODES_OF_FILES = _PERMISSION_CODES | {copies.SAME}
"""Codes of what is fixed about a file and not in its text."""


def fix_problems(workspace: Workspace, request: LintRequest) -> FixReport:
    """Fix the problems that lint reports and `--fix` can fix. An interrupted run can be repeated.

    A file that cannot be written is left as it is. Raises BadUsage.
    """
    fixable = [problem for problem in lint(workspace, request).problems if problem.is_fixable]
    selection, subjects = LintSelection(workspace, request), SubjectResolver(workspace)
    plan: list[Change] = []
    notices: list[str] = []
    failures: list[MemtoolError] = []
    count = 0
    paths = list(dict.fromkeys(problem.path for problem in fixable if problem.code not in _CODES_OF_FILES))
    for number, path in enumerate(paths, start=1):
        try:
            fixed, changes = _fix_file(
                workspace, subjects.resolve_or_plain(path), selection, request.baseline
            )
        except MemtoolError as error:
            notices.append(str(error))
            failures += [error] if isinstance(error, Locked | Unwritable | UnfinishedCommit) else []
        else:
            count += fixed
            plan += changes
        if request.progress is not None:
            request.progress(number, len(paths))
    if any(problem.code in _PERMISSION_CODES for problem in fixable):
        try:
            plan += _secure_files(workspace, request, selection)
            count += sum(problem.code in _PERMISSION_CODES for problem in fixable)
        except (Locked, Unwritable, UnfinishedCommit) as error:
            notices.append(str(error))
            failures.append(error)
    if any(problem.code == copies.SAME for problem in fixable):
        try:
            removed = _remove_copies(workspace, request, selection)
            plan += removed
            count += len(removed)
        except (Locked, Unwritable, UnfinishedCommit) as error:
            notices.append(str(error))
            failures.append(error)
    files = len({str(change.path) for change in plan})
    return FixReport(count, files, tuple(plan), tuple(dict.fromkeys(notices)), next(iter(failures), None))


@retry_when_stale
def _fix_file(
    workspace: Workspace, subject: LintTarget, selection: LintSelection, baseline: Baseline | None
) -> tuple[int, list[Change]]:
    """Fix a file as it is now; return how many problems were fixed, and the changes."""
    path = PurePosixPath(subject.path)
    with workspace.lock():
        content = workspace.disk.read_bytes(path)
        if content is None:
            return 0, []
        text = content.decode("utf-8", "surrogateescape")
        problems = list(_fixable_problems(text, subject, selection, baseline))
        new_text = apply_fixes(text, lambda current: _edits(current, subject, selection, baseline))
        if new_text == text:
            return 0, []
        change = Replace(path, new_text, etag_of(content))
        workspace.commit((change,))
    return len(problems), [change]


def _edits(
    text: str, subject: LintTarget, selection: LintSelection, baseline: Baseline | None
) -> Iterator[TextEdit]:
    for problem in _fixable_problems(text, subject, selection, baseline):
        yield from problem.edits


def _fixable_problems(
    text: str, subject: LintTarget, selection: LintSelection, baseline: Baseline | None
) -> Iterator[Problem]:
    """Yield the selected problems of a text that have edits and are neither excused nor in the baseline."""
    checked = check_file(encode(text), subject, schemas.violations)
    selected = [
        problem
        for problem in checked.problems
        if selection.includes(problem.path, problem.code) and not checked.suppressions.covers(problem)
    ]
    for problem in compare(selected, baseline).new if baseline else selected:
        if problem.edits:
            yield problem


@retry_when_stale
def _secure_files(workspace: Workspace, request: LintRequest, selection: LintSelection) -> list[Change]:
    checked_files = check_files(workspace, request, selection)
    changes: list[Change] = [
        Secure(PurePosixPath(item.path))
        for item in permissions.selected_exposed(workspace, checked_files, selection)
    ]
    with workspace.lock():
        workspace.commit(tuple(changes))
    return changes


@retry_when_stale
def _remove_copies(workspace: Workspace, request: LintRequest, selection: LintSelection) -> list[Change]:
    checked_files = check_files(workspace, request, selection)
    with workspace.lock():
        changes: list[Change] = [
            change
            for change in copies.removals(workspace, checked_files)
            if selection.includes(str(change.path), copies.SAME)
        ]
        workspace.commit(tuple(changes))
    return changes
