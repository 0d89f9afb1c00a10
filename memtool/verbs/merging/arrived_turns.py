"""Turns that git brought from another machine and that share a number: another clone merged them unfinished.

No merge driver runs here for them, so they are looked for among the turn files that have changed since git's
index was seen last. The files of other days are listed at most, and none is read.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import PurePosixPath

from memtool.core.records.turn import CONCURRENT
from memtool.errors import MemtoolError
from memtool.store.files import git_state, merged_paths
from memtool.store.workspace import Workspace
from memtool.verbs.turns.history import history_groups, is_turn_name, recent_day_folders, seq_of_name

MARK = f'"{CONCURRENT}"'.encode()
"""In every turn file that contains more than one turn."""
_MOST_FOLDERS = 100
"""Days with turns that are looked at: a machine that was away for longer is left to `maintain`."""
_MOST_FILES = 1000
"""Changed turn files that are read, in a quarter of a second at most; after a larger import or pull, none."""
_SLACK_NS = 2_000_000_000
"""Tolerance when the times of files and index are compared: the coarsest time stamps in use (FAT)."""


def list_arrived_turns(workspace: Workspace) -> None:
    """List for `finish_recent_merges` what git brought, for a command that has locked the workspace.

    If no index was recorded before, the present one is, and nothing is listed. A failure is reported, once.
    """
    root = workspace.root
    stamp, since = git_state.index_stamp(root), git_state.recorded_time(root)
    try:
        for group in history_groups(workspace) if since is not None else ():
            path = _first_shared(workspace, group, (since or 0) - _SLACK_NS)
            if path is not None:
                merged_paths.add(root, str(path), is_written=True)
    except MemtoolError as error:
        workspace.report(
            "turns that git pulled from other machines could not be checked for duplicate numbers: "
            f"{error}; run memtool merge --finish"
        )
    with contextlib.suppress(MemtoolError):  # the next command searches again
        git_state.record_index(root, stamp)


def _first_shared(workspace: Workspace, group: str | None, since: int) -> PurePosixPath | None:
    """The changed turn file with the lowest number of those that hold several turns or share their number."""
    days = recent_day_folders(workspace, group, _MOST_FOLDERS)
    changed = [
        path
        for folder, stat in days
        if stat.ctime_ns >= since
        for path in _changed_turns(workspace, folder, since)
    ]
    if not changed or len(changed) > _MOST_FILES:
        return None
    shared = _sharing_paths(workspace, changed, [folder for folder, _ in days])
    for path, content in workspace.disk.read_contents(changed):
        if isinstance(content, bytes) and MARK in content:
            shared.add(path)
    return min(shared, key=_number, default=None)


def _changed_turns(workspace: Workspace, folder: PurePosixPath, since: int) -> list[PurePosixPath]:
    stats = workspace.disk.stat_files(folder, _turn_names(workspace, folder))
    return [folder / name for name, stat in stats.items() if stat.ctime_ns >= since]


def _sharing_paths(
    workspace: Workspace, changed: Iterable[PurePosixPath], days: Iterable[PurePosixPath]
) -> set[PurePosixPath]:
    """The changed turns whose number a file of another name has.

    `days` begin with the newest. Numbers rise from day to day, so the first day that has only lower ones than
    the changed turns is the last one to list.
    """
    by_number: dict[int, set[PurePosixPath]] = {}
    for path in changed:
        by_number.setdefault(_number(path), set()).add(path)
    lowest = min(by_number)
    sharing = {path for paths in by_number.values() if len(paths) > 1 for path in paths}
    for folder in days:
        paths = [folder / name for name in _turn_names(workspace, folder)]
        for path in paths:
            others = by_number.get(_number(path), set())
            if others - {path}:
                sharing |= others
        if paths and max(map(_number, paths)) < lowest:
            break
    return sharing


def _turn_names(workspace: Workspace, folder: PurePosixPath) -> list[str]:
    listing = workspace.disk.list_folder(folder)
    names = listing.files if listing else ()
    return [name for name in names if is_turn_name(name) and seq_of_name(name) is not None]


def _number(path: PurePosixPath) -> int:
    return seq_of_name(path.name) or 0
