"""Vectors of facts: all of one model in one matrix, sorted by category, each compared with the query's."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from memtool.index.facts.facts import Facts
from memtool.index.vectors import VectorMatrix, nearest_rows

if TYPE_CHECKING:
    from memtool.core.search.embedder import Vectors
    from memtool.index.vectors import Ids


class FactVectors:
    """The vectors of an index's facts, sorted by category; `Vectors` that are handed in have length 1."""

    def __init__(self, index: Facts, model: str) -> None:
        from memtool.index.numeric import np

        rows: list[Any] = index.select(
            "SELECT fact.id, fact.category, fact.owner, vector.row FROM fact "
            "JOIN vector ON vector.model = ? AND vector.hash = fact.hash ORDER BY fact.category, fact.id",
            (model,),
        )
        width = len(rows[0][3]) // 2 if rows else 1
        rows = [row for row in rows if len(row[3]) == 2 * width]
        joined = b"".join(row[3] for row in rows)
        vectors = np.frombuffer(joined, dtype="<f2").astype(np.float32).reshape(-1, width)
        self._matrix = VectorMatrix(np.array([row[0] for row in rows], dtype=np.int64), vectors)
        self._row_of = {row[0]: number for number, row in enumerate(rows)}
        self._owners = {owner: code for code, owner in enumerate(sorted({row[2] for row in rows}))}
        self._owner_codes: Ids = np.array([self._owners[row[2]] for row in rows], dtype=np.int64)
        self._means: dict[frozenset[str] | None, list[tuple[str, Vectors]]] = {}
        self.categories: dict[str, slice] = {}
        start = 0
        for number in range(1, len(rows) + 1):
            if number == len(rows) or rows[number][1] != rows[start][1]:
                self.categories[rows[start][1]] = slice(start, number)
                start = number

    def fits(self, vector: Vectors) -> bool:
        """Whether a vector is as wide as these."""
        return self._matrix.fits(vector)

    def centroids(self, vector: Vectors, owners: Collection[str] | None) -> list[tuple[float, str]]:
        """The categories by how near the mean of their facts is to a vector, the nearest first.

        With `owners`, only facts of these count.
        """
        key = None if owners is None else frozenset(owners)
        if key not in self._means:
            self._means[key] = [*self._mean(key)]
        similarities = [(float(mean @ vector), category) for category, mean in self._means[key]]
        return sorted(similarities, key=lambda scored: (-scored[0], scored[1]))

    def _mean(self, owners: frozenset[str] | None) -> Iterator[tuple[str, Vectors]]:
        """Each category that has facts, with their mean, of length 1."""
        from memtool.index.numeric import np

        for category, span in self.categories.items():
            rows = self._matrix.rows[span]
            if owners is not None:
                rows = rows[self._is_of(owners, span)]
            if len(rows):
                mean = rows.mean(axis=0)
                yield category, mean / (float(np.linalg.norm(mean)) or 1.0)

    def similarities(self, vector: Vectors) -> Vectors:
        """The cosine of each fact and a vector, in the order of the rows."""
        return self._matrix.similarities(vector)

    def nearest(
        self,
        similarities: Vectors,
        most: int,
        *,
        categories: Iterable[str] | None = None,
        owners: Collection[str] | None = None,
    ) -> list[int]:
        """The ids of the facts with the greatest `similarities`, `most` of each category that is named."""
        from memtool.index.numeric import np

        ids = self._matrix.ids
        spans = [slice(0, len(ids))]
        if categories is not None:
            spans = [self.categories[category] for category in categories if category in self.categories]
        facts: list[int] = []
        for span in spans:
            inside = similarities[span]
            if owners is not None:
                inside = np.where(self._is_of(owners, span), inside, -2.0)
            rows = nearest_rows(inside, most)
            facts += ids[span][rows[inside[rows] > -1.5]].tolist()
        return facts

    def similarity(self, similarities: Vectors, id_: int) -> float:
        """The similarity of one fact; 0 for a fact without a vector."""
        row = self._row_of.get(id_)
        return 0.0 if row is None else float(similarities[row])

    def _is_of(self, owners: Collection[str], span: slice) -> Any:
        from memtool.index.numeric import np

        codes = [self._owners[owner] for owner in owners if owner in self._owners]
        return np.isin(self._owner_codes[span], codes)
