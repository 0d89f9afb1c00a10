"""Count turns by day, from the index if it is fresh, or else from the files."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, tzinfo

from memtool.core.history.count import Count
from memtool.core.records.turn import moment_of
from memtool.errors import Unreadable
from memtool.formats.entries import day_of
from memtool.formats.syntax import json_text
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.turns import TurnSync
from memtool.verbs.turns.history import folders, groups, is_turn

_BYTES = 4
"""Estimated bytes per token; the index holds only the sizes of files."""
_BATCH = 256


def turn_counts(
    shelf: TurnSync, zone: tzinfo, unread: list[str], progress: Callable[[int, int], None] | None = None
) -> dict[date | None, Count]:
    """Count the turns of each day in a zone, with their messages, in all histories.

    Unreadable files are added to `unread`; a turn without a valid time belongs to the day of its folder.
    """
    with shelf.looked_at() as (index, is_fresh):
        counts: dict[date | None, Count] = {}
        if index is not None and is_fresh and zone is not UTC:
            for folder, created_at, messages, size in index.counts_by_turn():
                day = _moved(created_at, zone) or _day(shelf.workspace, folder)
                counts[day] = counts.get(day, Count()) + Count(1, size, messages, size // _BYTES)
            return counts
        if index is not None and is_fresh:
            for folder, turns, messages, size in index.counts_by_folder():
                day = _day(shelf.workspace, folder)
                counts[day] = counts.get(day, Count()) + Count(turns, size, messages, size // _BYTES)
            return counts
    return _read(shelf.workspace, zone, unread, progress)


def _read(
    workspace: Workspace, zone: tzinfo, unread: list[str], progress: Callable[[int, int], None] | None
) -> dict[date | None, Count]:
    counts: dict[date | None, Count] = {}
    turn_folders = [folder for group in groups(workspace) for folder in folders(workspace, group, unread)]
    total, done = sum(sum(map(is_turn, folder.files)) for folder in turn_folders), 0
    for folder in turn_folders:
        folder_day = _day(workspace, str(folder.path))
        names = [name for name in folder.files if is_turn(name)]
        for start in range(0, len(names), _BATCH):
            for _, _, content in workspace.disk.files(folder.path, names[start : start + _BATCH]):
                done += 1
                if isinstance(content, Unreadable):
                    unread.append(str(content))
                    continue
                messages, created_at = _messages(content)
                if messages is None:
                    continue  # not a turn; the index does not count it either
                day = folder_day if zone is UTC else _moved(created_at, zone) or folder_day
                count = Count(1, len(content), messages, len(content) // _BYTES)
                counts[day] = counts.get(day, Count()) + count
            if progress is not None:
                progress(done, total)
    return counts


def _messages(content: bytes) -> tuple[int | None, str]:
    """The number of messages of a turn and its creation time; None for a file that is not a turn."""
    try:
        value = json_text.load(content)
    except json_text.NotJson:
        return None, ""
    messages = value.get("messages") if isinstance(value, dict) else None
    return (len(messages), str(value.get("created_at"))) if isinstance(messages, list) else (None, "")


def _moved(created_at: str, zone: tzinfo) -> date | None:
    moment = moment_of(created_at)
    return None if moment is None else day_of(moment, zone)


def _day(workspace: Workspace, folder: str) -> date | None:
    """The day of the turns in a folder."""
    located = workspace.located(f"{folder}/{1:020}.json")
    return located.day if located else None
