"""Documents in SQLite: postings as packed numbers, one row for each term of a segment.

FTS5 is not used. Our weights are not its counts, so each would be a token of its own (term and weight). For
8.5 MB of text, making and inserting these took 2.5 s of CPU time, and packed rows take 0.8 s; reading the
21,000 chunks of a common term took 26 ms, and takes 4 ms.
"""

from __future__ import annotations

import contextlib
import unicodedata
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self

from memtool.index.database import Database, decode_path, encode_path
from memtool.index.documents.packed_segment import (
    MOST_CHUNKS,
    PackedSegment,
    PackedSegmentBuilder,
    moved,
    stamp_columns,
    stamp_of,
)
from memtool.index.documents.search import RankedSources
from memtool.index.documents.source import TERMS_VERSION
from memtool.index.documents.sqlite_source import SqliteSource
from memtool.index.engine import (
    ALONE,
    BrokenIndex,
    DocumentRecord,
    FileStamp,
    as_broken_index,
)
from memtool.index.opening import SealedFolder

_TABLES_VERSION = 1
_VERSIONS = 100
"""How many versions of the tables there may be for each version of the terms."""

_TABLES = """
CREATE TABLE document(
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE,
  size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER, at_ns INTEGER, etag TEXT,
  role TEXT NOT NULL, grp TEXT NOT NULL, day TEXT NOT NULL, title TEXT NOT NULL,
  start INTEGER, chunks INTEGER NOT NULL, ages INTEGER NOT NULL
);
CREATE INDEX document_start ON document(start) WHERE start IS NOT NULL;
CREATE INDEX document_role ON document(role, start, chunks);
CREATE INDEX document_day ON document(day, start, chunks);
CREATE TABLE tag(name TEXT, document INTEGER, PRIMARY KEY(name, document)) WITHOUT ROWID;
CREATE TABLE chunk(
  id INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, trail TEXT, text TEXT NOT NULL
);
CREATE TABLE owned(owner TEXT, chunk INTEGER, PRIMARY KEY(owner, chunk)) WITHOUT ROWID;
CREATE TABLE deleted(start INTEGER PRIMARY KEY, chunks INTEGER NOT NULL);
CREATE TABLE segment(start INTEGER PRIMARY KEY, chunks INTEGER NOT NULL);
CREATE TABLE posting(
  field INTEGER NOT NULL, term TEXT NOT NULL, segment INTEGER NOT NULL, data BLOB NOT NULL
);
CREATE UNIQUE INDEX posting_term ON posting(field, term, segment);
"""
"""Chunks are numbered in the order of writing, and no number is used again. Those of a document follow each
other from `document.start` on; it is NULL where there are none. A segment is the chunks of a range of numbers
with their postings; `deleted` has the ranges whose postings are still in it. A row of `posting` has a number
of 32 bits for each chunk of a segment with a term, in order: its distance from the first chunk of the
segment, and in the last 8 bits the weight of the term there. `owned` has the chunks that are somebody's.
"""


class SqliteDocuments(RankedSources, Database):
    """An index of documents in SQLite; see `DocumentIndex`."""

    subject = "the search index"
    marker, tables = "documents.db", _TABLES
    tables_version = (
        (TERMS_VERSION * _VERSIONS + _TABLES_VERSION) * 10_000
        + int(unicodedata.unidata_version.split(".")[0]) * _VERSIONS
        + int(unicodedata.unidata_version.split(".")[1])
    )
    pragmas = ("cache_size=-16000", "secure_delete=ON")

    def __init__(self, path: str, folder: SealedFolder | None = None, *, writes: bool = True) -> None:
        super().__init__(path, folder, writes=writes)
        self._stamps: dict[str, FileStamp] = {}
        self._sources: list[SqliteSource] | None = None
        self._data_version = 0

    @classmethod
    def load(cls, folder: SealedFolder, *, writes: bool) -> Self:
        """See `StoredIndex`."""
        index = super().load(folder, writes=writes)
        try:
            if index._rules() != _rules_number(folder):
                raise BrokenIndex("was built for a different layout")
            index._read_stamps()
        except BrokenIndex:
            index.close()
            raise
        return index

    def make(self) -> None:
        """Make the tables, and note the rules by which documents are selected."""
        super().make()
        with as_broken_index(self.subject):
            self.db.execute(f"PRAGMA application_id = {_rules_number(self._folder)}")

    def _rules(self) -> int:
        with as_broken_index(self.subject):
            return int(self.db.execute("PRAGMA application_id").get or 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def is_current(self) -> bool:
        """See `StoredIndex`; an index that others wrote is opened again."""
        return super().is_current() and self.data_version() == self._data_version

    def end_read(self) -> None:
        """See `DocumentIndex`: end the read transaction."""
        self.end()

    def stamps(self) -> Mapping[str, FileStamp]:
        """What is indexed, by path."""
        return self._stamps

    def sources(self, masked: Iterable[str] = ()) -> list[SqliteSource]:
        """See `DocumentIndex`; there is one."""
        hidden = [path for path in masked if path in self._stamps]
        if hidden:
            return [SqliteSource(self.db, hidden)]
        if self._sources is None:
            self._sources = [SqliteSource(self.db)]
        return self._sources

    def upsert(
        self, records: Iterable[DocumentRecord], gone: Iterable[str] = (), *, alone: int = ALONE
    ) -> None:
        """See `DocumentIndex`."""
        from memtool.index.documents.merging import quickly_merged
        from memtool.index.documents.segment_workers import SegmentWorkers

        with self._writing() as stamps:
            with as_broken_index(self.subject):
                for path in set(gone):
                    self._delete(path, stamps)
            workers = SegmentWorkers(PackedSegmentBuilder, alone)
            try:
                for record in records:
                    with as_broken_index(self.subject):
                        self._delete(record.path, stamps)
                        workers.add(record)
                    stamps[record.path] = record.stamp
                with as_broken_index(self.subject):
                    for segment in workers.finish():
                        self._insert(segment)
                        del segment  # before the next one is read from a worker
                    written = self._segments()
                    newest = quickly_merged([chunks for _, chunks in reversed(written)])
                    self._merge(written[len(written) - newest :])
            finally:
                workers.cancel()
            for path in workers.lost:
                del stamps[path]

    def remove(self, paths: Iterable[str]) -> None:
        """See `DocumentIndex`."""
        self.upsert((), paths)

    def restamp(self, stamps: Mapping[str, FileStamp]) -> None:
        """See `DocumentIndex`."""
        with self._writing() as listed, as_broken_index(self.subject):
            known = {path: stamp for path, stamp in stamps.items() if path in listed}
            self.db.executemany(
                "UPDATE document SET size=?, mtime_ns=?, ctime_ns=?, inode=?, at_ns=?, etag=? WHERE path=?",
                [(*stamp_columns(stamp), encode_path(path)) for path, stamp in known.items()],
            )
            listed.update(known)

    def merge(self, most: int | None = None) -> None:
        """See `DocumentIndex`: one segment if much is deleted or beside the oldest, else at most two."""
        from memtool.index.documents.merging import is_scattered, is_worn, merged_within

        with as_broken_index(self.subject):
            segments = self._segments()
            deleted = float(self.db.execute("SELECT total(chunks) FROM deleted").get)
        chunks = sum(size for _, size in segments)
        beside = chunks - segments[0][1] if segments else 0
        if is_worn(deleted, chunks) or is_scattered(beside, chunks):
            merged = segments
        elif len(segments) > 2:
            merged = segments[1:]
        else:
            return
        newest = merged_within([chunks for _, chunks in reversed(merged)], most)
        if newest:
            with self._writing(), as_broken_index(self.subject):
                self._merge(merged[len(merged) - newest :])

    # writing ------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _writing(self) -> Iterator[dict[str, FileStamp]]:
        """The lock and a transaction, with the stamps as they are, to be changed as the documents are.

        An error that is not SQLite's leaves the file as it was, and sealed.
        """
        with self.writing() as is_changed:
            if is_changed:
                self._read_stamps()
            stamps = {**self._stamps}
            try:
                with as_broken_index(self.subject):
                    self.db.execute("BEGIN IMMEDIATE")
                yield stamps
                with as_broken_index(self.subject):
                    self.db.execute("COMMIT")
            except BrokenIndex:
                self.end()
                raise
            except BaseException:
                self.end()
                self.seal()
                self.begin()
                raise
            finally:
                self._sources = None
        self._stamps = stamps
        self._data_version = self.data_version()

    def _read_stamps(self) -> None:
        with as_broken_index(self.subject):
            rows: Any = self.db.execute(
                "SELECT path, size, mtime_ns, ctime_ns, inode, at_ns, etag FROM document"
            )
            self._stamps = {decode_path(row[0]): stamp_of(row[1:]) for row in rows}
        self._data_version = self.data_version()

    def _delete(self, path: str, stamps: dict[str, FileStamp]) -> None:
        """Delete a document, if it is there; its postings stay until their segment is merged."""
        if stamps.pop(path, None) is None:
            return
        row: Any = self.db.execute(
            "SELECT id, start, chunks FROM document WHERE path = ?", (encode_path(path),)
        ).fetchone()
        document, start, chunks = row
        self.db.execute("DELETE FROM tag WHERE document = ?", (document,))
        self.db.execute("DELETE FROM document WHERE id = ?", (document,))
        if start is not None:
            for statement in (
                "DELETE FROM chunk WHERE id >= ? AND id < ?",
                "DELETE FROM owned WHERE chunk >= ? AND chunk < ?",
            ):
                self.db.execute(statement, (start, start + chunks))
            self.db.execute("INSERT INTO deleted VALUES (?, ?)", (start, chunks))

    def _insert(self, segment: PackedSegment) -> None:
        """Write a segment behind those that are there."""
        start = int(self.db.execute("SELECT coalesce(max(start + chunks), 1) FROM segment").get)
        for document in segment.documents:
            first = start + document.start if document.chunks else None
            self.db.execute(
                "INSERT INTO document VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (document.path, *document.columns, first, document.chunks, document.ages),
            )
            if document.tags:
                number = self.db.last_insert_rowid()
                self.db.executemany("INSERT INTO tag VALUES (?, ?)", [(tag, number) for tag in document.tags])
        if not segment.chunks:
            return
        self.db.executemany(
            "INSERT INTO chunk VALUES (?, ?, ?, ?, ?)",
            ((number, *row) for number, row in enumerate(segment.chunks, start)),
        )
        self.db.executemany(
            "INSERT INTO owned VALUES (?, ?)",
            ((owner, start + number) for owner, number in segment.owners),
        )
        for field, postings in segment.postings.items():
            self.db.executemany(
                "INSERT INTO posting VALUES (?, ?, ?, ?)",
                ((field, term, start, data) for term, data in postings.items()),
            )
        self.db.execute("INSERT INTO segment VALUES (?, ?)", (start, len(segment.chunks)))

    def _segments(self) -> list[tuple[int, int]]:
        """The first number and the count of chunks of each segment, the oldest first."""
        rows: Any = self.db.execute("SELECT start, chunks FROM segment ORDER BY start")
        return [(start, chunks) for start, chunks in rows]

    def _merge(self, segments: Sequence[tuple[int, int]]) -> None:
        """Make one of neighbouring segments, without what is deleted."""
        if not segments:
            return
        start, (last, size) = segments[0][0], segments[-1]
        bounds = (start, last + size)
        if bounds[1] - start > MOST_CHUNKS:
            return
        rows: Any = self.db.execute(
            "SELECT start, chunks FROM deleted WHERE start >= ? AND start < ?", bounds
        )
        deleted = {number - start for first, chunks in rows for number in range(first, first + chunks)}
        keys: Any = self.db.execute(
            "SELECT field, term FROM posting WHERE segment >= ? AND segment < ? GROUP BY field, term", bounds
        ).fetchall()
        for key in keys:
            parts: Any = self.db.execute(
                "SELECT segment, data FROM posting WHERE field = ? AND term = ?"
                " AND segment >= ? AND segment < ? ORDER BY segment",
                (*key, *bounds),
            ).fetchall()
            merged = array("I")
            for segment, data in parts:
                postings = array("I", data)
                if segment != start or deleted:
                    postings = moved(postings, segment - start, deleted)
                merged += postings
            self.db.execute(
                "DELETE FROM posting WHERE field = ? AND term = ? AND segment >= ? AND segment < ?",
                (*key, *bounds),
            )
            if merged:
                self.db.execute("INSERT INTO posting VALUES (?, ?, ?, ?)", (*key, start, merged.tobytes()))
        self.db.execute("DELETE FROM deleted WHERE start >= ? AND start < ?", bounds)
        self.db.execute("DELETE FROM segment WHERE start >= ? AND start < ?", bounds)
        self.db.execute("INSERT INTO segment VALUES (?, ?)", (start, bounds[1] - start))


def _rules_number(folder: SealedFolder | None) -> int:
    """The rules of a folder as a number of 31 bits, for the header of the database."""
    return int(folder.rules[:8] or "0", 16) & 0x7FFF_FFFF if folder is not None else 0
