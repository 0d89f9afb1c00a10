"""Plan what undo changes: the contents and modes that reverting some entries restores."""

from __future__ import annotations

import shlex
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import PurePosixPath

from memtool.core.history.file_effects import FileEffect, net_effects
from memtool.core.history.undo import FileContent, JournalEntry, UndoConflict, revert_contents, revert_modes
from memtool.core.records.document import etag_of
from memtool.core.records.plan import Change, Create, Move, Permit, Plan, Remove, Replace
from memtool.errors import OutsideWorkspace
from memtool.formats.ownership import keeps_owners
from memtool.store.workspace import Workspace
from memtool.verbs.changes.planned_tree import WAITING_FOLDER

_EXCLUDED_FOLDER = ".git"
_ROOT = "."
_WAITING_FOLDER = WAITING_FOLDER.name
BOOKKEEPING_ROLES = frozenset({"salience", "recovered", "next-run"})
"""Bookkeeping roles: `undo` skips commits that change nothing else, and leaves such a file as it is if it has
changed since."""


def plan_entries(workspace: Workspace, chosen: Sequence[JournalEntry]) -> Plan:
    """The plan that reverts these entries. Raises UndoConflict."""
    ids = {entry.id for entry in chosen}
    run_records = (record for record in workspace.journal.newest_first() if record.run in ids)
    newest_first = [*islice(run_records, sum(len(entry.records) for entry in chosen))]
    contents = revert_contents(
        newest_first[::-1],
        _content_reader(workspace),
        may_skip=mark_test(workspace),
        newest_first=workspace.journal.newest_first,
        may_merge=partial(_may_merge, workspace),
    )
    move_effects = net_effects(step for record in newest_first[::-1] for step in record.steps)
    return (
        *_plan_contents(contents, move_effects),
        *_plan_modes(workspace, contents, revert_modes(newest_first[::-1])),
    )


def _may_merge(workspace: Workspace, path: str, current: bytes, merged: bytes) -> bool:
    """Whether a merged content is valid, with each line of the current one in its table or with its owner."""
    if path.endswith(".toml"):
        import tomllib  # only settings need it

        try:
            tomllib.loads(merged.decode())
        except ValueError:
            return False
        known = {*_with_tables(current)}
        lines = {line for line, _ in known}
        if any(row not in known for row in _with_tables(merged) if row[0] in lines):
            return False
    located = workspace.role_of(path)
    return located is None or keeps_owners(located.role, _text(merged), [_text(current)])


def _with_tables(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The lines of a TOML text that are not blank, each with the header of its table."""
    header = b""
    for line in filter(None, map(bytes.strip, content.split(b"\n"))):
        header = line if line.startswith(b"[") else header
        yield line, header


def can_undo(workspace: Workspace, chosen: Sequence[JournalEntry]) -> bool:
    """Whether reverting these entries, the newest first, would change something."""
    try:
        return bool(plan_entries(workspace, chosen))
    except UndoConflict:
        return False


def had_no_effect(workspace: Workspace, entry: JournalEntry) -> bool:
    """Whether an interrupted commit had no effect."""
    try:
        return not revert_contents(entry.records, _content_reader(workspace), may_skip=mark_test(workspace))
    except UndoConflict:
        return False


def _plan_contents(
    contents: Mapping[str, tuple[FileContent, FileContent]], move_effects: Iterable[FileEffect]
) -> Plan:
    """Plan the restoration of each path; files are restored before others are removed.

    A moved file is moved back before its content is restored, so that it stays the same file.
    """
    restored: list[Change] = []
    removed = {
        path: current
        for path, (current, target) in contents.items()
        if current is not None and target is None
    }
    moved = {
        effect.before: effect.after for effect in move_effects if effect.is_moved and effect.after in removed
    }
    by_etag = {etag_of(content): path for path, content in removed.items() if path not in moved.values()}
    for path, (current, target) in contents.items():
        place = PurePosixPath(path)
        if target is None:
            continue
        if current is not None:
            restored.append(Replace(place, _text(target), etag_of(current)))
        elif (source := moved.get(path) or by_etag.pop(etag_of(target), None)) is not None:
            etag = etag_of(removed.pop(source))
            restored.append(Move(PurePosixPath(source), place, etag))
            if etag != etag_of(target):
                restored.append(Replace(place, _text(target), etag))
        else:
            restored.append(Create(place, _text(target)))
    return (*restored, *(Remove(PurePosixPath(path), etag_of(content)) for path, content in removed.items()))


def _plan_modes(
    workspace: Workspace,
    contents: Mapping[str, tuple[FileContent, FileContent]],
    modes_of: Mapping[str, tuple[int, int]],
) -> Plan:
    """Plan the restoration of file modes, after the contents are restored."""
    plan: Plan = ()
    for path, (now, then) in modes_of.items():
        place = PurePosixPath(path)
        content_before, content_after = contents.get(path, (b"", b""))
        is_new = content_before is None and content_after is not None
        mode = None if is_new else workspace.disk.mode(place)
        if content_after is not None and (is_new or (mode is not None and stat.S_IMODE(mode) == now)):
            plan += (Permit(place, then, now),)
    return plan


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def _content_reader(workspace: Workspace) -> Callable[[str], FileContent]:
    return lambda path: workspace.disk.read_bytes(PurePosixPath(path))


def mark_test(workspace: Workspace) -> Callable[[str], bool]:
    """Return a function that says whether a path is one of bookkeeping."""

    def is_mark(path: str) -> bool:
        located = workspace.role_of(path)
        return located is not None and located.role in BOOKKEEPING_ROLES

    return is_mark


def undo_command(owners: Collection[str], *arguments: str) -> str:
    """The command that undoes with these arguments and for the same user as now, whatever the environment."""
    users = (tag.partition(":")[2] for tag in owners if tag.startswith("user:"))
    options = [f"--user {shlex.quote(user)}" for user in islice(users, 1)]
    return " ".join(("memtool", *options, "undo", *arguments))


def check_paths(paths: Iterable[str]) -> None:
    """Raise OutsideWorkspace for a path that is not of a memory file."""
    for path in paths:
        steps = PurePosixPath(path).parts
        if (
            path != _ROOT and steps[0].startswith(".") and steps[0] != _WAITING_FOLDER
        ) or _EXCLUDED_FOLDER in steps:
            raise OutsideWorkspace(f"{path} is not a memory file; undo changes only memory files")
