"""Turns counted by day: by the index where it is fresh, else in their files."""

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
"""Bytes of a turn's file that are taken for a token: of the index nothing but sizes is asked."""
_BATCH = 256


def turn_counts(
    shelf: TurnSync, zone: tzinfo, unread: list[str], progress: Callable[[int, int], None] | None = None
) -> dict[date | None, Count]:
    """The turns of each day in a zone, with their messages, in all histories.

    What cannot be read is in `unread`; a turn that does not say when it was is of the day of its folder.
    """
    with shelf.looked_at() as (index, is_fresh):
        found: dict[date | None, Count] = {}
        if index is not None and is_fresh and zone is not UTC:
            for folder, at, messages, size in index.counts_by_turn():
                day = _moved(at, zone) or _day(shelf.workspace, folder)
                found[day] = found.get(day, Count()) + Count(1, size, messages, size // _BYTES)
            return found
        if index is not None and is_fresh:
            for folder, turns, messages, size in index.counts_by_folder():
                day = _day(shelf.workspace, folder)
                found[day] = found.get(day, Count()) + Count(turns, size, messages, size // _BYTES)
            return found
    return _read(shelf.workspace, zone, unread, progress)


def _read(
    workspace: Workspace, zone: tzinfo, unread: list[str], progress: Callable[[int, int], None] | None
) -> dict[date | None, Count]:
    found: dict[date | None, Count] = {}
    listed = [folder for group in groups(workspace) for folder in folders(workspace, group, unread)]
    total, done = sum(sum(map(is_turn, folder.files)) for folder in listed), 0
    for folder in listed:
        of_folder = _day(workspace, str(folder.path))
        names = [name for name in folder.files if is_turn(name)]
        for start in range(0, len(names), _BATCH):
            for _, _, content in workspace.disk.files(folder.path, names[start : start + _BATCH]):
                done += 1
                if isinstance(content, Unreadable):
                    unread.append(str(content))
                    continue
                messages, at = _messages(content)
                if messages is None:
                    continue  # no turn: it counts for nothing in the index, either
                day = of_folder if zone is UTC else _moved(at, zone) or of_folder
                count = Count(1, len(content), messages, len(content) // _BYTES)
                found[day] = found.get(day, Count()) + count
            if progress is not None:
                progress(done, total)
    return found


def _messages(content: bytes) -> tuple[int | None, str]:
    """How many messages a turn has, and when it says that it was; None for what is no turn."""
    try:
        value = json_text.load(content)
    except json_text.NotJson:
        return None, ""
    messages = value.get("messages") if isinstance(value, dict) else None
    return (len(messages), str(value.get("created_at"))) if isinstance(messages, list) else (None, "")


def _moved(at: str, zone: tzinfo) -> date | None:
    moment = moment_of(at)
    return None if moment is None else day_of(moment, zone)


def _day(workspace: Workspace, folder: str) -> date | None:
    """The day whose turns lie in a folder."""
    located = workspace.located(f"{folder}/{1:020}.json")
    return located.day if located else None
