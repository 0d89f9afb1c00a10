"""A cache of vectors in a file: an embedder makes the vector of a text once.

The file holds a record a text, 16 bytes of its hash and its numbers in half precision, and is named after the
model. A record that does not read is made again, and a changed vector can do no worse than rank
its text wrongly.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from memtool.core.search.embedder import Embedder
from memtool.index.embed import HASH_BYTES, EmbedderWrapper, hash_of
from memtool.index.seal import is_plain_folder

if TYPE_CHECKING:
    from memtool.core.search.embedder import Vectors


class CachingEmbedder(EmbedderWrapper):
    """An embedder over another, for one search; `folder` must be the user's own.

    Ask for the vector of a query first, and call `save` at the end.
    """

    def __init__(self, inner: Embedder, folder: str) -> None:
        super().__init__(inner)
        self._folder = folder
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
        path = self._path()
        with contextlib.suppress(OSError):
            if not os.path.lexists(self._folder):
                os.mkdir(self._folder, 0o700)
            if not is_plain_folder(self._folder):
                return
            temporary = f"{path}.{os.getpid()}"
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            with open(handle, "wb") as file:
                file.write(b"".join(key + self._rows[key] for key in sorted(self._used)))
            os.replace(temporary, path)

    def _path(self) -> str:
        name = blake2b(self.name.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        return os.path.join(self._folder, f"{name}.f2")

    def _load(self) -> dict[bytes, bytes]:
        if self._rows is None:
            self._rows = {}
            size = HASH_BYTES + 2 * self._width
            content = _content(self._path()) if is_plain_folder(self._folder) else b""
            if len(content) % size == 0:
                starts = range(0, len(content), size)
                self._rows = {
                    content[start : start + HASH_BYTES]: content[start + HASH_BYTES : start + size]
                    for start in starts
                }
        return self._rows


def _content(path: str) -> bytes:
    """A regular file's bytes; none where there is no such file."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return b""
    with open(handle, "rb") as file:
        return file.read() if stat.S_ISREG(os.fstat(handle).st_mode) else b""
