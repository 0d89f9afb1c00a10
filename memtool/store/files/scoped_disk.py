"""Reading as one user: lines of other users read as empty, and their files as missing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePosixPath

from msgspec.structs import replace

from memtool.core.records.document import Document, FileStat, FolderListing, PathEntry, TreeListing, etag_of
from memtool.core.records.scope import sees
from memtool.errors import OutsideWorkspace, UnreadableFile
from memtool.formats import ownership
from memtool.layouts.layout import Layout
from memtool.store.files.disk import Disk

_RECORDS = (".json", ".jsonl")
"""Endings of files without frontmatter, other than those that an agent names itself."""
_NAMED_BY_AGENTS = "memories"
_HEAD_BYTES = 64_000
"""Bytes of a file that hold its frontmatter: `frontmatter` reads no longer one."""


class ScopedDisk(Disk):
    """A tree as the owners see it, whose tags such as `user:ann` are `owners`; for reading only.

    A document has the etag of its whole file, and each of its lines has the number that it has there. A turn
    of another user is listed, as its name says nothing, and reads as missing.
    """

    def __init__(self, disk: Disk, layout: Layout, owners: Collection[str]) -> None:
        super().__init__(disk.root)
        self.isolated_folder = disk.isolated_folder
        self.linked = disk.linked
        self._layout = layout
        self._owners = owners
        self._hidden: dict[str, bool] = {}

    def read_bytes(self, path: PurePosixPath) -> bytes | None:
        """See `TreeReader`."""
        content = super().read_bytes(path)
        return None if content is None else self.visible_bytes(self.resolve(path), content)

    def read(self, path: PurePosixPath) -> Document | None:
        """See `TreeReader`."""
        content = super().read_bytes(path)
        shown = None if content is None else self.visible_bytes(self.resolve(path), content)
        if content is None or shown is None:
            return None
        return Document(path, shown.decode("utf-8", "surrogateescape"), etag_of(content))

    def read_shown(self, path: PurePosixPath) -> bytes | None:
        """See `TreeReader`."""
        content = super().read_bytes(path)
        shown = None if content is None else self.visible_bytes(self.resolve(path), content)
        if content is None or shown is None or shown == content:
            return shown
        lines = zip(content.split(b"\n"), shown.split(b"\n"), strict=True)
        left = b"\n".join(line for line, visible in lines if line == visible)
        return left if left.strip() else None

    def read_lines(self, path: PurePosixPath) -> Iterator[tuple[int, str]]:
        """See `TreeReader`."""
        if self.is_hidden(path):
            return
        if str(path).endswith(".jsonl"):
            for number, line in super().read_lines(path):
                record = line.encode("utf-8", "surrogateescape")
                yield number, "" if ownership.is_others_record(record, self._owners) else line
            return
        owners = ownership.LineOwners(self._role(self.resolve(path)))
        for number, line in super().read_lines(path):
            is_shown = sees(self._owners, owners.owner_of_next(line))
            yield number, line if is_shown else ""

    def read_files(
        self, path: PurePosixPath, names: Iterable[str]
    ) -> Iterator[tuple[str, FileStat | None, bytes | UnreadableFile]]:
        """See `TreeReader`."""
        for name, stat, content in super().read_files(path, names):
            shown = self.visible_bytes(path / name, content) if isinstance(content, bytes) else content
            if shown is not None:
                yield name, stat, shown

    def list_folder(self, path: PurePosixPath) -> FolderListing | None:
        """See `TreeReader`."""
        listing = super().list_folder(path)
        if listing is None:
            return None
        return replace(
            listing, files=tuple(name for name in listing.files if not self.is_hidden(path / name))
        )

    def entry_kind(self, place: PurePosixPath) -> PathEntry | None:
        """See `TreeReader`."""
        entry = super().entry_kind(place)
        return None if entry is not None and entry.kind == "file" and self.is_hidden(place) else entry

    def list_entries(
        self, place: PurePosixPath, base: PurePosixPath
    ) -> list[tuple[str, PurePosixPath, PathEntry]]:
        """See `TreeReader`."""
        entries = super().list_entries(place, base)
        return [entry for entry in entries if entry[2].kind != "file" or not self.is_hidden(entry[1])]

    def stat(self, path: PurePosixPath) -> FileStat | None:
        """See `TreeReader`."""
        stat = super().stat(path)
        return None if stat is not None and self.is_hidden(path) else stat

    def visible_bytes(self, path: PurePosixPath | str, content: bytes) -> bytes | None:
        """The content with the lines of other users empty; None where all of it is another's."""
        return ownership.visible_content(content, str(path), self._role(path), self._owners)

    def visible_listing(self, listing: TreeListing) -> TreeListing:
        """A listing without the files of other users."""
        files = {path: stat for path, stat in listing.files.items() if not self.is_hidden(path)}
        return replace(listing, files=files)

    def is_hidden(self, path: PurePosixPath | str) -> bool:
        """Whether a file is another user's by its frontmatter."""
        name = str(path)
        if name.endswith(_RECORDS) and self._role(PurePosixPath(name)) != _NAMED_BY_AGENTS:
            return False
        if name not in self._hidden:
            self._hidden[name] = self._is_others(PurePosixPath(name))
        return self._hidden[name]

    def _is_others(self, path: PurePosixPath) -> bool:
        try:
            lines: list[str] = []
            size = 0
            for _, line in super().read_lines(path):
                lines.append(line)
                size += len(line)
                is_edge = line.removeprefix("\ufeff").startswith("---")
                if size > _HEAD_BYTES or (is_edge and len(lines) > 1) or not (is_edge or len(lines) > 1):
                    break
        except (UnreadableFile, OutsideWorkspace):  # whoever reads it gets the reason
            return False
        return not sees(self._owners, ownership.file_owner("\n".join([*lines, ""])))

    def _role(self, path: PurePosixPath | str) -> str:
        located = self._layout.locate(path)
        return "" if located is None else located.role
