"""Apply a plan to the tree, all of it or nothing; the next writer takes back what a dead one left."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import assert_never

from memtool.core.records.document import etag_of
from memtool.core.records.plan import (
    Append,
    Change,
    Create,
    Move,
    MoveTree,
    Permit,
    Plan,
    Remove,
    RemoveTree,
    Replace,
    Secure,
)
from memtool.errors import MemtoolError, UnfinishedCommit, Unwritable
from memtool.store.commit.intent import (
    Intent,
    PendingAppend,
    PendingChange,
    PendingCreate,
    PendingMode,
    PendingMove,
    PendingRemove,
    PendingReplace,
    boot_id,
    is_empty,
    load_intent,
    remove_intent,
    save_intent,
    set_staging_aside,
)
from memtool.store.commit.journal import Journal
from memtool.store.commit.rollback import is_complete, roll_back, touched_paths
from memtool.store.commit.simulation import PlannedAppend
from memtool.store.files.disk import Disk
from memtool.store.files.posix import encode, error_reason, relocated_link
from memtool.store.files.staging import INTENT_PATH, replaced_names
from memtool.store.files.system_calls import can_sync_file_system

_LARGE_PLAN = 32
"""Changes of a plan from which on one sync of the file system is cheaper than a sync of each file."""


class Transaction:
    """Applies one plan to a tree, under the workspace's lock.

    New contents are staged before the first change, so that a full disk is noticed while nothing has happened
    yet. A plan that is more than one rename is recorded in an intent, and so is a rename after which is
    compared what it took out: a kill in between must not lose what another program wrote. Without a `key`,
    nothing can be recorded, and a killed command may leave a part of its plan. `is_done` says that the
    plan is applied for good, also where `apply` is interrupted after that.
    """

    def __init__(
        self, disk: Disk, journal: Journal, key: bytes | None, report: Callable[[str], None]
    ) -> None:
        self._disk = disk
        self._journal = journal
        self._key = key
        self._report = report
        self.is_done = False
        self._is_recorded = False
        self._temporaries: list[PurePosixPath] = []

    def apply(
        self,
        plan: Plan,
        appends: Sequence[PlannedAppend],
        recording: contextlib.AbstractContextManager[None],
        then: Callable[[], None],
    ) -> None:
        """Apply a plan, and call `then` at its end, while `recording` records it in the journal.

        `appends` are those of the plan as simulated. Raises StaleWrite, UnreadableFile, Unwritable and
        OutsideWorkspace if nothing was changed, and UnfinishedCommit if that could not be restored.
        """
        disk = self._disk
        intent: Intent | None = None
        try:
            changes = tuple(self._prepare(plan, appends))
            intent = Intent(disk.root, boot_id(), changes, self._journal.end())
            if not _is_atomic(changes):
                self._record(intent)
            elif any(isinstance(change, Replace | Remove) for change in plan):
                self._record(intent, sync=False)  # a power failure leaves one rename done or not done
            with recording:
                for change, pending in zip(plan, changes, strict=True):
                    self._make(change, pending)
                disk.sync_folders(touched_paths(disk, changes))
                then()
            if self._is_recorded:
                remove_intent(disk)
            self.is_done = True
        except BaseException as error:
            self.is_done = False
            if intent is not None:
                self._take_back(intent, error)
            disk.drop(self._temporaries)
            raise
        disk.drop(self._temporaries)

    def _record(self, intent: Intent, *, sync: bool = True) -> None:
        if self._key is None:
            return
        save_intent(self._disk, intent, self._key, sync=sync)
        self._is_recorded = True

    def _take_back(self, intent: Intent, error: BaseException) -> None:
        try:
            left = roll_back(self._disk, intent, self._journal)
            if self._is_recorded:
                remove_intent(self._disk)
        except (MemtoolError, OSError) as failure:
            if not self._is_recorded:
                with contextlib.suppress(MemtoolError, OSError):
                    self._record(intent)
            raise UnfinishedCommit(str(error), str(failure), is_recorded=self._is_recorded) from error
        _report_left(left, self._report)

    def _prepare(self, plan: Plan, appends: Sequence[PlannedAppend]) -> Iterator[PendingChange]:
        """Stage the new contents, and yield what is needed to take each change back.

        At the end all contents are synced, those of a large plan at once.
        """
        disk = self._disk
        is_large = len(plan) >= _LARGE_PLAN and can_sync_file_system()
        planned_appends = iter(appends)
        for change in plan:
            match change:
                case Create(path, text):
                    place = disk.resolve(path)
                    made = _text(disk.missing_folder(place))
                    content = encode(text)
                    yield PendingCreate(
                        str(place), etag_of(content), str(self._stage(path, content, not is_large)), made
                    )
                case Append(path):
                    planned = next(planned_appends)
                    tail = etag_of(planned.ending)
                    yield PendingAppend(str(disk.resolve(path)), planned.size, tail, planned.added)
                case Replace(path, text, etag):
                    content = encode(text)
                    staged = str(self._stage(path, content, not is_large))
                    yield PendingReplace(str(disk.resolve(path)), etag, etag_of(content), staged)
                case Move(path, target, etag):
                    yield self._pending_move(disk.resolve(path), disk.resolve(target), etag)
                case MoveTree(path, target):
                    yield self._pending_move(disk.resolve_parent(path), disk.resolve(target), "")
                case Remove(path) | RemoveTree(path):
                    is_tree = isinstance(change, RemoveTree)
                    place = disk.resolve_parent(path) if is_tree else disk.resolve(path)
                    yield PendingRemove(str(place), str(self._temporary(path, place)))
                case Secure(path):
                    mode = disk.mode(path) or 0
                    yield PendingMode(str(path), mode & 0o7777, disk.private_mode(mode) & 0o7777)
                case Permit(path, mode, expect):
                    yield PendingMode(str(path), expect, mode)
                case _:
                    assert_never(change)
        if is_large:
            disk.sync_staged()

    def _pending_move(self, source: PurePosixPath, target: PurePosixPath, etag: str) -> PendingMove:
        disk = self._disk
        link = None if relocated_link(disk.root, source, target) is None else disk.link_text(source)
        return PendingMove(str(source), str(target), etag, link, _text(disk.missing_folder(target)))

    def _stage(self, path: PurePosixPath, content: bytes, sync: bool) -> PurePosixPath:
        staged = self._disk.stage(path, content, sync=sync)
        self._temporaries += replaced_names(staged)
        return staged

    def _temporary(self, path: PurePosixPath, place: PurePosixPath) -> PurePosixPath:
        try:
            temporary = self._disk.temporary_path(place)
        except OSError as error:
            reason = error_reason(error)
            raise Unwritable(f"{path} cannot be removed: {reason}; nothing was changed") from error
        self._temporaries.append(temporary)
        return temporary

    def _make(self, change: Change, pending: PendingChange) -> None:
        disk = self._disk
        match change, pending:
            case Create(path, _, like), PendingCreate():
                mode = None if like is None else disk.permissions(like)
                disk.publish(PurePosixPath(pending.staged), path, mode)
            case Append(path, text), PendingAppend():
                disk.append(path, text, pending.added)
            case Replace(path, _, etag), PendingReplace():
                disk.swap(PurePosixPath(pending.staged), path, etag)
            case Move(path, target, etag), _:
                disk.move(path, target, etag)
            case MoveTree(path, target), _:
                disk.move_tree(path, target)
            case Remove(path, etag), PendingRemove():
                disk.set_aside(path, PurePosixPath(pending.kept), etag)
            case RemoveTree(path), PendingRemove():
                disk.set_aside(path, PurePosixPath(pending.kept), None)
            case Secure(path), _:
                disk.make_private(path)
            case Permit(path, mode, expect), _:
                disk.change_mode(path, mode, expect)
            case _:
                raise AssertionError("a change does not match the pending change that was prepared for it")


def recover(
    disk: Disk, journal: Journal, key: Callable[[], bytes | None], report: Callable[[str], None]
) -> None:
    """Take back an unfinished transaction and remove all temporary files, under the workspace's lock.

    An intent that this user's memtool did not write is not followed; it is set aside with its files. Raises
    Unwritable if the disk prevents it.
    """
    temporaries = disk.temporaries()
    if INTENT_PATH in temporaries:
        try:
            if not is_empty(disk):
                intent = load_intent(disk, key())
                if intent is None:
                    aside = set_staging_aside(disk)
                    report(
                        f"{INTENT_PATH}, the record of an interrupted command, has no valid signature; the "
                        f"command's changes were not reverted, and the record was moved to {aside}"
                    )
                    return
                if not is_complete(disk, intent):
                    left = roll_back(disk, intent, journal)
                    report(
                        "the changes made by an interrupted command were reverted; run that command again "
                        "if needed"
                    )
                    _report_left(left, report)
            remove_intent(disk)
        except MemtoolError as error:
            raise Unwritable(
                f"the changes made by an earlier, interrupted command could not be reverted: {error}; "
                "this command changed nothing"
            ) from error
    disk.drop(path for path in temporaries if path != INTENT_PATH)
    journal.drop_temporary()


def _is_atomic(changes: Sequence[PendingChange]) -> bool:
    """Whether a plan is one operation of the file system, done or not done whenever it stops."""
    match changes:
        case [] | [PendingCreate() | PendingReplace() | PendingRemove() | PendingMode()]:
            return True
        case [PendingMove(link=None)]:
            return True
        case _:
            return False


def _report_left(paths: Sequence[str], report: Callable[[str], None]) -> None:
    for path in paths:
        report(
            f"the unfinished change to {path} was not reverted, because another program has also changed the "
            "file; check the file by hand"
        )


def _text(path: PurePosixPath | None) -> str | None:
    return None if path is None else str(path)
