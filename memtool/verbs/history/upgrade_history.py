"""upgrade-history: bring every turn file to the current version, or out of the way with a reason."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import PurePosixPath
from typing import assert_never

from msgspec import Struct, field

from memtool.core.history.upgrade import Newer, Unreadable, Upgraded
from memtool.core.records.plan import Plan, Replace
from memtool.core.records.turn import VERSION
from memtool.errors import BadUsage, OutsideWorkspace, StaleWrite
from memtool.errors import Unreadable as CannotRead
from memtool.formats import turn as turn_format
from memtool.formats.syntax import json_text
from memtool.store.files.reader import etag_of
from memtool.store.workspace import Workspace
from memtool.verbs.history.quarantine import plan_of
from memtool.verbs.turns.history import folders, is_turn, raised, read_head, seq_of
from memtool.verbs.turns.turn_file import Current, read_turn

_BATCH = 256
"""Files read between two reports of progress."""
_ATTEMPTS = 3


class Changed(Struct, frozen=True):
    """What became of one file: `upgraded`, `quarantined` (to `target`) or `newer`, why, and by which plan."""

    path: PurePosixPath
    result: str
    why: str = ""
    target: PurePosixPath | None = None
    plan: Plan = ()


class Upgrade(Struct):
    """The sum of one run. `unread` says, a sentence each, what could not be looked at or written."""

    current: int = 0
    upgraded: int = 0
    quarantined: int = 0
    newer: int = 0
    last_seq: int = 0
    unread: list[str] = field(default_factory=list)

    @property
    def seen(self) -> int:
        """How many files were looked at."""
        return self.current + self.upgraded + self.quarantined + self.newer


def upgrade_history(
    workspace: Workspace,
    now: datetime,
    *,
    group: str | None = None,
    report: Callable[[Changed], None],
    progress: Callable[[int, int], None] | None = None,
) -> Upgrade:
    """Upgrade one history file by file, then raise its head; stopped anywhere, it can be run again.

    The lock is held only while a file is changed. `report` is told of each file that was not current;
    `progress`, how many files were looked at of how many. Raises Locked, Unwritable.
    """
    done = Upgrade()
    total = 0
    if progress is not None:
        total = sum(sum(map(is_turn, one.files)) for one in folders(workspace, group, []))
    unlisted: list[str] = []
    for folder in folders(workspace, group, unlisted):
        names = [name for name in folder.files if is_turn(name)]
        for start in range(0, len(names), _BATCH):
            batch = names[start : start + _BATCH]
            for name, _, content in workspace.disk.files(folder.path, batch):
                if isinstance(content, CannotRead):
                    done.unread.append(str(content))
                    done.last_seq = max(done.last_seq, seq_of(name) or 0)
                else:
                    _one(workspace, folder.path / name, content, now, group, done, report)
            if progress is not None:
                progress(done.seen, max(total, done.seen))
    with workspace.lock():
        known, etag = read_head(workspace, group)
        done.unread += unlisted
        if known is None and unlisted:
            done.unread.append(
                "the head was not rebuilt, for what could not be listed may hold higher numbers"
            )
            return done
        plan = raised(workspace, group, done.last_seq, now) if done.seen or etag else ()
        workspace.commit(plan)
    if plan:
        report(Changed(plan[0].path, "head", f"last_seq {done.last_seq}", plan=plan))
    return done


def _one(
    workspace: Workspace,
    path: PurePosixPath,
    content: bytes,
    now: datetime,
    group: str | None,
    done: Upgrade,
    report: Callable[[Changed], None],
) -> None:
    seq = seq_of(path.name)
    try:  # nearly all files are as they should be, and are not made a value of
        record = json_text.load(content)
    except json_text.NotJson:
        record = None
    if record is not None and turn_format.fault(record) is None:
        done.current += 1
        done.last_seq = max(done.last_seq, int(record["seq"]) if seq is None else seq)
        return
    for _ in range(_ATTEMPTS):
        with workspace.lock():
            try:
                now_there = workspace.disk.read_bytes(path)
                if now_there is None:
                    return
                changed, found = _changed(workspace, path, now_there, now, group)
                workspace.commit(changed.plan if changed else ())
                break
            except StaleWrite:
                continue
            except (CannotRead, OutsideWorkspace, BadUsage) as error:  # a name that no record can have
                done.unread.append(str(error))
                done.last_seq = max(done.last_seq, seq or 0)
                return
    else:
        done.unread.append(f"{path} changes faster than it can be read; it was left as it is")
        return
    match changed.result if changed else "":
        case "":
            done.current += 1
        case "upgraded":
            done.upgraded += 1
        case "newer":
            done.newer += 1
        case _:
            done.quarantined += 1
            found = 0
    done.last_seq = max(done.last_seq, found)
    if changed:
        report(changed)


def _changed(
    workspace: Workspace, path: PurePosixPath, content: bytes, now: datetime, group: str | None
) -> tuple[Changed | None, int]:
    """What is to be done with a file, and the number that it gives to the history."""
    seq = seq_of(path.name)
    match read_turn(content):
        case Current(turn):
            return None, turn.seq if seq is None else seq
        case Upgraded(turn, version):
            change = (Replace(path, turn_format.render(turn), etag_of(content)),)
            why = f"version {version}" if version < VERSION else "brought into form"
            return Changed(path, "upgraded", why, plan=change), turn.seq if seq is None else seq
        case Newer(version):
            return Changed(path, "newer", f"version {version}"), seq or 0
        case Unreadable(reason):
            target, plan = plan_of(workspace, path, content, reason, now, group)
            return Changed(path, "quarantined", reason, target, plan), 0
        case other:
            assert_never(other)
