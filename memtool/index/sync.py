"""Synchronising an index with its files: snapshot, diff, apply, view; the one lifecycle of all indexes."""

from __future__ import annotations

import abc
import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import ClassVar, Generic, TypeVar

from msgspec import Struct, field

from memtool.errors import Unwritable
from memtool.index.engine import BrokenIndex, IndexBusy
from memtool.index.opening import StoredIndex, discard_index, open_index

ATTEMPTS = 2
"""How often a search is run whose hits turn out to be of files that have changed meanwhile, before the newest
text of these files is searched."""
REBUILT = "rebuilding it; no action is needed"

_TRUSTED_SECONDS = 300.0
"""Seconds for which files that nothing reports as changed are not compared again: the kernel does not report
a change through a hard link in another folder or through mapped memory."""

Progress = Callable[[int, int], None]
"""Called while many files are indexed: how many are done, of how many."""


class IndexLocation(Struct, frozen=True):
    """Where an index lies, and what may be done there.

    `key` proves an index on disk; without one nothing is opened or stored. Another writer is waited for up
    to `wait` seconds. `make_parent` makes the folder that `folder` lies in, and raises Unwritable. `rules`
    are those by which documents are selected; an index that others have selected is rebuilt.
    """

    folder: str
    key: bytes | None
    wait: float
    may_write: Callable[[], bool]
    make_parent: Callable[[], object]
    rules: str = ""

    def is_present(self) -> bool:
        """Whether there is a folder, whatever it holds."""
        return os.path.isdir(self.folder)


class SyncReport(Struct):
    """What a user should know of one synchronisation, and how many files or folders could not be read."""

    notices: list[str] = field(default_factory=list)
    unread: int = 0

    def add_unread(self, reason: str) -> None:
        """Count something that could not be read, with a sentence that says why."""
        self.unread += 1
        self.notices.append(reason)


class IndexState(Struct, frozen=True):
    """The state of an index: `fresh`, `behind` or `none`; its size, and how many files have changed since."""

    state: str
    count: int
    behind: int = 0


class SyncView(Struct, kw_only=True):
    """The files of an index as they are on disk now, ready to be searched.

    `unread` counts what could not be looked at; `notices` say so, a sentence each. `is_final` says that each
    file was read once for this view, and that its hits hold although the file goes on changing.
    """

    notices: Sequence[str] = ()
    unread: int = 0
    is_final: bool = False


Index = TypeVar("Index", bound=StoredIndex)
Snapshot = TypeVar("Snapshot")
Diff = TypeVar("Diff")
View = TypeVar("View", bound=SyncView)
Found = TypeVar("Found")


class IndexSync(abc.ABC, Generic[Index, Snapshot, Diff, View]):
    """Keeps one index in line with its files. The index is opened when it is first needed, and stays open.

    A subclass describes the index: its engine, what a snapshot of its files is, how a snapshot differs from
    the index, how a diff is applied, and how files are searched that cannot be indexed on disk.
    """

    engine: type[Index]
    subject: ClassVar[str]
    """What messages call the index."""
    busy_at_opening: ClassVar[str]
    busy_at_writing: ClassVar[str]
    unopened: ClassVar[str]
    """What is done where the index cannot be opened."""
    broken_at_opening: ClassVar[str]
    """The same where what lies there can be neither used nor deleted."""
    failed_query: ClassVar[str]
    """What is done where the index could not answer."""
    discards_broken: ClassVar[bool] = True
    """Whether an index that breaks while it is used is deleted. Another process may have replaced files that
    an open reader of Whoosh needs; then it is enough to open the index again."""

    def __init__(self, location: IndexLocation) -> None:
        self.location = location
        self.changes_since: Callable[[int | None], tuple[int, Sequence[str] | None] | None] = lambda _: None
        """What whoever watches the files reports; None if nobody does. The present position among their
        changes, and the files that changed after the given one; None for these if any may have changed."""
        self._index: Index | None = None
        self._known_view: tuple[int, float, View] | None = None
        """The last view of all files as they were: the position then, and when all of them were compared."""

    # what a subclass supplies -------------------------------------------------------------------------------

    @abc.abstractmethod
    def snapshot(self, *, every: bool) -> Snapshot:
        """The files as they are now; with `every`, each is looked at, however many there are."""

    @abc.abstractmethod
    def diff(self, index: Index | None, snapshot: Snapshot, report: SyncReport) -> Diff:
        """What the index lacks of the snapshot: everything if there is no index. Falsy if nothing."""

    @abc.abstractmethod
    def diff_paths(self, index: Index, paths: Sequence[str], report: SyncReport) -> Diff:
        """The difference for these paths only."""

    @abc.abstractmethod
    def apply(self, index: Index, diff: Diff, report: SyncReport) -> None:
        """Bring the index in line. Raises BrokenIndex, IndexBusy."""

    @abc.abstractmethod
    def view(self, index: Index, diff: Diff, report: SyncReport) -> View:
        """The view of an index that is in line."""

    def view_after(
        self, last: View, paths: Sequence[str], index: Index, diff: Diff, report: SyncReport
    ) -> View:
        """The view of an index that is in line after the diff of some paths; `last` is the one before it."""
        return self.view(index, diff, report)

    @abc.abstractmethod
    def view_beside(self, index: Index | None, diff: Diff, report: SyncReport) -> View:
        """The view of an index, if there is one, with the diff beside it: nothing is written."""

    @abc.abstractmethod
    def differences(self, unread: list[str]) -> Iterator[tuple[str, str]]:
        """Each file that is not what is indexed of it, with `missing`, `stale` or `deleted`; changes nothing.

        Every file is read, and no time stamp trusted. What cannot be read is named in `unread`.
        """

    def last_view(self, snapshot: Snapshot) -> View | None:
        """The view that was given last, if the snapshot shows that it still holds."""
        return None

    def compares_all(self, snapshot: Snapshot) -> bool:
        """Whether the diff of a snapshot compares every file."""
        return True

    def is_small(self, diff: Diff) -> bool:
        """Whether it is quicker to search a diff beside the index than to apply it."""
        return False

    def final_view(self, stale: Sequence[str]) -> View | None:
        """A view with the newest text of files that change faster than they can be indexed, if supported."""
        return None

    def repair(self, stale: Sequence[str]) -> None:
        """Bring the index in line with files that changed in a way that the next snapshot may not show."""

    def open_in_memory(self) -> Index | None:
        """An index for where none can be opened on disk, if the engine has such."""
        return None

    def may_apply(self, index: Index) -> bool:
        """Whether the index may be written."""
        return self.location.may_write()

    # the lifecycle ------------------------------------------------------------------------------------------

    def sync(self, *, every: bool = False) -> View:
        """Compare the files with the index, bring it in line, and give what is there now.

        What cannot be indexed on disk (read-only, locked, broken, incognito) is searched beside the index for
        this once, with a notice. An index that breaks is started over once. After all files were compared,
        only those that `changes_since` names are, for some minutes.
        """
        report = SyncReport()
        changes = self.changes_since(None if self._known_view is None else self._known_view[0])
        self._close_replaced()
        if (view := self._followed_view(changes)) is not None:
            return view
        position = None if changes is None else changes[0]
        snapshot = self.snapshot(every=every)
        if (view := self.last_view(snapshot)) is not None:
            return self._compared_view(position, view)
        for _ in range(2):
            try:
                index = self._open(report)
                diff = self.diff(index, snapshot, report)
                if index is None:
                    return self.view_beside(None, diff, report)
                if not self.compares_all(snapshot):
                    position = None
                if not diff:
                    return self._compared_view(position, self.view(index, diff, report))
                if self.may_apply(index) and not self.is_small(diff):
                    try:
                        self.apply(index, diff, report)
                    except IndexBusy:
                        if not index.is_current():
                            raise
                        report.notices.append(self.busy_at_writing)
                    else:
                        return self._compared_view(position, self.view(index, diff, report))
                return self.view_beside(index, diff, report)
            except BrokenIndex as error:
                report.notices.append(f"{self.subject} {error.why}; {self._remedy(error, REBUILT)}")
                self._start_over()
            except IndexBusy:
                report.notices.append(f"{self.busy_at_opening}; {self.unopened}")
                self.close()
                break
        return self.view_beside(None, self.diff(None, snapshot, report), report)

    def sync_paths(self, paths: Iterable[str]) -> None:
        """Bring the index in line with just these files. Raises BrokenIndex, IndexBusy."""
        report = SyncReport()
        self._known_view = None
        self._close_replaced()
        if self.location.may_write() and (index := self._open(report)) is not None:
            diff = self.diff_paths(index, [*paths], report)
            if diff:
                self.apply(index, diff, report)

    def search(
        self, ask: Callable[[View], tuple[Found, Sequence[str]]], given: View | None = None
    ) -> tuple[View, Found, list[str]]:
        """Query a view until every hit still matches its file, at most `ATTEMPTS` times.

        `ask` queries a view, and returns its result with the paths of files that have changed since they
        were indexed; these are indexed again before the next attempt. Of files that change during each
        attempt, the newest text is searched. Returns the last view, its result, and the files that had
        changed even then. `given` is the view of the same request's query just before.
        """
        for attempt in range(ATTEMPTS):
            view = self.sync() if given is None or attempt else given
            try:
                result, stale = ask(view)
            except BrokenIndex as error:
                view = self.without_index(f"{self.subject} {error.why}")
                result, stale = ask(view)
            if not stale or view.is_final:
                break
            self._known_view = None
            if attempt < ATTEMPTS - 1:
                self.repair([*dict.fromkeys(stale)])
            elif (final := self.final_view([*dict.fromkeys(stale)])) is not None:
                view = final
                result, stale = ask(view)
        return view, result, [*dict.fromkeys(stale)]

    def without_index(self, reason: str) -> View:
        """The view of the files alone, for a query that the index could not answer."""
        self._start_over()
        report = SyncReport([f"{reason}; {self.failed_query}"])
        return self.view_beside(None, self.diff(None, self.snapshot(every=True), report), report)

    def rebuild(self) -> View:
        """Delete the index and rebuild it. Raises BrokenIndex, IndexBusy where it cannot be deleted."""
        self.close()
        self.discard()
        return self.sync(every=True)

    def discard(self) -> None:
        """Delete the index on disk. Raises BrokenIndex, IndexBusy."""
        if self.location.may_write() and self.location.is_present():
            discard_index(self.location.folder, self.location.wait)

    @contextlib.contextmanager
    def read_only(self) -> Iterator[Index | None]:
        """The index on disk, if there is one that can be used; nothing is changed or waited for."""
        index, key = None, self.location.key
        with contextlib.suppress(BrokenIndex, IndexBusy):
            if key is not None:
                index = open_index(
                    self.engine,
                    self.location.folder,
                    key,
                    wait=0.0,
                    writes=False,
                    rules=self.location.rules,
                )
        try:
            yield index
        finally:
            if index is not None:
                index.close()

    @property
    def is_on_disk(self) -> bool:
        """Whether there is an open index on disk."""
        return self._index is not None and self.location.may_write()

    def close(self) -> None:
        """Release the open index; the next query reopens it."""
        self._known_view = None
        if self._index is not None:
            self._index.close()
            self._index = None

    def _followed_view(self, changes: tuple[int, Sequence[str] | None] | None) -> View | None:
        """The last view, brought in line with the files that have changed since, where they are known.

        None where all files must be compared.
        """
        known, self._known_view = self._known_view, None
        if changes is None or known is None or known[2].notices:
            return None
        (position, paths), (_, moment, view) = changes, known
        if paths is None or time.monotonic() - moment >= _TRUSTED_SECONDS:
            return None
        if paths:
            index, report = self._index, SyncReport()
            if index is None or not self.may_apply(index):
                return None
            try:
                diff = self.diff_paths(index, paths, report)
                if diff:
                    self.apply(index, diff, report)
                view = self.view_after(view, paths, index, diff, report)
            except (BrokenIndex, IndexBusy):  # the comparison of all files deals with it
                return None
            if view.notices or view.unread:
                return None
        self._known_view = position, moment, view
        return view

    def _compared_view(self, position: int | None, view: View) -> View:
        """The view, remembered with the position among the changes, if that is known."""
        if position is not None and not (view.notices or view.unread):
            self._known_view = position, time.monotonic(), view
        return view

    def _close_replaced(self) -> None:
        """Close the open index if others have replaced it, or something else has changed its files."""
        try:
            is_current = self._index is None or self._index.is_current()
        except (BrokenIndex, IndexBusy):
            is_current = False
        if not is_current:
            self.close()

    def _open(self, report: SyncReport) -> Index | None:
        """The index, opened if it is not open; None where none can be. Raises IndexBusy."""
        location, writes = self.location, self.location.may_write()
        if self._index is None and location.key is not None and (writes or location.is_present()):
            try:
                if writes:
                    location.make_parent()
                self._index = open_index(
                    self.engine,
                    location.folder,
                    location.key,
                    wait=location.wait,
                    writes=writes,
                    rules=location.rules,
                )
            except Unwritable as error:
                report.notices.append(f"{error}; {self.unopened}")
            except BrokenIndex as error:
                if writes:
                    remedy = self._remedy(error, self.broken_at_opening)
                    report.notices.append(f"{self.subject} {error.why}; {remedy}")
            else:
                if self._index.why_empty:
                    report.notices.append(f"{self.subject} {self._index.why_empty}; {REBUILT}")
        if self._index is None:
            self._index = self.open_in_memory()
        return self._index

    def _remedy(self, error: BrokenIndex, usual: str) -> str:
        """What is done about a broken index: what is `usual`, unless none can be written."""
        return self.unopened if error.is_refused else usual

    def _start_over(self) -> None:
        """Release an index that turned out to be broken, and delete its files where that is possible."""
        self.close()
        if self.discards_broken:
            with contextlib.suppress(BrokenIndex, IndexBusy):
                self.discard()
