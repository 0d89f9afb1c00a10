"""Plans as text: what a dry run prints instead of writing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from memtool.cli.output import printable_line, put, put_json
from memtool.core.records.plan import (
    Append,
    Change,
    Create,
    Move,
    MoveTree,
    Permit,
    Plan,
    Remove,
    RemoveTree,
    Replace,
    Secure,
)
from memtool.store.workspace import Workspace


def print_plan(plan: Plan, workspace: Workspace, *, as_json: bool) -> None:
    """Print each change: as a record, or as the lines of a unified diff.

    Texts are as the reader of the workspace may see them (`Workspace.seen_by`).
    """
    for change in plan:
        if as_json:
            if not workspace.disk.is_hidden(change.path):
                put_json(_record(change, workspace))
        else:
            for line in plan_lines((change,), workspace):
                put(line)


def plan_lines(plan: Plan, workspace: Workspace) -> Iterator[str]:
    """The lines of a unified diff of all changes, with control characters other than tabs escaped."""
    for change in plan:
        if not workspace.disk.is_hidden(change.path):
            yield from map(printable_line, _change_lines(change, workspace))


def _visible(path: PurePosixPath, text: str, workspace: Workspace) -> str:
    shown = workspace.disk.visible_bytes(path, text.encode("utf-8", "surrogateescape"))
    return (shown or b"").decode("utf-8", "surrogateescape")


def _record(change: Change, workspace: Workspace) -> dict[str, str]:
    name = type(change).__name__.removesuffix("Tree").lower()
    record = {"change": name, "path": str(change.path)}
    if isinstance(change, Move | MoveTree):
        record["target"] = str(change.target)
    elif not isinstance(change, Remove | RemoveTree | Secure | Permit):
        record["text"] = _visible(change.path, change.text, workspace)
    return record


def _change_lines(change: Change, workspace: Workspace) -> list[str]:
    match change:
        case Create(path, text):
            return ["--- /dev/null", f"+++ {path}", *_added_lines(_visible(path, text, workspace))]
        case Append(path, text):
            added = _added_lines(_visible(path, text, workspace))
            return [f"--- {path}", f"+++ {path}", "@@ at the end @@", *added]
        case Replace(path, text):
            from memtool.core.text.diff import unified_diff

            document = workspace.read(path)
            old = document.text.split("\n") if document else []
            new = _visible(path, text, workspace).split("\n")
            return list(unified_diff(old, new, str(path), str(path)))
        case Move(path, target) | MoveTree(path, target):
            return [f"rename from {path}", f"rename to {target}"]
        case Remove(path) | RemoveTree(path):
            return [f"--- {path}", "+++ /dev/null"]
        case Secure(path):
            return [f"restrict permissions to the owner: {path}"]
        case Permit(path, mode, expect):
            return [f"change mode {expect:04o} to {mode:04o}: {path}"]


def _added_lines(text: str) -> list[str]:
    return ["+" + line for line in text.removesuffix("\n").split("\n")]
