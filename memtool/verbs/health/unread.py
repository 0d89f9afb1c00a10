"""The files of a tree that the layout does not read: no command finds, shows or checks what they say."""

from __future__ import annotations

from msgspec import Struct

from memtool.store.root import WORKSPACE_FILE
from memtool.store.workspace import Workspace

_TEXT_SUFFIXES = (".md", ".markdown", ".txt", ".org")
_RECORD_SUFFIXES = (*_TEXT_SUFFIXES, ".json", ".jsonl", ".toml", ".yaml", ".yml")
"""Of files that may be memory in the wrong place; others, such as pictures, are attachments of notes."""
_MOST_FOLDERS = 2000
"""Most folders outside the layout that are listed; a tree with more is another program's as well."""


class UnreadFiles(Struct, frozen=True):
    """The paths of files without a role: those that may be memory, and attachments."""

    records: tuple[str, ...]
    attachments: tuple[str, ...]


def files_not_read(workspace: Workspace) -> UnreadFiles:
    """The files without a role: in folders of memory, at the root, then texts in other folders."""
    listing = workspace.memory_listing({})
    paths = {
        path for path in listing.files if path != WORKSPACE_FILE and workspace.layout.locate(path) is None
    }
    unlisted = workspace.unlisted_files(listing, _MOST_FOLDERS)
    others = unlisted.files if unlisted is not None else ()
    texts = {path for path in others if path.lower().endswith(_TEXT_SUFFIXES)} - {*listing.files}
    texts = {path for path in texts if workspace.layout.locate(path) is None}
    ordered = sorted(paths, key=lambda path: ("/" not in path, path))
    records = [path for path in ordered if path.lower().endswith(_RECORD_SUFFIXES)]
    attachments = [path for path in ordered if not path.lower().endswith(_RECORD_SUFFIXES)]
    return UnreadFiles((*records, *sorted(texts)), tuple(attachments))
