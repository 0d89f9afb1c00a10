"""The shelf: a workspace's search index, brought in line with the tree before every question."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from memtool.core.records.document import Listing, Stat
from memtool.errors import OutsideWorkspace, Unreadable, Unwritable
from memtool.index.documents.documents import Documents
from memtool.index.documents.opening import open_documents
from memtool.index.documents.overlay import overlay
from memtool.index.engine import BrokenIndex, IndexBusy, Record, Searchable, Stamp
from memtool.index.freshness import Diff, diff, is_racy
from memtool.index.seal import discard
from memtool.store.files import private
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.record import record
from memtool.verbs.indexing.view import IndexBehind, IndexState, Look, View

FOLDER = "index"
"""The folder of the document index, in the private folder."""


class Shelf:
    """The index of one workspace. It is opened when it is first needed, and can be kept open.

    Without a `key`, or where nothing may be written, what differs is indexed in memory and nothing is kept.
    `wait` is how long another writer of the index is waited for, in seconds; `progress` is told, while many
    documents are indexed, how many are done of how many. Where more than `most` bytes are to be indexed,
    nothing is, and IndexBehind is raised instead. What is no more than `aside` bytes is indexed in memory for
    this once: that is quicker, and somebody else may keep it.
    """

    def __init__(
        self,
        workspace: Workspace,
        key: bytes | None,
        *,
        wait: float,
        progress: Callable[[int, int], None] | None = None,
        most: int | None = None,
        aside: int = 0,
    ) -> None:
        self.workspace = workspace
        self.most, self.aside = most, aside
        self._folder = os.path.join(private.folder(workspace.root), FOLDER)
        self._key = key
        self._wait = wait
        self._progress = progress
        self._index: Documents | None = None
        self._indexed: dict[str, bool] = {}
        self._settled_view: tuple[dict[str, Stat], View] | None = None

    def freshen(self) -> View:
        """Compare the whole tree with the index, index what differs, and give what is there now.

        What cannot be kept in the index on disk (read-only, locked, broken, incognito) is indexed in memory
        for this once, and said. Raises IndexBehind.
        """
        listing = self.workspace.documents()
        if self._index is not None and not self._index.is_intact():
            self.forget()  # something else was at its files while it was open
        if self._settled_view is not None and not listing.unreadable:
            files, settled = self._settled_view
            if listing.files == files:
                return settled
        self._settled_view = None
        look = self._look(listing)
        if self.workspace.writes:
            for _ in range(2):  # an index that turns out to be broken is started over once
                try:
                    view = self._kept(look)
                except BrokenIndex as error:
                    look.notices.append(f"the search index {error.why}; it is built anew")
                    self.forget()
                except IndexBusy:
                    look.notices.append("another memtool is writing the index; this search does without")
                    break
                else:
                    if view is not None:
                        return view
                    break
        return self._overlaid(look)

    def _kept(self, look: Look) -> View | None:
        """The view of an index on disk that was brought up to date; None where none can be kept."""
        index = self._opened(look)
        if index is None:
            return None
        stamps = index.stamps()
        todo = diff(look.wanted, stamps, [path for path, _ in look.listing.unreadable])
        changed, same = self._settled(todo, stamps, look)
        if self.aside and sum(look.wanted[path].size for path in changed) <= self.aside:
            return self._beside(index, stamps, changed, todo, look)
        if changed or todo.gone:
            index.upsert(self._records(changed, look), todo.gone)
        if same:
            index.restamp(same)
        view = self._view(index, index.stamps(), look)
        if not (todo or look.notices):
            self._settled_view = look.listing.files, view
        return view

    def _overlaid(self, look: Look) -> View:
        """The view of what is on disk, if anything, with what differs from it indexed in memory."""
        index = self._opened(look)
        stamps = index.stamps() if index else {}
        todo = diff(look.wanted, stamps, [path for path, _ in look.listing.unreadable])
        changed, _ = self._settled(todo, stamps, look)
        return self._beside(index, stamps, changed, todo, look)

    def _beside(
        self,
        index: Documents | None,
        stamps: Mapping[str, Stamp],
        changed: list[str],
        todo: Diff,
        look: Look,
    ) -> View:
        """The view of an index, with what differs from it indexed in memory."""
        records = list(self._records(changed, look))
        now = {path: stamp for path, stamp in stamps.items() if path not in todo.gone}
        now |= {one.path: one.stamp for one in records}
        whole = None if records or todo.gone else index
        view = self._view(whole or overlay(index, records, todo.gone), now, look)
        if not (look.notices or any(is_racy(stat, look.listing.at_ns) for stat in look.wanted.values())):
            self._settled_view = look.listing.files, view
        return view

    @property
    def is_kept(self) -> bool:
        """Whether there is an open index on disk."""
        return self._index is not None

    def state(self) -> IndexState:
        """How the index on disk is, without changing it."""
        wanted, stamps = self.compared()
        if not stamps:
            return IndexState("none", 0, len(wanted))
        todo = diff(wanted, stamps)
        behind = len(todo.added) + len(todo.changed) + len(todo.gone)
        return IndexState("behind" if behind else "fresh", len(stamps), behind)

    def compared(self) -> tuple[Mapping[str, Stat], Mapping[str, Stamp]]:
        """What should be indexed, and what is; what lies where nobody can look counts as it is."""
        look = self._look(self.workspace.documents())
        if self._key is None:
            return look.wanted, {}
        try:
            with open_documents(self._folder, self._key, wait=0.0, writes=False) as index:
                stamps = index.stamps()
                gone = diff(look.wanted, stamps, [path for path, _ in look.listing.unreadable]).gone
        except (BrokenIndex, IndexBusy):
            return look.wanted, {}
        return look.wanted, {path: one for path, one in stamps.items() if path in look.wanted or path in gone}

    def without_index(self, why: str) -> View:
        """Everything read from the files themselves, for a question that the index could not answer."""
        self.forget()
        look = self._look(self.workspace.documents())
        look.notices.append(f"{why}; this search reads the files themselves")
        records = list(self._records(sorted(look.wanted), look))
        return self._view(overlay(None, records), {one.path: one.stamp for one in records}, look)

    def freshen_paths(self, paths: Iterable[str]) -> None:
        """Index just these files anew, or forget them where they are gone; the watcher's quick way."""
        self._settled_view = None
        look = self._look(self.workspace.listing(paths))
        index = self._opened(look)
        if index is None:
            return
        known = {path: index.stamps()[path] for path in paths if path in index.stamps()}
        todo = diff(look.wanted, known)
        changed, same = self._settled(todo, known, look)
        if changed or todo.gone:
            index.upsert(self._records(changed, look), todo.gone)
        if same:
            index.restamp(same)

    def settle(self) -> None:
        """Tidy the index in a quiet moment."""
        if self._index is not None and self.workspace.writes:
            self._index.merge()

    def rebuild(self) -> View:
        """Throw the index away and build it anew. Raises BrokenIndex where it cannot be thrown away."""
        self.forget()
        if self.workspace.writes and os.path.isdir(self._folder):
            discard(self._folder, self._wait)
        return self.freshen()

    def forget(self) -> None:
        """Let go of the open index; the next question opens it anew."""
        self._settled_view = None
        if self._index is not None:
            self._index.close()
            self._index = None

    close = forget

    # inside ----------------------------------------------------------------------------------------------

    def _look(self, listing: Listing) -> Look:
        most = self.workspace.settings["search.max_file_bytes"]
        wanted: dict[str, Stat] = {}
        large: list[str] = []
        for path, stat in listing.files.items():
            if self._is_indexed(path):
                if stat.size <= most:
                    wanted[path] = stat
                else:
                    large.append(path)
        look = Look(listing, wanted, tuple(sorted(large)), unread=len(listing.unreadable))
        look.notices += [f"{path or 'the root'} cannot be listed: {why}" for path, why in listing.unreadable]
        return look

    def _is_indexed(self, path: str) -> bool:
        """Whether a path's role is one that is searched; remembered, for it never changes."""
        known = self._indexed.get(path)
        if known is None:
            located = self.workspace.located(path)
            known = self._indexed[path] = located is not None and located.place.indexed
        return known

    def _opened(self, look: Look) -> Documents | None:
        """The index, if there is one that can be used."""
        if self._index is None and self._key is not None:
            writes = self.workspace.writes
            try:
                if writes:
                    private.make(self.workspace.root)
                self._index = open_documents(self._folder, self._key, wait=self._wait, writes=writes)
            except IndexBusy:
                look.notices.append(
                    "another memtool is building the index; this search reads the files themselves"
                )
            except (BrokenIndex, Unwritable) as error:
                if writes:
                    why = f"the search index {error.why}" if isinstance(error, BrokenIndex) else str(error)
                    look.notices.append(f"{why}; this search reads the files themselves")
            else:
                if self._index.why_empty:
                    look.notices.append(f"the search index {self._index.why_empty}; it is built anew")
        return self._index

    def _settled(
        self, todo: Diff, stamps: Mapping[str, Stamp], look: Look
    ) -> tuple[list[str], dict[str, Stamp]]:
        """What must be indexed anew; and of what only looked doubtful, the new stamps of what is the same."""
        changed = [*todo.added, *todo.changed]
        same: dict[str, Stamp] = {}
        for path in todo.doubtful:
            try:
                document = self.workspace.read(PurePosixPath(path))
            except (Unreadable, OutsideWorkspace):
                document = None
            if document is not None and document.etag == stamps[path].etag:
                if not is_racy(
                    look.wanted[path], look.listing.at_ns
                ):  # else it would be as doubtful as before
                    same[path] = Stamp(*look.wanted[path], look.listing.at_ns, document.etag)
            else:
                changed.append(path)
        due = sum(look.wanted[path].size for path in changed)
        if self.most is not None and due > self.most:
            raise IndexBehind(f"the index lacks {len(changed)} files; memtool reindex brings it up to date")
        return sorted(changed), same

    def _records(self, paths: list[str], look: Look) -> Iterator[Record]:
        """The records of files, read one by one; one that cannot be read is named and left as it was."""
        for number, path in enumerate(paths, 1):
            located = self.workspace.located(path)
            try:
                document = self.workspace.read(PurePosixPath(path))
            except (Unreadable, OutsideWorkspace) as error:
                look.notices.append(str(error))
                look.unread += 1
                continue
            if document is not None and located is not None:
                yield record(document, located, look.wanted[path], look.listing.at_ns)
            if self._progress is not None:
                self._progress(number, len(paths))

    def _view(self, index: Searchable, stamps: Mapping[str, Stamp], look: Look) -> View:
        return View(index, stamps, look.large, look.unread, tuple(dict.fromkeys(look.notices)))
