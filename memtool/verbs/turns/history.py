"""History: where the turns of a workspace lie, and which numbers they have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import PurePosixPath

from memtool.core.records.document import Folder, Stat
from memtool.core.records.plan import Change, Create, Replace
from memtool.core.records.turn import MOST, spell
from memtool.errors import BadUsage, OutsideWorkspace, Unreadable
from memtool.formats import head
from memtool.store.workspace import Workspace

_NAME = re.compile(r"([0-9]+)\.json", re.IGNORECASE)
_SLACK_NS = 2_000_000_000
"""How much older than the head a folder may look in which a turn was written before it: the coarsest time
stamps of a file system in use (FAT)."""
_DAY = 3
"""Folders of years and months have few names and are always listed; turns lie in those of days."""


def folders(
    workspace: Workspace,
    group: str | None,
    unread: list[str],
    role: str = "turn",
    enters: Callable[[PurePosixPath, Stat], bool] = lambda *_: True,
) -> Iterator[Folder]:
    """Every folder that holds files of a role (turns, or what is in quarantine), in the order of their paths.

    Only folders that `enters` wants are listed. What cannot be listed is named in `unread`, a sentence each;
    links are not followed.
    """
    waiting = [workspace.layout.folder(role, group=group)]
    while waiting:
        path = waiting.pop()
        try:
            found = workspace.disk.folder(path)
        except (Unreadable, OutsideWorkspace) as error:
            unread.append(str(error))
            continue
        if found is not None:
            yield found
            inner = [(path / name, stat) for name, stat in found.folders.items()]
            waiting += [path for path, stat in reversed(inner) if enters(path, stat)]


def groups(workspace: Workspace) -> list[str | None]:
    """Whose histories there can be: the workspace's own (None), and that of each group's folder."""
    layout = workspace.layout
    if layout.groups is None or not layout.place("turn").grouped:
        return [None]
    found = workspace.disk.folder(PurePosixPath(layout.groups))
    return [None, *(found.folders if found else ())]


def is_turn(name: str) -> bool:
    """Whether a file in a folder of turns is meant as one: whatever is JSON by its name."""
    return name[-5:].lower() == ".json" and name[0] != "."


def seq_of(name: str) -> int | None:
    """The number that a turn's file name says; None when it says none."""
    match = _NAME.fullmatch(name)
    return int(match[1]) if match and len(match[1]) < 100 and int(match[1]) <= MOST else None


def read_head(workspace: Workspace, group: str | None) -> tuple[head.Head | None, str | None]:
    """The head if it can be read, and the etag of its file if there is one."""
    document = workspace.read(workspace.layout.path("head", group=group))
    if document is None:
        return None, None
    try:
        return head.parse(document.text), document.etag
    except Unreadable:
        return None, document.etag


def raised(workspace: Workspace, group: str | None, seq: int, now: datetime) -> tuple[Change, ...]:
    """The change, if one is needed, after which the head says at least `seq`. It is never lowered."""
    known, etag = read_head(workspace, group)
    if known is not None and known.last_seq >= seq:
        return ()
    text = head.render(head.Head(seq, spell(now), known.more if known else {}))
    path = workspace.layout.path("head", group=group)
    return (Create(path, text),) if etag is None else (Replace(path, text, etag),)


def last_seq(workspace: Workspace, group: str | None) -> int:
    """The highest number that was ever given to a turn, whatever befell the turn or the head.

    The head says it, unless its writer died after writing the turn: then the turn's folder is younger than
    the head, so only such folders are listed. What is in quarantine keeps its number.
    """
    known, _ = read_head(workspace, group)
    stat = workspace.disk.stat(workspace.layout.path("head", group=group)) if known else None
    since = stat.mtime_ns - _SLACK_NS if stat else 0
    days = len(workspace.layout.folder("turn", group=group).parts) + _DAY
    unread: list[str] = []
    numbers = {known.last_seq if known else 0}
    for folder in folders(
        workspace, group, unread, "turn", lambda path, stat: stat.mtime_ns >= since or len(path.parts) < days
    ):
        numbers.update(seq_of(name) or 0 for name in folder.files)
    for folder in folders(workspace, group, unread, "quarantine"):
        numbers.update(seq_of(name) or 0 for name in folder.files)
    if unread:
        raise Unreadable(f"{unread[0]}; which numbers are taken cannot be told, so nothing was written")
    return max(numbers)


def next_seq(workspace: Workspace, group: str | None, count: int = 1) -> int:
    """The number of the next turn, if `count` more are to follow each other. Raises Unreadable, BadUsage."""
    last = last_seq(workspace, group)
    if last > MOST - count:
        raise BadUsage(f"the history has used up its numbers: the head is at {last}; nothing was written")
    return last + 1
