"""Transcripts: the messages of turns in SQLite FTS5.

`message` holds the tokens of each and their stems, with full-text indexes over both (external-content tables
that triggers keep in step), `turn` says which file each turn is from and what it was when it was read, and
`folder` what each folder was when it was listed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from memtool.core.records.document import FileStat
from memtool.core.records.speech import short_name
from memtool.index.database import Database, decode_path, encode_path, valid_text
from memtool.index.engine import FileStamp, as_broken_index
from memtool.index.freshness import is_racy
from memtool.index.opening import SealedFolder
from memtool.index.transcripts.transcript_terms import stems_of, terms

_VERSION = 12
"""Of these tables; an index of another version is started over."""

_TABLES = """
CREATE TABLE folder(
  path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER, at_ns INTEGER
) WITHOUT ROWID;
CREATE TABLE turn(
  id INTEGER PRIMARY KEY, folder TEXT NOT NULL, name TEXT NOT NULL,
  size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER, at_ns INTEGER, etag TEXT,
  seq INTEGER, created_at TEXT, day TEXT, grp TEXT, origin TEXT, session TEXT, chat TEXT,
  owner TEXT, messages INTEGER,
  UNIQUE(folder, name)
);
CREATE TABLE total(turns INTEGER NOT NULL, messages INTEGER NOT NULL, vectors INTEGER NOT NULL);
INSERT INTO total VALUES (0, 0, 0);
CREATE TRIGGER turn_added AFTER INSERT ON turn BEGIN
  UPDATE total SET turns = turns + 1, messages = messages + new.messages;
END;
CREATE TRIGGER turn_gone AFTER DELETE ON turn BEGIN
  UPDATE total SET turns = turns - 1, messages = messages - old.messages;
END;
CREATE INDEX turn_origin ON turn(origin) WHERE origin IS NOT NULL;
CREATE INDEX turn_seq ON turn(seq, grp);
CREATE TABLE message(
  id INTEGER PRIMARY KEY, turn INTEGER NOT NULL, number INTEGER NOT NULL, speaker TEXT NOT NULL,
  name TEXT, terms TEXT NOT NULL, states TEXT NOT NULL, asks TEXT NOT NULL
);
CREATE INDEX message_turn ON message(turn, number);
CREATE INDEX message_name ON message(name) WHERE name IS NOT NULL;
CREATE VIRTUAL TABLE fts USING fts5(
  terms, states, asks, content='message', content_rowid='id', tokenize='ascii'
);
CREATE TABLE word(word TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TRIGGER message_added AFTER INSERT ON message BEGIN
  INSERT INTO fts(rowid, terms, states, asks) VALUES (new.id, new.terms, new.states, new.asks);
END;
CREATE TABLE vector(message INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TRIGGER vector_added AFTER INSERT ON vector BEGIN UPDATE total SET vectors = vectors + 1; END;
CREATE TRIGGER vector_gone AFTER DELETE ON vector BEGIN UPDATE total SET vectors = vectors - 1; END;
CREATE TABLE model(name TEXT NOT NULL);
CREATE TRIGGER message_gone AFTER DELETE ON message BEGIN
  DELETE FROM vector WHERE message = old.id;
  INSERT INTO fts(fts, rowid, terms, states, asks) VALUES ('delete', old.id, old.terms, old.states, old.asks);
END;
CREATE TRIGGER message_changed AFTER UPDATE ON message BEGIN
  INSERT INTO fts(fts, rowid, terms, states, asks) VALUES ('delete', old.id, old.terms, old.states, old.asks);
  INSERT INTO fts(rowid, terms, states, asks) VALUES (new.id, new.terms, new.states, new.asks);
END;
"""
"""`message` holds each message's tokens, and the stems of what it states and what it asks; the full-text
table is over it and has no content of its own. `name` is who spoke, folded, where the message says so.
`vector` holds numbers in half precision, of the model that `model` names.
"""

_MOST_ANSWERS = 20_000
"""Answers about terms that are cached at most."""
_KNOWN_WORDS = 100_000
"""Words remembered as inserted; past it they are forgotten and inserted again."""
_HASH_BYTES = 8 << 20
"""What FTS5 collects in memory before it writes a segment: eight times its usual, for fewer merges."""


class Speech(NamedTuple):
    """One message: the role of whoever speaks, the words, and the speaker's name where there is one."""

    speaker: str
    text: str
    name: str = ""


class TurnRecord(Struct, frozen=True):
    """A turn file as the index takes it.

    `session` is empty where the turn names none; then it is the day. `chat` is the conversation at its
    source. `owner` is whose it is, as a tag, ""
    for everybody's. Of a file that is no turn, `seq` is None
    and no speaker: it is recorded, so that it is not read again.
    """

    folder: str
    name: str
    stamp: FileStamp
    group: str = ""
    seq: int | None = None
    created_at: str = ""
    day: str = ""
    origin: str | None = None
    session: str = ""
    chat: str = ""
    owner: str = ""
    speeches: tuple[Speech, ...] = ()


class IndexedFile(NamedTuple):
    """What is indexed of a file: the number of its row, and what it was when it was read."""

    id: int
    stamp: FileStamp


class Transcripts(Database):
    """An index of transcripts."""

    subject = "the index of transcripts"
    marker, tables, tables_version = "transcripts.db", _TABLES, _VERSION
    pragmas = ("cache_size=-16000",)

    def __init__(self, path: str, folder: SealedFolder | None = None, *, writes: bool = True) -> None:
        super().__init__(path, folder, writes=writes)
        self._words: set[str] = set()
        self.matrix: object = None
        """The cache of `transcript_vectors`."""
        self._every: tuple[int, Mapping[str, Mapping[str, IndexedFile]]] | None = None
        self._settled: dict[str, Mapping[str, FileStat]] = {}
        self._answers: tuple[int, dict[Hashable, Any]] | None = None

    def make(self) -> None:
        """Make the tables, in a file that is empty."""
        super().make()
        with as_broken_index(self.subject), self.db:
            self.db.execute("INSERT INTO fts(fts, rank) VALUES ('hashsize', ?)", (_HASH_BYTES,))

    # what is indexed ------------------------------------------------------------------------------------

    def count(self) -> int:
        """How many turn files are indexed."""
        with as_broken_index(self.subject):
            return int(self.db.execute("SELECT turns FROM total").get)

    def folders(self) -> dict[str, tuple[FileStat, int]]:
        """What each folder was when it was listed, and when that was."""
        with as_broken_index(self.subject):
            rows = self.db.execute("SELECT path, size, mtime_ns, ctime_ns, inode, at_ns FROM folder")
            return {decode_path(path): (FileStat(*stat), at_ns) for path, *stat, at_ns in rows}

    def in_folder(self, folder: str) -> dict[str, IndexedFile]:
        """What is indexed of a folder's files, by name."""
        return {name: known for _, name, known in self._known("WHERE folder = ?", (encode_path(folder),))}

    def every(self) -> Mapping[str, Mapping[str, IndexedFile]]:
        """All files by folder and name; cached until the index is written."""
        version = self.data_version()
        if self._every is None or self._every[0] != version:
            files: dict[str, dict[str, IndexedFile]] = {}
            for folder, name, known in self._known("ORDER BY id", ()):
                files.setdefault(folder, {})[name] = known
            self._every, self._settled = (version, files), {}
        return self._every[1]

    def unchanged_stats(self, folder: str) -> Mapping[str, FileStat]:
        """What each file of a folder looked like; without those that may have changed unseen since."""
        files = self.every().get(folder, {})
        if folder not in self._settled:
            stats = {name: FileStat(*known.stamp[:4]) for name, known in files.items()}
            at_ns = {name: known.stamp.at_ns for name, known in files.items()}
            self._settled[folder] = {
                name: stat for name, stat in stats.items() if not is_racy(stat, at_ns[name])
            }
        return self._settled[folder]

    def answers(self) -> dict[Hashable, Any]:
        """A cache of what is asked about terms; empty after the index was written."""
        version = self.data_version()
        if self._answers is None or self._answers[0] != version or len(self._answers[1]) > _MOST_ANSWERS:
            self._answers = version, {}
        return self._answers[1]

    def window(self, start: int, count: int) -> list[tuple[str, str, IndexedFile]]:
        """So many of all files, by their numbers from `start` on, and then from the beginning."""
        rows = [*self._known("WHERE id >= ? ORDER BY id LIMIT ?", (start, count))]
        if len(rows) < count:
            rows += self._known("WHERE id < ? ORDER BY id LIMIT ?", (start, count - len(rows)))
        return rows

    def origins(self, wanted: Iterable[str]) -> dict[str, str]:
        """The origins among `wanted` that a turn has, each with the path of its file."""
        paths: dict[str, str] = {}
        with as_broken_index(self.subject):
            for origin in wanted:
                for folder, name in self.db.execute(
                    "SELECT folder, name FROM turn WHERE origin = ? LIMIT 1", (valid_text(origin),)
                ):
                    paths[origin] = f"{decode_path(folder)}/{decode_path(name)}"
        return paths

    def counts_by_folder(self, owners: Sequence[str] = ()) -> list[tuple[str, int, int, int]]:
        """For each folder: its path, its turns, their messages, and the bytes of their files.

        With `owners`, only turns of these count.
        """
        with as_broken_index(self.subject):
            rows = self.db.execute(
                "SELECT folder, count(*), sum(messages), sum(size) FROM turn "  # noqa: S608
                f"WHERE seq IS NOT NULL{_of(owners)} GROUP BY folder ORDER BY folder",
                tuple(map(valid_text, owners)),
            )
            return [
                (decode_path(path), int(turns), int(messages), int(size))
                for path, turns, messages, size in rows
            ]

    def counts_by_turn(self, owners: Sequence[str] = ()) -> list[tuple[str, str, int, int]]:
        """For each turn: the path of its folder, when it was, its messages, and the bytes of its file.

        With `owners`, only turns of these count.
        """
        with as_broken_index(self.subject):
            rows = self.db.execute(
                "SELECT folder, created_at, messages, size FROM turn "  # noqa: S608
                f"WHERE seq IS NOT NULL{_of(owners)}",
                tuple(map(valid_text, owners)),
            )
            return [
                (decode_path(path), str(created_at or ""), int(messages), int(size))
                for path, created_at, messages, size in rows
            ]

    def _known(self, where: str, values: tuple[Any, ...]) -> Iterator[tuple[str, str, IndexedFile]]:
        with as_broken_index(self.subject):
            rows: list[Any] = self.db.execute(
                f"SELECT folder, name, id, size, mtime_ns, ctime_ns, inode, at_ns, etag FROM turn {where}",  # noqa: S608
                values,
            ).fetchall()
        return (
            (decode_path(row[0]), decode_path(row[1]), IndexedFile(row[2], FileStamp(*row[3:])))
            for row in rows
        )

    # writing ------------------------------------------------------------------------------------------------

    def write(
        self,
        records: Iterable[TurnRecord] = (),
        removed: Iterable[int] = (),
        folders: Mapping[str, tuple[FileStat, int]] | None = None,
        removed_folders: Iterable[str] = (),
        same: Mapping[int, FileStamp] | None = None,
    ) -> None:
        """Index these turns in place of what was there of their files, and forget others; one commit.

        `removed` are the numbers of files, including those that are indexed again; `removed_folders` are
        folders that are no more, `same` new stamps of files whose text is what is indexed. Raises
        BrokenIndex.
        """
        self._every = self._answers = self.matrix = None
        with as_broken_index(self.subject), self.db:
            for id_ in removed:
                self._forget(id_)
            for path in removed_folders:
                self.db.execute("DELETE FROM folder WHERE path = ?", (encode_path(path),))
            for record in records:
                self._add(record)
            for id_, stamp in (same or {}).items():
                self.db.execute(
                    "UPDATE turn SET size=?, mtime_ns=?, ctime_ns=?, inode=?, at_ns=?, etag=? WHERE id=?",
                    (*stamp, id_),
                )
            for path, (stat, at_ns) in (folders or {}).items():
                self.db.execute(
                    "REPLACE INTO folder VALUES (?, ?, ?, ?, ?, ?)", (encode_path(path), *stat, at_ns)
                )

    def _add(self, record: TurnRecord) -> None:
        place = (encode_path(record.folder), encode_path(record.name))
        origin = None if record.origin is None else valid_text(record.origin)
        about = (record.seq, record.created_at, record.day, encode_path(record.group), origin)
        within = (
            valid_text(record.session or record.day),
            valid_text(record.chat),
            valid_text(record.owner),
            len(record.speeches),
        )
        self.db.execute(
            "INSERT INTO turn VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*place, *record.stamp, *about, *within),
        )
        turn = self.db.last_insert_rowid()
        words: set[str] = set()
        rows = []
        for number, speech in enumerate(record.speeches):
            states, asks = stems_of(speech.text, words)
            columns = (valid_text(terms(speech.text)), valid_text(states), valid_text(asks))
            name = short_name(speech.name)
            rows.append((turn, number, valid_text(speech.speaker), name and valid_text(name), *columns))
        self.db.executemany("INSERT INTO message VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", rows)
        if words := words - self._words:
            self.db.executemany(
                "INSERT OR IGNORE INTO word VALUES (?)", [(valid_text(word),) for word in words]
            )
            if len(self._words) > _KNOWN_WORDS:
                self._words.clear()
            self._words |= words

    def _forget(self, id_: int) -> None:
        self.db.execute("DELETE FROM message WHERE turn = ?", (id_,))
        self.db.execute("DELETE FROM turn WHERE id = ?", (id_,))


def _of(owners: Sequence[str]) -> str:
    """The condition that a turn is one of these owners'; none for all."""
    return f" AND owner IN ({', '.join('?' * len(owners))})" if owners else ""
