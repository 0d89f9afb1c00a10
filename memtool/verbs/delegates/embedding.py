"""embedding: the user's own command as what makes vectors, else the embedded model, else nothing."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from memtool.errors import DelegateFailed, MissingExtra
from memtool.formats.syntax import json_text
from memtool.index.embed import Embedder, QueryVectorCache, VectorOnlyEmbedder, static, unit
from memtool.verbs.delegates.delegate import Delegate

__all__ = ["MOST_BYTES", "CommandEmbedder", "Embedder", "VectorOnlyEmbedder", "embedder"]

if TYPE_CHECKING:
    from memtool.core.search.profiles import EmbedderKind
    from memtool.index.embed import Vectors

MOST_BYTES = 1 << 28
"""Bytes that the command may print."""
_PROBE = "a"
_GREATEST = 1e18
"""No number of a vector is as great."""
_BATCH = 2_000
"""Texts that the command is given at once."""


class CommandEmbedder:
    """A command that reads JSON strings, one a line, and prints as many lines, each an array of numbers."""

    kind: EmbedderKind = "command"
    vectors_only = False

    def __init__(self, delegate: Delegate) -> None:
        self._delegate = delegate
        said = json.dumps(delegate.command).encode("utf-8", "surrogatepass")
        self._command = blake2b(said, digest_size=8).hexdigest()
        self._asked = QueryVectorCache(self._made)

    @property
    def name(self) -> str:
        """Which command it is, and how many numbers it prints: another model behind it is another one.

        Ask for the vector of a question first, so that nothing is asked in vain. Raises DelegateFailed.
        """
        known = next(iter(self._asked.rows.values()), None)
        width = len(self.questions([_PROBE])[0] if known is None else known)
        return f"command-{self._command}-{width}"

    def questions(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`; those that were asked last are remembered. Raises DelegateFailed."""
        return self._asked.of(texts)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """A row for each text. Raises DelegateFailed where the command prints anything else.

        What is as long as no question's vector can be compared with none, so it is a failure too.
        """
        made = self._made(texts)
        known = next(iter(self._asked.rows.values()), None)
        if len(made) and known is not None and len(known) != made.shape[1]:
            raise self._uneven()
        return made

    def _uneven(self) -> DelegateFailed:
        return DelegateFailed(f"the embedder {self._delegate.program!r} printed vectors of several lengths")

    def _made(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        rows: list[list[float]] = []
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            answer = self._delegate.run("".join(map(json_text.line, batch)))
            rows += self._read(answer, len(batch))
        if len({len(row) for row in rows}) > 1:
            raise self._uneven()
        return unit(np.array(rows, dtype=np.float32).reshape(len(rows), len(rows[0]) if rows else 1))

    def _read(self, answer: str, count: int) -> list[list[float]]:
        try:
            rows = [json_text.loads(line)[0] for line in answer.split("\n") if line.strip()]
        except json_text.NotJson as error:
            raise DelegateFailed(f"a line of the embedder {self._delegate.program!r} {error}") from error
        if len(rows) != count or not all(map(_is_vector, rows)):
            raise DelegateFailed(
                f"the embedder {self._delegate.program!r} printed {len(rows)} lines for {count} texts; "
                "each must be an array of numbers"
            )
        return rows


def _is_vector(row: object) -> bool:
    return (
        isinstance(row, list) and bool(row) and all(type(one) in {int, float} and _fits(one) for one in row)
    )


def _fits(number: float) -> bool:
    return -_GREATEST < number < _GREATEST


def embedder(delegate: Delegate | None, *, is_asked: bool = False) -> Embedder | None:
    """The command if there is one, else the embedded model if its extra is installed.

    Nothing where nothing can reckon with vectors; for a command that `is_asked` for MissingExtra is raised.
    """
    if delegate is None:
        return static()
    if importlib.util.find_spec("numpy"):
        return CommandEmbedder(delegate)
    if is_asked:
        raise MissingExtra("--embedder needs numpy; pip install 'memtool[semantic]' brings it")
    return None
