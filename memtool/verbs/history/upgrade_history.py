"""Upgrade every turn file to the current version; quarantine the files that cannot be read."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, assert_never

from msgspec import Struct, field

from memtool.core.history.upgrade import NewerTurn, UnreadableTurn, UpgradedTurn
from memtool.core.records.document import FileStat, etag_of
from memtool.core.records.health import count_noun
from memtool.core.records.plan import Plan, Replace
from memtool.core.records.turn import TURN_VERSION, UnknownPart
from memtool.errors import BadUsage, OutsideWorkspace, StaleWrite, UnreadableFile
from memtool.formats import turn as turn_format
from memtool.formats.syntax import json_text
from memtool.store.commit.partly import after_steps
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.history.quarantine import plan_quarantine
from memtool.verbs.turns.history import (
    history_groups,
    is_turn_name,
    raise_head,
    read_head,
    seq_of_name,
    walk_folders,
)
from memtool.verbs.turns.turn_file import CurrentTurn, read_turn

InvalidReason = Callable[[Any], str | None]

_BATCH = 256
"""Files read between two reports of progress."""


class TurnFileChange(Struct, frozen=True):
    """The result for a file: `upgraded`, `quarantined` (to `target`) or `newer`; the reason and the plan."""

    path: PurePosixPath
    result: str
    why: str = ""
    target: PurePosixPath | None = None
    plan: Plan = ()


class UpgradeReport(Struct):
    """The counts of one run. `unread` holds a sentence for each file that could not be read or written.

    `settled` are the folders of which every file is current or newer; `is_whole` is false for a run that
    stopped at its deadline.
    """

    current: int = 0
    upgraded: int = 0
    quarantined: int = 0
    newer: int = 0
    last_seq: int = 0
    unread: list[str] = field(default_factory=list)
    settled: list[PurePosixPath] = field(default_factory=list)
    is_whole: bool = True

    @property
    def changed(self) -> int:
        """The number of files that were not left as they are, or could not be read."""
        return self.upgraded + self.quarantined + len(self.unread)

    def done(self) -> str:
        """What was written, as a part of a sentence; "" for nothing."""
        if self.upgraded + self.quarantined == 0:
            return ""
        return f"{count_noun(self.upgraded, 'turn')} upgraded and {self.quarantined} quarantined"

    @property
    def examined(self) -> int:
        """The number of files examined."""
        return self.current + self.upgraded + self.quarantined + self.newer


def upgrade_history(
    workspace: Workspace,
    now: datetime,
    *,
    group: str | None = None,
    report: Callable[[TurnFileChange], None],
    progress: Callable[[int, int], None] | None = None,
    should_enter: Callable[[PurePosixPath, FileStat], bool] = lambda *_: True,
    until: float = float("inf"),
    invalid_reason: InvalidReason = turn_format.invalid_reason,
) -> UpgradeReport:
    """Upgrade a history file by file, then raise its head. An interrupted run can be repeated.

    The lock is held only while a file is changed. `report` is called for each file that was not current,
    `progress` with the number of examined files and the total. Only folders that `should_enter` accepts are
    examined, and none after `until`, of the monotonic clock. `invalid_reason` says of a record why it is no
    turn of the current version, or None: the quick check, or the schema. Raises Locked, Unwritable and, after
    the first change, PartlyApplied.
    """
    result = UpgradeReport()
    total = 0
    if progress is not None:
        total = sum(sum(map(is_turn_name, folder.files)) for folder in walk_folders(workspace, group, []))
    unlisted: list[str] = []
    for folder in walk_folders(workspace, group, unlisted, "turn", should_enter):
        names = [name for name in folder.files if is_turn_name(name)]
        changed = result.changed
        if time.monotonic() > until:
            result.is_whole = False
            break
        for start in range(0, len(names), _BATCH):
            batch = names[start : start + _BATCH]
            for name, _, content in workspace.disk.read_files(folder.path, batch):
                if isinstance(content, UnreadableFile):
                    result.unread.append(str(content))
                    result.last_seq = max(result.last_seq, seq_of_name(name) or 0)
                else:
                    with after_steps(result.done):
                        _upgrade_file(
                            workspace, folder.path / name, content, now, group, result, report, invalid_reason
                        )
            if progress is not None:
                progress(result.examined, max(total, result.examined))
        if result.changed == changed and not folder.folders:
            result.settled.append(folder.path)
    result.unread += unlisted
    with after_steps(result.done):
        plan = _raise_head(workspace, group, result, now, is_listed=not unlisted)
    if plan is None:
        result.unread.append(
            "head.json was not rebuilt, because folders that cannot be listed may contain newer turns"
        )
    elif plan:
        report(TurnFileChange(plan[0].path, "head", f"last_seq {result.last_seq}", plan=plan))
    return result


@retry_when_stale
def _raise_head(
    workspace: Workspace, group: str | None, result: UpgradeReport, now: datetime, *, is_listed: bool
) -> Plan | None:
    """Raise the head to the highest number that was found; None if it is missing and that is not known."""
    head, _ = read_head(workspace, group)
    if head is not None and head.last_seq >= result.last_seq:
        return ()
    with workspace.lock():
        head, etag = read_head(workspace, group)
        if head is None and not is_listed:
            return None
        plan = raise_head(workspace, group, result.last_seq, now) if result.examined or etag else ()
        workspace.commit(plan)
    return plan


def _upgrade_file(
    workspace: Workspace,
    path: PurePosixPath,
    content: bytes,
    now: datetime,
    group: str | None,
    result: UpgradeReport,
    report: Callable[[TurnFileChange], None],
    invalid_reason: InvalidReason,
) -> None:
    seq = seq_of_name(path.name)
    try:  # most files are current; they are not parsed into turns
        record = json_text.load(content)
    except json_text.InvalidJson:
        record = None
    if record is not None and invalid_reason(record) is None:
        result.current += 1
        result.last_seq = max(result.last_seq, int(record["seq"]) if seq is None else seq)
        return
    try:
        made = _change_file(workspace, path, now, group, invalid_reason)
    except StaleWrite:
        result.unread.append(f"{path} was not upgraded, because it kept changing while it was being read")
        return
    except (UnreadableFile, OutsideWorkspace, BadUsage) as error:  # a name that no quarantine record can have
        result.unread.append(str(error))
        result.last_seq = max(result.last_seq, seq or 0)
        return
    if made is None:
        return
    changed, file_seq = made
    match changed.result if changed else "":
        case "":
            result.current += 1
        case "upgraded":
            result.upgraded += 1
        case "newer":
            result.newer += 1
        case _:
            result.quarantined += 1
            file_seq = 0
    result.last_seq = max(result.last_seq, file_seq)
    if changed:
        report(changed)


@retry_when_stale
def _change_file(
    workspace: Workspace,
    path: PurePosixPath,
    now: datetime,
    group: str | None,
    invalid_reason: InvalidReason,
) -> tuple[TurnFileChange | None, int] | None:
    """Change a file as it is now if it needs it; None if it is not there any more."""
    with workspace.lock():
        content = workspace.disk.read_bytes(path)
        if content is None:
            return None
        changed, seq = _plan_change(workspace, path, content, now, group, invalid_reason)
        workspace.commit(changed.plan if changed else ())
    return changed, seq


def _plan_change(
    workspace: Workspace,
    path: PurePosixPath,
    content: bytes,
    now: datetime,
    group: str | None,
    invalid_reason: InvalidReason,
) -> tuple[TurnFileChange | None, int]:
    """The change that a file needs, if any, and its sequence number."""
    seq = seq_of_name(path.name)
    match read_turn(content):
        case CurrentTurn(turn) | UpgradedTurn(turn) if fault := invalid_reason(turn_format.record(turn)):
            return _quarantine(workspace, path, content, fault, now, group), 0
        case CurrentTurn(turn):
            return None, turn.seq if seq is None else seq
        case UpgradedTurn(turn, version):
            change = (Replace(path, turn_format.render(turn), etag_of(content)),)
            why = f"version {version}" if version < TURN_VERSION else "reformatted"
            if unknown := sum(isinstance(part, UnknownPart) for one in turn.messages for part in one.parts):
                why += f", {count_noun(unknown, 'part')} of unknown type preserved"
            return TurnFileChange(path, "upgraded", why, plan=change), turn.seq if seq is None else seq
        case NewerTurn(version):
            return TurnFileChange(path, "newer", f"version {version}"), seq or 0
        case UnreadableTurn(reason):
            return _quarantine(workspace, path, content, reason, now, group), 0
        case other:
            assert_never(other)


def _quarantine(
    workspace: Workspace, path: PurePosixPath, content: bytes, reason: str, now: datetime, group: str | None
) -> TurnFileChange:
    target, plan = plan_quarantine(workspace, path, content, reason, now, group)
    return TurnFileChange(path, "quarantined", reason, target, plan)


def count_outdated_turns(
    workspace: Workspace, now: datetime, progress: Callable[[int, int], None] | None = None
) -> int:
    """Return how many files of all histories `upgrade-history` would change; every file is read."""
    return sum(
        upgrade.upgraded + upgrade.quarantined for upgrade in preview_upgrades(workspace, now, progress)
    )


def preview_upgrades(
    workspace: Workspace,
    now: datetime,
    progress: Callable[[int, int], None] | None = None,
    invalid_reason: InvalidReason = turn_format.invalid_reason,
) -> list[UpgradeReport]:
    """Return the counts that `upgrade-history` would report for each history; nothing is written."""
    read_only = workspace.read_only()
    return [
        upgrade_history(
            read_only,
            now,
            group=group,
            report=lambda _: None,
            progress=progress,
            invalid_reason=invalid_reason,
        )
        for group in history_groups(read_only)
    ]
