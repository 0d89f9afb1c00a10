"""Fix problems that have one right answer, file by file; each file is fixed whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from memtool.core.lint.baseline import Baseline, compared
from memtool.core.lint.codes import BY_NAME
from memtool.core.lint.mend import mended
from memtool.core.lint.problem import Problem
from memtool.core.lint.subject import Subject
from memtool.core.records.plan import Change, Replace, Secure
from memtool.core.text.edited import Edit
from memtool.errors import MemtoolError, StaleWrite
from memtool.formats.lint.check import check
from memtool.store.config import schemas
from memtool.store.files.posix import encode
from memtool.store.files.reader import etag_of
from memtool.store.workspace import Workspace
from memtool.verbs.lint import access
from memtool.verbs.lint.files import files
from memtool.verbs.lint.lint import lint
from memtool.verbs.lint.subjects import Subjects
from memtool.verbs.lint.wanted import Mended, Selection, Wanted

_ATTEMPTS = 3
_PERMISSION_CODES = frozenset(access.CODES)


def mend(workspace: Workspace, wanted: Wanted) -> Mended:
    """Fix the problems that lint reports and `--fix` can fix. An interrupted run can be repeated.

    Raises BadUsage, Locked, Unwritable.
    """
    fixable = [problem for problem in lint(workspace, wanted).problems if BY_NAME[problem.code].fixable]
    selection, subjects = Selection(workspace, wanted), Subjects(workspace)
    plan: list[Change] = []
    notices: list[str] = []
    count = 0
    paths = list(dict.fromkeys(problem.path for problem in fixable if problem.code not in _PERMISSION_CODES))
    for number, path in enumerate(paths, start=1):
        try:
            fixed, changes = _mend_file(workspace, subjects.plain(path), selection, wanted.baseline)
        except MemtoolError as error:
            notices.append(str(error))
        else:
            count += fixed
            plan += changes
        if wanted.progress is not None:
            wanted.progress(number, len(paths))
    if any(problem.code in _PERMISSION_CODES for problem in fixable):
        secured = _closed(workspace, wanted, selection)
        with workspace.lock():
            workspace.commit(tuple(secured))
        count += sum(problem.code in _PERMISSION_CODES for problem in fixable)
        plan += secured
    return Mended(count, len({str(change.path) for change in plan}), tuple(plan), tuple(notices))


def _mend_file(
    workspace: Workspace, subject: Subject, selection: Selection, baseline: Baseline | None
) -> tuple[int, list[Change]]:
    """Fix a file as it is now; return how many problems were fixed, and the changes."""
    path = PurePosixPath(subject.path)
    for attempt in range(_ATTEMPTS):
        with workspace.lock():
            content = workspace.disk.read_bytes(path)
            if content is None:
                return 0, []
            text = content.decode("utf-8", "surrogateescape")
            problems = list(_mendable(text, subject, selection, baseline))
            new_text = mended(text, lambda current: _edits(current, subject, selection, baseline))
            if new_text == text:
                return 0, []
            change = Replace(path, new_text, etag_of(content))
            try:
                workspace.commit((change,))
            except StaleWrite:
                if attempt + 1 == _ATTEMPTS:
                    raise
                continue
            return len(problems), [change]
    return 0, []


def _edits(text: str, subject: Subject, selection: Selection, baseline: Baseline | None) -> Iterator[Edit]:
    for problem in _mendable(text, subject, selection, baseline):
        yield from problem.edits


def _mendable(
    text: str, subject: Subject, selection: Selection, baseline: Baseline | None
) -> Iterator[Problem]:
    """Yield the selected problems of a text that have edits and are neither excused nor in the baseline."""
    checked = check(encode(text), subject, schemas.faults)
    selected = [
        problem
        for problem in checked.problems
        if selection.keeps(problem.path, problem.code) and not checked.excuses.cover(problem)
    ]
    for problem in compared(selected, baseline).new if baseline else selected:
        if problem.edits:
            yield problem


def _closed(workspace: Workspace, wanted: Wanted, selection: Selection) -> list[Change]:
    checked_files = files(workspace, wanted, selection)
    return [Secure(PurePosixPath(item.path)) for item in access.asked(workspace, checked_files, selection)]
