"""Reading postings of documents from SQLite: the tables of `sqlite_documents` as a source."""

from __future__ import annotations

import functools
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import msgspec

from memtool.core.search.profiles import DOCUMENTS
from memtool.core.text.stems import stem
from memtool.index.database import decode_path, encode_path
from memtool.index.documents.source import META, LocalSource, StoredChunk
from memtool.index.documents.term_texts import COMPOUND_MARK, compound_key, term_of_key, word_key
from memtool.index.documents.terms import STEMS, STEP, weight_steps
from memtool.index.engine import FileStamp, as_broken_index

if TYPE_CHECKING:
    import apsw

TERM_TABLES = "term", "compound", "heading"
"""The tables of FTS5: of words and of compounds of chunks, and of both of headings."""
LAST = "\U0010ffff"
"""A character after every other, which no term has."""
_MOST_CACHED = 256
"""Terms whose postings are kept in memory."""
_COLUMNS = {"path": "path", "role": "role", "group": "grp", "day": "day"}
"""The columns of `document` by the name that terms of the field `META` begin with."""


class _Weights(dict[tuple[int, int], float]):
    """The weight of a term by twice its count and the number of words of the text it is in.

    One in a heading counts a half.
    """

    def __missing__(self, key: tuple[int, int]) -> float:
        halves, length = key
        self[key] = weight = weight_steps(halves * DOCUMENTS.terms.heading, length) / STEP
        return weight


_weights = _Weights()


class SqliteSource(LocalSource):
    """The chunks of an index in SQLite, without those of `masked` paths.

    Postings that were read are cached: whoever writes the index makes a new source.
    """

    def __init__(self, db: apsw.Connection, masked: Iterable[str] = ()) -> None:
        self._db = db
        self._read: dict[tuple[str, str], dict[int, float]] = {}
        self._count: int | None = None
        self._size = 0
        with as_broken_index():
            ranges = [
                span
                for path in masked
                for span in self._rows(
                    "SELECT start, chunks FROM document WHERE path = ? AND start IS NOT NULL",
                    encode_path(path),
                )
            ]
            self._masked = set(_numbers(ranges))
            self._size = next_chunk(db)

    def count(self) -> int:
        """How many chunks there are."""
        if self._count is None:
            with as_broken_index():
                chunks = int(self._db.execute("SELECT coalesce(sum(chunks), 0) FROM document").get)
            self._count = chunks - len(self._masked)
        return self._count

    def size(self) -> int:
        """See `ChunkSource`."""
        return self._size

    def postings(self, field: str, term: str) -> dict[int, float]:
        """The weight of a term in each chunk that holds it; not to be changed."""
        weights = self._read.get((field, term))
        if weights is None:
            if len(self._read) >= _MOST_CACHED:
                self._read.clear()
            with as_broken_index():
                read = self._attribute(term) if field == META else self._postings(field, term)
            if not self._masked.isdisjoint(read):
                masked = self._masked
                read = {number: weight for number, weight in read.items() if number not in masked}
            weights = self._read[field, term] = read
        return weights

    def is_everywhere(self, field: str, term: str) -> bool:
        """See `ChunkSource`; known of what is said about documents and owners."""
        kind, _, value = term.partition(":")
        with as_broken_index():
            if field == META and kind == "owner" and not value:
                return not self._rows("SELECT 1 FROM owned LIMIT 1")
            if field == META and kind in _COLUMNS:
                others = f"SELECT 1 FROM document WHERE {_COLUMNS[kind]} <> ? AND chunks > 0 LIMIT 1"  # noqa: S608
                return not self._rows(others, encode_path(value))
        return False

    def lexicon(self, field: str, prefix: str) -> Sequence[str]:
        """The field's terms that begin with a prefix, also those that only deleted chunks held."""
        with as_broken_index():
            if field == META:
                return [term for term in self._attributes() if term.startswith(prefix)]
            first = word_key(prefix)
            bounds = first, first + LAST
            if field == STEMS:
                stems = "SELECT DISTINCT stem FROM form WHERE stem >= ? AND stem < ?"
                known = self._db.execute(f"SELECT group_concat(stem, char(10)) FROM ({stems})", bounds).get  # noqa: S608
                return term_of_key(known).split("\n") if known else []
            rows = self._rows("SELECT word FROM form WHERE word >= ? AND word < ? AND word <> stem", *bounds)
            first = compound_key(prefix)
            known = "\n".join(
                [stored_keys(self._db, "compound", first, first + LAST), *(word for (word,) in rows)]
            )
            return [*{*term_of_key(known).split("\n")} - {""}]

    def everything(self) -> Iterable[int]:
        """The numbers of all chunks."""
        with as_broken_index():
            ranges = self._rows("SELECT start, chunks FROM document WHERE start IS NOT NULL ORDER BY start")
        numbers = _numbers(ranges)
        return [number for number in numbers if number not in self._masked] if self._masked else [*numbers]

    def stored(self, number: int) -> StoredChunk:
        """What is stored of a chunk."""
        with as_broken_index():
            row: Any = self._db.execute(
                "SELECT d.path, c.first, c.last, c.trail, c.text, d.role, d.grp, d.day, d.title"
                " FROM chunk c, document d WHERE c.id = ?1"
                " AND d.start = (SELECT max(start) FROM document WHERE start <= ?1)",
                (number,),
            ).fetchone()
            path, first, last, trail, text, role, group, day, title = row
        about = (decode_path(role), decode_path(group), day, decode_path(title))
        return StoredChunk(decode_path(path), first, last, trail_of(trail), text, *about)

    def aging_day(self, number: int) -> int:
        """The day from which a chunk ages, or 0."""
        with as_broken_index():
            return int(
                self._db.execute(
                    "SELECT ages FROM document WHERE start <= ? ORDER BY start DESC LIMIT 1", (number,)
                ).get
            )

    def _rows(self, statement: str, *values: object) -> list[Any]:
        rows: list[Any] = self._db.execute(statement, values).fetchall()
        return rows

    def _postings(self, field: str, term: str) -> dict[int, float]:
        """The weight of a term in each chunk, with no loop in Python: a common one is in thousands."""
        keys = self._keys(field, term)
        tables = ["compound" if key.startswith(COMPOUND_MARK) else "term" for key in keys]
        in_text = [*map(self._numbers_with, keys, tables)]
        in_headings = [self._numbers_with(key, "heading") for key in keys]
        halves = Counter(chain.from_iterable(in_text + in_text + in_headings))
        lengths = map(self._lengths.__getitem__, halves)
        weights = map(_weights.__getitem__, zip(halves.values(), lengths, strict=True))
        return dict(zip(halves, weights, strict=True))

    def _keys(self, field: str, term: str) -> list[str]:
        """What stands for a term in FTS5's index: the words with a stem, or a word or compound as it is."""
        if field == STEMS:
            return [word for (word,) in self._rows("SELECT word FROM form WHERE stem = ?", word_key(term))]
        is_form = stem(term) != term
        return [compound_key(term), *([word_key(term)] if is_form else [])]

    def _numbers_with(self, key: str, table: str) -> list[int]:
        """The chunks that hold this in a table of FTS5, each as often as it does."""
        sql = f"SELECT '[' || group_concat(doc) || ']' FROM {table}_instance WHERE term = ?"  # noqa: S608
        numbers: str | None = self._db.execute(sql, (key,)).get
        return msgspec.json.decode(numbers, type=list[int]) if numbers else []

    @functools.cached_property
    def _lengths(self) -> array[int]:
        """The number of words of each chunk, by its number."""
        rows = self._rows("SELECT data FROM lengths ORDER BY start")
        return array("I", b"".join((bytes(array("I", [0])), *(data for (data,) in rows))))

    def _attribute(self, term: str) -> dict[int, float]:
        """The chunks that a term of the field `META` is about."""
        kind, _, value = term.partition(":")
        if kind == "owner":
            if not value:
                owned = {number for (number,) in self._rows("SELECT chunk FROM owned")}
                return dict.fromkeys((number for number in self.everything() if number not in owned), 1.0)
            rows = self._rows("SELECT chunk FROM owned WHERE owner = ?", encode_path(value))
            return dict.fromkeys((number for (number,) in rows), 1.0)
        if kind == "tag":
            ranges = self._rows(
                "SELECT d.start, d.chunks FROM tag t, document d"
                " WHERE t.name = ? AND d.id = t.document AND d.start IS NOT NULL ORDER BY d.start",
                encode_path(value),
            )
        elif kind in _COLUMNS:
            ranges = self._rows(
                f"SELECT start, chunks FROM document WHERE {_COLUMNS[kind]} = ?"  # noqa: S608
                " AND start IS NOT NULL ORDER BY start",
                encode_path(value),
            )
        else:
            ranges = []
        return dict.fromkeys(_numbers(ranges), 1.0)

    def _attributes(self) -> Iterator[str]:
        """The terms of the field `META`."""
        for kind, column in _COLUMNS.items():
            for (value,) in self._rows(f"SELECT DISTINCT {column} FROM document WHERE chunks > 0"):  # noqa: S608
                if value or kind != "day":
                    yield f"{kind}:{decode_path(value)}"
        for (name,) in self._rows("SELECT DISTINCT name FROM tag"):
            yield f"tag:{decode_path(name)}"
        for (owner,) in self._rows("SELECT DISTINCT owner FROM owned"):
            yield f"owner:{decode_path(owner)}"


def _numbers(ranges: Iterable[tuple[int, int]]) -> Iterator[int]:
    """The numbers of chunks in ranges, each with its first number and their count."""
    return (number for start, chunks in ranges for number in range(start, start + chunks))


def stored_keys(db: apsw.Connection, table: str, first: str, last: str) -> str:
    """The lines of the keys of words or compounds from one on and before another; some are there twice.

    `table` is that of FTS5 which has them where they are in no heading.
    """
    sql = "SELECT group_concat(term, char(10)) FROM {}_key WHERE term >= ? AND term < ?"
    texts = [db.execute(sql.format(name), (first, last)).get for name in (table, "heading")]
    return "\n".join(text for text in texts if text)


def next_chunk(db: apsw.Connection) -> int:
    """The number of the next chunk, greater than that of any before."""
    row: Any = db.execute("SELECT max(start), length(data) FROM lengths").fetchone()
    start, size = row
    return 1 if start is None else int(start) + int(size) // array("I").itemsize


def trail_of(stored: str | None) -> tuple[str, ...]:
    """The trail of a chunk, from the column in which it is stored."""
    return () if stored is None else tuple(decode_path(stored).split("\n"))


def stamp_columns(stamp: FileStamp) -> tuple[int | str, ...]:
    """A stamp as SQLite stores it: its integers have signs."""
    inode = stamp.inode - (1 << 64) if stamp.inode >= 1 << 63 else stamp.inode
    return (*stamp[:3], inode, *stamp[4:])


def stamp_of(columns: tuple[Any, ...]) -> FileStamp:
    """The stamp that `stamp_columns` was given."""
    stamp = FileStamp._make(columns)
    return stamp._replace(inode=stamp.inode + (1 << 64)) if stamp.inode < 0 else stamp
