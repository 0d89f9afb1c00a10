"""replay: the last turns of a history, in the order of their numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from memtool.core.history.upgrade import Newer, Unreadable, Upgraded
from memtool.core.records.entry import Owner
from memtool.core.records.turn import Turn
from memtool.errors import OutsideWorkspace
from memtool.errors import Unreadable as CannotRead
from memtool.formats.turn import message_record
from memtool.store.workspace import Workspace
from memtool.verbs.turns.history import folders, is_turn, seq_of
from memtool.verbs.turns.turn_file import Current, read_turn


def replay(
    workspace: Workspace,
    count: int | None,
    notices: list[str],
    *,
    since: int | None = None,
    until: int | None = None,
    group: str | None = None,
    owner: Owner | None = None,
) -> Iterator[tuple[PurePosixPath, Turn]]:
    """The last `count` turns (all, without one) with numbers after `since` and up to `until`, oldest first.

    With an owner none that is somebody else's; what names nobody is everybody's. A turn of an old version is
    shown as what it becomes. What is passed by because it cannot be read is named in `notices`.
    """
    low, high = -1 if since is None else since, float("inf") if until is None else until
    wanted = ((seq, path) for seq, path in numbered(workspace, group, notices) if low < seq <= high)
    chosen = sorted(wanted)
    if count is None:
        yield from (one for one in _turns(workspace, chosen, notices) if _is_of(one[1], owner))
    else:
        backwards = (one for one in _turns(workspace, reversed(chosen), notices) if _is_of(one[1], owner))
        yield from reversed([*itertools.islice(backwards, count)])


def _is_of(turn: Turn, owner: Owner | None) -> bool:
    return owner is None or turn.more.get(owner.kind) in {None, "", owner.id}


def records(turn: Turn) -> Iterator[dict[str, Any]]:
    """The messages of a turn as its file says them, each with the number and the time of the turn."""
    for message in turn.messages:
        yield {"seq": turn.seq, "created_at": turn.created_at, **message_record(message)}


def _turns(
    workspace: Workspace, chosen: Iterable[tuple[int, PurePosixPath]], notices: list[str]
) -> Iterator[tuple[PurePosixPath, Turn]]:
    for _, path in chosen:
        turn = _read(workspace, path, notices)
        if turn is not None:
            yield path, turn


def numbered(
    workspace: Workspace, group: str | None, notices: list[str]
) -> Iterator[tuple[int, PurePosixPath]]:
    """Every turn with its number: that of its file's name, else the one it says itself."""
    for folder in folders(workspace, group, notices):
        for name in folder.files:
            if is_turn(name):
                seq = seq_of(name)
                if seq is None:
                    turn = _read(workspace, folder.path / name, notices)
                    seq = None if turn is None else turn.seq
                if seq is not None:
                    yield seq, folder.path / name


def _read(workspace: Workspace, path: PurePosixPath, notices: list[str]) -> Turn | None:
    try:
        content = workspace.disk.read_bytes(path)
    except (CannotRead, OutsideWorkspace) as error:
        notices.append(str(error))
        return None
    if content is None:
        return None
    match read_turn(content):
        case Current(turn) | Upgraded(turn):
            return turn
        case Newer(version):
            notices.append(f"{path} is of version {version}, which this memtool does not know; passed by")
        case Unreadable(reason):
            notices.append(f"{path} {reason}; passed by, memtool upgrade-history puts it into quarantine")
    return None
