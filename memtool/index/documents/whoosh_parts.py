"""What Whoosh is made to do: its fields, its merge policy, and its postings as a source.

Nothing here needs more than all distributions of Whoosh share.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from struct import Struct
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from memtool.index.documents.source import META, StoredChunk
from memtool.index.documents.terms import STEMS, WORDS
from memtool.index.engine import index_error

if TYPE_CHECKING:
    from whoosh.fields import Schema
    from whoosh.reading import IndexReader


def weighted_terms(value: Mapping[str, float], **_: Any) -> Iterator[tuple[bytes, int, float, bytes]]:
    """Terms with their weights as Whoosh takes them: bytes, frequency, weight, no payload."""
    for term, weight in value.items():
        yield term.encode("utf-8", "surrogatepass"), 1, weight, b""


def schema() -> Schema:
    """The fields of a chunk: three of terms, what is shown of it, and the day from which it ages.

    Terms come weighed, so a field has no analyzer: it indexes what it is given.
    """
    from whoosh import columns, fields, formats

    def weighed() -> Any:
        field: Any = fields.FieldType(formats.Existence(), None)  # type: ignore[arg-type]
        field.index = weighted_terms
        return field

    numbers: Any = columns.NumericColumn
    return fields.Schema(
        **{
            STEMS: weighed(),
            WORDS: weighed(),
            META: weighed(),
            "kept": fields.STORED(),
            "ages": fields.COLUMN(numbers("i", default=0)),
        }
    )


Given = ParamSpec("Given")
Found = TypeVar("Found")


def _reading(method: Callable[Given, Found]) -> Callable[Given, Found]:
    """A method that reads the index's files: whatever goes wrong there is BrokenIndex."""

    @functools.wraps(method)
    def read(*args: Given.args, **kwargs: Given.kwargs) -> Found:
        try:
            return method(*args, **kwargs)
        except Exception as error:
            raise index_error(error) from error

    return read


_RECORD_SIZES = Struct("!ii")
_MOST_CACHED = 256  # terms whose postings a segment keeps in memory

Postings = dict[tuple[str, str], dict[int, float]]
"""The weight in each chunk of the terms that were read of a segment, by field and term."""


def segment_id(reader: IndexReader) -> str:
    """What tells a segment from every other; its chunks never change, but for those that are deleted."""
    segment: Any = reader.segment()
    return str(segment.segment_id())


def _terms_of(reader: IndexReader, field: str) -> list[bytes]:
    """All terms of a field of a segment.

    They are read from the segment's hash of terms at once: Whoosh's own iterator makes six calls for each
    term. A record of the hash is the sizes of key and value, the number of the field, the term and the value.
    A reader without such a hash is asked for its terms.
    """
    terms: Any = getattr(reader, "_terms", None)
    table: Any = getattr(terms, "_tindex", None)
    key_of: Any = getattr(terms, "_keycoder", None)
    if not (hasattr(table, "closest_key_pos") and hasattr(table, "endofdata") and key_of):
        return [*reader.expand_prefix(field, b"")]
    number: bytes = key_of(field, b"")
    start = table.closest_key_pos(number)
    if start is None:
        return []
    records: bytes = table.dbfile.get(start, table.endofdata - start)
    found: list[bytes] = []
    position = 0
    while position < len(records):
        key_size, value_size = _RECORD_SIZES.unpack_from(records, position)
        position += _RECORD_SIZES.size
        if key_size < len(number) or value_size < 0:
            raise ValueError("a term of the index has no valid size")
        key = records[position : position + key_size]
        if not key.startswith(number):
            break
        found.append(key[len(number) :])
        position += key_size + value_size
    return found


def weights_of(matcher: Any) -> dict[int, float]:
    """The weight of each posting of a matcher, by the number of its chunk."""
    weights: dict[int, float] = {}
    active, number, weight, following = matcher.is_active, matcher.id, matcher.weight, matcher.next
    while active():
        weights[number()] = weight()
        following()
    return weights


class SegmentSource:
    """One segment of an index on disk as a source, without the chunks of `masked` paths.

    `read` is what was read of it before, by this reader or an older one, and grows with what this one reads.
    """

    def __init__(
        self, reader: IndexReader, masked: Collection[str] = (), read: Postings | None = None
    ) -> None:
        self._reader = reader
        self._masked: set[int] = set()
        self._days: Any = None
        self._read: Postings = {} if read is None else read
        self._kept: Postings = {}
        self._lexicons: dict[str, str] = {}
        segment: Any = reader.segment()
        self._deleted = frozenset(segment.deleted_docs())
        for path in masked:
            self._masked.update(self.postings(META, f"path:{path}"))
        if self._masked:
            self._kept.clear()

    @_reading
    def count(self) -> int:
        """How many chunks there are."""
        return int(self._reader.doc_count()) - len(self._masked)

    @_reading
    def size(self) -> int:
        """See `ChunkSource`."""
        return int(self._reader.doc_count_all())

    @_reading
    def postings(self, field: str, term: str) -> dict[int, float]:
        """The weight of a term in each chunk that holds it; not to be changed.

        A segment never changes, so what was read is cached: an agent that follows a conversation asks about
        the same things again and again, and what was said meanwhile is in another segment.
        """
        weights = self._kept.get((field, term))
        if weights is None:
            if len(self._kept) >= _MOST_CACHED:
                self._kept.clear()
            weights = self._kept[field, term] = self._alive(field, term)
        return weights

    def _alive(self, field: str, term: str) -> dict[int, float]:
        read = self._read.get((field, term))
        if read is None:
            if len(self._read) >= _MOST_CACHED:
                self._read.clear()
            read = self._read[field, term] = self._postings(field, term)
        chunks = read.keys()
        if chunks.isdisjoint(self._deleted) and chunks.isdisjoint(self._masked):
            return read
        hidden = self._deleted | self._masked
        return {number: weight for number, weight in read.items() if number not in hidden}

    def _postings(self, field: str, term: str) -> dict[int, float]:
        from whoosh.reading import TermNotFound

        try:
            matcher = self._reader.postings(field, term.encode("utf-8", "surrogatepass"))
        except TermNotFound:
            return {}
        return weights_of(matcher)

    @_reading
    def is_everywhere(self, field: str, term: str) -> bool:
        """See `ChunkSource`."""
        key: Any = term.encode("utf-8", "surrogatepass")
        return int(self._reader.doc_frequency(field, key)) == self.size()

    @_reading
    def lexicon(self, field: str, prefix: str) -> Sequence[str]:
        """The field's terms that begin with a prefix."""
        if prefix:
            start = prefix.encode("utf-8", "surrogatepass")
            return [
                term.decode("utf-8", "surrogatepass") for term in self._reader.expand_prefix(field, start)
            ]
        if field not in self._lexicons:
            self._lexicons[field] = b"\0".join(_terms_of(self._reader, field)).decode(
                "utf-8", "surrogatepass"
            )
        lexicon = self._lexicons[field]
        return lexicon.split("\0") if lexicon else []

    @_reading
    def everything(self) -> Iterable[int]:
        """The numbers of all chunks."""
        return [number for number in self._reader.all_doc_ids() if number not in self._masked]

    @_reading
    def stored(self, number: int) -> StoredChunk:
        """What is stored of a chunk."""
        return StoredChunk._make(self._reader.stored_fields(number)["kept"])

    @_reading
    def aging_day(self, number: int) -> int:
        """The day from which a chunk ages, or 0."""
        if self._days is None:
            self._days = self._reader.column_reader("ages", translate=False)
        return int(self._days[number])
