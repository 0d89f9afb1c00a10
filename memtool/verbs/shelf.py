"""The shelf: a workspace's search index, brought in line with the tree before every question."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from memtool.core.document import Document, Listing, Stat
from memtool.errors import MemtoolError, Unreadable
from memtool.index.documents import Documents, open_documents
from memtool.index.engine import BrokenIndex, IndexBusy, Record, Searchable, Stamp
from memtool.index.freshness import Diff, diff
from memtool.index.overlay import overlay
from memtool.store import private
from memtool.store.workspace import Workspace
from memtool.verbs.record import record

FOLDER = "index"
"""The folder of the document index, in the private folder."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """How an index is: whether there is one, how many documents it holds, and how many changes it has not seen."""

    state: str
    """`fresh`, `behind`, `missing` or `broken`."""
    documents: int
    behind: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """The documents as they are on disk now, ready to be searched.

    `large` are indexed files too large for the index, to be read through; `unread` counts what could not be
    looked at; `notices` say so, a sentence each.
    """

    index: Searchable
    stamps: Mapping[str, Stamp]
    large: tuple[str, ...]
    unread: int
    notices: tuple[str, ...]


class Shelf:
    """The index of one workspace. It is opened when it is first needed, and can be kept open.

    Without a `key`, or where nothing may be written, changes are searched from memory and no index is kept.
    `wait` is how long another writer of the index is waited for, in seconds.
    """

    def __init__(self, workspace: Workspace, key: bytes | None, *, wait: float) -> None:
        self.workspace = workspace
        self._folder = os.path.join(private.folder(workspace.root), FOLDER)
        self._key = key
        self._wait = wait
        self._index: Documents | None = None
        self._said: list[str] = []

    def freshen(self) -> View:
        """Compare the whole tree with the index, index what differs, and give what is there now.

        What cannot be kept in the index on disk (read-only, locked, broken, incognito) is indexed in memory
        for this once, and said.
        """
        workspace = self.workspace
        self._said = []
        listing = workspace.listing()
        notices = [f"{path or workspace.root} cannot be listed: {why}" for path, why in listing.unreadable]
        wanted, large = self._wanted(listing)
        index = self._opened()
        stamps: Mapping[str, Stamp] = index.stamps() if index else {}
        todo = diff(wanted, stamps, [path for path, _ in listing.unreadable])
        unreadable: list[str] = []
        if todo:
            records = self._records(todo, stamps, wanted, unreadable, notices)
            gone = (*todo.gone, *unreadable) if unreadable else todo.gone
            return self._applied(index, records, todo, gone, large, unreadable, listing, notices)
        return View(index or overlay(None, ()), stamps, large, len(listing.unreadable), tuple(notices))
