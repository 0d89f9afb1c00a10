"""Vectors of transcripts: what messages mean, made when it is first asked for and kept in the index."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from memtool.index.embed import Embedder
from memtool.index.engine import breaking
from memtool.index.transcripts import Transcripts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BATCH = 2_000
_CHUNK = 16_384
"""Vectors that are compared at once, in single precision. As few are kept so; more would take much room."""
_LONGEST = 4_000
"""Characters of a message that its vector is made of."""


class Matrix:
    """The vectors of an index in memory, to be compared with many questions; `state` is what they are of."""

    def __init__(self, state: tuple[Any, ...], ids: NDArray[np.int64], rows: NDArray[np.floating]) -> None:
        self.state = state
        self.ids = ids
        self.rows = rows


class Dense:
    """What one embedder says of the messages of an index."""

    def __init__(self, index: Transcripts, embedder: Embedder) -> None:
        self._index = index
        self._db = index.db
        self.embedder = embedder

    def missing(self) -> int:
        """How many messages have no vector of this embedder's."""
        with breaking():
            lacking = "messages - vectors" if self._is_ours() else "messages"
            return int(self._db.execute(f"SELECT {lacking} FROM total").get)  # noqa: S608

    def fill(
        self,
        hold: Callable[[], AbstractContextManager[bool]],
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Give every message its vector; those of another model are thrown away. Raises what embedders do.

        `hold` is what the index is written in: a context that gives whether somebody else has written it. It
        is entered for each batch, once its vectors are made, so that nobody waits for an embedder.
        """
        done, count = 0, self.missing()
        while rows := self._lacking():
            made = self.embedder.vectors([text for _, text in rows]).astype("float16")
            with hold() as is_changed:
                if not is_changed:
                    self._put([(row[0], one.tobytes()) for row, one in zip(rows, made, strict=True)])
                    done += len(rows)
            if progress is not None:
                progress(done, max(done, count))

    def _lacking(self) -> list[Any]:
        """Some of the messages that have no vector, with their words."""
        without = "WHERE id NOT IN (SELECT message FROM vector)" if self._is_ours() else ""
        asked = f"SELECT id, substr(terms, 1, ?) FROM message {without} ORDER BY id LIMIT ?"  # noqa: S608
        with breaking():
            return self._db.execute(asked, (_LONGEST, _BATCH)).fetchall()

    def _put(self, rows: list[tuple[Any, bytes]]) -> None:
        self._index.matrix = None
        with breaking(), self._db:
            if not self._is_ours():
                self._db.execute("DELETE FROM vector; DELETE FROM model")
                self._db.execute("INSERT INTO model VALUES (?)", (self.embedder.name,))
            self._db.executemany("INSERT INTO vector VALUES (?, ?)", rows)

    def nearest(self, text: str, most: int, only: Sequence[int] | None = None) -> dict[int, float]:
        """The messages that mean what is nearest to a text, with their cosines; none below 0.

        With `only`, of these.
        """
        import numpy as np

        matrix = self._matrix()
        if not len(matrix.ids):
            return {}
        cosines = self._cosines(matrix, text)
        if only is not None:
            cosines = np.where(np.isin(matrix.ids, np.array(only, dtype=np.int64)), cosines, -1.0)
        best = np.argpartition(-cosines, min(most, len(cosines)) - 1)[:most]
        return {int(matrix.ids[i]): float(cosines[i]) for i in best if cosines[i] > 0}

    def of(self, text: str, messages: Mapping[int, str]) -> dict[int, float]:
        """The cosines of just these messages, made of their words: where there are no vectors to be had."""
        ids = list(messages)
        query = self.embedder.questions([text])[0]
        rows = self.embedder.vectors([messages[id_][:_LONGEST] for id_ in ids])
        if not ids or rows.shape[1] != len(query):
            return {}
        cosines = rows @ query
        return {id_: float(cosine) for id_, cosine in zip(ids, cosines, strict=True) if cosine > 0}

    def _is_ours(self) -> bool:
        return bool(self._db.execute("SELECT name FROM model").get == self.embedder.name)

    def _cosines(self, matrix: Matrix, text: str) -> NDArray[np.float32]:
        import numpy as np

        query = self.embedder.questions([text])[0]
        if matrix.rows.shape[1] != len(query):
            return np.zeros(len(matrix.ids), dtype=np.float32)
        parts = range(0, len(matrix.ids), _CHUNK)
        return np.concatenate(
            [matrix.rows[i : i + _CHUNK].astype(np.float32, copy=False) @ query for i in parts]
        )

    def _matrix(self) -> Matrix:
        """All vectors, read again only when somebody has written the index."""
        import numpy as np

        with breaking():
            state = (self.embedder.name, self._index.data_version())
            if not isinstance(self._index.matrix, Matrix) or self._index.matrix.state != state:
                rows: list[Any] = self._db.execute(
                    "SELECT message, data FROM vector ORDER BY message"
                ).fetchall()
                width = len(rows[0][1]) if rows else 0
                sound = [row for row in rows if len(row[1]) == width]
                found: Any = np.frombuffer(b"".join(row[1] for row in sound), dtype=np.float16)
                if len(sound) <= _CHUNK:
                    found = found.astype(np.float32)
                ids = np.array([row[0] for row in sound], dtype=np.int64)
                self._index.matrix = Matrix(state, ids, found.reshape(len(sound), max(1, width // 2)))
            return self._index.matrix
