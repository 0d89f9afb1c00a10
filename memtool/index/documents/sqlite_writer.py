"""Writing documents into the tables of `sqlite_documents`."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, Self

import msgspec

from memtool.core.records.document import Chunk
from memtool.core.text.stems import stem
from memtool.index.database import decode_path, encode_path, valid_text
from memtool.index.documents.source import aging_day, tag_key
from memtool.index.documents.sqlite_source import (
    LAST,
    TERM_TABLES,
    next_chunk,
    stamp_columns,
    stored_keys,
    trail_of,
)
from memtool.index.documents.term_texts import COMPOUND_MARK, TermTexts, keys_of, term_of_key, word_key
from memtool.index.engine import DocumentRecord

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    import apsw

_BATCH = 8_000
"""Chunks and documents that are written at once: FTS5 makes a segment of them, and some 20 MB are in use."""
_LENGTHS = 4_096
"""Bytes from which a row of `lengths` is left as it is."""
_FEW = 3_000
"""Chunks up to which their words are listed one by one; for more, FTS5 lists all words it has."""


class DocumentWriter:
    """Deletes and adds documents, in the caller's transaction; after `finish` all of it is written.

    While one batch of terms is indexed by FTS5, in a thread, the next documents are read: SQLite needs no
    interpreter for a statement. Until the writer is closed, nobody else may use the connection.

    FTS5 is told what a deleted chunk's terms were, so they are made again of what is stored of it.
    """

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._terms = TermTexts()
        self._document = int(db.execute("SELECT coalesce(max(id), 0) FROM document").get)
        self._is_empty = not self._document
        self._next = next_chunk(db)
        self._documents: list[tuple[int | str | None, ...]] = []
        self._tags: list[tuple[str, int]] = []
        self._chunks: list[tuple[int, int, int, str | None, str]] = []
        self._owned: list[tuple[str, int]] = []
        self._words: list[str] = []
        self._compounds: list[str] = []
        self._headings: list[str] = []
        self._lengths = array("I")
        self._keys: set[str] = set()
        self._thread: ThreadPoolExecutor | None = None
        self._indexing: Future[None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread is not None:
            self._thread.shutdown()

    def delete(self, path: str) -> None:
        """Delete a document, if it is there."""
        if self._is_empty:
            return
        self._wait()
        row: Any = self._db.execute(
            "SELECT id, start, chunks, title, tags FROM document WHERE path = ?", (encode_path(path),)
        ).fetchone()
        if row is None:
            return
        document, start, chunks, title, tags = row
        self._db.execute("DELETE FROM tag WHERE document = ?", (document,))
        self._db.execute("DELETE FROM document WHERE id = ?", (document,))
        if start is None:
            return
        span = start, start + chunks
        rows: Any = self._db.execute("SELECT id, trail, text FROM chunk WHERE id >= ? AND id < ?", span)
        about = (decode_path(title), *json.loads(tags))
        for number, trail, text in rows.fetchall():
            words, compounds, _ = self._terms.of_text(text)
            headings = self._terms.of_headings((*trail_of(trail), *about))
            for table, keys in zip(TERM_TABLES, (words, compounds, headings), strict=True):
                if keys or table != "compound":
                    delete = f"INSERT INTO {table}({table}, rowid, text) VALUES ('delete', ?, ?)"  # noqa: S608
                    self._db.execute(delete, (number, keys))
        self._db.execute("DELETE FROM chunk WHERE id >= ? AND id < ?", span)
        self._db.execute("DELETE FROM owned WHERE chunk >= ? AND chunk < ?", span)
        self._db.execute("INSERT INTO deleted VALUES (?)", (chunks,))

    def add(self, record: DocumentRecord) -> None:
        """Add a document whose path is not there."""
        self._document += 1
        day = record.day.isoformat() if record.day else ""
        self._documents.append(
            (
                self._document,
                encode_path(record.path),
                *stamp_columns(record.stamp),
                encode_path(record.role),
                encode_path(record.group),
                day,
                encode_path(record.title),
                json.dumps(record.tags) if record.tags else "[]",
                self._next if record.chunks else None,
                len(record.chunks),
                aging_day(record.path, record.role, day),
            ),
        )
        tags = dict.fromkeys(encode_path(tag_key(tag)) for tag in record.tags)
        self._tags += [(tag, self._document) for tag in tags]
        self._add_chunks(record.chunks, (record.title, *record.tags))
        if len(self._chunks) + len(self._documents) >= _BATCH:
            self._write_rows()
            self._index_behind()

    def _add_chunks(self, chunks: Sequence[Chunk], about: tuple[str, ...]) -> None:
        texts = [chunk.text for chunk in chunks]
        terms = self._terms.of_texts(texts)
        for number, chunk, text, (words, compounds, length) in zip(
            count(self._next), chunks, texts, terms, strict=False
        ):
            trail = chunk.trail
            headings = encode_path("\n".join(trail)) if trail else None
            self._chunks.append((number, chunk.first, chunk.last, headings, valid_text(text)))
            self._lengths.append(length)
            self._words.append(words)
            self._compounds.append(compounds)
            self._headings.append(self._terms.of_headings((*trail, *about)))
            if chunk.owner:
                self._owned.append((encode_path(chunk.owner), number))
        self._next += len(chunks)

    def finish(self) -> None:
        """Write what is not written yet."""
        self._write_rows()
        _index_terms(self._db, *self._terms_of_batch())
        if len(self._lengths) > _FEW:
            self._keys = {*stored_keys(self._db, "term", COMPOUND_MARK + LAST, LAST).split("\n")}
        words = [key for key in self._keys if key and not key.startswith(COMPOUND_MARK)]
        forms = sorted((word_key(stem(term_of_key(word))), word) for word in words)
        self._db.executemany("INSERT OR IGNORE INTO form VALUES (?, ?)", forms)
        if not self._lengths:
            return
        start = self._next - len(self._lengths)
        last: Any = self._db.execute("SELECT max(start), length(data) FROM lengths").fetchone()
        if last[0] is None or last[1] >= _LENGTHS:
            self._db.execute("INSERT INTO lengths VALUES (?, ?)", (start, self._lengths.tobytes()))
        else:
            self._db.execute(
                "UPDATE lengths SET data = CAST(data || ? AS BLOB) WHERE start = ?",
                (self._lengths.tobytes(), last[0]),
            )

    def _wait(self) -> None:
        """Wait until the connection is free. Raises what SQLite says of the terms it was given."""
        if self._indexing is not None:
            indexing, self._indexing = self._indexing, None
            indexing.result()

    def _write_rows(self) -> None:
        """Write what is not terms of chunks."""
        self._wait()
        columns = ", ".join("?" * 16)
        self._db.executemany(f"INSERT INTO document VALUES ({columns})", self._documents)  # noqa: S608
        self._db.executemany("INSERT INTO tag VALUES (?, ?)", self._tags)
        self._db.executemany("INSERT INTO chunk VALUES (?, ?, ?, ?, ?)", self._chunks)
        self._db.executemany("INSERT INTO owned VALUES (?, ?)", self._owned)
        if len(self._lengths) <= _FEW:
            self._keys.update(word for text in self._words + self._headings for word in keys_of(text))
        self._documents, self._tags, self._chunks, self._owned = [], [], [], []

    def _terms_of_batch(self) -> tuple[int, tuple[list[str], ...]]:
        """The number of the first chunk whose terms are not written yet, and the texts for `TERM_TABLES`."""
        texts = self._words, self._compounds, self._headings
        self._words, self._compounds, self._headings = [], [], []
        return self._next - len(texts[0]), texts

    def _index_behind(self) -> None:
        """Begin to index the terms of a batch in the thread."""
        if self._thread is None:
            from concurrent.futures import ThreadPoolExecutor

            self._thread = ThreadPoolExecutor(1)
        self._indexing = self._thread.submit(_index_terms, self._db, *self._terms_of_batch())


def _index_terms(db: apsw.Connection, first: int, texts: tuple[list[str], ...]) -> None:
    """Give FTS5 the texts of chunks, one statement for each table: between rows, a thread would wait."""
    for table, of_chunks in zip(TERM_TABLES, texts, strict=True):
        rest = " WHERE value <> ''" if table == "compound" else ""
        db.execute(
            f"INSERT INTO {table}(rowid, text) SELECT ? + key, value FROM json_each(?){rest}",  # noqa: S608
            (first, msgspec.json.encode(of_chunks).decode()),
        )
