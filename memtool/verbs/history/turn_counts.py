"""Count turns by day, from the index if it is fresh, or else from the files."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, tzinfo

from memtool.core.history.memory_counts import MemoryCount
from memtool.core.records.scope import WHOLE_WORKSPACE, Scope
from memtool.core.records.turn import parse_moment
from memtool.errors import UnreadableFile
from memtool.formats.entry_dates import day_of
from memtool.formats.syntax import json_text
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.turns import TurnSync
from memtool.verbs.turns.history import history_groups, is_turn_name, walk_folders

_BYTES_PER_TOKEN = 4
"""Estimated bytes per token; the index holds only the sizes of files."""
_BATCH = 256


def count_turns(
    index_sync: TurnSync,
    zone: tzinfo,
    unread: list[str],
    progress: Callable[[int, int], None] | None = None,
    scope: Scope = WHOLE_WORKSPACE,
) -> dict[date | None, MemoryCount]:
    """Count the turns of each day in a zone, with their messages, in all histories, for a scope's owners.

    Unreadable files are added to `unread`; a turn without a valid time belongs to the day of its folder.
    """
    owners = scope.owner_values
    with index_sync.open_read_only() as (index, is_fresh):
        counts: dict[date | None, MemoryCount] = {}
        if index is not None and is_fresh and zone is not UTC:
            for folder, created_at, messages, size in index.counts_by_turn(owners):
                day = _day_in_zone(created_at, zone) or _day_of_folder(index_sync.workspace, folder)
                counts[day] = counts.get(day, MemoryCount()) + MemoryCount(
                    1, size, messages, size // _BYTES_PER_TOKEN
                )
            return counts
        if index is not None and is_fresh:
            for folder, turns, messages, size in index.counts_by_folder(owners):
                day = _day_of_folder(index_sync.workspace, folder)
                counts[day] = counts.get(day, MemoryCount()) + MemoryCount(
                    turns, size, messages, size // _BYTES_PER_TOKEN
                )
            return counts
    return _count_files(index_sync.workspace.seen_by(scope.owners), zone, unread, progress)


def _count_files(
    workspace: Workspace, zone: tzinfo, unread: list[str], progress: Callable[[int, int], None] | None
) -> dict[date | None, MemoryCount]:
    counts: dict[date | None, MemoryCount] = {}
    turn_folders = [
        folder for group in history_groups(workspace) for folder in walk_folders(workspace, group, unread)
    ]
    total, done = sum(sum(map(is_turn_name, folder.files)) for folder in turn_folders), 0
    for folder in turn_folders:
        folder_day = _day_of_folder(workspace, str(folder.path))
        names = [name for name in folder.files if is_turn_name(name)]
        for start in range(0, len(names), _BATCH):
            for _, _, content in workspace.disk.read_files(folder.path, names[start : start + _BATCH]):
                done += 1
                if isinstance(content, UnreadableFile):
                    unread.append(str(content))
                    continue
                messages, created_at = _message_count(content)
                if messages is None:
                    continue  # not a turn; the index does not count it either
                day = folder_day if zone is UTC else _day_in_zone(created_at, zone) or folder_day
                count = MemoryCount(1, len(content), messages, len(content) // _BYTES_PER_TOKEN)
                counts[day] = counts.get(day, MemoryCount()) + count
            if progress is not None:
                progress(done, total)
    return counts


def _message_count(content: bytes) -> tuple[int | None, str]:
    """The number of messages of a turn and its creation time; None for a file that is not a turn."""
    try:
        value = json_text.load(content)
    except json_text.InvalidJson:
        return None, ""
    messages = value.get("messages") if isinstance(value, dict) else None
    return (len(messages), str(value.get("created_at"))) if isinstance(messages, list) else (None, "")


def _day_in_zone(created_at: str, zone: tzinfo) -> date | None:
    moment = parse_moment(created_at)
    return None if moment is None else day_of(moment, zone)


def _day_of_folder(workspace: Workspace, folder: str) -> date | None:
    """The day of the turns in a folder."""
    located = workspace.role_of(f"{folder}/{1:020}.json")
    return located.day if located else None
