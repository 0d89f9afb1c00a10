"""Documents in SQLite: FTS5 has how often each chunk holds a term, of which a search makes the weights.

Postings that are packed in Python take half as long to read, but five times as long to make.
"""

from __future__ import annotations

import contextlib
import os
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

from memtool.index.database import Database, decode_path, encode_path
from memtool.index.documents.search import RankedSources
from memtool.index.documents.source import TERMS_VERSION
from memtool.index.documents.sqlite_source import TERM_TABLES, SqliteSource, stamp_columns, stamp_of
from memtool.index.documents.term_texts import TOKENIZER
from memtool.index.engine import (
    ALONE,
    BrokenIndex,
    DocumentRecord,
    FileStamp,
    Stamps,
    as_broken_index,
)
from memtool.index.opening import SealedFolder

if TYPE_CHECKING:
    import apsw

_TABLES_VERSION = 3
_VERSIONS = 100
"""How many versions of the tables there may be for each version of the terms."""
_HASHED = 32_000_000
"""Bytes of postings that FTS5 gathers before it writes them."""
_MOST_SEGMENTS = 2
"""Segments of FTS5's index from which a quiet moment joins them."""
_PAGE = 16
"""Chunks whose postings fill a page of FTS5's index, about."""

_STAMPS = "SELECT path, size, mtime_ns, ctime_ns, inode, at_ns, etag FROM document"

_TABLES = """
CREATE TABLE document(
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE,
  size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER, at_ns INTEGER, etag TEXT,
  role TEXT NOT NULL, grp TEXT NOT NULL, day TEXT NOT NULL, title TEXT NOT NULL, tags TEXT NOT NULL,
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
CREATE INDEX owned_chunk ON owned(chunk);
CREATE TABLE deleted(chunks INTEGER NOT NULL);
CREATE TABLE lengths(start INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE form(stem TEXT, word TEXT, PRIMARY KEY(stem, word)) WITHOUT ROWID;
""" + "".join(
    """
CREATE VIRTUAL TABLE NAME USING fts5(text, content='', columnsize=0, tokenize="TOKENIZER");
INSERT INTO NAME(NAME, rank) VALUES ('hashsize', HASHED);
CREATE VIRTUAL TABLE NAME_instance USING fts5vocab(NAME, instance);
CREATE VIRTUAL TABLE NAME_key USING fts5vocab(NAME, row);
""".replace("NAME", name)
    for name in TERM_TABLES
).replace("TOKENIZER", TOKENIZER).replace("HASHED", str(_HASHED))
"""Chunks are numbered in the order of writing, and no number is used again. Those of a document follow each
other from `document.start` on; it is NULL where there are none. `term` has the words of each chunk by its
number, as `term_texts` writes them, `compound` its compounds, and `heading` both of its headings; `form` has
the words of each stem, perhaps also some of deleted chunks; `lengths` how many words each chunk has, in 32
bits, from the chunk `start` on; `deleted` how many chunks were deleted at a time, until `term` is written
again. `owned` has the chunks that are somebody's.

Compounds have a table of their own because most are rare: among them, FTS5 would take twice as long to find
each word in its hash table.
"""


class _StoredStamps(Stamps):
    """The stamps in the table `document`; whoever writes it makes new ones."""

    def __init__(self, db: apsw.Connection, written: Mapping[str, FileStamp] = {}) -> None:
        super().__init__(written, has_all=False)
        self._db = db

    def _read_all(self) -> dict[str, FileStamp]:
        with as_broken_index():
            rows: Any = self._db.execute(_STAMPS)
            return {decode_path(row[0]): stamp_of(row[1:]) for row in rows}

    def _find(self, path: str) -> FileStamp | None:
        with as_broken_index():
            row: Any = self._db.execute(f"{_STAMPS} WHERE path = ?", (encode_path(path),)).fetchone()
        return stamp_of(row[1:]) if row else None

    def _count(self) -> int:
        with as_broken_index():
            return int(self._db.execute("SELECT count(*) FROM document").get)


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
        self._stamps = _StoredStamps(self.db)
        self._sources: list[SqliteSource] | None = None
        self._data_version = 0

    @classmethod
    def load(cls, folder: SealedFolder, *, writes: bool) -> Self:
        """See `StoredIndex`."""
        index = super().load(folder, writes=writes)
        try:
            if index._rules() != _rules_number(folder):
                raise BrokenIndex("was built for a different layout")
            index._data_version = index.data_version()
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

    def state(self) -> str:
        """See `DocumentIndex`; while this is in a transaction, nobody changes the file."""
        with as_broken_index(self.subject):
            info = os.stat(self._path, follow_symlinks=False)
        return f"{info.st_ino} {info.st_size} {info.st_mtime_ns} {info.st_ctime_ns}"

    def stamps(self) -> Stamps:
        """See `DocumentIndex`."""
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
        self,
        records: Iterable[DocumentRecord],
        gone: Iterable[str] = (),
        *,
        alone: int = ALONE,
    ) -> None:
        """See `DocumentIndex`; no other process helps, but a thread in which FTS5 works."""
        from memtool.index.documents.sqlite_writer import DocumentWriter

        with self._writing() as written, DocumentWriter(self.db) as writer:
            with as_broken_index(self.subject):
                for path in set(gone):
                    writer.delete(path)
            for record in records:
                with as_broken_index(self.subject):
                    writer.delete(record.path)
                    writer.add(record)
                written[record.path] = record.stamp
            with as_broken_index(self.subject):
                writer.finish()

    def remove(self, paths: Iterable[str]) -> None:
        """See `DocumentIndex`."""
        self.upsert((), paths)

    def restamp(self, stamps: Mapping[str, FileStamp]) -> None:
        """See `DocumentIndex`."""
        with self._writing(), as_broken_index(self.subject):
            self.db.executemany(
                "UPDATE document SET size=?, mtime_ns=?, ctime_ns=?, inode=?, at_ns=?, etag=? WHERE path=?",
                [(*stamp_columns(stamp), encode_path(path)) for path, stamp in stamps.items()],
            )

    def merge(self, most: int | None = None) -> None:
        """See `DocumentIndex`: one segment if much is deleted, else few of them."""
        from memtool.index.documents.merging import is_worn

        with as_broken_index(self.subject):
            chunks = int(self.db.execute("SELECT total(chunks) FROM document").get)
            deleted = int(self.db.execute("SELECT total(chunks) FROM deleted").get)
            segments = int(
                self.db.execute("SELECT count(DISTINCT segid) FROM term_idx").get
            )  # about as the others
        worn = is_worn(deleted, chunks + deleted)
        if not worn and segments <= _MOST_SEGMENTS:
            return
        with self._writing(), as_broken_index(self.subject):
            is_part = most is not None and chunks > most
            command, pages = ("merge", max(1, (most or 0) // _PAGE)) if is_part else ("optimize", 0)
            for name in TERM_TABLES:
                self.db.execute(f"INSERT INTO {name}({name}, rank) VALUES (?, ?)", (command, pages))  # noqa: S608
            if not is_part:
                self.db.execute("DELETE FROM deleted")
                if deleted:
                    known = "SELECT term FROM term_key UNION SELECT term FROM heading_key"
                    self.db.execute(f"DELETE FROM form WHERE word NOT IN ({known})")  # noqa: S608

    # writing ------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _writing(self) -> Iterator[dict[str, FileStamp]]:
        """The lock and a transaction, with the stamps that are written, to be filled.

        An error that is not SQLite's leaves the file as it was, and sealed.
        """
        written: dict[str, FileStamp] = {}
        with self.writing():
            try:
                with as_broken_index(self.subject):
                    self.db.execute("BEGIN IMMEDIATE")
                yield written
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
                self._sources, self._stamps = None, _StoredStamps(self.db)
        self._stamps = _StoredStamps(self.db, written)
        self._data_version = self.data_version()


def _rules_number(folder: SealedFolder | None) -> int:
    """The rules of a folder as a number of 31 bits, for the header of the database."""
    return int(folder.rules[:8] or "0", 16) & 0x7FFF_FFFF if folder is not None else 0
