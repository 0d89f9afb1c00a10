"""A database: an index in one SQLite file, which its seal proves; or in memory."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ClassVar, Self

from memtool.index.engine import BUSY_SECONDS, breaking

if TYPE_CHECKING:
    import apsw


class Database:
    """An index in a file, or in memory where `path` is `:memory:`; what its tables are a subclass says."""

    file: ClassVar[str]
    """The file's name in the index's folder."""
    tables: ClassVar[str]
    tables_version: ClassVar[int]
    """Of the tables; an index of another version is started over."""
    pragmas: ClassVar[tuple[str, ...]] = ()

    def __init__(self, path: str, *, writes: bool = True) -> None:
        import apsw

        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE if writes else apsw.SQLITE_OPEN_READONLY
        with breaking():
            self.db: apsw.Connection = apsw.Connection(path, flags=flags | apsw.SQLITE_OPEN_NOFOLLOW)
            self.db.set_busy_timeout(BUSY_SECONDS * 1000)
            for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "temp_store=MEMORY", *self.pragmas):
                self.db.execute(f"PRAGMA {pragma}")
            if writes:  # its seal proves what is on disk, not a journal: one that was cut short is built anew
                self.db.execute("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF")
        self._place = path
        self._inode = _inode(path)

    @classmethod
    def in_memory(cls) -> Self:
        """An empty one that is kept nowhere."""
        made = cls(":memory:")
        made.make()
        return made

    def make(self) -> None:
        """Make the tables, in a file that is empty."""
        with breaking(), self.db:
            self.db.execute(self.tables)
            self.db.execute(f"PRAGMA user_version = {self.tables_version}")

    @property
    def version(self) -> int:
        """The version of the tables; 0 where there are none."""
        with breaking():
            return int(self.db.execute("PRAGMA user_version").get or 0)

    def is_in_place(self) -> bool:
        """Whether the file that is open is still the one that stands at its path."""
        return self._inode == _inode(self._place)

    def close(self) -> None:
        """Let go of the file; closing twice is fine."""
        self.db.close()

    def begin(self) -> None:
        """Look at the index as it is from now on, until `end`."""
        with breaking():
            if not self.db.in_transaction:
                self.db.execute("BEGIN; SELECT count(*) FROM sqlite_schema")

    def end(self) -> None:
        """See what others write from now on."""
        if self.db.in_transaction:
            self.db.execute("ROLLBACK")

    def data_version(self) -> int:
        """Another number each time that another connection has written."""
        with breaking():
            return int(self.db.execute("PRAGMA data_version").get)


def _inode(path: str) -> int | None:
    try:
        return os.stat(path, follow_symlinks=False).st_ino
    except FileNotFoundError:
        return None
