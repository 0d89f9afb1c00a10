"""Segments of the index on disk as sources of chunks, with what was read of them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import ParamSpec, TypeVar

from memtool.index.documents.segment_reader import SegmentReader
from memtool.index.documents.source import META, LocalSource, StoredChunk
from memtool.index.engine import index_error

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


_MOST_CACHED = 256  # terms whose postings a segment keeps in memory

Postings = dict[tuple[str, str], dict[int, float]]
"""The weight in each chunk of the terms that were read of a segment, by field and term."""


class SegmentSource(LocalSource):
    """One segment of an index on disk as a source, without the chunks of `masked` paths.

    `read` is what was read of it before, by this reader or an older one, and grows with what this one reads.
    """

    def __init__(
        self, reader: SegmentReader, masked: Collection[str] = (), read: Postings | None = None
    ) -> None:
        self._reader = reader
        self._masked: set[int] = set()
        self._days: Sequence[int] | None = None
        self._read: Postings = {} if read is None else read
        self._kept: Postings = {}
        self._lexicons: dict[str, str] = {}
        self._deleted = frozenset(reader.info.deleted)
        for path in masked:
            self._masked.update(self.postings(META, f"path:{path}"))
        if self._masked:
            self._kept.clear()

    def count(self) -> int:
        """How many chunks there are."""
        return self._reader.info.doc_count() - len(self._masked)

    def size(self) -> int:
        """See `ChunkSource`."""
        return self._reader.info.chunks

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
            read = self._read[field, term] = self._reader.postings(field, term)
        chunks = read.keys()
        if chunks.isdisjoint(self._deleted) and chunks.isdisjoint(self._masked):
            return read
        hidden = self._deleted | self._masked
        return {number: weight for number, weight in read.items() if number not in hidden}

    @_reading
    def is_everywhere(self, field: str, term: str) -> bool:
        """See `ChunkSource`."""
        return self._reader.frequency(field, term) == self.size()

    @_reading
    def lexicon(self, field: str, prefix: str) -> Sequence[str]:
        """The field's terms that begin with a prefix."""
        if prefix:
            return [term.decode("utf-8", "surrogatepass") for term in self._reader.terms(field, prefix)]
        if field not in self._lexicons:
            self._lexicons[field] = b"\0".join(self._reader.terms(field)).decode("utf-8", "surrogatepass")
        lexicon = self._lexicons[field]
        return lexicon.split("\0") if lexicon else []

    def everything(self) -> Iterable[int]:
        """The numbers of all chunks."""
        hidden = self._deleted | self._masked
        return [number for number in range(self.size()) if number not in hidden]

    @_reading
    def stored(self, number: int) -> StoredChunk:
        """What is stored of a chunk."""
        return StoredChunk._make(self._reader.stored(number)["kept"])

    @_reading
    def aging_day(self, number: int) -> int:
        """The day from which a chunk ages, or 0."""
        if self._days is None:
            self._days = self._reader.numbers("ages")
        return self._days[number] if number < len(self._days) else 0
