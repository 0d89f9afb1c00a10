"""Snapshots of a tree, packed by folder: equal ones are found equal without a loop over their files."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from msgspec import Struct

from memtool.core.records.document import FileStat, TreeListing

_NUMBERS = struct.Struct("=qqqQ")
"""The numbers of a `FileStat`; times before 1970 are negative."""
_STAT = struct.Struct(f"{_NUMBERS.size}s")
_TIMES = (FileStat._fields.index("mtime_ns"), FileStat._fields.index("ctime_ns"))
_MOST = (1 << 63) - 1


def pack_stat(size: int, mtime_ns: int, ctime_ns: int, inode: int) -> bytes:
    """The numbers of a `FileStat`; times beyond the years 1677 to 2262 become the first or last of these."""
    try:
        return _NUMBERS.pack(size, mtime_ns, ctime_ns, inode)
    except struct.error:
        times = (max(-_MOST, min(_MOST, time)) for time in (mtime_ns, ctime_ns))
        return _NUMBERS.pack(size, *times, inode)


class PackedFiles(Struct, frozen=True, array_like=True):
    """The regular files of a folder: their names, divided by NUL, and their packed stats, in one order."""

    names: bytes
    stats: bytes

    @classmethod
    def of(cls, names: list[str], stats: list[bytes]) -> PackedFiles:
        """The files with these names and packed stats."""
        return cls("\0".join(names).encode("utf-8", "surrogateescape"), b"".join(stats))

    def __len__(self) -> int:
        """How many files there are."""
        return len(self.stats) // _NUMBERS.size

    def listed_names(self) -> list[str]:
        """The names, in their order."""
        return self.names.decode("utf-8", "surrogateescape").split("\0") if self.stats else []

    def entries(self) -> set[tuple[str, tuple[bytes]]]:
        """Each name with its packed stat."""
        return {*zip(self.listed_names(), _STAT.iter_unpack(self.stats), strict=True)}

    def changed_before(self, at_ns: int) -> PackedFiles:
        """The files of which neither time is `at_ns` or later."""
        numbers = memoryview(self.stats).cast("q")
        if all(max(numbers[place :: len(FileStat._fields)], default=at_ns) < at_ns for place in _TIMES):
            return self
        kept = [
            (name, stat)
            for name, (stat,) in zip(self.listed_names(), _STAT.iter_unpack(self.stats), strict=True)
            if max(_NUMBERS.unpack(stat)[place] for place in _TIMES) < at_ns
        ]
        return PackedFiles.of([name for name, _ in kept], [stat for _, stat in kept])


NO_FILES = PackedFiles(b"", b"")


class TreeSnapshot(Struct, frozen=True):
    """The regular files under a root, by the path of their folder; for the rest see `TreeListing`."""

    at_ns: int
    folders: Mapping[str, PackedFiles]
    unreadable: tuple[tuple[str, str], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    excluded: tuple[str, ...] = ()

    def count(self) -> int:
        """How many files there are."""
        return sum(map(len, self.folders.values()))

    def listing(self) -> TreeListing:
        """The files by path."""
        files: dict[str, FileStat] = {}
        for folder, packed in self.folders.items():
            prefix = f"{folder}/" if folder else ""
            paths = map(prefix.__add__, packed.listed_names())
            files.update(zip(paths, map(FileStat._make, _NUMBERS.iter_unpack(packed.stats)), strict=True))
        return TreeListing(self.at_ns, files, self.unreadable, self.skipped, self.excluded)

    def changed_since(self, known: Mapping[str, PackedFiles]) -> dict[str, FileStat | None]:
        """The files whose stat is not the known one, and those that are gone, with None, by path."""
        changed: dict[str, FileStat | None] = {}
        for folder in self.folders.keys() | known.keys():
            now, then = self.folders.get(folder, NO_FILES), known.get(folder, NO_FILES)
            if now != then:
                prefix = f"{folder}/" if folder else ""
                changed |= {prefix + name: None for name in {*then.listed_names()} - {*now.listed_names()}}
                for name, (stat,) in now.entries() - then.entries():
                    changed[prefix + name] = FileStat._make(_NUMBERS.unpack(stat))
        return changed
