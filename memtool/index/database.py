"""A database: an index in one SQLite file, which its seal proves; or in memory."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Self

from memtool.index.engine import BUSY_SECONDS, BrokenIndex, as_broken_index
from memtool.index.opening import SealedFolder

if TYPE_CHECKING:
    import apsw

_MOST_HANDLES = 1024
"""Handles among which one of SQLite's is looked for where the system does not list them; a new one has the
lowest free number."""


class Database:
    """An index in the file `marker` of a folder, or in memory where there is none; a subclass has the tables.

    A loaded index is in a read transaction, in which it stays as it was sealed, until `end`.
    """

    subject: ClassVar[str]
    """What messages call the index."""
    marker: ClassVar[str]
    tables: ClassVar[str]
    tables_version: ClassVar[int]
    """Of the tables; an index of another version is started over."""
    pragmas: ClassVar[tuple[str, ...]] = ()
    why_empty: str | None = None
    """See `StoredIndex`."""

    def __init__(self, path: str, folder: SealedFolder | None = None, *, writes: bool = True) -> None:
        import apsw

        flags = apsw.SQLITE_OPEN_READWRITE if writes else apsw.SQLITE_OPEN_READONLY
        if folder is None:
            flags |= apsw.SQLITE_OPEN_CREATE  # in memory; a file is created in its open folder
        with as_broken_index(self.subject):
            self.db: apsw.Connection = apsw.Connection(path, flags=flags | apsw.SQLITE_OPEN_NOFOLLOW)
            if folder is not None and not _is_open(os.path.join(folder.path, self.marker)):
                self.db.close()
                raise BrokenIndex("was replaced while it was being opened")
            self.db.set_busy_timeout(BUSY_SECONDS * 1000)
            for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "temp_store=MEMORY", *self.pragmas):
                self.db.execute(f"PRAGMA {pragma}")
            if writes:  # its seal proves what is on disk, not a journal: one that was cut short is rebuilt
                self.db.execute("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF")
        self._folder = folder
        self._path = path
        self._inode = _inode(path)

    @classmethod
    def create(cls, folder: SealedFolder) -> None:
        """See `StoredIndex`."""
        path = os.path.join(folder.path, cls.marker)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
        index = cls(os.path.join(folder.shown, cls.marker), folder)
        index.make()
        index.db.close()

    @classmethod
    def load(cls, folder: SealedFolder, *, writes: bool) -> Self:
        """See `StoredIndex`; sealed while its transaction holds off every writer."""
        index = cls(os.path.join(folder.shown, cls.marker), folder, writes=writes)
        try:
            index.begin()
            if index.version != cls.tables_version:
                raise BrokenIndex(
                    f"has format version {index.version}, but this version of memtool uses format version "
                    f"{cls.tables_version}"
                )
        except BrokenIndex:
            index.close()
            raise
        return index

    @classmethod
    def in_memory(cls) -> Self:
        """An empty index in memory."""
        index = cls(":memory:")
        index.make()
        return index

    @property
    def is_in_memory(self) -> bool:
        """Whether there are no files."""
        return self._folder is None

    def make(self) -> None:
        """Make the tables, in a file that is empty."""
        with as_broken_index(self.subject), self.db:
            self.db.execute(self.tables)
            self.db.execute(f"PRAGMA user_version = {self.tables_version}")

    @property
    def version(self) -> int:
        """The version of the tables; 0 where there are none."""
        with as_broken_index(self.subject):
            return int(self.db.execute("PRAGMA user_version").get or 0)

    def is_current(self) -> bool:
        """See `StoredIndex`; the transaction is a new one then, and sees what others have committed."""
        if self._folder is None:
            return True
        self.end()
        self.begin()
        return self._inode == _inode(self._path) and self._folder.is_sealed()

    def close(self) -> None:
        """Release the file; closing twice is fine."""
        self.db.close()
        if self._folder is not None:
            self._folder.close()

    def begin(self) -> None:
        """Read the index as it is from now on, until `end`."""
        with as_broken_index(self.subject):
            if not self.db.in_transaction:
                self.db.execute("BEGIN; SELECT count(*) FROM sqlite_schema")

    def end(self) -> None:
        """End the read transaction: others can write, and what they write is seen."""
        if self.db.in_transaction:
            self.db.execute("ROLLBACK")

    @contextlib.contextmanager
    def writing(self) -> Iterator[bool]:
        """Hold the lock while the index is written, and seal it; given is whether others have written since.

        An index in memory has no other users. Raises IndexBusy, and BrokenIndex for one that is not ours.
        """
        if self._folder is None:
            yield False
            return
        version = self.data_version()
        self.end()
        with self._folder.lock():
            self._folder.check()
            yield self.data_version() != version
            self._folder.seal()
            self.begin()

    def seal(self) -> None:
        """Seal what was written so far; only inside of `writing`."""
        if self._folder is not None:
            self._folder.seal()

    def data_version(self) -> int:
        """Another number each time that another connection has written."""
        with as_broken_index(self.subject):
            return int(self.db.execute("PRAGMA data_version").get)


def _inode(path: str) -> int | None:
    try:
        return os.stat(path, follow_symlinks=False).st_ino
    except FileNotFoundError:
        return None


def _is_open(path: str) -> bool:
    """Whether a handle of this process is of the regular file at a path.

    SQLite opens a file by its path, resolved before, so a folder on the way could be replaced in between;
    and it does not tell its handle.
    """
    expected = os.stat(path, follow_symlinks=False)
    if not stat.S_ISREG(expected.st_mode):
        return False
    handles = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else range(3, _MOST_HANDLES)
    for handle in handles:
        with contextlib.suppress(OSError):
            if os.path.samestat(os.fstat(int(handle)), expected):
                return True
    return False


# SQLite stores UTF-8 alone; a file's name may hold other bytes, which are lone surrogates here.
_BYTES = {0xDC00 + byte: 0x10FF00 + byte for byte in range(0x80, 0x100)}
_BACK = {there: here for here, there in _BYTES.items()}


def encode_path(path: str) -> str:
    """A path as it is stored: bytes that are no UTF-8 as characters of the last private plane."""
    return path if path.isascii() else path.translate(_BYTES)


def decode_path(path: str) -> str:
    """The path that `encode_path` was given."""
    return path if path.isascii() else path.translate(_BACK)


def valid_text(text: str) -> str:
    """A text with U+FFFD for each half of a surrogate pair, which SQLite cannot store."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
