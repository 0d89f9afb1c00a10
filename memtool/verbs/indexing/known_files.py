"""The files that the index of documents is in line with, as a command saved them for the next one.

To read the stamps of a large index and compare each file with its own takes longer than the rest of a search.
A file that was in line with the index still is, if its stat is the same and nobody has written the index.
Files that could have changed again unseen are never among these.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from memtool.core.records.document import FileStat
from memtool.core.records.tree_snapshot import PackedFiles, TreeSnapshot
from memtool.index.freshness import RACY_NS
from memtool.store.files import derived
from memtool.store.workspace import Workspace

_NAME = "known-files"
_VERSION = 1
_LEAST = 500
"""Files from which they are saved: fewer are compared as quickly."""

_PATHS = "utf-8", "surrogateescape"


class KnownFiles(msgspec.Struct, frozen=True):
    """Files in line with the index in a state, by folder, and those too large for it (over `most` bytes).

    Paths and folders are bytes: they need not be Unicode.
    """

    version: int
    state: str
    most: int
    large: tuple[bytes, ...]
    folders: dict[bytes, PackedFiles]

    def large_paths(self) -> set[str]:
        """The paths of files too large for the index."""
        return {path.decode(*_PATHS) for path in self.large}

    def changed(self, snapshot: TreeSnapshot) -> dict[str, FileStat | None]:
        """The files of a snapshot that may not be what is indexed, and those that are gone, with None."""
        return snapshot.changed_since(
            {folder.decode(*_PATHS): files for folder, files in self.folders.items()}
        )


def load_known(
    workspace: Workspace, key: bytes | None, snapshot: TreeSnapshot, state: str
) -> KnownFiles | None:
    """What was saved of an index in this state; None where it was not, and for few files."""
    if key is None or snapshot.count() < _LEAST:
        return None
    content = derived.load(workspace.root, _NAME, key)
    if content is None:
        return None
    try:
        known = msgspec.msgpack.decode(content, type=KnownFiles)
    except msgspec.MsgspecError:
        return None
    expected = _VERSION, state, workspace.settings["search.max_file_bytes"]
    return known if (known.version, known.state, known.most) == expected else None


def save_known(
    workspace: Workspace, key: bytes | None, snapshot: TreeSnapshot, state: str, large: Iterable[str]
) -> None:
    """Save a snapshot of all files with which the index is in line."""
    if key is None or not workspace.writes or snapshot.unreadable or snapshot.count() < _LEAST:
        return
    settled = snapshot.at_ns - RACY_NS
    folders = {
        folder.encode(*_PATHS): files.changed_before(settled) for folder, files in snapshot.folders.items()
    }
    most = workspace.settings["search.max_file_bytes"]
    known = KnownFiles(_VERSION, state, most, tuple(path.encode(*_PATHS) for path in large), folders)
    derived.save(workspace.root, _NAME, msgspec.msgpack.encode(known), key)
