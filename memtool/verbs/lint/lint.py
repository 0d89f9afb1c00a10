"""Run lint: check every file, the links and facts between files, prompt limits and permissions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memtool.core.lint.baseline import among, compared
from memtool.core.lint.problem import Problem
from memtool.store.workspace import Workspace
from memtool.verbs.lint import access, cross_file, links, places, prompts
from memtool.verbs.lint.files import Files, files, unread_problem
from memtool.verbs.lint.links import Fault
from memtool.verbs.lint.wanted import Linted, Selection, Wanted


def lint(workspace: Workspace, wanted: Wanted) -> Linted:
    """Check all files, and return the selected problems that are not excused; changes no file of the tree.

    Raises BadUsage for invalid settings.
    """
    selection = Selection(workspace, wanted)
    checked_files = files(workspace, wanted, selection)
    faults = cross_file.faults(workspace, checked_files, wanted)
    problems = sorted(
        {*excused(checked_files, _problems(workspace, checked_files, selection, wanted, faults))}
    )
    count = sum(map(selection.has, checked_files.found))
    if wanted.baseline is None:
        return Linted(tuple(problems), count, checked_files.read)
    comparison = compared(
        problems, among(wanted.baseline, lambda path, code: _looks_for(path, code, selection, wanted))
    )
    return Linted(comparison.new, count, checked_files.read, comparison.known, comparison.gone)


def _looks_for(path: str, code: str, selection: Selection, wanted: Wanted) -> bool:
    """Whether this run reports such a problem of a file; an editor's buffer has no permissions."""
    return selection.keeps(path, code) and not (wanted.given and code in access.CODES)


def excused(checked_files: Files, problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield the problems that no comment in their file excuses."""
    for problem in problems:
        check = checked_files.found.get(problem.path)
        if check is None or not check.excuses.cover(problem):
            yield problem


def _problems(
    workspace: Workspace, checked_files: Files, selection: Selection, wanted: Wanted, faults: list[Fault]
) -> Iterator[Problem]:
    for problem in _every(workspace, checked_files, wanted):
        if selection.keeps(problem.path, problem.code):
            yield problem
    yield from links.problems(workspace, checked_files, selection, faults)
    yield from places.lost(workspace, checked_files, selection)
    if not wanted.given:
        yield from access.problems(workspace, checked_files, selection)


def _every(workspace: Workspace, checked_files: Files, wanted: Wanted) -> Iterator[Problem]:
    for check in checked_files.found.values():
        yield from check.problems
    yield from places.problems(workspace, checked_files)
    yield from prompts.problems(workspace, checked_files, wanted.group or None)
    yield from (unread_problem(path, why) for path, why in checked_files.unread.items())
