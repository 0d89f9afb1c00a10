"""Building a segment of Whoosh: its postings are gathered in memory, and written term by term.

Whoosh's own writer makes a tuple of each posting, and sorts and pickles them in runs on disk: three
quarters of the time of a first index. What is written here are the files of its codec.
"""

from __future__ import annotations

import contextlib
import functools
from array import array
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from memtool.index.documents.source import META, aging_day, prepare
from memtool.index.documents.terms import STEMS, STEP, WORDS
from memtool.index.documents.whoosh_parts import weights_of
from memtool.index.engine import DocumentRecord

_BLOCK = 512
"""Postings of a term that are packed together. Whoosh has 128, for queries that pass over most blocks."""
_WEIGHT_BITS = 8
_MASK = (1 << _WEIGHT_BITS) - 1
_WEIGHTS = tuple(steps / STEP for steps in range(1 << _WEIGHT_BITS))
_STEPS = {weight: steps for steps, weight in enumerate(_WEIGHTS)}
"""Every weight is so many steps of 1/64, at most 2.2 (k1 + 1)."""

Segment = Any
Postings = defaultdict[str, "array[int]"]


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
        self._chunks = _codec().per_document_writer(storage, self._segment)
        self._count = 0
        self._postings = {field: Postings(functools.partial(array, "I")) for field in (META, STEMS, WORDS)}
        self.size = 0
        """How many postings there are."""

    def add(self, record: DocumentRecord) -> None:
        """Add the chunks of a document."""
        meta, stems, words = self._postings[META], self._postings[STEMS], self._postings[WORDS]
        full = _STEPS[1.0]
        for prepared in prepare(record):
            number = self._count << _WEIGHT_BITS
            for term in prepared.meta:
                meta[term].append(number | full)
            for term, weight in prepared.stems.items():
                stems[term].append(number | _STEPS[weight])
            for term, weight in prepared.words.items():
                words[term].append(number | _STEPS[weight])
            self.size += len(prepared.meta) + len(prepared.stems) + len(prepared.words)
            self._add_chunk(tuple(prepared.stored), aging_day(prepared.stored))

    def add_segment(self, segment: Segment) -> None:
        """Add the chunks of a segment of the same index that are not deleted."""
        from whoosh.reading import SegmentReader

        with contextlib.closing(SegmentReader(self._storage, self._schema, segment)) as reader:
            ages: Any = reader.column_reader("ages", translate=False)
            numbers = [-1] * segment.doc_count_all()
            for number, stored in reader.iter_docs():
                numbers[number] = self._count << _WEIGHT_BITS
                self._add_chunk(stored["kept"], int(ages[number]))
            for field, postings in self._postings.items():
                for name in reader.expand_prefix(field, b""):
                    read = weights_of(reader.postings(field, name))
                    found = [numbers[number] | _STEPS[weight] for number, weight in read.items()]
                    if segment.has_deletions():
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
        codec = _codec()
        writer = codec.field_writer(self._storage, self._segment)
        for field in sorted(self._postings):
            writer.start_field(field, self._schema[field])
            postings = self._postings.pop(field)
            for name, term in sorted((term.encode("utf-8", "surrogatepass"), term) for term in postings):
                writer.start_term(name)
                codec.writer.add_postings(postings[term])
                writer.finish_term()
            writer.finish_field()
        writer.close()
        self._segment.set_doc_count(self._count)
        if self._segment.should_assemble():
            self._segment.create_compound_file(self._storage)
        return [self._segment]


def merge(storage: Any, schema: Any, name: str, segments: Iterable[Segment]) -> list[Segment]:
    """One segment with the chunks of these that are not deleted; none if all are."""
    builder = SegmentBuilder(storage, schema, name)
    for segment in segments:
        builder.add_segment(segment)
    return builder.finish()


@functools.cache
def _codec_type() -> Any:
    """Whoosh's codec with a writer that is given all postings of a term at once."""
    from whoosh.codec.whoosh3 import W3Codec, W3PostingsWriter

    class PostingsWriter(W3PostingsWriter):
        _ids: Any
        _weights: Any

        def add_postings(self, postings: array[int]) -> None:
            for start in range(0, len(postings), self._blocklimit):
                if start:
                    self._write_block()  # type: ignore[no-untyped-call]
                block = postings[start : start + self._blocklimit]
                self._ids = [posting >> _WEIGHT_BITS for posting in block]
                self._weights = [_WEIGHTS[posting & _MASK] for posting in block]
                self._maxweight = max(self._weights)

    class Codec(W3Codec):
        def postings_writer(self, dbfile: Any, byteids: bool = False) -> Any:
            self.writer = PostingsWriter(dbfile, self._blocklimit, byteids=byteids)  # type: ignore[no-untyped-call]
            return self.writer

    return Codec


def _codec() -> Any:
    return _codec_type()(blocklimit=_BLOCK)
