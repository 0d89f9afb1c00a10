"""One run of lint: every file, what is between files, what the agent does not see, and who else sees it."""

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
    """Look at everything, and tell what is asked for and not excused; changes no file of the tree.

    Raises BadUsage for settings that cannot be.
    """
    selection = Selection(workspace, wanted)
    looked = files(workspace, wanted, selection)
    faults = cross_file.faults(workspace, looked, wanted)
    told = sorted({*excused(looked, _problems(workspace, looked, selection, wanted, faults))})
    count = sum(map(selection.has, looked.found))
    if wanted.baseline is None:
        return Linted(tuple(told), count, looked.read)
    done = compared(
        told, among(wanted.baseline, lambda path, code: _looks_for(path, code, selection, wanted))
    )
    return Linted(done.new, count, looked.read, done.known, done.gone)


def _looks_for(path: str, code: str, selection: Selection, wanted: Wanted) -> bool:
    """Whether this run would tell such a problem of such a file; a text has no permissions."""
    return selection.keeps(path, code) and not (wanted.given and code in access.CODES)


def excused(looked: Files, found: Iterable[Problem]) -> Iterator[Problem]:
    """The problems that no comment in their files excuses."""
    for problem in found:
        known = looked.found.get(problem.path)
        if known is None or not known.excuses.cover(problem):
            yield problem


def _problems(
    workspace: Workspace, looked: Files, selection: Selection, wanted: Wanted, faults: list[Fault]
) -> Iterator[Problem]:
    for problem in _every(workspace, looked, wanted):
        if selection.keeps(problem.path, problem.code):
            yield problem
    yield from links.problems(workspace, looked, selection, faults)
    yield from places.lost(workspace, looked, selection)
    if not wanted.given:
        yield from access.problems(workspace, looked, selection)


def _every(workspace: Workspace, looked: Files, wanted: Wanted) -> Iterator[Problem]:
    for known in looked.found.values():
        yield from known.problems
    yield from places.problems(workspace, looked)
    yield from prompts.problems(workspace, looked, wanted.group or None)
    yield from (unread_problem(path, why) for path, why in looked.unread.items())
