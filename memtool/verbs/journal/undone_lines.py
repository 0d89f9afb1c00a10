"""The lines of text files that an undo removes and restores, for its report."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.records.plan import Create, Plan, Remove, Replace
from memtool.core.text.diff import changed_lines
from memtool.errors import MemtoolError
from memtool.store.files.reader import TreeReader
from memtool.store.workspace import Workspace

MOST_FILES = 3
"""Files whose lines are shown; if more are removed, they are listed, and their lines are not."""
_SUFFIX = ".md"
"""Of files with lines that people read; records of JSON have none."""


class UndoneLines(Struct, frozen=True):
    """The lines of a file that an undo removes, and those that it restores; without blank lines."""

    path: str
    removed: tuple[str, ...]
    restored: tuple[str, ...]


def undone_lines(workspace: Workspace, plan: Plan, owners: Collection[str]) -> tuple[UndoneLines, ...]:
    """What a plan changes in up to three Markdown files, as these owners see them, before its commit.

    If it removes more files than that, no lines of these are among them.
    """
    if sum(isinstance(change, Remove) for change in plan) > MOST_FILES:
        plan = tuple(change for change in plan if not isinstance(change, Remove))
    return tuple(islice(_changed_files(workspace.seen_by(owners).disk, plan), MOST_FILES))


def _changed_files(disk: TreeReader, plan: Plan) -> Iterator[UndoneLines]:
    for change in plan:
        if not isinstance(change, Create | Replace | Remove) or change.path.suffix != _SUFFIX:
            continue
        after = "" if isinstance(change, Remove) else change.text
        try:
            before = disk.read_bytes(change.path)
        except MemtoolError:
            continue
        old = _lines(disk, change.path, before or b"")
        new = _lines(disk, change.path, after.encode("utf-8", "surrogateescape"))
        spans = changed_lines(old, new)
        removed = [line for start, end, _, _ in spans for line in old[start:end]]
        restored = [line for _, _, start, end in spans for line in new[start:end]]
        if any(removed) or any(restored):
            yield UndoneLines(str(change.path), tuple(filter(None, removed)), tuple(filter(None, restored)))


def _lines(disk: TreeReader, path: PurePosixPath, content: bytes) -> list[str]:
    """The visible lines of a content, without the spaces around them."""
    text = (disk.visible_bytes(path, content) or b"").decode("utf-8", "replace")
    return [line.strip() for line in text.split("\n")]
