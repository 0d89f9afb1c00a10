"""Building a segment of Whoosh: its postings are gathered in memory, and written term by term.

Whoosh's own writer makes a tuple of each posting, and sorts and pickles them in runs on disk: three
quarters of the time of a first index. What is written here are the files of its codec.
"""

from __future__ import annotations

import functools
import operator
import pickle
import struct
import zlib
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from memtool.index.documents.segment_reader import SegmentInfo, SegmentReader
from memtool.index.documents.source import META, aging_day, prepare
from memtool.index.documents.terms import STEMS, WEIGHT_BITS, WEIGHT_MASK, WEIGHTS, WORDS, add_postings
from memtool.index.engine import DocumentRecord

if TYPE_CHECKING:
    from whoosh.fields import Schema

_BLOCK = 512
"""Postings of a term that are packed together. Whoosh has 128, for queries that pass over most blocks."""
_MAGIC = b"W3Bl"
_INT = struct.Struct("!i")
_LEVEL = 3
_SHORT = 80
"""Bytes from which compressing saves any; as in Whoosh."""
_STEPS = {weight: steps for steps, weight in enumerate(WEIGHTS)}
"""Every weight is so many steps of 1/64, at most 2.2 (k1 + 1)."""

Segment = Any
Postings = defaultdict[str, "array[int]"]


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


class SegmentBuilder:
    """Gathers the chunks of documents, and writes them as one segment.

    A posting is one number of 32 bits, that of its chunk followed by its weight. `storage`, `schema` and
    `name` are those of the index.
    """

    def __init__(self, storage: Any, schema: Any, name: str) -> None:
        from whoosh.codec import default_codec

        codec: Any = default_codec()  # type: ignore[no-untyped-call]
        self._storage, self._schema = storage, schema
        self._segment: Segment = codec.new_segment(storage, name)
        self._chunks = _codec_type()().per_document_writer(storage, self._segment)
        self._count = 0
        self._postings = {field: Postings(functools.partial(array, "I")) for field in (META, STEMS, WORDS)}
        self.size = 0
        """How many postings there are."""

    def add(self, record: DocumentRecord) -> None:
        """Add the chunks of a document."""
        meta, stems, words = self._postings[META], self._postings[STEMS], self._postings[WORDS]
        full = _STEPS[1.0]
        for prepared in prepare(record):
            number = self._count << WEIGHT_BITS
            for term in prepared.meta:
                meta[term].append(number | full)
            terms = prepared.terms
            packed = {count: number | steps for count, steps in terms.steps.items()}
            add_postings(stems, terms.stems, packed)
            add_postings(words, terms.words, packed)
            self.size += len(prepared.meta) + len(terms.stems) + len(terms.words)
            chunk = prepared.stored
            self._add_chunk(tuple(chunk), aging_day(chunk.path, chunk.role, chunk.day))

    def add_segment(self, segment: Segment) -> None:
        """Add the chunks of a segment of the same index that are not deleted."""
        reader = SegmentReader(self._storage.folder, segment_info(segment))
        ages = reader.numbers("ages")
        numbers = [-1] * reader.info.chunks
        deleted = frozenset(reader.info.deleted)
        for number in range(reader.info.chunks):
            if number not in deleted:
                numbers[number] = self._count << WEIGHT_BITS
                self._add_chunk(reader.stored(number)["kept"], ages[number] if number < len(ages) else 0)
        for field, postings in self._postings.items():
            for name, read in reader.all_postings(field):
                found = [numbers[number] | _STEPS[weight] for number, weight in read.items()]
                if deleted:
                    found = [posting for posting in found if posting >= 0]
                if found:
                    postings[name.decode("utf-8", "surrogatepass")].extend(found)
                    self.size += len(found)

    def _add_chunk(self, kept: tuple[Any, ...], ages: int) -> None:
        self._chunks.start_doc(self._count)
        self._chunks.add_field("kept", self._schema["kept"], kept, 0)
        self._chunks.add_column_value("ages", self._schema["ages"].column_type, ages)
        self._chunks.finish_doc()
        self._count += 1

    def finish(self) -> list[Segment]:
        """Write what was added; the segment, or none if nothing was."""
        self._chunks.close()
        if not self._count:
            for name in self._segment.list_files(self._storage):
                self._storage.delete_file(name)
            return []
        codec = _codec_type()()
        writer = codec.field_writer(self._storage, self._segment)
        for field in sorted(self._postings):
            writer.start_field(field, self._schema[field])
            postings = self._postings.pop(field)
            for term in sorted(postings):  # UTF-8 sorts alike
                writer.start_term(term.encode("utf-8", "surrogatepass"))
                codec.writer.add_postings(postings.pop(term))
                writer.finish_term()
            writer.finish_field()
        writer.close()
        self._segment.set_doc_count(self._count)
        self._segment.create_compound_file(self._storage)
        return [self._segment]


def merge(storage: Any, schema: Any, name: str, segments: Iterable[Segment]) -> list[Segment]:
    """One segment with the chunks of these that are not deleted; none if all are."""
    builder = SegmentBuilder(storage, schema, name)
    for segment in segments:
        builder.add_segment(segment)
    return builder.finish()


def segment_info(segment: Segment) -> SegmentInfo:
    """A segment of Whoosh, as the listing names it."""
    deleted = tuple(sorted(segment.deleted_docs()))
    return SegmentInfo(segment.segment_id(), segment.doc_count_all(), deleted)


@functools.cache
def _codec_type() -> Any:
    """Whoosh's codec with a writer that is given all postings of a term at once, and a smaller `zlib`."""
    from whoosh.codec.whoosh3 import W3Codec, W3PerDocWriter, W3PostingsWriter
    from whoosh.columns import CompressedBytesColumn, PickleColumn

    class TextColumn(CompressedBytesColumn):
        def writer(self, dbfile: Any) -> Any:
            writer = super().writer(dbfile)  # type: ignore[no-untyped-call]
            writer._compress = lambda value, _: _deflated(value)
            return writer

    class ChunkWriter(W3PerDocWriter):
        def _create_column(self, fieldname: str, column: Any) -> None:
            if fieldname == "_stored":
                column = PickleColumn(TextColumn())  # type: ignore[no-untyped-call]
            super()._create_column(fieldname, column)  # type: ignore[no-untyped-call]

    class PostingsWriter(W3PostingsWriter):
        def add_postings(self, postings: array[int]) -> None:
            """Write the postings of the term that was started."""
            total = heaviest = 0.0
            self._postfile.write(_MAGIC)
            for start in range(0, len(postings), _BLOCK):
                block = postings[start : start + _BLOCK]
                numbers = [posting >> WEIGHT_BITS for posting in block]
                weights = tuple([WEIGHTS[posting & WEIGHT_MASK] for posting in block])
                greatest = max(weights)
                total, heaviest = total + sum(weights), max(heaviest, greatest)
                steps = (numbers[0], *map(operator.sub, numbers[1:], numbers))
                packed = pickle.dumps((steps, _short(weights), None), 2)
                level = 0 if len(packed) < _SHORT else _LEVEL
                packed = _deflated(packed) if level else packed
                head = pickle.dumps((len(numbers), numbers[-1], greatest, level, 0, 0), 2)
                length = len(head) + len(packed)
                is_last = start + _BLOCK >= len(postings)
                self._postfile.write(_INT.pack(-length if is_last else length) + head + packed)
            info: Any = self._terminfo
            info._weight, info._df = total, len(postings)
            info._maxweight = heaviest
            info._minid, info._maxid = postings[0] >> WEIGHT_BITS, postings[-1] >> WEIGHT_BITS

        def finish_postings(self) -> Any:
            info: Any = self._terminfo
            info.set_extent(self._startoffset, self._postfile.tell() - self._startoffset)
            self._terminfo = None
            return info

    class Codec(W3Codec):
        def per_document_writer(self, storage: Any, segment: Any) -> Any:
            return ChunkWriter(self, storage, segment)  # type: ignore[no-untyped-call]

        def postings_writer(self, dbfile: Any, byteids: bool = False) -> Any:
            self.writer = PostingsWriter(dbfile, _BLOCK, byteids=byteids)  # type: ignore[no-untyped-call]
            return self.writer

    return Codec


def _short(weights: tuple[float, ...]) -> tuple[float, ...] | float | None:
    """Weights as Whoosh stores them: one for all that are the same, and none for 1."""
    if weights.count(weights[0]) < len(weights):
        return weights
    return None if weights[0] == 1.0 else weights[0]


def _deflated(content: bytes) -> bytes:
    """Content as `zlib.compress` would, by a window of 4 KB.

    For its window of 32 KB it is given a quarter of a megabyte by the system each time, which takes longer
    than to compress a chunk.
    """
    deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, 12, 4)
    return deflate.compress(content) + deflate.flush()
