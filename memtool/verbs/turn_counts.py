"""Turns counted by day: by the index where it is fresh, else in their files."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from memtool.core.count import Count
from memtool.errors import Unreadable
from memtool.formats import json_text
from memtool.index.transcript_counts import by_folder
from memtool.store.workspace import Workspace
from memtool.verbs.history import folders, groups, is_turn
from memtool.verbs.turn_shelf import TurnShelf

_BYTES = 4
"""Bytes of a turn's file that are taken for a token: of the index nothing but sizes is asked."""
_BATCH = 256


def turn_counts(
    shelf: TurnShelf, unread: list[str], progress: Callable[[int, int], None] | None = None
) -> dict[date | None, Count]:
    """The turns of each day with their messages, in all histories; what cannot be read is in `unread`."""
    with shelf.looked_at() as (index, is_fresh):
        if index is not None and is_fresh:
            found: dict[date | None, Count] = {}
            for folder, turns, messages, size in by_folder(index):
                day = _day(shelf.workspace, folder)
                found[day] = found.get(day, Count()) + Count(turns, size, messages, size // _BYTES)
            return found
    return _read(shelf.workspace, unread, progress)


def _read(
    workspace: Workspace, unread: list[str], progress: Callable[[int, int], None] | None
) -> dict[date | None, Count]:
    found: dict[date | None, Count] = {}
    listed = [folder for group in groups(workspace) for folder in folders(workspace, group, unread)]
    total, done = sum(sum(map(is_turn, folder.files)) for folder in listed), 0
    for folder in listed:
        day = _day(workspace, str(folder.path))
        names = [name for name in folder.files if is_turn(name)]
        for start in range(0, len(names), _BATCH):
            for _, _, content in workspace.disk.files(folder.path, names[start : start + _BATCH]):
                done += 1
                if isinstance(content, Unreadable):
                    unread.append(str(content))
                    continue
                messages = _messages(content)
                if messages is None:
                    continue  # no turn: it counts for nothing in the index, either
                count = Count(1, len(content), messages, len(content) // _BYTES)
                found[day] = found.get(day, Count()) + count
            if progress is not None:
                progress(done, total)
    return found


def _messages(content: bytes) -> int | None:
    try:
        value = json_text.load(content)
    except json_text.NotJson:
        return None
    messages = value.get("messages") if isinstance(value, dict) else None
    return len(messages) if isinstance(messages, list) else None


def _day(workspace: Workspace, folder: str) -> date | None:
    """The day whose turns lie in a folder."""
    located = workspace.located(f"{folder}/{1:020}.json")
    return located.day if located else None
