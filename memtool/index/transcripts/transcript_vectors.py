"""Vectors of messages: made when a search first needs them, and kept in the index."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from memtool.core.search.embedder import Embedder
from memtool.index.engine import as_broken_index
from memtool.index.transcripts.transcripts import Transcripts
from memtool.index.vectors import VectorMatrix

_BATCH = 2_000
_MOST_SINGLE = 16_384
"""Vectors that are kept in single precision, which is faster; of more, half precision takes half the room."""
_LONGEST = 4_000
"""Characters of a message that its vector is made of."""


class _CachedMatrix(Struct, frozen=True):
    """The vectors of an index in memory; `state` says of which model and of which version of the index."""

    state: tuple[Any, ...]
    matrix: VectorMatrix


class MessageVectors:
    """One embedder's vectors of the messages of an index."""

    def __init__(self, index: Transcripts, embedder: Embedder) -> None:
        self._index = index
        self._db = index.db
        self.embedder = embedder

    def missing(self) -> int:
        """How many messages have no vector of this embedder's."""
        with as_broken_index(self._index.subject):
            lacking = "messages - vectors" if self._is_ours() else "messages"
            return int(self._db.execute(f"SELECT {lacking} FROM total").get)  # noqa: S608

    def fill(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Give every message its vector; those of another model are deleted.

        Raises IndexBusy, and what embedders raise.

        The lock is taken for each batch once its vectors are made, so that no command waits for an embedder.
        """
        done, count = 0, self.missing()
        while rows := self._lacking():
            embedded = self.embedder.vectors([text for _, text in rows]).astype("float16")
            with self._index.writing() as is_changed:
                if not is_changed:
                    self._put(
                        [(row[0], vector.tobytes()) for row, vector in zip(rows, embedded, strict=True)]
                    )
                    done += len(rows)
            if progress is not None:
                progress(done, max(done, count))

    def _lacking(self) -> list[Any]:
        """Some of the messages that have no vector, with their words."""
        without = "WHERE id NOT IN (SELECT message FROM vector)" if self._is_ours() else ""
        sql = f"SELECT id, substr(terms, 1, ?) FROM message {without} ORDER BY id LIMIT ?"  # noqa: S608
        with as_broken_index(self._index.subject):
            return self._db.execute(sql, (_LONGEST, _BATCH)).fetchall()

    def _put(self, rows: list[tuple[Any, bytes]]) -> None:
        self._index.matrix = None
        with as_broken_index(self._index.subject), self._db:
            if not self._is_ours():
                self._db.execute("DELETE FROM vector; DELETE FROM model")
                self._db.execute("INSERT INTO model VALUES (?)", (self.embedder.name,))
            self._db.executemany("INSERT INTO vector VALUES (?, ?)", rows)

    def nearest(self, text: str, most: int, only: Sequence[int] | None = None) -> dict[int, float]:
        """The messages whose vectors are nearest to a text's, with cosines above 0; with `only`, of these."""
        matrix = self._matrix()
        if not len(matrix.ids):
            return {}
        return matrix.nearest(self.embedder.query_vectors([text])[0], most, only)

    def of(self, text: str, messages: Mapping[int, str]) -> dict[int, float]:
        """The cosines of these messages alone, from their words: where the index lacks vectors."""
        ids = list(messages)
        query = self.embedder.query_vectors([text])[0]
        rows = self.embedder.vectors([messages[id_][:_LONGEST] for id_ in ids])
        if not ids or rows.shape[1] != len(query):
            return {}
        cosines = rows @ query
        return {id_: float(cosine) for id_, cosine in zip(ids, cosines, strict=True) if cosine > 0}

    def _is_ours(self) -> bool:
        return bool(self._db.execute("SELECT name FROM model").get == self.embedder.name)

    def _matrix(self) -> VectorMatrix:
        """All vectors; read again only when another process has written the index."""
        from memtool.index.numeric import np

        with as_broken_index(self._index.subject):
            state = (self.embedder.name, self._index.data_version())
            cached = self._index.matrix
            if not isinstance(cached, _CachedMatrix) or cached.state != state:
                rows: list[Any] = self._db.execute(
                    "SELECT message, data FROM vector ORDER BY message"
                ).fetchall()
                width = len(rows[0][1]) if rows else 0
                rows = [row for row in rows if len(row[1]) == width]
                vectors: Any = np.frombuffer(b"".join(row[1] for row in rows), dtype=np.float16)
                if len(rows) <= _MOST_SINGLE:
                    vectors = vectors.astype(np.float32)
                ids = np.array([row[0] for row in rows], dtype=np.int64)
                matrix = VectorMatrix(ids, vectors.reshape(len(rows), max(1, width // 2)))
                cached = self._index.matrix = _CachedMatrix(state, matrix)
            return cached.matrix
