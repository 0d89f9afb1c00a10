"""Vectors of facts, all of one model in one matrix: the nearest are found by multiplying with every one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from memtool.index.facts import Facts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memtool.index.embed import Vectors

    Numbers = NDArray[np.int64]


class FactVectors:
    """The vectors of an index's facts, sorted by category; `Vectors` that are handed in have length 1."""

    def __init__(self, index: Facts, model: str) -> None:
        import numpy as np

        rows: list[Any] = index.asked(
            "SELECT fact.id, fact.category, fact.owner, vector.row FROM fact "
            "JOIN vector ON vector.model = ? AND vector.hash = fact.hash ORDER BY fact.category, fact.id",
            (model,),
        )
        width = len(rows[0][3]) // 2 if rows else 1
        rows = [row for row in rows if len(row[3]) == 2 * width]
        joined = b"".join(row[3] for row in rows)
        self.rows: Vectors = np.frombuffer(joined, dtype="<f2").astype(np.float32).reshape(-1, width)
        self.ids: Numbers = np.array([row[0] for row in rows], dtype=np.int64)
        self._at = {row[0]: number for number, row in enumerate(rows)}
        owners = {owner: code for code, owner in enumerate(sorted({row[2] for row in rows}))}
        self._owners = owners
        self._owned: Numbers = np.array([owners[row[2]] for row in rows], dtype=np.int64)
        self._means: dict[frozenset[str] | None, list[tuple[str, Vectors]]] = {}
        self.categories: dict[str, slice] = {}
        start = 0
        for number in range(1, len(rows) + 1):
            if number == len(rows) or rows[number][1] != rows[start][1]:
                self.categories[rows[start][1]] = slice(start, number)
                start = number

    def fits(self, vector: Vectors) -> bool:
        """Whether a vector is of the same width as these."""
        return bool(len(self.ids)) and vector.shape[-1] == self.rows.shape[1]

    def centroids(self, vector: Vectors, owners: Collection[str] | None) -> list[tuple[float, str]]:
        """The categories by how near the mean of their facts is to a vector, the nearest first.

        With `owners`, only facts of these count.
        """
        whose = None if owners is None else frozenset(owners)
        if whose not in self._means:
            self._means[whose] = [*self._mean(whose)]
        found = [(float(mean @ vector), category) for category, mean in self._means[whose]]
        return sorted(found, key=lambda one: (-one[0], one[1]))

    def _mean(self, owners: frozenset[str] | None) -> Iterator[tuple[str, Vectors]]:
        """Each category that has facts, with their mean, of length 1."""
        import numpy as np

        for category, span in self.categories.items():
            rows = self.rows[span]
            if owners is not None:
                rows = rows[self._is_of(owners, span)]
            if len(rows):
                mean = rows.mean(axis=0)
                yield category, mean / (float(np.linalg.norm(mean)) or 1.0)

    def near(self, vector: Vectors) -> Vectors:
        """How near each fact is to a vector, from -1 to 1, in the order of the rows."""
        found: Vectors = self.rows @ vector
        return found

    def nearest(
        self,
        near: Vectors,
        most: int,
        *,
        categories: Iterable[str] | None = None,
        owners: Collection[str] | None = None,
    ) -> list[int]:
        """The numbers of the facts that `near` has as the nearest, in any order."""
        import numpy as np

        found: list[int] = []
        spans = [slice(0, len(self.ids))]
        if categories is not None:
            spans = [self.categories[one] for one in categories if one in self.categories]
        for span in spans:
            some = near[span]
            if owners is not None:
                some = np.where(self._is_of(owners, span), some, -2.0)
            best = np.argpartition(some, -most)[-most:] if len(some) > most else np.arange(len(some))
            found += self.ids[span][best[some[best] > -1.5]].tolist()
        return found

    def similarity(self, near: Vectors, id_: int) -> float:
        """How near one fact is by `near`; 0 for a fact without a vector."""
        row = self._at.get(id_)
        return 0.0 if row is None else float(near[row])

    def _is_of(self, owners: Collection[str], span: slice) -> Any:
        import numpy as np

        codes = [self._owners[owner] for owner in owners if owner in self._owners]
        return np.isin(self._owned[span], codes)
