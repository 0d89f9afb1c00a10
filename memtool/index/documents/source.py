"""Sources: where postings are read from, on disk or in memory, behind one small interface."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple, Protocol

from msgspec import Struct

from memtool.core.search.profiles import DOCUMENTS
from memtool.index.documents.terms import STEMS, WORDS, WeighedTerms, weigh
from memtool.index.engine import DocumentRecord

TERMS_VERSION = 10
"""Goes up with every change of the way text becomes terms, and of their weights. It is part of the version of
every engine's index, and another version's index is rebuilt."""
META = "meta"
"""The field of what is known about a chunk's document: `path:…`, `role:…`, `day:…`, `tag:…`, `group:…`,
and about the chunk itself: `owner:…`, with a tag such as `user:ann` or with nothing."""


class StoredChunk(NamedTuple):
    """What is stored of a chunk to show it."""

    path: str
    first: int
    last: int
    trail: tuple[str, ...]
    text: str
    role: str
    group: str
    day: str
    title: str


class ChunkSource(Protocol):
    """Some chunks, numbered, with their postings."""

    def count(self) -> int:
        """How many chunks there are."""
        ...

    def size(self) -> int:
        """A number greater than that of any chunk, deleted ones included."""
        ...

    def postings(self, field: str, term: str) -> dict[int, float]:
        """The saturated frequency of a term in each chunk that holds it."""
        ...

    def unlisted(self, field: str, term: str) -> int:
        """How many chunks hold a term beside those in its postings: none, where these are complete."""
        ...

    def is_everywhere(self, field: str, term: str) -> bool:
        """Whether every chunk is known to hold a term, without reading its postings."""
        ...

    def lexicon(self, field: str, prefix: str) -> Sequence[str]:
        """The field's terms that begin with a prefix, in any order; also terms of deleted chunks alone."""
        ...

    def everything(self) -> Iterable[int]:
        """The numbers of all chunks."""
        ...

    def load(self, numbers: Collection[int]) -> None:
        """Announce chunks that `stored` will be asked for; a source that is far away reads them at once."""
        ...

    def stored(self, number: int) -> StoredChunk:
        """What is stored of a chunk."""
        ...

    def aging_day(self, number: int) -> int:
        """The day (proleptic Gregorian ordinal) from which a chunk ages, or 0 if it does not."""
        ...


class LocalSource:
    """What sources on this machine have in common: their postings are complete, and reading is quick."""

    def unlisted(self, field: str, term: str) -> int:
        """See `ChunkSource`."""
        return 0

    def load(self, numbers: Collection[int]) -> None:
        """See `ChunkSource`."""


class PreparedChunk(Struct, frozen=True):
    """A chunk ready to be indexed: its terms by field, and what is stored of it."""

    terms: WeighedTerms
    meta: tuple[str, ...]
    stored: StoredChunk


def prepare(record: DocumentRecord) -> Iterator[PreparedChunk]:
    """The chunks of a document, ready to be indexed."""
    day = record.day.isoformat() if record.day else ""
    meta = [f"path:{record.path}", f"role:{record.role}", f"group:{record.group}"]
    meta += [f"day:{day}"] if day else []
    meta += [f"tag:{tag_key(tag)}" for tag in dict.fromkeys(record.tags)]
    about = (record.title, *record.tags)
    for chunk in record.chunks:
        terms = weigh(chunk.text, (*chunk.trail, *about))
        stored = StoredChunk(
            record.path,
            chunk.first,
            chunk.last,
            chunk.trail,
            chunk.text,
            record.role,
            record.group,
            day,
            record.title,
        )
        yield PreparedChunk(terms, (*dict.fromkeys(meta), f"owner:{chunk.owner}"), stored)


def tag_key(tag: str) -> str:
    """How a tag is compared: without its `#`, and case folded."""
    return tag.lstrip("#").casefold()


def aging_day(path: str, role: str, day: str) -> int:
    """The day from which a document ages, or 0: of a daily note, or in the name of a note or its folder."""
    folder, _, name = path.rpartition("/")
    ages = role in DOCUMENTS.signals.ageing_roles or (
        role == "note" and (name.startswith(day) or folder.endswith(f"/{day}"))
    )
    return date.fromisoformat(day).toordinal() if day and ages else 0


class MemorySource(LocalSource):
    """A source in memory, for documents that the index on disk does not have yet."""

    def __init__(self, records: Iterable[DocumentRecord]) -> None:
        self._stored: list[StoredChunk] = []
        self._fields: dict[str, dict[str, dict[int, float]]] = {STEMS: {}, WORDS: {}, META: {}}
        for record in records:
            for prepared in prepare(record):
                self._add(prepared)

    def _add(self, prepared: PreparedChunk) -> None:
        number = len(self._stored)
        self._stored.append(prepared.stored)
        for field in (STEMS, WORDS):
            into = self._fields[field]
            for term, weight in prepared.terms.weights(field):
                into.setdefault(term, {})[number] = weight
        for term in prepared.meta:
            self._fields[META].setdefault(term, {})[number] = 1.0

    def count(self) -> int:
        """How many chunks there are."""
        return len(self._stored)

    def size(self) -> int:
        """See `ChunkSource`."""
        return len(self._stored)

    def postings(self, field: str, term: str) -> dict[int, float]:
        """The saturated frequency of a term in each chunk that holds it."""
        return self._fields[field].get(term, {})

    def is_everywhere(self, field: str, term: str) -> bool:
        """See `ChunkSource`."""
        return len(self.postings(field, term)) == len(self._stored)

    def lexicon(self, field: str, prefix: str) -> Sequence[str]:
        """The field's terms that begin with a prefix."""
        return [term for term in self._fields[field] if term.startswith(prefix)]

    def everything(self) -> Iterable[int]:
        """The numbers of all chunks."""
        return range(len(self._stored))

    def stored(self, number: int) -> StoredChunk:
        """What is stored of a chunk."""
        return self._stored[number]

    def aging_day(self, number: int) -> int:
        """The day from which a chunk ages, or 0."""
        chunk = self._stored[number]
        return aging_day(chunk.path, chunk.role, chunk.day)
