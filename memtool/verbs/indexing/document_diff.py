"""What the index of documents lacks of a tree, and in which portions it is indexed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from memtool.core.records.document import FileStat, TreeListing
from memtool.index.engine import FileStamp

_PORTION = 64_000_000
"""Bytes of files that are indexed in one commit: some 20 s of work."""


class DocumentDiff(Struct):
    """What the index of documents lacks: `changed` and `removed` paths, and new stamps of `same` texts.

    `is_settled` where nothing even looked doubtful. `indexable` are all files that are to be indexed. One
    that `is_part` leaves changed files out as if they were removed, and is never applied.
    """

    listing: TreeListing
    indexable: Mapping[str, FileStat]
    large: tuple[str, ...]
    stamps: Mapping[str, FileStamp]
    changed: list[str] = field(default_factory=list)
    removed: tuple[str, ...] = ()
    same: dict[str, FileStamp] = field(default_factory=dict)
    is_settled: bool = True
    is_part: bool = False

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.changed or self.removed or self.same)

    def size(self) -> int:
        """The bytes that must be indexed."""
        return sum(self.indexable[path].size for path in self.changed)


def portions(diff: DocumentDiff) -> Iterator[list[str]]:
    """The changed files in portions that are committed one by one; one without files if some were removed."""
    portion: list[str] = []
    size = 0
    for path in diff.changed:
        portion.append(path)
        size += diff.indexable[path].size
        if size >= _PORTION:
            yield portion
            portion, size = [], 0
    if portion or (diff.removed and not diff.changed):
        yield portion
