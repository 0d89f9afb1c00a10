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
    files_seen = files(workspace, wanted, selection)
    faults = cross_file.faults(workspace, files_seen, wanted)
    problems = sorted({*excused(files_seen, _problems(workspace, files_seen, selection, wanted, faults))})
    count = sum(map(selection.has, files_seen.found))
    if wanted.baseline is None:
        return Linted(tuple(problems), count, files_seen.read)
    comparison = compared(
        problems, among(wanted.baseline, lambda path, code: _looks_for(path, code, selection, wanted))
    )
    return Linted(comparison.new, count, files_seen.read, comparison.known, comparison.gone)


def _looks_for(path: str, code: str, selection: Selection, wanted: Wanted) -> bool:
    """Whether this run reports such a problem of a file; an editor's buffer has no permissions."""
    return selection.keeps(path, code) and not (wanted.given and code in access.CODES)


def excused(files_seen: Files, problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield the problems that no comment in their file excuses."""
    for problem in problems:
        check = files_seen.found.get(problem.path)
        if check is None or not check.excuses.cover(problem):
            yield problem


def _problems(
    workspace: Workspace, files_seen: Files, selection: Selection, wanted: Wanted, faults: list[Fault]
) -> Iterator[Problem]:
    for problem in _every(workspace, files_seen, wanted):
        if selection.keeps(problem.path, problem.code):
            yield problem
    yield from links.problems(workspace, files_seen, selection, faults)
    yield from places.lost(workspace, files_seen, selection)
    if not wanted.given:
        yield from access.problems(workspace, files_seen, selection)


def _every(workspace: Workspace, files_seen: Files, wanted: Wanted) -> Iterator[Problem]:
    for check in files_seen.found.values():
        yield from check.problems
    yield from places.problems(workspace, files_seen)
    yield from prompts.problems(workspace, files_seen, wanted.group or None)
    yield from (unread_problem(path, why) for path, why in files_seen.unread.items())
