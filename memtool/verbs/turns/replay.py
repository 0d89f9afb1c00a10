"""replay: read the last turns of a history, or of a session, in the order of their numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from memtool.core.history.upgrade import NewerTurn, UnreadableTurn, UpgradedTurn
from memtool.core.records.entries import Owner
from memtool.core.records.turn import Message, Turn
from memtool.errors import OutsideWorkspace, UnreadableFile
from memtool.formats.turn import message_record
from memtool.store.workspace import Workspace
from memtool.verbs.turns.history import is_turn_name, seq_of_name, walk_folders
from memtool.verbs.turns.turn_file import CurrentTurn, read_turn

_NEWEST = 500
"""Turns, from the end of the history, among which a session's are looked for."""


def replay(
    workspace: Workspace,
    count: int | None,
    notices: list[str],
    *,
    since: int | None = None,
    until: int | None = None,
    group: str | None = None,
    session: str | None = None,
) -> Iterator[tuple[PurePosixPath, Turn]]:
    """The last `count` turns (None: all) with numbers after `since` and up to `until`, oldest first.

    With a `session` those of it alone; its last `count` are looked for among the newest turns. A turn of an
    old version is upgraded in memory. Files that cannot be read are skipped and named in `notices`.
    """
    low, high = -1 if since is None else since, float("inf") if until is None else until
    chosen = sorted(
        (seq, path) for seq, path in numbered_turns(workspace, group, notices) if low < seq <= high
    )
    order = chosen if count is None else reversed(chosen)
    turns = _turns(workspace, order, notices)
    if session is not None:
        among = turns if count is None else itertools.islice(turns, _NEWEST)
        turns = (pair for pair in among if pair[1].more.get("session") == session)
    yield from turns if count is None else reversed([*itertools.islice(turns, count)])


def message_records(turn: Turn) -> Iterator[dict[str, Any]]:
    """The records of a turn's messages, each with the number, the time and the session of the turn."""
    of_turn: dict[str, Any] = {"seq": turn.seq, "created_at": turn.created_at}
    session = turn.more.get("session")
    if session and isinstance(session, str):
        of_turn["session"] = session
    for message in turn.messages:
        yield {**of_turn, **message_record(message)}


def newest_sessions(workspace: Workspace, owner: Owner | None) -> frozenset[str]:
    """The names of the sessions in the newest turns of the history: an owner's and those of no user."""
    return frozenset(
        str(turn.more["session"])
        for _, turn in replay(workspace, _NEWEST, [])
        if turn.more.get("session") and turn.more.get("user") in _users_of(owner)
    )


def _users_of(owner: Owner | None) -> set[str | None]:
    """The users whose turns are an owner's part of a session; "" and None for no user."""
    return {None, ""} | ({owner.id} if owner is not None and owner.kind == "user" else set())


def session_messages(workspace: Workspace, session: str | None, owner: Owner | None) -> tuple[Message, ...]:
    """The messages of an owner's part of a session in the newest turns of the history, in order.

    Several users may talk in one session: turns of other users are left out, and without a user those of
    every user. None without a session.
    """
    if session is None:
        return ()
    users = _users_of(owner)
    turns = [turn for _, turn in replay(workspace, _NEWEST, [])]
    mine = [turn for turn in turns if turn.more.get("session") == session and turn.more.get("user") in users]
    return tuple(message for turn in mine for message in turn.messages)


def _turns(
    workspace: Workspace, chosen: Iterable[tuple[int, PurePosixPath]], notices: list[str]
) -> Iterator[tuple[PurePosixPath, Turn]]:
    for _, path in chosen:
        turn = _read(workspace, path, notices)
        if turn is not None:
            yield path, turn


def numbered_turns(
    workspace: Workspace, group: str | None, notices: list[str]
) -> Iterator[tuple[int, PurePosixPath]]:
    """Every turn's path with its number: from the file's name, else from the turn itself."""
    for folder in walk_folders(workspace, group, notices):
        for name in folder.files:
            if is_turn_name(name):
                seq = seq_of_name(name)
                if seq is None:
                    turn = _read(workspace, folder.path / name, notices)
                    seq = None if turn is None else turn.seq
                if seq is not None:
                    yield seq, folder.path / name


def _read(workspace: Workspace, path: PurePosixPath, notices: list[str]) -> Turn | None:
    try:
        content = workspace.disk.read_bytes(path)
    except (UnreadableFile, OutsideWorkspace) as error:
        notices.append(str(error))
        return None
    if content is None:
        return None
    match read_turn(content):
        case CurrentTurn(turn) | UpgradedTurn(turn):
            return turn
        case NewerTurn(version):
            notices.append(
                f"{path} was skipped, because a newer version of memtool wrote it (turn version {version})"
            )
        case UnreadableTurn(reason):
            notices.append(
                f"{path} {reason}; the turn was skipped (memtool upgrade-history can quarantine it)"
            )
    return None
