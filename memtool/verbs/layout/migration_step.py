"""What becomes of a file whose place may be taken: it is moved, dropped, merged, or kept."""

from __future__ import annotations

from pathlib import PurePosixPath

from memtool.core.records.migration import Result, Step, lines_of
from memtool.core.records.plan import Create, Move, Plan, Remove, Replace
from memtool.errors import MemtoolError
from memtool.formats.merged import merged
from memtool.verbs.changes.tree import Tree

MERGED = frozenset({"daily-note", "long-term", "session-state"})
"""Formats of which two files become one by adding the one to the other."""


def moved(
    tree: Tree, path: PurePosixPath, target: PurePosixPath, form: str, *, seed: str = "", merge: bool = True
) -> Step | None:
    """The step that brings a file to its place; None where it is not there or cannot be read.

    A file that is only a `seed` gives way; of two with one text one goes. Nothing is ever overwritten.
    """
    try:
        document, there = tree.read(path), tree.read(target)
    except MemtoolError as error:
        tree.unread.append(str(error))
        return None
    if document is None:
        return None
    lines = lines_of(document.text)
    result: Result = "move"
    plan: Plan = ()
    if there is None or _is_same_file(tree, path, target):
        if there is not None and _is_link(tree, target):
            return Step("keep", path, target, why=f"{target} is a link to it")
        plan = (Move(path, target, document.etag),)
    elif there.text == document.text or not document.text:
        result, plan = "drop", (Remove(path, document.etag),)
    elif seed and there.text == seed:
        plan = (Replace(target, document.text, there.etag), Remove(path, document.etag))
    elif merge and form in MERGED:
        text = merged(there.text, document.text, str(path), daily=form == "daily-note")
        write = (Replace(target, text, there.etag),) if text != there.text else ()
        result, plan = "merge", (*write, Remove(path, document.etag))
    else:
        return Step("keep", path, target, why=f"{target} is there already, and says something else")
    return Step(result, path, target, plan, lines=lines)


def put(tree: Tree, target: PurePosixPath, text: str) -> Plan:
    """The plan after which a file has this text. Raises Unreadable, OutsideWorkspace."""
    there = tree.read(target)
    if there is None:
        return (Create(target, text),)
    return (Replace(target, text, there.etag),) if there.text != text else ()


def _is_same_file(tree: Tree, path: PurePosixPath, target: PurePosixPath) -> bool:
    """Whether two names are one file: a link, or one name on a disk that tells no case.

    Two hard links are two names in the folder, of which one can go.
    """
    disk = tree.workspace.disk
    try:
        one, other = disk.stat(path), disk.stat(target)
    except MemtoolError:
        return False
    if one is None or other is None or one.inode != other.inode:
        return False
    return target.name not in tree.names(target.parent)


def _is_link(tree: Tree, target: PurePosixPath) -> bool:
    return tree.workspace.disk.place(target) != target
