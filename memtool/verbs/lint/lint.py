"""Run lint: check every file, the links and facts between files, prompt limits and permissions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from memtool.core.lint.baseline import compare, restrict
from memtool.core.lint.problem import Problem
from memtool.store.workspace import Workspace
from memtool.verbs.lint import copies, cross_file, link_checks, permissions, placement, prompt_limits
from memtool.verbs.lint.checked_files import CheckedFiles, check_files, unreadable_problem
from memtool.verbs.lint.link_checks import CrossFileProblem
from memtool.verbs.lint.request import LintReport, LintRequest, LintSelection


def lint(workspace: Workspace, request: LintRequest) -> LintReport:
    """Check all files, and return the selected problems that are not excused; changes no file of the tree.

    Raises BadUsage for invalid settings.
    """
    selection = LintSelection(workspace, replace(request, codes=request.codes | request.counted))
    checked_files = check_files(workspace, request, selection)
    faults = cross_file.check_between_files(workspace, checked_files, request)
    problems = sorted(
        {*drop_excused(checked_files, _problems(workspace, checked_files, selection, request, faults))}
    )
    unread_files = checked_files.unread.keys() & checked_files.listing.files.keys()
    count = sum(map(selection.includes_path, {*checked_files.checks, *unread_files}))
    listed = [problem for problem in problems if problem.code in request.codes]
    counted = [problem for problem in problems if problem.code in request.counted]
    read = checked_files.read_count
    if request.baseline is None:
        codes = tuple(problem.code for problem in counted)
        return LintReport(tuple(listed), count, read, counted=codes)
    known = restrict(request.baseline, lambda path, code: _covers(path, code, selection, request))
    comparison = compare(listed, restrict(known, lambda _, code: code in request.codes))
    new_counted = compare(counted, restrict(known, lambda _, code: code in request.counted)).new
    return LintReport(
        comparison.new,
        count,
        read,
        comparison.known_count,
        comparison.resolved_count,
        tuple(problem.code for problem in new_counted),
    )


def _covers(path: str, code: str, selection: LintSelection, request: LintRequest) -> bool:
    """Whether this run reports such a problem of a file; an editor's buffer has no permissions."""
    return selection.includes(path, code) and not (request.overrides and code in permissions.CODES)


def drop_excused(checked_files: CheckedFiles, problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield the problems that no comment in their file excuses."""
    for problem in problems:
        check = checked_files.checks.get(problem.path)
        if check is None or not check.excuses.covers(problem):
            yield problem


def _problems(
    workspace: Workspace,
    checked_files: CheckedFiles,
    selection: LintSelection,
    request: LintRequest,
    faults: list[CrossFileProblem],
) -> Iterator[Problem]:
    for problem in _file_problems(workspace, checked_files, request):
        if selection.includes(problem.path, problem.code):
            yield problem
    yield from link_checks.confirm_problems(workspace, checked_files, selection, faults)
    yield from placement.check_without_role(workspace, checked_files, selection)
    if not request.overrides:
        yield from permissions.check_permissions(workspace, checked_files, selection)


def _file_problems(
    workspace: Workspace, checked_files: CheckedFiles, request: LintRequest
) -> Iterator[Problem]:
    for check in checked_files.checks.values():
        yield from check.problems
    yield from placement.check_placement(workspace, checked_files)
    yield from copies.check_copies(workspace, checked_files)
    yield from prompt_limits.check_prompt_limits(workspace, checked_files, request.group or None)
    yield from (unreadable_problem(path, why) for path, why in checked_files.unread.items())
