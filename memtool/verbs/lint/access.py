"""Access: files and folders of memory that other users of the machine can read or change."""

from __future__ import annotations

from collections.abc import Iterator

from memtool.core.lint.problem import Problem
from memtool.store.files.exposure import Exposed, exposed
from memtool.store.workspace import Workspace
from memtool.verbs.lint.files import Files
from memtool.verbs.lint.wanted import Selection

_READ, _WRITE = CODES = "M503", "M504"
_ALL = "."


def problems(workspace: Workspace, files: Files, selection: Selection) -> Iterator[Problem]:
    """How many of the files that are asked for others can read, and how many they can change: once each."""
    found: dict[tuple[str, bool], list[Exposed]] = {}
    for one in asked(workspace, files, selection):
        found.setdefault((code_of(one), one.is_folder), []).append(one)
    for (code, is_folder), held in found.items():
        first, several = held[0], len(held) > 1
        what = "folder" if is_folder else "file"
        which = (
            f"{len(held)} {what}s of memory, such as {first.path}" if several else f"this {what} of memory"
        )
        can = "add and replace files in" if is_folder else "change" if code == _WRITE else "read"
        said = f"other users can {can} {which} (mode {first.mode:04o})"
        yield Problem(_ALL if several else first.path, 1, 1, code, said, what)


def code_of(one: Exposed) -> str:
    """The code of what is exposed."""
    return _WRITE if one.is_writable else _READ


def asked(workspace: Workspace, files: Files, selection: Selection) -> Iterator[Exposed]:
    """The files of memory that are asked for, and the folders they lie in, that others can get at."""
    paths = [path for path in sorted(files.found) if selection.has(path)]
    for one in exposed(workspace.root, files.whole, paths):
        if selection.keeps(one.path, code_of(one)):
            yield one
