"""Vectors of chunks: made when a process first needs them, and kept in memory while it lives."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from msgspec import Struct

from memtool.core.search.embedder import Embedder
from memtool.index.documents.source import ChunkSource
from memtool.index.vectors import VectorMatrix


class _ChunkVectors(Struct, frozen=True):
    """The vectors of a source's chunks, and the embedder that made them."""

    model: str
    matrix: VectorMatrix


_known: WeakKeyDictionary[ChunkSource, _ChunkVectors] = WeakKeyDictionary()


def nearest(
    sources: Sequence[ChunkSource],
    text: str,
    embedder: Embedder,
    most: int,
    allowed: Sequence[set[int] | None],
) -> list[tuple[float, int, int]]:
    """The chunks whose vectors are nearest to a text's: cosine above 0, source and number, the nearest first.

    `allowed` are the chunks of each source that may be named; None for all.
    """
    query = embedder.query_vectors([text])[0]
    scored_chunks = [
        (cosine, i, number)
        for i, source in enumerate(sources)
        for number, cosine in _matrix(source, embedder, len(query)).nearest(query, most, allowed[i]).items()
    ]
    return sorted(scored_chunks, key=lambda scored: (-scored[0], scored[1], scored[2]))[:most]


def _matrix(source: ChunkSource, embedder: Embedder, width: int) -> VectorMatrix:
    """The vectors of a source by an embedder whose queries have so many numbers."""
    from memtool.index.numeric import np

    cached = _known.get(source)
    if cached is None or (cached.model, cached.matrix.rows.shape[1]) != (embedder.name, width):
        numbers = list(source.everything())
        chunks = map(source.stored, numbers)
        rows = embedder.vectors([" ".join((*chunk.trail, chunk.text)) for chunk in chunks])
        matrix = VectorMatrix(np.array(numbers, dtype=np.int64), rows)
        cached = _known[source] = _ChunkVectors(embedder.name, matrix)
    return cached.matrix
