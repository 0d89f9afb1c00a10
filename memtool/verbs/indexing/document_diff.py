"""What the index of documents lacks of a tree, and the documents as they are searched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import PurePosixPath

from msgspec import Struct, field

from memtool.core.records.document import Document, FileStat
from memtool.core.records.tree_snapshot import TreeSnapshot
from memtool.errors import MemtoolError
from memtool.index.documents.document_index import RankedIndex
from memtool.index.engine import FileStamp
from memtool.index.sync import SyncView
from memtool.store.workspace import Workspace

_PORTION = 64_000_000
"""Bytes of files that are indexed in one commit: some 20 s of work."""


class DocumentDiff(Struct):
    """What the index of documents lacks: `changed` and `removed` paths, and new stamps of `same` texts.

    `snapshot` is of all files, None for the diff of some paths, and `indexable` are those of the compared
    files that are to be indexed. `is_settled` where none even looked doubtful. A diff that `is_part` leaves
    changed files out as if they were removed, and is never applied.
    """

    at_ns: int
    snapshot: TreeSnapshot | None
    indexable: Mapping[str, FileStat]
    large: tuple[str, ...]
    stamps: Mapping[str, FileStamp]
    changed: list[str] = field(default_factory=list)
    removed: tuple[str, ...] = ()
    same: dict[str, FileStamp] = field(default_factory=dict)
    is_settled: bool = True
    is_part: bool = False
    is_known: bool = False
    """Whether all files were known to be in line."""

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.changed or self.removed or self.same)

    def size(self) -> int:
        """The bytes that must be indexed."""
        return sum(self.indexable[path].size for path in self.changed)


class ChangedStamps(Mapping[str, FileStamp]):
    """Stamps without those of `removed` paths, and with others in place of some; nothing is copied."""

    def __init__(
        self, base: Mapping[str, FileStamp], changed: Mapping[str, FileStamp], removed: Iterable[str]
    ) -> None:
        self._base, self._changed = base, changed
        self._hidden = {*removed, *changed}

    def __getitem__(self, path: str) -> FileStamp:
        if path in self._hidden:
            return self._changed[path]
        return self._base[path]

    def __iter__(self) -> Iterator[str]:
        return chain((path for path in self._base if path not in self._hidden), self._changed)

    def __len__(self) -> int:
        return len(self._base) - sum(path in self._base for path in self._hidden) + len(self._changed)


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


class DocumentView(SyncView, kw_only=True):
    """The documents as they are on disk now.

    `stamps` say which text of each is searched; `large` are files too large for the index, to be read
    through. `texts` are documents as they were read for this view: they go on changing.
    """

    texts: Mapping[str, Document] = {}
    index: RankedIndex
    stamps: Mapping[str, FileStamp]
    large: tuple[str, ...]


def read_indexed(workspace: Workspace, view: DocumentView, path: str) -> Document | None:
    """A document if its file still is the text that the view searches, or is of a final view."""
    if path in view.texts:
        return view.texts[path]
    stamp = view.stamps.get(path)
    try:
        document = workspace.read(PurePosixPath(path))
    except MemtoolError:
        return None
    return document if document and stamp and document.etag == stamp.etag else None
