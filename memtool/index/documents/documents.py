"""Documents: the Whoosh index of Markdown, chunk by chunk, in a folder of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Self

from memtool.core.search.query import Filter, Query
from memtool.index import lock
from memtool.index.documents import listing
from memtool.index.documents.search import search
from memtool.index.documents.source import META, Source, prepare
from memtool.index.documents.whoosh_parts import (
    Postings,
    Segment,
    document,
    keep_few,
    make_one,
    schema,
    segment_id,
)
from memtool.index.embed import Embedder
from memtool.index.engine import BrokenIndex, EngineHit, Record, Stamp, breaking
from memtool.index.seal import is_sealed, seal

if TYPE_CHECKING:
    from whoosh.reading import IndexReader

Writer = Any
"""Whoosh's Writer, which it types only in part."""
_WRITER_MEGABYTES = 512  # less makes Whoosh spill to disk, which doubles the time of a build
_MOST_DELETED = 0.2  # share of deleted chunks from which a merge is worth its time


class Documents:
    """An index opened at one moment: queries see what it held then, and what this object committed since.

    Any method raises BrokenIndex when the files turn out to be unusable; opening anew then starts over.
    """

    def __init__(self, folder: str, key: bytes, wait: float, why_empty: str | None = None) -> None:
        self.folder = folder
        self.why_empty = why_empty
        """Why what was there was thrown away at opening, as in `BrokenIndex.why`; None if nothing was."""
        self._key = key
        self._wait = wait
        self._reader: IndexReader | None = None
        self._segments: list[Source] | None = None
        self._read: dict[str, Postings] = {}
        self._stamps: dict[str, Stamp] = {}
        self._load()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def is_intact(self) -> bool:
        """Whether the files on disk are still as memtool left them; one that was cut short reads as empty."""
        return is_sealed(self.folder, self._key)

    def stamps(self) -> Mapping[str, Stamp]:
        """What is indexed, by path."""
        return self._stamps

    def query(
        self,
        query: Query,
        limit: int,
        *,
        filters: Sequence[Filter] = (),
        today: date | None = None,
        embedder: Embedder | None = None,
    ) -> list[EngineHit]:
        """The best `limit` chunks, best first; see `Searchable`."""
        return search(self.sources(), query, limit, filters=filters, today=today, embedder=embedder)

    def sources(self, masked: Iterable[str] = ()) -> list[Source]:
        """The segments as sources, without the chunks of `masked` paths."""
        hidden = [path for path in masked if path in self._stamps]
        if self._segments is None or hidden:
            leaves = [] if self._reader is None else [leaf for leaf, _ in self._reader.leaf_readers()]
            known = {segment_id(leaf): leaf for leaf in leaves if leaf.doc_count_all()}
            self._read = {name: self._read.get(name, {}) for name in known}
            found: list[Source] = [Segment(leaf, hidden, self._read[name]) for name, leaf in known.items()]
            if hidden:
                return found
            self._segments = found
        return self._segments

    def upsert(self, records: Iterable[Record], gone: Iterable[str] = ()) -> None:
        """Index documents in place of what was there, and forget `gone`, in one commit.

        A path comes once in `records`. Raises IndexBusy when another writer does not finish in time, and
        whatever reading `records` raises; nothing has changed then.
        """

        def write(writer: Writer, stamps: dict[str, Stamp]) -> None:
            with breaking():
                reader = writer.reader()
                for path in set(gone):
                    if stamps.pop(path, None):
                        _delete(writer, reader, path)
            for record in records:
                with breaking():
                    if stamps.pop(record.path, None):
                        _delete(writer, reader, record.path)
                    for prepared in prepare(record):
                        writer.add_document(**document(prepared))
                stamps[record.path] = record.stamp
            reader.close()

        self._commit(write, keep_few)

    def remove(self, paths: Iterable[str]) -> None:
        """Forget documents, in one commit."""
        self.upsert((), paths)

    def restamp(self, stamps: Mapping[str, Stamp]) -> None:
        """New stamps for documents whose text is what is indexed; unknown paths are ignored."""
        with self._held() as known:
            known.update({path: stamp for path, stamp in stamps.items() if path in known})
            listing.write(self.folder, known)
        self._stamps = known

    def merge(self) -> None:
        """Bring the index down to one segment, if it has several or many deleted chunks."""
        with breaking():
            leaves = [] if self._reader is None else [leaf for leaf, _ in self._reader.leaf_readers()]
            chunks = sum(leaf.doc_count_all() for leaf in leaves)
            deleted = chunks - sum(leaf.doc_count() for leaf in leaves)
        if len(leaves) > 1 or deleted > _MOST_DELETED * chunks:
            self._commit(lambda *_: None, make_one)

    def close(self) -> None:
        """Let go of the index's files."""
        self._segments = None
        if self._reader is not None:
            with contextlib.suppress(OSError, BufferError):
                self._reader.close()
            self._reader = None

    def _load(self) -> None:
        self._stamps = listing.read(self.folder)
        with breaking():
            reader = _open(self.folder).reader()
        self.close()
        self._reader = reader

    def _commit(
        self, write: Callable[[Writer, dict[str, Stamp]], None], policy: Callable[..., list[Any]]
    ) -> None:
        """Whoosh's files first, then the listing, the seal last: stopped anywhere, the folder either is what
        it was or is unsealed, which means built anew."""
        with self._held() as stamps:
            with breaking():
                writer = _open(self.folder).writer(limitmb=_WRITER_MEGABYTES, timeout=self._wait)
            try:
                write(writer, stamps)
            except BaseException:
                writer.cancel()
                raise
            with breaking():
                writer.commit(mergetype=policy)
                listing.write(self.folder, stamps)
        self._load()

    @contextlib.contextmanager
    def _held(self) -> Iterator[dict[str, Stamp]]:
        """The lock, and the stamps as they are now that nobody else writes; sealed again at the end."""
        with lock.held(self.folder, self._wait):
            if not is_sealed(self.folder, self._key):
                raise BrokenIndex("was changed by something else")
            yield listing.read(self.folder)
            with breaking():
                seal(self.folder, self._key)


def _open(folder: str) -> Any:
    from whoosh.index import open_dir

    return open_dir(folder, schema=schema())


def _delete(writer: Writer, reader: IndexReader, path: str) -> None:
    from whoosh.reading import TermNotFound

    try:
        matcher = reader.postings(META, f"path:{path}".encode("utf-8", "surrogatepass"))
    except TermNotFound:  # an empty document has no chunks
        return
    for number in list(matcher.all_ids()):
        writer.delete_document(number)
