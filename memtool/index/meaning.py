"""Meaning: chunks of documents as vectors, made when first asked for and kept while the process lives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from memtool.index.embed import Embedder
from memtool.index.source import Source

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memtool.index.embed import Vectors


class _Meant(NamedTuple):
    """The vectors of a source: which embedder's, of which chunks, a row for each."""

    model: str
    numbers: NDArray[np.int64]
    rows: Vectors


_known: WeakKeyDictionary[Source, _Meant] = WeakKeyDictionary()


def nearest(
    sources: Sequence[Source], text: str, embedder: Embedder, most: int, allowed: Sequence[set[int] | None]
) -> list[tuple[float, int, int]]:
    """The chunks that mean what is nearest to a text: cosine, source and number, the nearest first.

    `allowed` are the chunks of each source that may be told; None for all. None has a cosine below 0.
    """
    import numpy as np

    query = embedder.questions([text])[0]
    found: list[tuple[float, int, int]] = []
    for i, source in enumerate(sources):
        meant = _of(source, embedder, len(query))
        if not len(meant.numbers) or meant.rows.shape[1] != len(query):
            continue
        cosines = meant.rows @ query
        only = allowed[i]
        if only is not None:
            cosines = np.where(np.isin(meant.numbers, np.fromiter(only, dtype=np.int64)), cosines, -1.0)
        best = np.argpartition(-cosines, min(most, len(cosines)) - 1)[:most]
        found += [(float(cosines[at]), i, int(meant.numbers[at])) for at in best if cosines[at] > 0]
    return sorted(found, key=lambda one: (-one[0], one[1], one[2]))[:most]


def _of(source: Source, embedder: Embedder, width: int) -> _Meant:
    import numpy as np

    known = _known.get(source)
    if known is None or (known.model, known.rows.shape[1]) != (embedder.name, width):
        numbers = list(source.everything())
        texts = [" ".join((*(kept := source.stored(number)).trail, kept.text)) for number in numbers]
        rows = embedder.vectors(texts)
        known = _known[source] = _Meant(embedder.name, np.array(numbers, dtype=np.int64), rows)
    return known
