"""Take back an unfinished transaction, by what is on the disk; what somebody wrote meanwhile stays."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import assert_never

from memtool.core.records.document import etag_of
from memtool.errors import OutsideWorkspace, UnreadableFile, Unwritable
from memtool.store.commit.intent import (
    Intent,
    PendingAppend,
    PendingChange,
    PendingCreate,
    PendingMode,
    PendingMove,
    PendingRemove,
    PendingReplace,
    boot_id,
)
from memtool.store.commit.journal import Journal
from memtool.store.files.disk import Disk
from memtool.store.files.posix import TAIL_BYTES, appended_since
from memtool.store.files.staging import replaced_names


def roll_back(disk: Disk, intent: Intent, journal: Journal) -> list[str]:
    """Take back every change of a transaction, the last first; it may have stopped before any of them.

    Returns the paths that another program changed since: they stay as they are. Run twice it does the same as
    once. Needs no space on the disk, unless another program appended to a file meanwhile. Raises StaleWrite
    and Unwritable; then it must be run again.
    """
    left = []
    for change in reversed(intent.changes):
        try:
            is_restored = _take_back(disk, change)
        except (UnreadableFile, OutsideWorkspace):  # something else is in its place now
            is_restored = False
        left += [] if is_restored else [change.path]
    if intent.journal is not None:
        journal.cut_back(*intent.journal)
    with contextlib.suppress(Unwritable):  # what is seen is right; the record's removal is synced no earlier
        disk.sync_folders(touched_paths(disk, intent.changes))
    return left


def is_complete(disk: Disk, intent: Intent) -> bool:
    """Whether a transaction had ended, and only the removal of its record was lost in a power failure.

    This can be so only after a restart: then every change was synced before, and none is missing.
    """
    if intent.boot and intent.boot == boot_id():
        return False
    seen: set[str] = set()
    for change in reversed(intent.changes):
        paths = {change.path, change.target} if isinstance(change, PendingMove) else {change.path}
        if seen.isdisjoint(paths) and not _is_made(disk, change):
            return False
        seen |= paths
    return True


def touched_paths(disk: Disk, changes: Sequence[PendingChange]) -> list[PurePosixPath]:
    """The paths whose folders a transaction changes, if these folders exist."""
    paths = []
    for change in changes:
        match change:
            case PendingCreate(path) | PendingReplace(path) | PendingRemove(path):
                paths.append(PurePosixPath(path))
            case PendingMove(path, target):
                paths += [PurePosixPath(target), PurePosixPath(path)]
    return [path for path in paths if disk.missing_folder(path) is None]


def _take_back(disk: Disk, change: PendingChange) -> bool:
    """Take back one change if it was made; False if its file was changed since and stays."""
    path = PurePosixPath(change.path)
    match change:
        case PendingCreate():
            return _take_back_create(disk, change, path)
        case PendingAppend():
            return _take_back_append(disk, change, path)
        case PendingReplace():
            return _take_back_replace(disk, change, path)
        case PendingMove():
            return _take_back_move(disk, change, path)
        case PendingRemove(_, kept):
            return not disk.path_exists(PurePosixPath(kept)) or disk.put_back(PurePosixPath(kept), path)
        case PendingMode(_, before, after):
            disk.change_mode(path, before, after)
            return True
        case _:
            assert_never(change)


def _take_back_create(disk: Disk, change: PendingCreate, path: PurePosixPath) -> bool:
    staged = PurePosixPath(change.staged)
    current = _etag(disk, path)
    is_ours = disk.same_file(staged, path) or (current == change.etag and not disk.path_exists(staged))
    if is_ours and current == change.etag:
        disk.remove(path, change.etag)
    _remove_made(disk, path, change.made)
    return not is_ours or current == change.etag


def _take_back_append(disk: Disk, change: PendingAppend, path: PurePosixPath) -> bool:
    content = disk.read_bytes(path)
    if content is None or len(content) <= change.size:
        return True
    rest = content[change.size :]
    if etag_of(content[max(0, change.size - TAIL_BYTES) : change.size]) != change.tail:
        return change.added not in content  # rewritten by another program
    if change.added.startswith(rest):
        disk.cut(path, change.size, len(rest))
        return True
    offset = rest.find(change.added)
    if offset >= 0:
        disk.cut(path, change.size + offset, len(change.added))
    return offset >= 0


def _take_back_replace(disk: Disk, change: PendingReplace, path: PurePosixPath) -> bool:
    for name in replaced_names(PurePosixPath(change.staged)):
        old = disk.read_bytes(name)
        if old is not None and etag_of(old) != change.after:
            break
    else:
        return True  # the staged file is not in place yet
    current = disk.read_bytes(path)
    if current == old:
        return True
    more = b"" if current is None else appended_since(current, change.after)
    if current is None or more is None:
        return False
    if old.endswith(more):  # as the swap carried it over, or nothing
        disk.swap(name, path, etag_of(current))
    else:
        disk.replace(path, (old + more).decode("utf-8", "surrogateescape"), etag_of(current))
    return True


def _take_back_move(disk: Disk, change: PendingMove, path: PurePosixPath) -> bool:
    target = PurePosixPath(change.target)
    if not disk.path_exists(target):
        _remove_made(disk, target, change.made)
        return True
    if change.link is not None:
        if disk.link_text(target) is None:
            return not disk.path_exists(path)
        disk.move_link_back(path, target, change.link)
    elif disk.path_exists(path) and not disk.same_file(path, target):
        return True  # the move never happened
    elif change.etag and _etag(disk, target) != change.etag:
        return False
    else:
        disk.move_tree(target, path)
    _remove_made(disk, target, change.made)
    return True


def _remove_made(disk: Disk, path: PurePosixPath, made: str | None) -> None:
    if made is not None:
        disk.remove_empty_folders(path.parent, PurePosixPath(made).parent)


def _is_made(disk: Disk, change: PendingChange) -> bool:
    """Whether a change was made, as far as the disk shows: its file is not as it was before."""
    path = PurePosixPath(change.path)
    match change:
        case PendingCreate():
            return disk.path_exists(path)
        case PendingAppend(_, size):
            content = disk.read_bytes(path)
            return content is None or len(content) > size
        case PendingReplace(_, before):
            return _etag(disk, path) != before
        case PendingMove(_, target):
            return disk.path_exists(PurePosixPath(target))
        case PendingRemove():
            return not disk.path_exists(path)
        case PendingMode(_, before):
            mode = disk.mode(path)
            return mode is None or mode & 0o7777 != before
        case _:
            assert_never(change)


def _etag(disk: Disk, path: PurePosixPath) -> str | None:
    """The etag of a file; None if there is none, empty for what is no file."""
    try:
        content = disk.read_bytes(path)
    except UnreadableFile:
        return ""
    return None if content is None else etag_of(content)
