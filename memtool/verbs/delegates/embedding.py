"""Embedders: the user's own command, or else the embedded model, if it is installed."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from memtool.core.search.embedder import Embedder
from memtool.errors import DelegateFailed, MissingExtra, extra_hint
from memtool.formats.syntax import json_text
from memtool.index.embed import QueryVectorCache, static, unit
from memtool.index.sentence_embedder import for_facts
from memtool.verbs.delegates.delegate import Delegate

if TYPE_CHECKING:
    from memtool.core.search.embedder import Vectors
    from memtool.core.search.weights import EmbedderKind

MOST_BYTES = 1 << 28
"""Most bytes that the command may print."""
_PROBE = "a"
_GREATEST = 1e18
"""Numbers of a vector must be smaller than this."""
_BATCH = 2_000
"""Texts per run of the command."""


class CommandEmbedder:
    """An embedder that runs a command: JSON strings in, one a line; arrays of numbers out, one a line."""

    kind: EmbedderKind = "command"

    def __init__(self, delegate: Delegate) -> None:
        self._delegate = delegate
        command = json.dumps(delegate.command).encode("utf-8", "surrogatepass")
        self._command = blake2b(command, digest_size=8).hexdigest()
        self._asked = QueryVectorCache(self._made)

    @property
    def name(self) -> str:
        """The identity of the model: a hash of the command, and the length of its vectors.

        Embed a query first, so that its length is known without an extra run. Raises DelegateFailed.
        """
        cached = next(iter(self._asked.rows.values()), None)
        width = len(self.query_vectors([_PROBE])[0] if cached is None else cached)
        return f"command-{self._command}-{width}"

    def query_vectors(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`; recent results are cached. Raises DelegateFailed."""
        return self._asked.of(texts)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each text. Raises DelegateFailed for invalid output.

        Vectors of another length than the cached query vectors cannot be compared, and are invalid too.
        """
        computed = self._made(texts)
        cached = next(iter(self._asked.rows.values()), None)
        if len(computed) and cached is not None and len(cached) != computed.shape[1]:
            raise self._uneven()
        return computed

    def _uneven(self) -> DelegateFailed:
        return DelegateFailed(f"the embedder {self._delegate.program!r} printed vectors of different lengths")

    def _made(self, texts: Sequence[str]) -> Vectors:
        from memtool.index.numeric import np

        rows: list[list[float]] = []
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            answer = self._delegate.run("".join(map(json_text.dump_line, batch)))
            rows += self._read(answer, len(batch))
        if len({len(row) for row in rows}) > 1:
            raise self._uneven()
        return unit(np.array(rows, dtype=np.float32).reshape(len(rows), len(rows[0]) if rows else 1))

    def _read(self, answer: str, count: int) -> list[list[float]]:
        try:
            rows = [json_text.loads(line)[0] for line in answer.split("\n") if line.strip()]
        except json_text.InvalidJson as error:
            raise DelegateFailed(
                f"a line printed by the embedder {self._delegate.program!r} {error}"
            ) from error
        if len(rows) != count or not all(map(_is_vector, rows)):
            raise DelegateFailed(
                f"the embedder {self._delegate.program!r} must print one array of numbers per text, each on "
                f"its own line (texts: {count}, lines printed: {len(rows)})"
            )
        return rows


def _is_vector(row: object) -> bool:
    return (
        isinstance(row, list)
        and bool(row)
        and all(type(number) in {int, float} and _fits(number) for number in row)
    )


def _fits(number: float) -> bool:
    return -_GREATEST < number < _GREATEST


def make_embedder(
    delegate: Delegate | None, *, is_required: bool = False, of_facts: bool = False
) -> Embedder | None:
    """Return the embedder of the command if there is one, or else the embedded model if it is installed.

    For facts (`of_facts`) it is another model, which is better and slower.

    Without numpy the result is None; if the user asked for the command (`is_required`), MissingExtra is
    raised.
    """
    if delegate is None:
        return for_facts() if of_facts else static()
    if importlib.util.find_spec("numpy"):
        return CommandEmbedder(delegate)
    if is_required:
        raise MissingExtra(f"--embedder needs numpy; {extra_hint('semantic')}")
    return None
