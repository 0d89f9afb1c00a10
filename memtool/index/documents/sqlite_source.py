"""Reading postings of documents from SQLite: the tables of `sqlite_documents` as a source."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memtool.index.database import decode_path, encode_path, valid_text
from memtool.index.documents.packed_segment import FIELDS
from memtool.index.documents.source import META, LocalSource, StoredChunk
from memtool.index.documents.terms import WEIGHT_BITS, WEIGHT_MASK, WEIGHTS
from memtool.index.engine import as_broken_index

if TYPE_CHECKING:
    import apsw

_LAST = "\U0010ffff"
"""A character after every other, which no term has."""
_MOST_CACHED = 256
"""Terms whose postings are kept in memory."""
_COLUMNS = {"path": "path", "role": "role", "group": "grp", "day": "day"}
"""The columns of `document` by the name that terms of the field `META` begin with."""


class SqliteSource(LocalSource):
    """The chunks of an index in SQLite, without those of `masked` paths.

    Postings that were read are cached: whoever writes the index makes a new source.
    """

    def __init__(self, db: apsw.Connection, masked: Iterable[str] = ()) -> None:
        self._db = db
        self._read: dict[tuple[str, str], dict[int, float]] = {}
        self._count: int | None = None
        self._size = 0
        self._aging: list[tuple[int, int]] | None = None
        self._hidden: set[int] = set()
        with as_broken_index():
            masked_ranges = [
                span
                for path in masked
                for span in self._rows(
                    "SELECT start, chunks FROM document WHERE path = ? AND start IS NOT NULL",
                    encode_path(path),
                )
            ]
            deleted = self._rows("SELECT start, chunks FROM deleted")
            self._masked = set(_numbers(masked_ranges))
            self._hidden = {*self._masked, *_numbers(deleted)}
            self._size = int(db.execute("SELECT coalesce(max(start + chunks), 1) FROM segment").get)

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
            if not self._hidden.isdisjoint(read):
                hidden = self._hidden
                read = {number: weight for number, weight in read.items() if number not in hidden}
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
            return [
                term
                for (term,) in self._rows(
                    "SELECT DISTINCT term FROM posting WHERE field = ? AND term >= ? AND term < ?",
                    FIELDS[field],
                    valid_text(prefix),
                    valid_text(prefix) + _LAST,
                )
            ]

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
        titles = () if trail is None else tuple(decode_path(trail).split("\n"))
        about = (decode_path(role), decode_path(group), day, decode_path(title))
        return StoredChunk(decode_path(path), first, last, titles, text, *about)

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
        weights: dict[int, float] = {}
        for segment, data in self._rows(
            "SELECT segment, data FROM posting WHERE field = ? AND term = ? ORDER BY segment",
            FIELDS[field],
            valid_text(term),
        ):
            weights.update(
                {
                    segment + (posting >> WEIGHT_BITS): WEIGHTS[posting & WEIGHT_MASK]
                    for posting in array("I", data)
                }
            )
        return weights

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
