"""Vectors of an index's items in memory, compared with a query's all at once."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Similarities = NDArray[np.float32]

_CHUNK = 16_384
"""Rows in half precision that are converted and compared at once: all of them would take twice their room."""


class VectorMatrix:
    """A row of length 1 for each item, in half or single precision."""

    def __init__(self, ids: Ids, rows: NDArray[np.floating]) -> None:
        self.ids = ids
        self.rows = rows

    def fits(self, vector: NDArray[np.float32]) -> bool:
        """Whether there are rows, and as wide as a vector."""
        return bool(len(self.ids)) and vector.shape[-1] == self.rows.shape[1]

    def similarities(self, vector: NDArray[np.float32]) -> Similarities:
        """The cosine of each row and a vector of length 1; 0 for a vector of another width."""
        from memtool.index.numeric import np

        if not self.fits(vector):
            return np.zeros(len(self.ids), dtype=np.float32)
        if self.rows.dtype == np.float32:
            return np.asarray(self.rows @ vector)
        parts = range(0, len(self.ids), _CHUNK)
        return np.concatenate([self.rows[i : i + _CHUNK].astype(np.float32) @ vector for i in parts])

    def nearest(
        self, vector: NDArray[np.float32], most: int, allowed: Collection[int] | None = None
    ) -> dict[int, float]:
        """The ids of the nearest items with their cosines, above 0; with `allowed`, of these."""
        from memtool.index.numeric import np

        similarities = self.similarities(vector)
        if allowed is not None:
            admitted = np.isin(self.ids, np.fromiter(allowed, dtype=np.int64))
            similarities = np.where(admitted, similarities, -1.0)
        rows = nearest_rows(similarities, most)
        return {int(self.ids[row]): float(similarities[row]) for row in rows if similarities[row] > 0}


def nearest_rows(similarities: Similarities, most: int) -> NDArray[np.intp]:
    """The rows of the `most` greatest similarities, in any order."""
    from memtool.index.numeric import np

    if len(similarities) <= most:
        return np.arange(len(similarities))
    return np.argpartition(-similarities, most - 1)[:most]
