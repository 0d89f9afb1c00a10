"""Documents in Whoosh: chunks with weighed terms, in a folder of its own."""

from __future__ import annotations

import contextlib
import json
import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec

from memtool.core.records.document import FileStat
from memtool.index.documents.search import RankedSources
from memtool.index.documents.segment_reader import SegmentInfo, SegmentReader
from memtool.index.documents.segment_source import Postings, SegmentSource
from memtool.index.documents.source import META, TERMS_VERSION, ChunkSource
from memtool.index.engine import ALONE, BrokenIndex, DocumentRecord, FileStamp, Stamps, as_broken_index
from memtool.index.opening import SealedFolder

if TYPE_CHECKING:
    from memtool.index.documents.segment_builder import Segment

LISTING = "documents.json"
"""The file that lists the documents of an index, with their stamps."""
VERSION = f"{TERMS_VERSION} {unicodedata.unidata_version} segments"
"""The way text becomes terms, of which Unicode's version is a part, and what the listing has of the index.

Another version's index is rebuilt.
"""

_NEXT = b'"],"'
"""What the stamp of a document in a listing ends with, and the path of the next begins with."""
_NEVER_SORTED = "],"
"""A path that would look like the end of a stamp."""

Writer = Any
"""Whoosh's Writer, which it types only in part."""


class _ListingFile(msgspec.Struct):
    """The file that lists an index: version, stamps by path, rules of the selection, and segments.

    `count` documents are sorted by path; where it is -1, as in listings of earlier versions, they are not.
    """

    version: str
    documents: msgspec.Raw
    rules: str = ""
    segments: list[SegmentInfo] = []
    count: int = -1


class _Listing(msgspec.Struct):
    """What a commit changes in it."""

    documents: dict[str, FileStamp]
    segments: list[SegmentInfo]


class _ListedStamps(Stamps):
    """The stamps in the JSON of a listing, looked up by bisection.

    All are read where the documents are not sorted, or a text has escapes.
    """

    def __init__(self, file: _ListingFile) -> None:
        super().__init__({}, has_all=False)
        self._content, self._listed = bytes(file.documents), file.count
        if self._listed < 0 or b"\\" in self._content:
            self.all()

    def _read_all(self) -> dict[str, FileStamp]:
        with as_broken_index():
            return _decoded_stamps(self._content)

    def _find(self, path: str) -> FileStamp | None:
        content, wanted = self._content, path.encode("utf-8", "surrogateescape")
        low, high = 1, len(content) - 1
        with as_broken_index():
            while low < high:
                before = content.rfind(_NEXT, low, (low + high) // 2)
                start = low if before < 0 else before + len(_NEXT) - 1
                end = content.index(b'"', start + 1)
                listed = content[start + 1 : end]
                if listed == wanted:
                    value = content[end + len('":') : content.index(b"]", end) + 1]
                    return msgspec.json.decode(value, type=FileStamp)
                if listed > wanted:
                    high = start
                else:
                    after = content.find(_NEXT, end, high)
                    low = high if after < 0 else after + len(_NEXT) - 1
        return None

    def _count(self) -> int:
        return self._listed


class WhooshDocuments(RankedSources):
    """An index of documents in Whoosh, opened at one moment; see `DocumentIndex`."""

    marker: ClassVar[str] = LISTING
    why_empty: str | None = None
    """See `StoredIndex`."""

    def __init__(self, folder: SealedFolder) -> None:
        self._folder = folder
        self._readers: list[SegmentReader] = []
        self._segments: list[ChunkSource] | None = None
        self._read: dict[str, Postings] = {}
        self._stamps = Stamps({})
        self._listed: FileStat | None = None
        """The stat of the listing that was read or written last."""
        listing = _read_listing(folder)
        self._adopt(_ListedStamps(listing), listing.segments)

    @classmethod
    def create(cls, folder: SealedFolder) -> None:
        """See `StoredIndex`."""
        from whoosh.index import create_in

        from memtool.index.documents.segment_builder import schema

        create_in(folder.path, schema())
        _write_listing(folder, {}, [])

    @classmethod
    def load(cls, folder: SealedFolder, *, writes: bool) -> Self:  # noqa: ARG003
        """See `StoredIndex`; `writes` changes nothing: Whoosh's writer is opened only for a commit."""
        return cls(folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def is_current(self) -> bool:
        """Whether the files are as memtool left them; one that was cut short reads as empty."""
        return self._folder.is_sealed()

    def state(self) -> str:
        """See `DocumentIndex`."""
        return repr(self._listed)

    def stamps(self) -> Stamps:
        """See `DocumentIndex`."""
        return self._stamps

    def sources(self, masked: Iterable[str] = ()) -> list[ChunkSource]:
        """The segments as sources, without the chunks of `masked` paths."""
        hidden = [path for path in masked if path in self._stamps]
        if self._segments is None or hidden:
            readers = {each.info.name: each for each in self._readers if each.info.chunks}
            self._read = {name: self._read.get(name, {}) for name in readers}
            segments: list[ChunkSource] = [
                SegmentSource(reader, hidden, self._read[name]) for name, reader in readers.items()
            ]
            if hidden:
                return segments
            self._segments = segments
        return self._segments

    def upsert(
        self, records: Iterable[DocumentRecord], gone: Iterable[str] = (), *, alone: int = ALONE
    ) -> None:
        """Index documents in place of what was there, and remove `gone`, in one commit.

        A path comes once in `records`. After `alone` characters, other processes help; documents whose
        process died are not indexed, as `stamps` shows. Raises IndexBusy when another writer does not finish
        in time, and whatever reading `records` raises; nothing has changed then.
        """
        from memtool.index.documents.merging import in_update
        from memtool.index.documents.segment_builder import SegmentBuilder
        from memtool.index.documents.segment_workers import SegmentWorkers

        def write(writer: Writer, listing: _Listing) -> list[Segment]:
            stamps = listing.documents
            with as_broken_index():
                readers = self._opened(listing.segments)
                for path in set(gone):
                    if stamps.pop(path, None):
                        _delete(writer, readers, path)
                workers = SegmentWorkers(
                    lambda: SegmentBuilder(writer.storage, writer.schema, writer.indexname), alone
                )
            try:
                for record in records:
                    with as_broken_index():
                        if stamps.pop(record.path, None):
                            _delete(writer, readers, record.path)
                        workers.add(record)
                    stamps[record.path] = record.stamp
                with as_broken_index():
                    segments = [*workers.finish()]
            except BaseException:
                workers.cancel()
                raise
            for path in workers.lost:
                del stamps[path]
            return segments

        self._commit(write, in_update)

    def remove(self, paths: Iterable[str]) -> None:
        """Remove documents, in one commit."""
        self.upsert((), paths)

    def restamp(self, stamps: Mapping[str, FileStamp]) -> None:
        """Replace the stamps of documents whose text is what is indexed; unknown paths are ignored."""
        with self._locked() as listing:
            documents = listing.documents
            documents.update({path: stamp for path, stamp in stamps.items() if path in documents})
            with as_broken_index():
                _write_listing(self._folder, documents, listing.segments)
        self._adopt(Stamps(listing.documents), listing.segments)

    def end_read(self) -> None:
        """See `DocumentIndex`; nothing to do: reading blocks no writer."""

    def merge(self, most: int | None = None) -> None:
        """Merge segments where nobody waits; see `in_quiet_moment`."""
        from memtool.index.documents.merging import in_quiet_moment

        segments = [reader.info for reader in self._readers if reader.info.chunks]
        if in_quiet_moment(segments, most):
            self._commit(lambda *_: [], lambda written: in_quiet_moment(written, most))

    def close(self) -> None:
        """Release the index's files; closing twice is fine."""
        self._release()
        self._folder.close()

    def _release(self) -> None:
        """Let go of the segments, whose files are closed as soon as no search uses them."""
        self._segments, self._readers = None, []

    def _adopt(self, stamps: Stamps, segments: Sequence[SegmentInfo]) -> None:
        """Read these segments from now on, those of the listing on disk."""
        with as_broken_index():
            readers = self._opened(segments)
            self._listed = _listing_stat(self._folder)
        self._release()
        self._stamps, self._readers = stamps, readers

    def _opened(self, segments: Sequence[SegmentInfo]) -> list[SegmentReader]:
        """A reader of each segment; those that are open and have not changed are used again."""
        readers = {reader.info: reader for reader in self._readers}
        return [readers.get(info) or SegmentReader(self._folder.path, info) for info in segments]

    def _commit(
        self,
        write: Callable[[Writer, _Listing], list[Segment]],
        groups: Callable[[Sequence[Segment]], Sequence[Sequence[Segment]]],
    ) -> None:
        """Commit what `write` deletes and the segments that it returns, and merge each of `groups` into one.

        Whoosh's files first, then the listing, the seal last: stopped anywhere, the folder either is what
        it was or is unsealed, which means rebuilt.
        """

        from memtool.index.documents.segment_builder import segment_info

        def merged(writer: Writer, segments: Sequence[Segment]) -> list[Segment]:
            left = _merged(writer, [*segments, *added], groups)
            listing.segments = [segment_info(segment) for segment in left]
            return left

        with self._locked() as listing:
            with as_broken_index():
                writer = _open(self._folder.path).writer(timeout=self._folder.wait)
            try:
                added = write(writer, listing)
            except BaseException:
                with contextlib.suppress(Exception):  # on a full disk it cannot end its own files either
                    writer.cancel()
                raise
            with as_broken_index():
                writer.commit(mergetype=merged)
                self._folder.drop_unfinished()
                _write_listing(self._folder, listing.documents, listing.segments)
        self._adopt(Stamps(listing.documents), listing.segments)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[_Listing]:
        """The lock, and the listing as it is now that no other process writes; sealed again at the end."""
        with self._folder.lock():
            self._folder.check()
            with as_broken_index():
                is_known = self._listed == _listing_stat(self._folder)
            if is_known:
                listing = _Listing({**self._stamps.all()}, [reader.info for reader in self._readers])
            else:
                read = _read_listing(self._folder)
                listing = _Listing(_ListedStamps(read).all(), read.segments)
            yield listing
            with as_broken_index():
                self._folder.seal()


def _listing_stat(folder: SealedFolder) -> FileStat:
    """The stat of the listing, which is another one for each that is written. Raises OSError."""
    info = os.stat(os.path.join(folder.path, LISTING), follow_symlinks=False)
    return FileStat(info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino)


def _read_listing(folder: SealedFolder) -> _ListingFile:
    """What is in the index. Raises BrokenIndex when it cannot be read, or is another version's."""
    try:
        with open(os.path.join(folder.path, LISTING), "rb") as file:
            listing = _decoded_file(file.read())
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise BrokenIndex("has no readable list of documents") from error
    if listing.version != VERSION:
        raise BrokenIndex("was built by a different version of memtool or Python")
    if listing.rules != folder.rules:
        raise BrokenIndex("was built for a different layout")
    return listing


def _decoded_file(content: bytes) -> _ListingFile:
    """A listing, read by msgspec, which takes a quarter of the time, or by `json` if a path is not UTF-8."""
    try:
        return msgspec.json.decode(content, type=_ListingFile)
    except msgspec.DecodeError:
        file = json.loads(content)
        if not isinstance(file, dict) or not isinstance(file.get("documents"), dict):
            raise ValueError("no listing") from None
        return msgspec.convert({**file, "documents": msgspec.Raw(_encoded(file["documents"]))}, _ListingFile)


def _decoded_stamps(content: bytes) -> dict[str, FileStamp]:
    """The stamps in a listing's JSON."""
    try:
        return msgspec.json.decode(content, type=dict[str, FileStamp])
    except msgspec.DecodeError:
        return msgspec.convert(json.loads(content), dict[str, FileStamp])


def _encoded(stamps: dict[str, Any]) -> bytes:
    """The JSON of stamps, also of those of a path with bytes that are not UTF-8."""
    try:
        return msgspec.json.encode(stamps)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(stamps)).encode()


def _write_listing(folder: SealedFolder, stamps: dict[str, FileStamp], segments: list[SegmentInfo]) -> None:
    """Replace the listing, whole or not at all. Raises OSError."""
    temporary = os.path.join(folder.path, f".{LISTING}.new")
    documents = _encoded({path: stamps[path] for path in sorted(stamps)})
    count = -1 if _NEVER_SORTED in stamps else len(stamps)
    listing = _ListingFile(VERSION, msgspec.Raw(documents), folder.rules, segments, count)
    content = msgspec.json.encode(listing)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    with open(os.open(temporary, flags, 0o600), "wb") as file:
        file.write(content)
    os.replace(temporary, os.path.join(folder.path, LISTING))


def _open(folder: str) -> Any:
    """Whoosh's index, to write."""
    from whoosh.filedb.filestore import FileStorage

    from memtool.index.documents.segment_builder import schema

    storage: Any = FileStorage(folder)  # type: ignore[no-untyped-call]
    return storage.open_index(schema=schema())


def _merged(
    writer: Writer,
    segments: Sequence[Segment],
    groups: Callable[[Sequence[Segment]], Sequence[Sequence[Segment]]],
) -> list[Segment]:
    """The segments that have chunks, of which each of the groups is merged into one."""
    from memtool.index.documents.segment_builder import merge

    alive = [segment for segment in segments if segment.doc_count()]
    for group in groups(alive):
        alive = [each for each in alive if each not in group]
        alive += merge(writer.storage, writer.schema, writer.indexname, group)
    return alive


def _delete(writer: Writer, readers: Sequence[SegmentReader], path: str) -> None:
    """Delete the chunks of a document; an empty one has none.

    Whoosh's own reader would read the terms of all segments: 1 GB and half a second for 100,000 files.
    """
    numbers = {reader.info.name: reader.postings(META, f"path:{path}") for reader in readers}
    for segment in writer.segments:
        for number in numbers[segment.segment_id()]:
            segment.delete_document(number)
