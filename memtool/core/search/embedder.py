"""The contract of embedders, which make vectors of texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memtool.core.search.weights import EmbedderKind

    Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Makes vectors of texts."""

    @property
    def name(self) -> str:
        """Which model it is; vectors of two models are never compared."""
        ...

    @property
    def kind(self) -> EmbedderKind:
        """What kind it is; scoring profiles have weights for each."""
        ...

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """A row for each text, of length 1, or of nothing but 0 for a text that says nothing."""
        ...

    def query_vectors(self, texts: Sequence[str]) -> Vectors:
        """The same for queries, whose vectors are not stored."""
        ...
