"""Reading with an editor's unsaved buffers in place of files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from memtool.core.records.document import Document, FileStat, etag_of
from memtool.errors import UnreadableFile
from memtool.store.files.disk import Disk


class BufferedDisk(Disk):
    """A tree in which some files have the content of an editor's buffers; for reading only.

    A buffer without a file is read by its path, but no listing contains it.
    """

    def __init__(self, disk: Disk, buffers: Mapping[str, bytes]) -> None:
        super().__init__(disk.root)
        self.isolated_folder = disk.isolated_folder
        self.linked = disk.linked
        self._buffers = buffers

    def read_bytes(self, path: PurePosixPath) -> bytes | None:
        """See `TreeReader`."""
        buffer = self._buffers.get(str(path))
        return super().read_bytes(path) if buffer is None else buffer

    def read(self, path: PurePosixPath) -> Document | None:
        """See `TreeReader`."""
        buffer = self._buffers.get(str(path))
        if buffer is None:
            return super().read(path)
        return Document(path, buffer.decode("utf-8", "surrogateescape"), etag_of(buffer))

    def read_lines(self, path: PurePosixPath) -> Iterator[tuple[int, str]]:
        """See `TreeReader`."""
        buffer = self._buffers.get(str(path))
        if buffer is None:
            yield from super().read_lines(path)
        else:
            yield from enumerate(buffer.decode("utf-8", "surrogateescape").split("\n"), 1)

    def read_files(
        self, path: PurePosixPath, names: Iterable[str]
    ) -> Iterator[tuple[str, FileStat | None, bytes | UnreadableFile]]:
        """See `TreeReader`."""
        for name, stat, content in super().read_files(path, names):
            yield name, stat, self._buffers.get(str(path / name), content)
