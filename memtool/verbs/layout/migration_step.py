"""The step for one file whose target may exist: it is moved, dropped, merged, or kept."""

from __future__ import annotations

from pathlib import PurePosixPath

from memtool.core.records.migration import MigrationResult, MigrationStep, line_count
from memtool.core.records.plan import Create, Move, Plan, Remove, Replace
from memtool.errors import MemtoolError
from memtool.formats.merge import merge_text
from memtool.verbs.changes.planned_tree import PlannedTree

MERGEABLE_FORMATS = frozenset({"daily-note", "long-term", "session-state"})
"""Formats of which two files are merged by appending one to the other."""


def move_step(
    tree: PlannedTree,
    path: PurePosixPath,
    target: PurePosixPath,
    format_name: str,
    *,
    seed: str = "",
    merge: bool = True,
) -> MigrationStep | None:
    """Return the step that moves a file to its target; None if it does not exist or cannot be read.

    A target that only holds the `seed` text is replaced; of two equal files one is dropped. No other text is
    overwritten.
    """
    try:
        document, target_document = tree.read(path), tree.read(target)
    except MemtoolError as error:
        tree.unread.append(str(error))
        return None
    if document is None:
        return None
    lines = line_count(document.text)
    result: MigrationResult = "move"
    plan: Plan = ()
    if target_document is None or _is_same_file(tree, path, target):
        if target_document is not None and _is_link(tree, target):
            return MigrationStep("keep", path, target, why=f"{target} is a link to this file")
        plan = (Move(path, target, document.etag),)
    elif target_document.text == document.text or not document.text:
        result, plan = "drop", (Remove(path, document.etag),)
    elif seed and target_document.text == seed:
        plan = (Replace(target, document.text, target_document.etag), Remove(path, document.etag))
    elif merge and format_name in MERGEABLE_FORMATS:
        text = merge_text(
            target_document.text, document.text, str(path), is_daily_note=format_name == "daily-note"
        )
        changes = (Replace(target, text, target_document.etag),) if text != target_document.text else ()
        result, plan = "merge", (*changes, Remove(path, document.etag))
    else:
        return MigrationStep("keep", path, target, why=f"{target} already exists with different content")
    return MigrationStep(result, path, target, plan, lines=lines)


def write_plan(tree: PlannedTree, target: PurePosixPath, text: str) -> Plan:
    """Return the plan that gives a file this text. Raises UnreadableFile, OutsideWorkspace."""
    document = tree.read(target)
    if document is None:
        return (Create(target, text),)
    return (Replace(target, text, document.etag),) if document.text != text else ()


def _is_same_file(tree: PlannedTree, path: PurePosixPath, target: PurePosixPath) -> bool:
    """Whether two paths are one file: a link, or one name on a case-insensitive file system.

    Two hard links are two names in the folder, of which one can be removed.
    """
    disk = tree.workspace.disk
    try:
        stat, target_stat = disk.stat(path), disk.stat(target)
    except MemtoolError:
        return False
    if stat is None or target_stat is None or stat.inode != target_stat.inode:
        return False
    return target.name not in tree.names(target.parent)


def _is_link(tree: PlannedTree, target: PurePosixPath) -> bool:
    return tree.workspace.disk.resolve(target) != target
