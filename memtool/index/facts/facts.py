"""Facts: the lines of semantic files in SQLite FTS5, and their vectors beside them.

`file` says what each file was when it was read, `fact` holds the active facts with their stems, which a
full-text table is over, and `vector` the vectors by model and text: of a changed file only new texts are
embedded. `whole` are the models of which no vector is missing.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from memtool.index.database import Database, decode_path, encode_path, valid_text
from memtool.index.embed import hash_of
from memtool.index.engine import FileStamp, as_broken_index
from memtool.index.opening import SealedFolder
from memtool.index.transcripts.transcript_terms import stems_of

if TYPE_CHECKING:
    from memtool.core.search.embedder import Embedder, Vectors

_TABLES = """
CREATE TABLE file(
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE,
  size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER, at_ns INTEGER, etag TEXT
);
CREATE TABLE fact(
  id INTEGER PRIMARY KEY, file INTEGER NOT NULL, line INTEGER NOT NULL, name TEXT NOT NULL,
  category TEXT NOT NULL, owner TEXT NOT NULL, text TEXT NOT NULL, meant TEXT NOT NULL,
  relation TEXT NOT NULL, names TEXT NOT NULL, hash BLOB NOT NULL, stems TEXT NOT NULL
);
CREATE INDEX fact_file ON fact(file);
CREATE INDEX fact_name ON fact(name);
CREATE VIRTUAL TABLE fts USING fts5(stems, content='fact', content_rowid='id', tokenize='ascii');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab('fts', 'row');
CREATE TABLE vector(model TEXT NOT NULL, hash BLOB NOT NULL, row BLOB NOT NULL, PRIMARY KEY(model, hash))
WITHOUT ROWID;
CREATE TABLE whole(model TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TRIGGER fact_added AFTER INSERT ON fact BEGIN
  INSERT INTO fts(rowid, stems) VALUES (new.id, new.stems);
END;
CREATE TRIGGER fact_gone AFTER DELETE ON fact BEGIN
  INSERT INTO fts(fts, rowid, stems) VALUES ('delete', old.id, old.stems);
END;
"""
_BATCH = 4_000
"""Texts that are embedded at once."""


class FactRow(NamedTuple):
    """An active fact: its line (from 1), id, category, owner's tag, the sentence, and what it means.

    `relation` are the words of its meaning that only name a relation, such as `lives in` (`naming_words`);
    `names` are words that a question may have for it, such as `home` (`relation_names`).
    """

    line: int
    name: str
    category: str
    owner: str
    text: str
    meaning: str
    relation: str = ""
    names: str = ""


class FactFile(Struct, frozen=True):
    """A semantic file as the index takes it."""

    path: str
    stamp: FileStamp
    facts: tuple[FactRow, ...]


class Facts(Database):
    """An index of facts."""

    subject = "the index of facts"
    marker, tables, tables_version = "facts.db", _TABLES, 9

    def __init__(self, path: str, folder: SealedFolder | None = None, *, writes: bool = True) -> None:
        super().__init__(path, folder, writes=writes)
        self._written = 0

    @property
    def state(self) -> tuple[int, int]:
        """Another value each time that this process or another has written."""
        return self.data_version(), self._written

    def count(self, owners: Sequence[str] = ()) -> int:
        """How many facts are indexed; with `owners`, of these alone."""
        where = f" WHERE owner IN ({', '.join('?' * len(owners))})" if owners else ""
        with as_broken_index(self.subject):
            return int(self.db.execute(f"SELECT count(*) FROM fact{where}", tuple(owners)).get)  # noqa: S608

    def stamps(self) -> dict[str, FileStamp]:
        """What is indexed, by path."""
        with as_broken_index(self.subject):
            rows: Any = self.db.execute("SELECT path, size, mtime_ns, ctime_ns, inode, at_ns, etag FROM file")
            return {decode_path(path): FileStamp(*stamp) for path, *stamp in rows}

    # writing ------------------------------------------------------------------------------------------------

    def write(
        self,
        files: Iterable[FactFile] = (),
        gone: Iterable[str] = (),
        same: Mapping[str, FileStamp] | None = None,
    ) -> None:
        """Index these files in place of what was there of them, and forget others; one commit.

        `same` are new stamps of files whose text is what is indexed. Raises BrokenIndex.
        """
        self._written += 1
        with as_broken_index(self.subject), self.db:
            for path in gone:
                for (id_,) in self.db.execute(
                    "SELECT id FROM file WHERE path = ?", (encode_path(path),)
                ).fetchall():
                    self.db.execute("DELETE FROM fact WHERE file = ?", (id_,))
                    self.db.execute("DELETE FROM file WHERE id = ?", (id_,))
            for file in files:
                self._put(file)
            for path, stamp in (same or {}).items():
                self._stamp(path, stamp)
            self.db.execute("DELETE FROM vector WHERE hash NOT IN (SELECT hash FROM fact)")

    def _put(self, file: FactFile) -> None:
        """A file's facts; those that were there stay as they are, but for the numbers of their lines."""
        id_ = self._stamp(file.path, file.stamp)
        rows: Any = self.db.execute(
            "SELECT id, line, name, category, owner, text, meant, relation, names FROM fact WHERE file = ?",
            (id_,),
        )
        rows_by_content: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        for row, line, *content in rows:
            rows_by_content.setdefault(tuple(content), []).append((row, line))
        new: list[tuple[Any, ...]] = []
        for fact in file.facts:
            content = tuple(valid_text(part) for part in fact[1:])
            if same := rows_by_content.get(content):
                row, line = same.pop(0)
                if line != fact.line:
                    self.db.execute("UPDATE fact SET line = ? WHERE id = ?", (fact.line, row))
            else:
                new.append(
                    (
                        id_,
                        fact.line,
                        *content,
                        hash_of(valid_text(fact.meaning)),
                        " ".join(_found_by(fact)),
                    )
                )
        self.db.executemany(
            "DELETE FROM fact WHERE id = ?", [(r,) for same in rows_by_content.values() for r, _ in same]
        )
        if new:
            self.db.execute("DELETE FROM whole")
        self.db.executemany("INSERT INTO fact VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", new)

    def _stamp(self, path: str, stamp: FileStamp) -> int:
        self.db.execute(
            "INSERT INTO file VALUES (NULL, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(path) DO UPDATE SET "
            "size=excluded.size, mtime_ns=excluded.mtime_ns, ctime_ns=excluded.ctime_ns, "
            "inode=excluded.inode, at_ns=excluded.at_ns, etag=excluded.etag",
            (encode_path(path), *stamp),
        )
        return int(self.db.execute("SELECT id FROM file WHERE path = ?", (encode_path(path),)).get)

    def unembedded(self, model: str) -> dict[bytes, str]:
        """The texts that have no vector of a model yet, by their hashes."""
        with as_broken_index(self.subject):
            rows: Any = self.db.execute(
                "SELECT DISTINCT hash, meant FROM fact WHERE NOT EXISTS "
                "(SELECT 1 FROM vector WHERE model = ? AND vector.hash = fact.hash)",
                (model,),
            )
            return dict(rows)

    def lacks(self, model: str) -> bool:
        """Whether any text has no vector of a model yet."""
        return not self.select("SELECT 1 FROM whole WHERE model = ?", (model,))

    def embed(self, embedder: Embedder) -> None:
        """Make the vectors that are missing. Raises BrokenIndex, IndexBusy, and what the embedder raises.

        The lock is taken for each batch once its vectors are made, so that no command waits for an embedder.
        """
        if not self.lacks(embedder.name):
            return
        missing = [*self.unembedded(embedder.name).items()]
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            vectors = embedder.vectors([text for _, text in batch])
            with self.writing():
                self._keep(embedder.name, [hash_ for hash_, _ in batch], vectors)
        with self.writing(), as_broken_index(self.subject), self.db:
            if not self.unembedded(embedder.name):
                self.db.execute("INSERT OR IGNORE INTO whole VALUES (?)", (embedder.name,))

    def _keep(self, model: str, hashes: Sequence[bytes], vectors: Vectors) -> None:
        self._written += 1
        rows = (
            (model, hash_, row.tobytes()) for hash_, row in zip(hashes, vectors.astype("<f2"), strict=True)
        )
        with as_broken_index(self.subject), self.db:
            self.db.executemany("REPLACE INTO vector VALUES (?, ?, ?)", rows)

    # asking -------------------------------------------------------------------------------------------------

    def documents_with(self, stems: Iterable[str]) -> Counter[str]:
        """The number of facts that hold each stem."""
        counts: Counter[str] = Counter()
        with as_broken_index(self.subject):
            for stem in stems:
                row = self.db.execute("SELECT doc FROM vocabulary WHERE term = ?", (stem,)).get
                counts[stem] = int(row or 0)
        return counts

    def categories(self) -> list[str]:
        """The categories that facts have, sorted."""
        return [row[0] for row in self.select("SELECT DISTINCT category FROM fact ORDER BY category", ())]

    def owners(self) -> list[str]:
        """The owners that facts have, as tags; "" for nobody."""
        return [row[0] for row in self.select("SELECT DISTINCT owner FROM fact", ())]

    def lines_of(self, name: str) -> list[tuple[str, int]]:
        """Where the active facts of an id stand: path and line each; one, unless a line was copied."""
        rows = self.select(
            "SELECT path, line FROM fact JOIN file ON file.id = fact.file WHERE name = ? ORDER BY path, line",
            (name,),
        )
        return [(decode_path(path), line) for path, line in rows]

    def select(self, sql: str, values: Sequence[Any]) -> list[Any]:
        """All rows of a question in SQL. Raises BrokenIndex."""
        with as_broken_index(self.subject):
            return list(self.db.execute(sql, tuple(values)))


def _found_by(fact: FactRow) -> list[str]:
    """The stems of a fact: those of its meaning, of the key that it is stored under, and of its names."""
    kept_under = fact.name.removeprefix("k-").replace("-", " ") if fact.name.startswith("k-") else ""
    text_stems = stems(fact.meaning)
    others = dict.fromkeys(stems(kept_under))
    return [*text_stems, *(stem for stem in others if stem not in text_stems), *name_stems(fact.names)]


@functools.lru_cache(256)
def name_stems(names: str) -> tuple[str, ...]:
    """The stems of what a question may call a relation, which many facts have in common."""
    return tuple(stems(names))


def stems(text: str) -> list[str]:
    """The stems that a text is found by, stop words left out."""
    states, asks = stems_of(valid_text(text), set())
    return f"{states} {asks}".split()
