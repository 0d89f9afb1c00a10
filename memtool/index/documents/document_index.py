"""The index of documents: the contract that every engine keeps, the choice of one, and changed documents
searched beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Protocol, assert_never

from memtool.index.documents.search import RankedSources
from memtool.index.documents.source import ChunkSource, MemorySource
from memtool.index.engine import ALONE, DocumentRecord, FileStamp, Searchable, Stamps
from memtool.index.opening import StoredIndex

EngineName = Literal["whoosh", "sqlite"]
LARGE_TREE = 2_000
"""Documents from which `sqlite` is recommended. With 10,000 (40 MB) the first index takes
6.4 s of processor time and 125 MB with SQLite, and 24 s and 190 MB with Whoosh; a search takes the same."""


class DocumentIndex(StoredIndex, Searchable, Protocol):
    """An index of documents on disk, as an engine keeps it; `test_engines.py` checks it for all engines.

    An engine stores terms and ranks nothing. `source.prepare` turns a document into chunks with weighed
    terms; the engine gives back, as `ChunkSource`, which chunks hold a term, with its exact weight; `search`
    ranks them. So all engines answer alike.

    - Queries see what the index held when it was opened, and what this object wrote since. What another
      process writes is not seen before `is_current` was asked.
    - A write is whole or did not happen, also after a crash: a folder that a killed writer left behind is
      either as it was or is rebuilt, because its seal does not fit.
    - Any method raises BrokenIndex where the files turn out to be unusable, also those of another engine or
      version; a write raises IndexBusy where another writer does not finish in time.
    """

    def state(self) -> str:
        """What queries see, as a text: another one after each commit, also of other processes."""
        ...

    def stamps(self) -> Stamps:
        """What is indexed, by path; a document without chunks is there, too.

        They can be looked up until something is written, or the index is closed.
        """
        ...

    def sources(self, masked: Iterable[str] = ()) -> Sequence[ChunkSource]:
        """The postings, in one or more parts, without the chunks of `masked` paths.

        Deleted chunks are in none. The same objects come back while nothing is written and nothing masked:
        vectors are cached by them.
        """
        ...

    def upsert(
        self, records: Iterable[DocumentRecord], gone: Iterable[str] = (), *, alone: int = ALONE
    ) -> None:
        """Index documents in place of what was there, and remove `gone`, in one commit.

        A path comes once in `records`, which are read one by one. After `alone` characters, other processes
        may help; documents whose process died are not indexed, as `stamps` shows. Raises whatever reading the
        records raises; nothing has changed then.
        """
        ...

    def remove(self, paths: Iterable[str]) -> None:
        """Remove documents, in one commit; unknown paths are ignored."""
        ...

    def restamp(self, stamps: Mapping[str, FileStamp]) -> None:
        """Replace the stamps of documents whose text is what is indexed; unknown paths are ignored."""
        ...

    def merge(self, most: int | None = None) -> None:
        """Join what many updates left apart, where that is worth its time; for quiet moments.

        At most `most` chunks are written again, the newest or smallest segments, where it is given.
        """
        ...

    def end_read(self) -> None:
        """Hold off no writer until `is_current` is asked again; for when a request has its answer."""
        ...


def engine_named(name: EngineName) -> type[DocumentIndex]:
    """The engine of a name; what its index needs is imported when the index is opened."""
    match name:
        case "whoosh":
            from memtool.index.documents.whoosh_documents import WhooshDocuments

            return WhooshDocuments
        case "sqlite":
            from memtool.index.documents.sqlite_documents import SqliteDocuments

            return SqliteDocuments
        case _:
            assert_never(name)


def recommended_engine(name: EngineName, documents: int) -> EngineName | None:
    """The engine that is recommended in place of one for so many documents, if any is."""
    return "sqlite" if name == "whoosh" and documents >= LARGE_TREE else None


class Overlay(RankedSources):
    """An index on disk without some of its documents, and documents in memory, ranked as one."""

    def __init__(self, sources: Sequence[ChunkSource]) -> None:
        self._sources = sources

    def sources(self) -> Sequence[ChunkSource]:
        """See `RankedSources`."""
        return self._sources


class RankedIndex(Searchable, Protocol):
    """What answers queries from sources: an engine, or an overlay."""

    def sources(self) -> Sequence[ChunkSource]:
        """See `RankedSources`."""
        ...


def overlay(
    base: DocumentIndex | None, changed: Iterable[DocumentRecord], gone: Iterable[str] = ()
) -> Overlay:
    """What `base` would answer had it indexed `changed` and removed `gone`; it is not written.

    With no base all documents are `changed`: a whole index in memory, built at about 3,000 chunks a second.
    """
    records = list(changed)
    masked = [*gone, *(record.path for record in records)]
    return Overlay([*(base.sources(masked) if base else ()), MemorySource(records)])
