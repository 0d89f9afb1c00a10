"""The index of documents: every file of an indexed role, chunk by chunk."""

from __future__ import annotations

import contextlib
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from memtool.core.records.document import Document, FileStat, TreeListing
from memtool.errors import MemtoolError, OutsideWorkspace, UnreadableFile
from memtool.index.documents.document_index import (
    DocumentIndex,
    EngineName,
    RankedIndex,
    engine_named,
    overlay,
    recommended_engine,
)
from memtool.index.engine import BrokenIndex, DocumentRecord, FileStamp, IndexBusy
from memtool.index.freshness import compare_stamps, content_differences, is_racy
from memtool.index.sync import IndexState, IndexSync, Progress, SyncReport, SyncView
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.document_diff import DocumentDiff, portions
from memtool.verbs.indexing.document_record import record_of
from memtool.verbs.indexing.location import DOCUMENTS, index_location
from memtool.verbs.indexing.quick_scan import files_with_words, unsearched_notice

_PART = 65_536
"""Bytes of changed files that are searched in memory where the others are left out."""


class DocumentView(SyncView, kw_only=True):
    """The documents as they are on disk now.

    `stamps` say which text of each is searched; `large` are files too large for the index, to be read
    through. `texts` are documents as they were read for this view: they go on changing.
    """

    texts: Mapping[str, Document] = {}
    index: RankedIndex
    stamps: Mapping[str, FileStamp]
    large: tuple[str, ...]


class DocumentSync(IndexSync[DocumentIndex, TreeListing, DocumentDiff, DocumentView]):
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
        self._last: tuple[dict[str, FileStat], DocumentView] | None = None

    def snapshot(self, *, every: bool) -> TreeListing:
        """See `IndexSync`."""
        return self.workspace.document_listing()

    def last_view(self, snapshot: TreeListing) -> DocumentView | None:
        """See `IndexSync`."""
        if self._last is not None and not snapshot.unreadable and snapshot.files == self._last[0]:
            return self._last[1]
        self._last = None
        return None

    def diff(self, index: DocumentIndex | None, snapshot: TreeListing, report: SyncReport) -> DocumentDiff:
        """See `IndexSync`."""
        for path, reason in snapshot.unreadable:
            report.add_unread(f"{path or 'the workspace root'} cannot be listed: {reason}")
        diff = self._diff(snapshot, index.stamps() if index else {})
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
        if diff.is_settled and not view.notices:
            self._last = diff.listing.files, view
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
        stamps = {path: stamp for path, stamp in diff.stamps.items() if path not in diff.removed}
        stamps |= {record.path: record.stamp for record in records}
        unchanged = None if records or diff.removed else index
        view = self._view(unchanged or overlay(index, records, diff.removed), stamps, diff, report)
        at_ns = diff.listing.at_ns
        if not (view.notices or any(is_racy(stat, at_ns) for stat in diff.indexable.values())):
            self._last = diff.listing.files, view
        return view

    def final_view(self, stale: Sequence[str]) -> DocumentView:
        """See `IndexSync`."""
        report, listing, index = SyncReport(), self.snapshot(every=True), self._index
        try:
            diff = self.diff(index, listing, report)
        except BrokenIndex:
            index = None
            diff = self.diff(index, listing, report)
        diff.changed += [path for path in stale if path in diff.indexable and path not in diff.changed]
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
            stamps = index.stamps() if index else {}
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
                diff = self._diff(self.snapshot(every=True), index.stamps())
                if diff and not self._is_too_large(diff):
                    self.apply(index, diff, SyncReport())
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
            listing, indexable, large, stamps, sorted(changed), changes.removed, same, not changes
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
                yield record_of(document, located, stat, diff.listing.at_ns, titled_by_heading=by_heading)
            if self._progress is not None:
                self._progress(number, len(diff.changed))

    def _documents(self, paths: Iterable[str], report: SyncReport) -> Iterator[Document | None]:
        """The documents at these paths, None for each that is gone or cannot be read, which is reported.

        Files of one folder are read together; those that cannot be read that way, such as links, come last.
        """
        for _, files in itertools.groupby(map(PurePosixPath, paths), lambda path: path.parent):
            left = dict.fromkeys(files)
            with contextlib.suppress(UnreadableFile, OutsideWorkspace):  # the second reading says why
                for document in self.workspace.disk.read_documents([*left]):
                    if isinstance(document, Document):
                        del left[document.path]
                        yield document
            for path in left:
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


def read_indexed(workspace: Workspace, view: DocumentView, path: str) -> Document | None:
    """A document if its file still is the text that the view searches, or is of a final view."""
    if path in view.texts:
        return view.texts[path]
    stamp = view.stamps.get(path)
    try:
        document = workspace.read(PurePosixPath(path))
    except MemtoolError:
        return None
    return document if document and stamp and document.etag == stamp.etag else None
