"""The index of documents: every file of an indexed role, chunk by chunk."""

from __future__ import annotations

import contextlib
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from memtool.core.records.document import Document, FileStat, TreeListing
from memtool.core.records.tree_snapshot import PackedFiles, TreeSnapshot
from memtool.errors import OutsideWorkspace, UnreadableFile
from memtool.index.documents.document_index import (
    DocumentIndex,
    EngineName,
    RankedIndex,
    engine_named,
    overlay,
    recommended_engine,
)
from memtool.index.engine import BrokenIndex, DocumentRecord, FileStamp, IndexBusy, Stamps
from memtool.index.freshness import compare_stamps, content_differences, is_racy
from memtool.index.sync import IndexState, IndexSync, Progress, SyncReport
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.document_diff import ChangedStamps, DocumentDiff, DocumentView, portions
from memtool.verbs.indexing.document_record import record_of
from memtool.verbs.indexing.known_files import load_known, save_known
from memtool.verbs.indexing.location import DOCUMENTS, index_location
from memtool.verbs.indexing.quick_scan import files_with_words, unsearched_notice

_FEW = 10
"""Up to one in so many files, the stamps are looked up one by one: reading all takes no longer than that."""
_PART = 65_536
"""Bytes of changed files that are searched in memory where the others are left out."""


class DocumentSync(IndexSync[DocumentIndex, TreeSnapshot, DocumentDiff, DocumentView]):
    """Keeps the index of a workspace's documents in line with its files.

    Up to `aside` bytes are searched beside the index: that is quicker, and another process may index them.
    Where more than `most` bytes are to be indexed, none are, and `is_behind` becomes true: only those changed
    files are searched that have most of the `words`. The caller starts a process that updates the index.
    """

    subject = "the search index"
    busy_at_opening = "another memtool process is building the index"
    busy_at_writing = (
        "another memtool process is writing the index; this search reads new and changed files without "
        "the index"
    )
    unopened = "this search reads the files without the index"
    broken_at_opening = unopened
    failed_query = unopened
    discards_broken = False

    def __init__(
        self,
        workspace: Workspace,
        key: bytes | None,
        *,
        wait: float,
        progress: Progress | None = None,
        most: int | None = None,
        aside: int = 0,
    ) -> None:
        super().__init__(index_location(workspace, DOCUMENTS, key, wait))
        self.engine_name: EngineName = workspace.settings["search.engine"]
        self.engine = engine_named(self.engine_name)
        self.workspace = workspace
        self.most, self.aside = most, aside
        self.words: frozenset[str] = frozenset()
        self.is_asked_for: Callable[[str], bool] = lambda _: True
        self.is_behind = False
        self._progress = progress
        self._is_indexed: dict[str, bool] = {}
        self._last: tuple[Mapping[str, PackedFiles], DocumentView] | None = None

    def snapshot(self, *, every: bool) -> TreeSnapshot:
        """See `IndexSync`."""
        return self.workspace.document_snapshot()

    def last_view(self, snapshot: TreeSnapshot) -> DocumentView | None:
        """See `IndexSync`."""
        if self._last is not None and not snapshot.unreadable and snapshot.folders == self._last[0]:
            return self._last[1]
        self._last = None
        return None

    def diff(self, index: DocumentIndex | None, snapshot: TreeSnapshot, report: SyncReport) -> DocumentDiff:
        """See `IndexSync`."""
        for path, reason in snapshot.unreadable:
            report.add_unread(f"{path or 'the workspace root'} cannot be listed: {reason}")
        diff = self._full_diff(index, snapshot)
        return self._part(diff, report) if self._is_too_large(diff) else diff

    def diff_paths(self, index: DocumentIndex, paths: Sequence[str], report: SyncReport) -> DocumentDiff:
        """See `IndexSync`."""
        self._last = None
        stamps, listing = index.stamps(), self.workspace.listing(paths)
        for path, reason in listing.unreadable:
            report.add_unread(f"{path} cannot be read: {reason}")
        return self._diff(listing, {path: stamps[path] for path in paths if path in stamps})

    def apply(self, index: DocumentIndex, diff: DocumentDiff, report: SyncReport) -> None:
        """See `IndexSync`. A stop in between loses one portion of a large diff.

        What was lost with a worker is indexed again without any.
        """
        removed, done = diff.removed, 0
        for portion in portions(diff):
            given: dict[str, FileStamp] = {}
            index.upsert(_noted(self._records(diff, report, portion, done), given), removed)
            stamps = index.stamps()
            if lost := [path for path, stamp in given.items() if stamps.get(path) != stamp]:
                index.upsert(self._records(diff, report, lost, done), alone=sys.maxsize)
            removed, done = (), done + len(portion)
        if diff.same:
            index.restamp(diff.same)

    def view(self, index: DocumentIndex, diff: DocumentDiff, report: SyncReport) -> DocumentView:
        """See `IndexSync`."""
        view = self._view(index, index.stamps(), diff, report)
        if diff.snapshot is not None and not view.notices:
            if diff.is_settled:
                self._last = diff.snapshot.folders, view
            if not diff.is_known:
                key, state = self.location.key, index.state()
                save_known(self.workspace, key, diff.snapshot, state, diff.large)
        return view

    def view_after(
        self,
        last: DocumentView,
        paths: Sequence[str],
        index: DocumentIndex,
        diff: DocumentDiff,
        report: SyncReport,
    ) -> DocumentView:
        """See `IndexSync`."""
        large = tuple(sorted({*last.large}.difference(paths).union(diff.large)))
        return replace(self._view(index, index.stamps(), diff, report), large=large)

    def view_beside(
        self,
        index: DocumentIndex | None,
        diff: DocumentDiff,
        report: SyncReport,
        texts: dict[str, Document] | None = None,
    ) -> DocumentView:
        """See `IndexSync`: what differs is indexed in memory, and put into `texts`."""
        records = list(self._records(diff, report, diff.changed, texts=texts))
        stamps = ChangedStamps(diff.stamps, {record.path: record.stamp for record in records}, diff.removed)
        unchanged = None if records or diff.removed else index
        view = self._view(unchanged or overlay(index, records, diff.removed), stamps, diff, report)
        is_certain = not any(is_racy(stat, diff.at_ns) for stat in diff.indexable.values())
        if diff.snapshot is not None and is_certain and not view.notices:
            self._last = diff.snapshot.folders, view
        return view

    def final_view(self, stale: Sequence[str]) -> DocumentView:
        """See `IndexSync`."""
        report, snapshot, index = SyncReport(), self.snapshot(every=True), self._index
        try:
            diff = self.diff(index, snapshot, report)
        except BrokenIndex:
            index = None
            diff = self.diff(index, snapshot, report)
        files = snapshot.listing().files
        indexed = (path for path in stale if path in diff.stamps and path not in diff.large)
        missed = {path: files[path] for path in indexed if path in files}
        diff.indexable = {**missed, **diff.indexable}
        diff.changed += [path for path in missed if path not in diff.changed]
        texts: dict[str, Document] = {}
        view = self.view_beside(index, diff, report, texts)
        self._last = None
        return replace(view, texts=texts, is_final=True)

    def is_small(self, diff: DocumentDiff) -> bool:
        """See `IndexSync`."""
        return diff.is_part or (bool(self.aside) and diff.size() <= self.aside)

    def state(self, is_shown: Callable[[str], bool] = lambda _: True) -> IndexState:
        """The state of the index on disk for the documents that are shown, without changing it."""
        every, indexed = self._compared()
        indexable = {path: stat for path, stat in every.items() if is_shown(path)}
        stamps = {path: stamp for path, stamp in indexed.items() if is_shown(path)}
        if not indexed:
            return IndexState("none", 0, len(indexable))
        changes = compare_stamps(indexable, stamps)
        behind = len(changes.added) + len(changes.changed) + len(changes.removed)
        return IndexState("behind" if behind else "fresh", len(stamps), behind)

    def recommended_engine(self, state: IndexState) -> EngineName | None:
        """The engine that is recommended in place of this one for an index in this state, if any is."""
        return recommended_engine(self.engine_name, max(state.count, state.behind))

    def differences(self, unread: list[str]) -> Iterator[tuple[str, str]]:
        """See `IndexSync`."""
        indexable, stamps = self._compared()
        return content_differences(indexable, stamps, self.workspace.etag, unread)

    def _compared(self) -> tuple[Mapping[str, FileStat], Mapping[str, FileStamp]]:
        """What should be indexed, and what is; files in folders that cannot be listed count as they are."""
        listing = self.workspace.document_listing()
        indexable, _ = self._indexable(listing, {})
        with self.read_only() as index:
            stamps = index.stamps().all() if index else {}
        removed = compare_stamps(indexable, stamps, [path for path, _ in listing.unreadable]).removed
        in_index = {path: stamp for path, stamp in stamps.items() if path in indexable or path in removed}
        return indexable, in_index

    def update(self) -> None:
        """Bring the index on disk in line, unless more than `most` bytes are to be indexed.

        Leaves the index alone while another process writes it. Closes a broken index; whoever opens it next
        rebuilds it.
        """
        self._known_view = None
        self._close_replaced()
        try:
            index = self._open(SyncReport())
            if index is not None and self.may_apply(index):
                diff, report = self._full_diff(index, self.snapshot(every=True)), SyncReport()
                if not self._is_too_large(diff):
                    if diff:
                        self.apply(index, diff, report)
                    self.view(index, diff, report)
        except (IndexBusy, BrokenIndex):
            self.close()

    def merge_segments(self, most: int | None = None) -> None:
        """Merge the segments of the index, at most `most` chunks of them; for quiet moments."""
        if self._index is not None and self.workspace.writes:
            self._index.merge(most)

    def end_read(self) -> None:
        """Hold off no other writer until the next query."""
        if self._index is not None:
            self._index.end_read()

    def close(self) -> None:
        """See `IndexSync`."""
        self._last = None
        super().close()

    def _indexable(
        self, listing: TreeListing, stamps: Mapping[str, FileStamp]
    ) -> tuple[dict[str, FileStat], tuple[str, ...]]:
        """The files to index, of which those with a stamp were chosen before, and those too large for it."""
        most = self.workspace.settings["search.max_file_bytes"]
        indexable: dict[str, FileStat] = {}
        large: list[str] = []
        for path, stat in listing.files.items():
            if path in stamps or self._has_indexed_role(path):
                if stat.size <= most:
                    indexable[path] = stat
                else:
                    large.append(path)
        return indexable, tuple(sorted(large))

    def _has_indexed_role(self, path: str) -> bool:
        """Whether a path's role is one that is searched; remembered, for it never changes."""
        is_indexed = self._is_indexed.get(path)
        if is_indexed is None:
            located = self.workspace.role_of(path)
            is_indexed = self._is_indexed[path] = located is not None and located.place.indexed
        return is_indexed

    def _full_diff(self, index: DocumentIndex | None, snapshot: TreeSnapshot) -> DocumentDiff:
        """What differs in all files. Of those that are known to be in line, no stamps are read."""
        stamps, known = index.stamps() if index else Stamps({}), None
        if index is not None and not snapshot.unreadable:
            known = load_known(self.workspace, self.location.key, snapshot, index.state())
        changed = {} if known is None else known.changed(snapshot)
        if known is None or len(changed) > snapshot.count() // _FEW:
            return replace(self._diff(snapshot.listing(), stamps.all()), snapshot=snapshot)
        files = {path: stat for path, stat in changed.items() if stat is not None}
        indexed = {path: stamp for path in changed if (stamp := stamps.get(path))}
        diff = self._diff(TreeListing(snapshot.at_ns, files), indexed)
        large = tuple(sorted((known.large_paths() - changed.keys()).union(diff.large)))
        return replace(diff, snapshot=snapshot, large=large, stamps=stamps, is_known=not changed)

    def _diff(self, listing: TreeListing, stamps: Mapping[str, FileStamp]) -> DocumentDiff:
        """What differs. Indexed files with another stamp, or a doubtful one, are compared by content."""
        indexable, large = self._indexable(listing, stamps)
        changes = compare_stamps(indexable, stamps, [path for path, _ in listing.unreadable])
        changed = [*changes.added]
        same: dict[str, FileStamp] = {}
        suspects = sorted((*changes.changed, *changes.doubtful))
        etags = self._etags(suspects)
        for path in suspects:
            stat, etag = indexable[path], etags.get(path)
            if etag != stamps[path].etag:
                changed.append(path)
            elif stat != stamps[path][:4] or not is_racy(stat, listing.at_ns):  # else as doubtful as before
                same[path] = FileStamp(*stat, listing.at_ns, etag)
        return DocumentDiff(
            listing.at_ns, None, indexable, large, stamps, sorted(changed), changes.removed, same, not changes
        )

    def _is_too_large(self, diff: DocumentDiff) -> bool:
        if self.most is None or diff.size() <= self.most:
            return False
        largest = 0 if self.aside else max(diff.indexable[path].size for path in diff.changed)
        self.is_behind = diff.size() - largest > self.most  # no part of a single large file could be searched
        return self.is_behind

    def _part(self, diff: DocumentDiff, report: SyncReport) -> DocumentDiff:
        """A diff that is searched beside the index: of the changed files, those that the words are in."""
        files = {path: diff.indexable[path] for path in diff.changed if self.is_asked_for(path)}
        chosen = files_with_words(self.workspace, files, self.words, self.aside or _PART)
        left_out = {*diff.changed} - {*chosen}
        if files.keys() - {*chosen}:
            report.add_unread(unsearched_notice(len(files), len(chosen)))
        removed = (*diff.removed, *sorted(left_out & diff.stamps.keys()))
        return replace(diff, changed=chosen, removed=removed, same={}, is_part=True)

    def _etags(self, paths: Iterable[str]) -> dict[str, str]:
        """The etags of the files at these paths that can be read."""
        etags: dict[str, str] = {}
        with contextlib.suppress(UnreadableFile, OutsideWorkspace):  # whoever indexes a file says why
            for document in self.workspace.disk.read_documents(map(PurePosixPath, paths)):
                if isinstance(document, Document):
                    etags[str(document.path)] = document.etag
        return etags

    def _records(
        self,
        diff: DocumentDiff,
        report: SyncReport,
        paths: Sequence[str],
        done: int = 0,
        texts: dict[str, Document] | None = None,
    ) -> Iterator[DocumentRecord]:
        """The records of changed files, read one by one; one that cannot be read is reported and left out.

        `done` files of the diff were read before.
        """
        by_heading = self.workspace.layout.notes.titled_by_heading
        for number, document in enumerate(self._documents(paths, report), done + 1):
            path = str(document.path) if document is not None else ""
            if document is not None and (located := self.workspace.role_of(path)) is not None:
                if texts is not None:
                    texts[path] = document
                stat = diff.indexable[path]
                yield record_of(document, located, stat, diff.at_ns, titled_by_heading=by_heading)
            if self._progress is not None:
                self._progress(number, len(diff.changed))

    def _documents(self, paths: Iterable[str], report: SyncReport) -> Iterator[Document | None]:
        """The documents at these paths, None for each that is gone or cannot be read, which is reported.

        Files of one folder are read together; those that cannot be read that way, such as links, come last.
        """
        for _, files in itertools.groupby(paths, lambda path: path.rpartition("/")[0]):
            left = {path: PurePosixPath(path) for path in files}
            with contextlib.suppress(UnreadableFile, OutsideWorkspace):  # the second reading says why
                for document in self.workspace.disk.read_documents([*left.values()]):
                    if isinstance(document, Document):
                        del left[str(document.path)]
                        yield document
            for path in left.values():
                try:
                    yield self.workspace.read(path)
                except (UnreadableFile, OutsideWorkspace) as error:
                    report.add_unread(str(error))
                    yield None

    def _view(
        self, index: RankedIndex, stamps: Mapping[str, FileStamp], diff: DocumentDiff, report: SyncReport
    ) -> DocumentView:
        notices = tuple(dict.fromkeys(report.notices))
        return DocumentView(
            index=index, stamps=stamps, large=diff.large, unread=report.unread, notices=notices
        )


def _noted(records: Iterable[DocumentRecord], given: dict[str, FileStamp]) -> Iterator[DocumentRecord]:
    """The records, with their stamps noted as they are given."""
    for record in records:
        given[record.path] = record.stamp
        yield record
