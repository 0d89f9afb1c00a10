"""Packed segments: documents as rows and packed postings, made without the database that they go into.

So another process can make them: a segment can be pickled, and its numbers count from its own first chunk.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from memtool.index.database import encode_path, valid_text
from memtool.index.documents.source import aging_day, prepare, tag_key
from memtool.index.documents.terms import STEMS, WEIGHT_BITS, WORDS, add_postings
from memtool.index.engine import DocumentRecord, FileStamp

MOST_CHUNKS = 1 << (32 - WEIGHT_BITS)
"""The most chunks of a segment."""
FIELDS = {STEMS: 0, WORDS: 1}
"""The numbers of the fields of terms."""


class PackedDocument(Struct, frozen=True):
    """A document: its path, its other columns, its tags, its first chunk and how many it has."""

    path: str
    columns: tuple[Any, ...]
    tags: tuple[str, ...]
    start: int
    chunks: int
    ages: int


class PackedSegment(Struct, frozen=True):
    """Some documents, the rows of their chunks, the owners of chunks, and the postings of each field.

    Chunks are numbered from 0. A posting is the number of a chunk, shifted by `WEIGHT_BITS`, with the weight.
    """

    documents: list[PackedDocument]
    chunks: list[tuple[int, int, str | None, str]]
    owners: list[tuple[str, int]]
    postings: dict[int, dict[str, bytes]]


class PackedSegmentBuilder:
    """Makes a segment of documents that are added one by one; `size` counts their postings."""

    def __init__(self) -> None:
        self.size = 0
        self._documents: list[PackedDocument] = []
        self._chunks: list[tuple[int, int, str | None, str]] = []
        self._owners: list[tuple[str, int]] = []
        self._stems: defaultdict[str, array[int]] = defaultdict(_postings)
        self._words: defaultdict[str, array[int]] = defaultdict(_postings)

    def add(self, record: DocumentRecord) -> None:
        """Add a document, chunk by chunk."""
        stems, words = self._stems, self._words
        start, ages = len(self._chunks), 0
        for chunk, prepared in zip(record.chunks, prepare(record), strict=True):
            number = len(self._chunks)
            shifted = number << WEIGHT_BITS
            terms = prepared.terms
            packed = {count: shifted | steps for count, steps in terms.steps.items()}
            add_postings(stems, terms.stems, packed)
            add_postings(words, terms.words, packed)
            self.size += len(terms.stems) + len(terms.words)
            ages = aging_day(prepared.stored)
            trail = encode_path("\n".join(chunk.trail)) if chunk.trail else None
            self._chunks.append((chunk.first, chunk.last, trail, valid_text(chunk.text)))
            if chunk.owner:
                self._owners.append((encode_path(chunk.owner), number))
        day = record.day.isoformat() if record.day else ""
        about = (encode_path(record.role), encode_path(record.group), day, encode_path(record.title))
        tags = tuple(dict.fromkeys(encode_path(tag_key(tag)) for tag in record.tags))
        columns = (*stamp_columns(record.stamp), *about)
        chunks = len(self._chunks) - start
        self._documents.append(PackedDocument(encode_path(record.path), columns, tags, start, chunks, ages))

    def finish(self) -> list[PackedSegment]:
        """What was added as a segment; none if nothing was."""
        if not self._documents:
            return []
        postings = {FIELDS[STEMS]: _packed(self._stems), FIELDS[WORDS]: _packed(self._words)}
        return [PackedSegment(self._documents, self._chunks, self._owners, postings)]


def _postings() -> array[int]:
    return array("I")


def _packed(postings: defaultdict[str, array[int]]) -> dict[str, bytes]:
    """The postings by terms in order, as SQLite is quickest to insert them."""
    return {valid_text(term): postings.pop(term).tobytes() for term in sorted(postings)}


def moved(postings: Iterable[int], distance: int, deleted: set[int]) -> array[int]:
    """Postings of chunks that come so much later in another segment, without those of deleted chunks."""
    shift = distance << WEIGHT_BITS
    return array(
        "I",
        [posting + shift for posting in postings if (posting + shift) >> WEIGHT_BITS not in deleted],
    )


def stamp_columns(stamp: FileStamp) -> tuple[int | str, ...]:
    """A stamp as SQLite stores it: its integers have signs."""
    inode = stamp.inode - (1 << 64) if stamp.inode >= 1 << 63 else stamp.inode
    return (*stamp[:3], inode, *stamp[4:])


def stamp_of(columns: tuple[Any, ...]) -> FileStamp:
    """The stamp that `stamp_columns` was given."""
    stamp = FileStamp._make(columns)
    return stamp._replace(inode=stamp.inode + (1 << 64)) if stamp.inode < 0 else stamp
