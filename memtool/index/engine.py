"""The contract of a search engine, and the values that cross it."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import PurePath
from typing import NamedTuple, Protocol

from msgspec import Struct

from memtool.core.records.document import Chunk, FileStat
from memtool.core.search.embedder import Embedder
from memtool.core.search.query import Query, QueryFilter
from memtool.errors import CouldNotTell, Locked, MemtoolError

ALONE = 4_000_000
"""Characters that one process indexes before others help: a second's work."""


class FileStamp(NamedTuple):
    """What a file was when it was indexed: its stat, when that was taken, and the etag of what was read.

    `at_ns` is the real clock's nanoseconds just before the stat; without it a change in the same instant
    could pass unseen. A tuple, because thousands are read at every start.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    at_ns: int
    etag: str

    @classmethod
    def of(cls, stat: FileStat, at_ns: int, etag: str) -> FileStamp:
        """The stamp of a file whose stat was taken at `at_ns`, before its text was read."""
        return cls(stat.size, stat.mtime_ns, stat.ctime_ns, stat.inode, at_ns, etag)


class Stamps(Mapping[str, FileStamp]):
    """What is indexed, by path: all of it is known, or read for a loop, and a few are looked up in the index.

    A subclass reads an index, of which some stamps may be known.
    """

    def __init__(self, known: Mapping[str, FileStamp], *, has_all: bool = True) -> None:
        self._known = {**known}
        self._has_all = has_all

    def all(self) -> dict[str, FileStamp]:
        """All of them, not to be changed."""
        if not self._has_all:
            self._known, self._has_all = self._read_all(), True
        return self._known

    def __getitem__(self, path: str) -> FileStamp:
        stamp = self._known.get(path)
        if stamp is None and not self._has_all and (stamp := self._find(path)):
            self._known[path] = stamp
        if stamp is None:
            raise KeyError(path)
        return stamp

    def __iter__(self) -> Iterator[str]:
        return iter(self.all())

    def __len__(self) -> int:
        return len(self._known) if self._has_all else self._count()

    def _read_all(self) -> dict[str, FileStamp]:
        raise NotImplementedError

    def _find(self, path: str) -> FileStamp | None:
        raise NotImplementedError

    def _count(self) -> int:
        raise NotImplementedError


class DocumentRecord(Struct, frozen=True):
    """One document as an engine takes it. `path` is relative to the root, with `/`."""

    path: str
    stamp: FileStamp
    chunks: tuple[Chunk, ...]
    role: str = ""
    group: str = ""
    day: date | None = None
    title: str = ""
    tags: tuple[str, ...] = ()


class ChunkHit(Struct, frozen=True):
    """A chunk that an engine found, with the text it had when it was indexed."""

    path: str
    first: int
    last: int
    score: float
    text: str
    trail: tuple[str, ...] = ()
    role: str = ""
    group: str = ""
    day: date | None = None
    title: str = ""


class Searchable(Protocol):
    """What answers queries."""

    def query(
        self,
        query: Query,
        limit: int,
        *,
        filters: Sequence[QueryFilter] = (),
        today: date | None = None,
        embedder: Embedder | None = None,
        vectors_only: bool = False,
    ) -> list[ChunkHit]:
        """The best `limit` chunks, best first; equal scores by path and line.

        `filters` hold beside the query's own. With `today`, daily notes lose weight with age; with an
        `embedder` meaning counts beside words, or with `vectors_only` alone. A smaller limit gives the
        beginning of a larger one's answer.
        """
        ...


SEARCH_INDEX = "the search index"
"""What messages call the index of documents, and any index where its kind does not matter."""


class BrokenIndex(CouldNotTell):
    """An index that cannot be used as it is: missing, damaged, of another version, or not ours."""

    def __init__(self, why: str, *, is_refused: bool = False) -> None:
        """`is_refused` says that the disk is full or cannot be written, so that a new one will fail, too."""
        super().__init__(f"{SEARCH_INDEX} {why}; rebuild it with memtool reindex")
        self.why = why
        self.is_refused = is_refused


_REFUSED = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO)
"""Numbers of the system's errors when the disk is full, or cannot be written at all."""
_REFUSALS = ("FullError", "ReadOnlyError", "IOError")
"""Names of the same errors of SQLite."""
BUSY_SECONDS = 5
"""How long SQLite waits for a reader while it writes, or the other way round."""


class IndexBusy(Locked):
    """Another memtool was writing the index for longer than this one would wait."""


@contextlib.contextmanager
def as_broken_index(subject: str = SEARCH_INDEX) -> Iterator[None]:
    """Turn whatever a library says of damaged files, or of a refusing disk, into BrokenIndex or IndexBusy.

    Garbage makes Whoosh raise nearly anything, so anything is caught; the block holds nothing but its calls.
    `subject` names the index where another memtool holds it for too long.
    """
    try:
        yield
    except Exception as error:
        raise index_error(error, subject) from error


def index_error(error: Exception, subject: str = SEARCH_INDEX) -> MemtoolError:
    """What an exception from the files of the index `subject` means; our own errors stay what they are."""
    if isinstance(error, MemtoolError):
        return error
    if type(error).__name__ in {"BusyError", "LockedError"}:  # SQLite's, for longer than it would wait
        return IndexBusy(PurePath(subject), BUSY_SECONDS)
    reason = getattr(error, "strerror", None) or f"{type(error).__name__}: {error}"
    is_refused = type(error).__name__ in _REFUSALS or getattr(error, "errno", None) in _REFUSED
    return BrokenIndex(f"cannot be used ({reason})", is_refused=is_refused)
