"""Embeddings: texts as vectors, by the static model that the `wordllama` package carries.

The package's own loader looks in another folder and then asks a network; its two files are read here as
they lie: 32,000 rows of 256 numbers, and a tokenizer. A text's vector is the mean of its tokens' rows, of
length 1.
"""

from __future__ import annotations

import functools
import importlib.util
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from memtool.core.digest import blake2b
from memtool.core.search.embedder import Embedder
from memtool.errors import extra_hint

if TYPE_CHECKING:
    from memtool.core.search.embedder import Vectors
    from memtool.core.search.weights import EmbedderKind

INSTALL_HINT = f"to install an embedding model, {extra_hint('semantic')}"
"""The advice where there is no embedder."""
_WEIGHTS = ("weights", "l2_supercat_256.safetensors")
_TOKENIZER = ("tokenizers", "l2_supercat_tokenizer_config.json")
_LONGEST = 20_000
"""Characters of a text that its vector is made of."""
HASH_BYTES = 16
"""Bytes of `hash_of`."""
_BATCH = 2_000
_SMALL_BATCH = 8
_MANY = 100
"""Texts from which on the whole model is converted to float32 (13 ms, as are rows of 100 to 200 texts)."""
_WORD_START = "\u2581"
"""What the first piece of a word begins with."""
_COVERED_PIECES = 2
"""The pieces of a word up to which the vocabulary covers it."""
_NEEDED = ("numpy", "safetensors", "tokenizers")


class QueryVectorCache:
    """The vectors of the last query: one search asks the same of several indexes."""

    def __init__(self, vectors: Callable[[Sequence[str]], Vectors]) -> None:
        self._vectors = vectors
        self.rows: dict[str, Vectors] = {}

    def of(self, texts: Sequence[str]) -> Vectors:
        """A row for each text; all are computed at once where one is not cached."""
        from memtool.index.numeric import np

        vectors = self.rows
        if not all(text in vectors for text in texts):
            unique = [*dict.fromkeys(texts)]
            vectors = self.rows = dict(zip(unique, self._vectors(unique), strict=True))
        return np.stack([vectors[text] for text in texts])


class StaticEmbedder:
    """The embedded model, read from its files at the first text. Made once for a process: `static`."""

    name = "wordllama-l2-supercat-256"
    kind: EmbedderKind = "embedded"

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._asked = QueryVectorCache(self.vectors)

    @functools.cached_property
    def _rows(self) -> Any:
        """The weights, as float16 until many texts are embedded: for few it takes longer to convert all."""
        from safetensors.numpy import load_file

        weights: dict[str, Any] = load_file(os.path.join(self._folder, *_WEIGHTS))
        return next(iter(weights.values()))

    @functools.cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(os.path.join(self._folder, *_TOKENIZER))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        from memtool.index.numeric import np

        if len(texts) > _MANY:
            self._rows = self._rows.astype(np.float32, copy=False)
        rows = np.zeros((len(texts), self._rows.shape[1]), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = [text[:_LONGEST] for text in texts[start : start + _BATCH]]
            for number, encoding in enumerate(self._encoded(batch), start):
                if row := encoding.ids:
                    self._rows[row].astype(np.float32, copy=False).mean(axis=0, out=rows[number])
        return unit(rows)

    def coverage(self, text: str) -> float:
        """The share of a text's words that the vocabulary has, whole or in two pieces."""
        sizes: list[int] = []
        for piece in self._tokenizer.encode(text[:_LONGEST], add_special_tokens=False).tokens:
            if not sizes or piece.startswith(_WORD_START):
                sizes.append(0)
            sizes[-1] += 1
        return sum(size <= _COVERED_PIECES for size in sizes) / len(sizes) if sizes else 0.0

    def _encoded(self, texts: list[str]) -> list[Any]:
        """A batch starts a thread a core, which takes longer than to encode a query."""
        if len(texts) <= _SMALL_BATCH:
            return [self._tokenizer.encode(text, add_special_tokens=False) for text in texts]
        return list(self._tokenizer.encode_batch(texts, add_special_tokens=False))

    def query_vectors(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        return self._asked.of(texts)


class EmbedderWrapper:
    """An embedder that delegates to another; a subclass overrides what differs."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        """See `Embedder`."""
        return self._inner.name

    @property
    def kind(self) -> EmbedderKind:
        """See `Embedder`."""
        return self._inner.kind

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        return self._inner.vectors(texts)

    def query_vectors(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        return self._inner.query_vectors(texts)


def unit(vectors: Vectors) -> Vectors:
    """The vectors, each of length 1; what is nothing but 0, or no number, becomes 0."""
    from memtool.index.numeric import np

    numbers = np.nan_to_num(vectors, nan=0.0, posinf=0.0, neginf=0.0)
    lengths = np.linalg.norm(numbers, axis=1, keepdims=True)
    return np.asarray(numbers / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def hash_of(text: str) -> bytes:
    """The key of a text's vector: 16 bytes."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=HASH_BYTES).digest()


@functools.cache
def static() -> StaticEmbedder | None:
    """The embedded model, if the `semantic` extra is installed; loaded when it is first asked for."""
    spec = importlib.util.find_spec("wordllama")
    folders = spec.submodule_search_locations if spec else None
    if not folders or not all(importlib.util.find_spec(name) for name in _NEEDED):
        return None
    folder = next(iter(folders))
    present = all(os.path.isfile(os.path.join(folder, *place)) for place in (_WEIGHTS, _TOKENIZER))
    return StaticEmbedder(folder) if present else None
