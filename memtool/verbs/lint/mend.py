"""Mending: what has one right answer is put right, file by file, each whole or not at all."""

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
_OF_ACCESS = frozenset({"M503", "M504"})


def mend(workspace: Workspace, wanted: Wanted) -> Mended:
    """Mend what lint would tell and `--fix` can mend. Stopped anywhere, it can be run again.

    Raises BadUsage, Locked and Unwritable.
    """
    told = [one for one in lint(workspace, wanted).problems if BY_NAME[one.code].fixable]
    selection, subjects = Selection(workspace, wanted), Subjects(workspace)
    plan: list[Change] = []
    notices: list[str] = []
    count = 0
    paths = list(dict.fromkeys(one.path for one in told if one.code not in _OF_ACCESS))
    for number, path in enumerate(paths, start=1):
        try:
            done, changes = _mend_file(workspace, subjects.plain(path), selection, wanted.baseline)
        except MemtoolError as error:
            notices.append(str(error))
        else:
            count += done
            plan += changes
        if wanted.progress is not None:
            wanted.progress(number, len(paths))
    if any(one.code in _OF_ACCESS for one in told):
        closed = _closed(workspace, wanted, selection)
        with workspace.lock():
            workspace.commit(tuple(closed))
        count += sum(one.code in _OF_ACCESS for one in told)
        plan += closed
    return Mended(count, len({str(one.path) for one in plan}), tuple(plan), tuple(notices))


def _mend_file(
    workspace: Workspace, subject: Subject, selection: Selection, baseline: Baseline | None
) -> tuple[int, list[Change]]:
    """Mend one file as it is now; how many problems that were, and the plan."""
    path = PurePosixPath(subject.path)
    for attempt in range(_ATTEMPTS):
        with workspace.lock():
            content = workspace.disk.read_bytes(path)
            if content is None:
                return 0, []
            text = content.decode("utf-8", "surrogateescape")
            problems = list(_mendable(text, subject, selection, baseline))
            new = mended(text, lambda said: _edits(said, subject, selection, baseline))
            if new == text:
                return 0, []
            change = Replace(path, new, etag_of(content))
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
    """The problems of a text that have edits, are asked for, are not excused, and not known of old."""
    checked = check(encode(text), subject, schemas.faults)
    asked = [
        one
        for one in checked.problems
        if selection.keeps(one.path, one.code) and not checked.excuses.cover(one)
    ]
    for problem in compared(asked, baseline).new if baseline else asked:
        if problem.edits:
            yield problem


def _closed(workspace: Workspace, wanted: Wanted, selection: Selection) -> list[Change]:
    looked = files(workspace, wanted, selection)
    return [Secure(PurePosixPath(one.path)) for one in access.asked(workspace, looked, selection)]
