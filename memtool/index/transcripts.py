"""Transcripts: the messages of turns in SQLite FTS5, ranked by BM25.

`message` holds the tokens of each, `fts` is the full-text index over it (an external-content table that
triggers keep in step), `turn` says which file each turn is from and what it was when it was read, and
`folder` what each folder was when it was listed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from memtool.core.document import Stat
from memtool.index.engine import BUSY_SECONDS, Stamp, breaking
from memtool.index.terms import stem
from memtool.index.transcript_terms import plain_words, terms

if TYPE_CHECKING:
    import apsw

FILE = "transcripts.db"
VERSION = 2
"""Of the tables below; an index of another version is started over."""
_KNOWN_WORDS = 100_000
"""Words remembered as put down already; past it they are forgotten and put down again."""

_HASH_BYTES = 8 << 20
"""What FTS5 collects in memory before it writes a segment: eight times its usual, for fewer merges."""

_TABLES = """
CREATE TABLE folder(
  path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER, at_ns INTEGER
) WITHOUT ROWID;
CREATE TABLE turn(
  id INTEGER PRIMARY KEY, folder TEXT NOT NULL, name TEXT NOT NULL,
  size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER, at_ns INTEGER, etag TEXT,
  seq INTEGER, created_at TEXT, day TEXT, grp TEXT, origin TEXT, UNIQUE(folder, name)
);
CREATE TABLE total(turns INTEGER NOT NULL);
INSERT INTO total VALUES (0);
CREATE TRIGGER turn_added AFTER INSERT ON turn BEGIN UPDATE total SET turns = turns + 1; END;
CREATE TRIGGER turn_gone AFTER DELETE ON turn BEGIN UPDATE total SET turns = turns - 1; END;
CREATE INDEX turn_origin ON turn(origin) WHERE origin IS NOT NULL;
CREATE TABLE message(
  id INTEGER PRIMARY KEY, turn INTEGER NOT NULL, number INTEGER NOT NULL, speaker TEXT NOT NULL,
  terms TEXT NOT NULL
);
CREATE INDEX message_turn ON message(turn);
CREATE VIRTUAL TABLE fts USING fts5(terms, content='message', content_rowid='id', tokenize='ascii');
CREATE TRIGGER message_added AFTER INSERT ON message BEGIN
  INSERT INTO fts(rowid, terms) VALUES (new.id, new.terms);
END;
CREATE TRIGGER message_gone AFTER DELETE ON message BEGIN
  INSERT INTO fts(fts, rowid, terms) VALUES ('delete', old.id, old.terms);
END;
CREATE TRIGGER message_changed AFTER UPDATE ON message BEGIN
  INSERT INTO fts(fts, rowid, terms) VALUES ('delete', old.id, old.terms);
  INSERT INTO fts(rowid, terms) VALUES (new.id, new.terms);
END;
CREATE TABLE word(stem TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY(stem, word)) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A turn file as the index takes it; `speeches` are the speaker and the words of each of its messages.

    Of a file that is no turn, `seq` is None and nobody speaks: it is remembered, so as not to be read again.
    """

    folder: str
    name: str
    stamp: Stamp
    group: str = ""
    seq: int | None = None
    created_at: str = ""
    day: str = ""
    origin: str | None = None
    speeches: tuple[tuple[str, str], ...] = ()


class Known(NamedTuple):
    """What is indexed of a file: the number of its row, and what it was when it was read."""

    id: int
    stamp: Stamp


class Transcripts:
    """An index of transcripts in a file, or in memory where `path` is `:memory:`."""

    def __init__(self, path: str, *, writes: bool = True) -> None:
        import apsw

        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE if writes else apsw.SQLITE_OPEN_READONLY
        with breaking():
            self.db: apsw.Connection = apsw.Connection(path, flags=flags | apsw.SQLITE_OPEN_NOFOLLOW)
            self.db.set_busy_timeout(BUSY_SECONDS * 1000)
            for pragma in (
                "trusted_schema=OFF",
                "cell_size_check=ON",
                "temp_store=MEMORY",
                "cache_size=-16000",
            ):
                self.db.execute(f"PRAGMA {pragma}")
            if writes:  # its seal proves what is on disk, not a journal: one that was cut short is built anew
                self.db.execute("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF")
        self._words: set[str] = set()
        self._place = path
        self._inode = _inode(path)

    def is_in_place(self) -> bool:
        """Whether the file that is open is still the one that stands at its path."""
        return self._inode == _inode(self._place)

    def make(self) -> None:
        """Make the tables, in a file that is empty."""
        with breaking(), self.db:
            self.db.execute(_TABLES)
            self.db.execute("INSERT INTO fts(fts, rank) VALUES ('hashsize', ?)", (_HASH_BYTES,))
            self.db.execute(f"PRAGMA user_version = {VERSION}")

    @property
    def version(self) -> int:
        """The version of the tables; 0 where there are none."""
        with breaking():
            return int(self.db.execute("PRAGMA user_version").get or 0)

    def close(self) -> None:
        """Let go of the file; closing twice is fine."""
        self.db.close()

    def begin(self) -> None:
        """Look at the index as it is from now on, until `end`."""
        with breaking():
            self.db.execute("BEGIN; SELECT count(*) FROM sqlite_schema")

    def end(self) -> None:
        """See what others write from now on."""
        if self.db.in_transaction:
            self.db.execute("ROLLBACK")

    def data_version(self) -> int:
        """Another number each time that another connection has written."""
        with breaking():
            return int(self.db.execute("PRAGMA data_version").get)

    # what is indexed ------------------------------------------------------------------------------------

    def count(self) -> int:
        """How many turn files are indexed."""
        with breaking():
            return int(self.db.execute("SELECT turns FROM total").get)

    def folders(self) -> dict[str, tuple[Stat, int]]:
        """What each folder was when it was listed, and when that was."""
        with breaking():
            rows = self.db.execute("SELECT path, size, mtime_ns, ctime_ns, inode, at_ns FROM folder")
            return {named(path): (Stat(*stat), at_ns) for path, *stat, at_ns in rows}

    def in_folder(self, folder: str) -> dict[str, Known]:
        """What is indexed of a folder's files, by name."""
        return {name: known for _, name, known in self._known("WHERE folder = ?", (stored(folder),))}

    def every(self) -> list[tuple[str, str, Known]]:
        """All files, folder and name each."""
        return [*self._known("ORDER BY id", ())]

    def window(self, start: int, count: int) -> list[tuple[str, str, Known]]:
        """So many of all files, by their numbers from `start` on, and then from the beginning."""
        rows = [*self._known("WHERE id >= ? ORDER BY id LIMIT ?", (start, count))]
        if len(rows) < count:
            rows += self._known("WHERE id < ? ORDER BY id LIMIT ?", (start, count - len(rows)))
        return rows

    def origins(self, wanted: Iterable[str]) -> dict[str, str]:
        """Of these origins, those that a turn has, each with the path of its file."""
        found: dict[str, str] = {}
        with breaking():
            for origin in wanted:
                for folder, name in self.db.execute(
                    "SELECT folder, name FROM turn WHERE origin = ? LIMIT 1", (sound(origin),)
                ):
                    found[origin] = f"{named(folder)}/{named(name)}"
        return found

    def _known(self, where: str, values: tuple[Any, ...]) -> Iterator[tuple[str, str, Known]]:
        with breaking():
            rows: list[Any] = self.db.execute(
                f"SELECT folder, name, id, size, mtime_ns, ctime_ns, inode, at_ns, etag FROM turn {where}",  # noqa: S608
                values,
            ).fetchall()
        return ((named(row[0]), named(row[1]), Known(row[2], Stamp(*row[3:]))) for row in rows)

    # writing ------------------------------------------------------------------------------------------------

    def write(
        self,
        records: Iterable[TurnRecord] = (),
        gone: Iterable[int] = (),
        folders: Mapping[str, tuple[Stat, int]] | None = None,
        left: Iterable[str] = (),
        same: Mapping[int, Stamp] | None = None,
    ) -> None:
        """Index these turns in place of what was there of their files, and forget others; one commit.

        `gone` are the numbers of files, those that are indexed anew included; `left` are folders that are no
        more, `same` new stamps of files whose text is what is indexed. Raises BrokenIndex.
        """
        with breaking(), self.db:
            for id_ in gone:
                self._forget(id_)
            for path in left:
                self.db.execute("DELETE FROM folder WHERE path = ?", (stored(path),))
            for record in records:
                self._add(record)
            for id_, stamp in (same or {}).items():
                self.db.execute(
                    "UPDATE turn SET size=?, mtime_ns=?, ctime_ns=?, inode=?, at_ns=?, etag=? WHERE id=?",
                    (*stamp, id_),
                )
            for path, (stat, at_ns) in (folders or {}).items():
                self.db.execute("REPLACE INTO folder VALUES (?, ?, ?, ?, ?, ?)", (stored(path), *stat, at_ns))

    def _add(self, record: TurnRecord) -> None:
        place = (stored(record.folder), stored(record.name))
        origin = None if record.origin is None else sound(record.origin)
        about = (record.seq, record.created_at, record.day, stored(record.group), origin)
        self.db.execute(
            "INSERT INTO turn VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*place, *record.stamp, *about),
        )
        turn = self.db.last_insert_rowid()
        words: set[str] = set()
        rows = []
        for number, (speaker, text) in enumerate(record.speeches):
            tokens = terms(text)
            words |= plain_words(tokens)
            rows.append((turn, number, sound(speaker), sound(tokens)))
        self.db.executemany("INSERT INTO message VALUES (NULL, ?, ?, ?, ?)", rows)
        if words := words - self._words:
            self.db.executemany(
                "INSERT OR IGNORE INTO word VALUES (?, ?)", [(stem(word), word) for word in words]
            )
            self._words = words | (self._words if len(self._words) < _KNOWN_WORDS else set())

    def _forget(self, id_: int) -> None:
        self.db.execute("DELETE FROM message WHERE turn = ?", (id_,))
        self.db.execute("DELETE FROM turn WHERE id = ?", (id_,))


def _inode(path: str) -> int | None:
    try:
        return os.stat(path, follow_symlinks=False).st_ino
    except FileNotFoundError:
        return None


# SQLite keeps UTF-8 alone; a file's name may hold other bytes, which are lone surrogates here.
_BYTES = {0xDC00 + byte: 0x10FF00 + byte for byte in range(0x80, 0x100)}
_BACK = {there: here for here, there in _BYTES.items()}


def stored(path: str) -> str:
    """A path as it is kept: bytes that are no UTF-8 as characters of the last private plane."""
    return path if path.isascii() else path.translate(_BYTES)


def named(kept: str) -> str:
    """The path that `stored` was given."""
    return kept if kept.isascii() else kept.translate(_BACK)


def sound(text: str) -> str:
    """A text with U+FFFD for each half of a surrogate pair, which JSON can say and SQLite cannot keep."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
