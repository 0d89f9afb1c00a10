"""Linked: the faults of links that are asked for, and a folder full of notes without any as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memtool.core.lint.problem import Problem
from memtool.store.workspace import Workspace
from memtool.verbs.lint.elsewhere import Elsewhere
from memtool.verbs.lint.fault import Fault
from memtool.verbs.lint.files import Files
from memtool.verbs.lint.selection import Selection

_ORPHAN = "M405"
_MANY = 10


def problems(
    workspace: Workspace, files: Files, selection: Selection, faults: Iterable[Fault]
) -> Iterator[Problem]:
    """The faults that are asked for, but for links to what lies outside of memory."""
    elsewhere = Elsewhere(workspace, files)
    orphans: dict[str, list[Problem]] = {}
    for fault in faults:
        one = fault.problem
        if not selection.keeps(one.path, one.code) or one.path in files.silent:
            continue
        if one.code == _ORPHAN:
            orphans.setdefault(one.path.rpartition("/")[0], []).append(one)
        elif not fault.tried or not elsewhere.may_hold(fault):
            yield one
    for folder, found in orphans.items():
        if len(found) <= _MANY:
            yield from found
        else:
            said = f"no other file links to {len(found)} notes of this folder, such as {found[0].path}"
            yield Problem(folder or ".", 1, 1, _ORPHAN, said)
