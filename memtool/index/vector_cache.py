"""A cache of vectors in a file: an embedder makes the vector of a text once.

The file holds a record a text, 16 bytes of its hash and its numbers in half precision, and is named after the
model. A record that does not read is made again, and a changed vector can do no worse than rank
its text wrongly.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from memtool.core.digest import blake2b
from memtool.core.search.embedder import Embedder
from memtool.errors import MemtoolError
from memtool.index.embed import HASH_BYTES, EmbedderWrapper, hash_of

if TYPE_CHECKING:
    from memtool.core.search.embedder import Vectors


class CachingEmbedder(EmbedderWrapper):
    """An embedder over another, for one search.

    `load` reads the file of a name, or gives None, and `save` replaces it, or raises MemtoolError. Ask for
    the vector of a query first, and call `save` at the end.
    """

    def __init__(
        self, inner: Embedder, load: Callable[[str], bytes | None], save: Callable[[str, bytes], None]
    ) -> None:
        super().__init__(inner)
        self._load_file = load
        self._save_file = save
        self._rows: dict[bytes, bytes] | None = None
        self._used: set[bytes] = set()
        self._is_new = False
        self._width = 0

    def query_vectors(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        vectors = self._inner.query_vectors(texts)
        self._width = vectors.shape[1]
        return vectors

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        from memtool.index.numeric import np

        if not texts or not self._width:
            return self._inner.vectors(texts)
        rows = self._load()
        keys = [hash_of(text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in rows}
        if missing:
            vectors = self._inner.vectors([*missing.values()]).astype("<f2")
            rows.update({key: row.tobytes() for key, row in zip(missing, vectors, strict=True)})
            self._is_new = True
        self._used.update(keys)
        width = len(rows[keys[0]])
        joined = b"".join(row if len(row := rows[key]) == width else bytes(width) for key in keys)
        matrix = np.frombuffer(joined, dtype="<f2").astype(np.float32).reshape(len(keys), -1)
        return np.nan_to_num(matrix)

    def save(self) -> None:
        """Write what is new, and leave out what no search asks for any more, if the disk lets one."""
        if not self._is_new or self._rows is None:
            return
        self._is_new = False
        with contextlib.suppress(MemtoolError):
            self._save_file(self._file_name(), b"".join(key + self._rows[key] for key in sorted(self._used)))

    def _file_name(self) -> str:
        name = blake2b(self.name.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        return f"{name}.f2"

    def _load(self) -> dict[bytes, bytes]:
        if self._rows is None:
            self._rows = {}
            size = HASH_BYTES + 2 * self._width
            content = b""
            with contextlib.suppress(MemtoolError):
                content = self._load_file(self._file_name()) or b""
            if len(content) % size == 0:
                starts = range(0, len(content), size)
                self._rows = {
                    content[start : start + HASH_BYTES]: content[start + HASH_BYTES : start + size]
                    for start in starts
                }
        return self._rows
