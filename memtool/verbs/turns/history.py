"""The history's folders, the numbers of its turns, and its head."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import PurePosixPath

from memtool.core.records.document import FileStat, FolderListing
from memtool.core.records.plan import Change, Create, Replace
from memtool.core.records.turn import MAX_SEQ, format_moment
from memtool.errors import BadUsage, OutsideWorkspace, UnreadableFile
from memtool.formats import head
from memtool.store.workspace import Workspace

_NAME = re.compile(r"([0-9]+)\.json", re.IGNORECASE)
_SLACK_NS = 2_000_000_000
"""Tolerance when folder and head times are compared: the coarsest time stamps in use (FAT)."""
_DAY_DEPTH = 3
"""Levels from the history's root to the folder of a day. Those of years and months are always listed."""


def walk_folders(
    workspace: Workspace,
    group: str | None,
    errors: list[str],
    role: str = "turn",
    should_enter: Callable[[PurePosixPath, FileStat], bool] = lambda *_: True,
) -> Iterator[FolderListing]:
    """Walk the folders that hold files of a role (turns, or quarantined files), in the order of their paths.

    Only folders that `should_enter` accepts are listed. A folder that cannot be listed adds a sentence to
    `errors`; links are not followed.
    """
    stack = [workspace.layout.folder(role, group=group)]
    while stack:
        path = stack.pop()
        try:
            folder = workspace.disk.list_folder(path)
        except (UnreadableFile, OutsideWorkspace) as error:
            errors.append(str(error))
            continue
        if folder is not None:
            yield folder
            children = [(path / name, stat) for name, stat in folder.folders.items()]
            stack += [child for child, stat in reversed(children) if should_enter(child, stat)]


def history_groups(workspace: Workspace) -> list[str | None]:
    """The possible histories: the workspace's own (None), and one for each group's folder."""
    layout = workspace.layout
    if layout.groups is None or not layout.place("turn").grouped:
        return [None]
    folder = workspace.disk.list_folder(PurePosixPath(layout.groups))
    return [None, *(folder.folders if folder else ())]


def is_day_folder(workspace: Workspace, group: str | None, path: PurePosixPath) -> bool:
    """Whether a folder below that of the turns is one of a day."""
    return len(path.parts) == len(workspace.layout.folder("turn", group=group).parts) + _DAY_DEPTH


def is_turn_name(name: str) -> bool:
    """Whether a file in a folder of turns is a turn by its name: visible, and JSON."""
    return name[-5:].lower() == ".json" and name[0] != "."


def seq_of_name(name: str) -> int | None:
    """The number in a turn's file name; None where there is none."""
    match = _NAME.fullmatch(name)
    return int(match[1]) if match and len(match[1]) < 100 and int(match[1]) <= MAX_SEQ else None


def read_head(workspace: Workspace, group: str | None) -> tuple[head.HeadFile | None, str | None]:
    """The head, if it can be read, and the etag of its file, if it exists."""
    document = workspace.read(workspace.layout.path("head", group=group))
    if document is None:
        return None, None
    try:
        return head.parse(document.text), document.etag
    except UnreadableFile:
        return None, document.etag


def raise_head(workspace: Workspace, group: str | None, seq: int, now: datetime) -> tuple[Change, ...]:
    """The change, if one is needed, that raises the head to at least `seq`; the head is never lowered."""
    current, etag = read_head(workspace, group)
    if current is not None and current.last_seq >= seq:
        return ()
    text = head.render(head.HeadFile(seq, format_moment(now), current.more if current else {}))
    path = workspace.layout.path("head", group=group)
    return (Create(path, text),) if etag is None else (Replace(path, text, etag),)


def recent_day_folders(
    workspace: Workspace, group: str | None, most: int
) -> list[tuple[PurePosixPath, FileStat]]:
    """The folders of the newest days, at most so many, the newest first, each with its metadata.

    Raises UnreadableFile, OutsideWorkspace.
    """
    days: list[tuple[PurePosixPath, FileStat]] = []
    stack = [workspace.layout.folder("turn", group=group)]
    while stack and len(days) < most:
        path = stack.pop()
        folder = workspace.disk.list_folder(path)
        children = [(path / name, stat) for name, stat in folder.folders.items()] if folder else []
        if is_day_folder(workspace, group, path / "_"):
            days += reversed(children)
        else:
            stack += [child for child, _ in children]
    return days[:most]


def last_seq(workspace: Workspace, group: str | None) -> int:
    """The highest number ever given to a turn.

    The head has it, unless its writer died after writing the turn. Then the turn's folder is newer than the
    head, so only such folders are listed. Quarantined turns keep their numbers.
    """
    current, _ = read_head(workspace, group)
    head_stat = workspace.disk.stat(workspace.layout.path("head", group=group)) if current else None
    since = head_stat.mtime_ns - _SLACK_NS if head_stat else 0
    day_level = len(workspace.layout.folder("turn", group=group).parts) + _DAY_DEPTH
    unread: list[str] = []
    numbers = {current.last_seq if current else 0}

    def is_recent(path: PurePosixPath, stat: FileStat) -> bool:
        return stat.mtime_ns >= since or len(path.parts) < day_level

    for folder in walk_folders(workspace, group, unread, "turn", is_recent):
        numbers.update(seq_of_name(name) or 0 for name in folder.files)
    for folder in walk_folders(workspace, group, unread, "quarantine"):
        numbers.update(seq_of_name(name) or 0 for name in folder.files)
    if unread:
        raise UnreadableFile(f"{unread[0]}; the next turn number is unknown, so nothing was written")
    return max(numbers)


def next_seq(workspace: Workspace, group: str | None, count: int = 1) -> int:
    """The number of the next of `count` turns.

    Raises UnreadableFile, and BadUsage past the highest number.
    """
    last = last_seq(workspace, group)
    if last > MAX_SEQ - count:
        raise BadUsage(
            f"the newest turn is already number {last}, and turn numbers cannot exceed {MAX_SEQ}; "
            "nothing was written"
        )
    return last + 1
