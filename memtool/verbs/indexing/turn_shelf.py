"""The shelf of turns: the index of transcripts, brought in line with the folders before every question."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.errors import Unreadable, Unwritable
from memtool.index.database_opening import is_intact, open_database, seal_now, writing
from memtool.index.embed import Embedder
from memtool.index.engine import BrokenIndex, IndexBusy, Stamp
from memtool.index.seal import discard
from memtool.index.transcripts.transcript_place import place
from memtool.index.transcripts.transcript_vectors import Dense
from memtool.index.transcripts.transcripts import Transcripts
from memtool.store.files import private
from memtool.store.files.reader import etag_of
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.turn_look import EVERY, Look, look, look_at
from memtool.verbs.indexing.turn_record import records
from memtool.verbs.indexing.turn_view import BATCH, TurnView
from memtool.verbs.turns.history import groups

FOLDER = "transcripts"
"""The folder of the index of transcripts, in the private folder."""
_BUSY = "another memtool is writing the index of transcripts"
_SEALED = 10
"""Batches after which the index is sealed: a build that is stopped goes on from there."""


class TurnState(Struct, frozen=True):
    """How the index of transcripts is: `fresh`, `behind` or `none`; and how many turns it holds."""

    state: str
    turns: int


class TurnShelf:
    """The index of transcripts of one workspace; opened when it is first needed, and it can be kept open.

    The arguments are those of `Shelf`.
    """

    def __init__(
        self,
        workspace: Workspace,
        key: bytes | None,
        *,
        wait: float,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.workspace = workspace
        self._folder = os.path.join(private.folder(workspace.root), FOLDER)
        self._key = key
        self._wait = wait
        self._progress = progress
        self._index: Transcripts | None = None

    def freshen(self, *, every: bool = False) -> TurnView:
        """Look at the folders of turns, index what differs, and give what is there now.

        With `every`, each file is looked at, however many there are. What cannot be kept in the index on disk
        is indexed in memory, or read through, for this once, and said.
        """
        view = TurnView(None)
        if not (self._has_turns() or os.path.isdir(self._folder)):
            return view  # no history, and none that was
        for _ in range(2):  # an index that turns out to be broken is started over once
            try:
                if not self._opened(view):
                    break
                return self._kept(view, every=every)
            except BrokenIndex as error:
                view.notices.append(f"the index of transcripts {error.why}; it is built anew")
                self._start_over()
            except IndexBusy:
                view.notices.append(f"{_BUSY}; the turns are read instead")
                break
            except Unwritable as error:
                view.notices.append(f"{error}; the turns are read instead")
                break
        return self._through(view)

    def understand(self, view: TurnView, embedder: Embedder) -> None:
        """Give every message of the index its vector, where it may be written; what hinders that is said."""
        index, key = self._index, self._key
        if index is None or key is None or not self.workspace.writes:
            return
        dense = Dense(index, embedder)
        if not dense.missing():
            return
        try:
            dense.fill(lambda: writing(index, self._folder, key, self._wait), self._progress)
        except IndexBusy:
            index.begin()
            view.notices.append(f"{_BUSY}; meaning is told by the words that were found")

    def without_index(self, why: str) -> TurnView:
        """Everything read from the files themselves, for a question that the index could not answer."""
        self._start_over()
        return self._through(TurnView(None, notices=[f"{why}; this search reads the turns themselves"]))

    def freshen_paths(self, paths: Sequence[str]) -> None:
        """Index just these files anew, or forget them where they are gone; the watcher's quick way."""
        view = TurnView(None)
        if self._opened(view) and self._index is not None:
            found = look_at(self.workspace, self._index, paths)
            if found:
                index = self._index
                self._write(index, found, view, lambda: look_at(self.workspace, index, paths))

    def rebuild(self) -> TurnView:
        """Throw the index away and build it anew. Raises BrokenIndex where it cannot be thrown away."""
        self.close()
        if self.workspace.writes and os.path.isdir(self._folder):
            discard(self._folder, self._wait)
        return self.freshen(every=True)

    def compared(self, unread: list[str]) -> Iterator[tuple[str, str]]:
        """Each turn file that is not what is indexed, with `missing`, `stale` or `gone`; changes nothing.

        Every file is read, and no time stamp trusted. What cannot be read is named in `unread`.
        """
        try:
            index = self._read_only()
        except (BrokenIndex, IndexBusy):
            index = Transcripts.in_memory()
        found = look(self.workspace, index, None)
        unread += found.unread
        files = {folder: {**names} for folder, names in found.read.items()}
        for folder, names in index.every().items():
            files.setdefault(folder, {}).update(names)
        index.close()
        for folder in sorted(files):
            left = {**files[folder]}
            for name, _, content in self.workspace.disk.files(PurePosixPath(folder), sorted(left)):
                known_file = left.pop(name)
                if isinstance(content, Unreadable):
                    unread.append(str(content))
                elif known_file is None or etag_of(content) != known_file.stamp.etag:
                    yield f"{folder}/{name}", "stale" if known_file else "missing"
            yield from ((f"{folder}/{name}", "gone") for name, known in left.items() if known)

    def origins(self, wanted: Sequence[str]) -> dict[str, str]:
        """Of these origins, those that a turn has, each with its path; the index is brought in line first."""
        view = self.freshen()
        known = view.index.origins(wanted) if view.index else {}
        asked = set(wanted)
        found = ((one.origin, f"{one.folder}/{one.name}") for one in view.changed())
        known |= {origin: path for origin, path in found if origin and origin in asked}
        self.rest()
        return known

    def state(self) -> TurnState:
        """How the index on disk is, without changing it."""
        with self.looked_at() as (index, is_fresh):
            count = index.count() if index else 0
            return TurnState(("fresh" if is_fresh else "behind") if index else "none", count)

    def rest(self) -> None:
        """Let others write the index: what is asked next is asked of what they made of it."""
        if self._index is not None:
            self._index.end()

    @property
    def is_kept(self) -> bool:
        """Whether there is an open index on disk."""
        return self._index is not None and self.workspace.writes

    def close(self) -> None:
        """Let go of the open index; the next question opens it anew."""
        if self._index is not None:
            self._index.close()
            self._index = None

    # inside -------------------------------------------------------------------------------------------------

    def _start_over(self) -> None:
        """Let go of an index that turned out to be broken, and of its files where that is possible."""
        self.close()
        if self.workspace.writes and os.path.isdir(self._folder):
            with contextlib.suppress(BrokenIndex, IndexBusy):
                discard(self._folder, self._wait)

    def _has_turns(self) -> bool:
        """Whether there is a folder of turns in any history."""
        folders = (self.workspace.layout.folder("turn", group=group) for group in groups(self.workspace))
        return any(self.workspace.disk.folder_stat(folder) is not None for folder in folders)

    @contextlib.contextmanager
    def looked_at(self) -> Iterator[tuple[Transcripts | None, bool]]:
        """The index on disk, if any, and whether it is what is in the folders now; nothing is changed."""
        try:
            index = self._read_only()
        except (BrokenIndex, IndexBusy):
            yield None, False
            return
        try:
            found = look(self.workspace, index, 0)
            yield index, not (found.certain or found.gone or found.unread)
        finally:
            index.close()

    def _read_only(self) -> Transcripts:
        if self._key is None:
            raise BrokenIndex("cannot be proven without a key")
        return open_database(Transcripts, self._folder, self._key, wait=0.0, writes=False)[0]

    def _opened(self, view: TurnView) -> bool:
        """Whether there is an index that can be used; it is in a transaction then, as it was sealed."""
        if self._key is None:
            return False
        writes = self.workspace.writes
        if self._index is not None:
            self._index.end()
            self._index.begin()
            if self._index.is_in_place() and is_intact(self._folder, self._key):
                return True
            self.close()  # another memtool is writing it, or something else was at its files
        try:
            if writes:
                private.make(self.workspace.root)
            self._index, why = open_database(
                Transcripts, self._folder, self._key, wait=self._wait, writes=writes
            )
        except BrokenIndex:
            if writes:
                raise
            return False
        if why:
            view.notices.append(f"the index of transcripts {why}; it is built anew")
        return True

    def _kept(self, view: TurnView, *, every: bool) -> TurnView:
        """The view of an index on disk: brought up to date, or with what differs beside it."""
        index = self._index
        if index is None:
            raise BrokenIndex("was closed")
        start = None if every or index.count() <= EVERY else place(self._folder)
        found = look(self.workspace, index, start)
        if start is not None and self.workspace.writes:
            place(self._folder, found.next_place)
        view.notices += found.unread
        view.unread = len(found.unread)
        view.index = index
        if found and self.workspace.writes:
            try:
                self._write(index, found, view, lambda: look(self.workspace, index, start))
            except IndexBusy:
                index.begin()
                if not is_intact(self._folder, self._key or b""):
                    raise
                view.notices.append(f"{_BUSY}; what changed is read instead")
            else:
                return view
        if found:
            view.masked = [
                *found.gone,
                *(one.id for files in found.read.values() for one in files.values() if one),
            ]
            view.changed = lambda: records(self.workspace, found, view, self._progress)
        return view

    def _through(self, view: TurnView) -> TurnView:
        """The view where there is no index: every turn is read at every question."""
        view.index = None
        empty = Transcripts.in_memory()
        found = look(self.workspace, empty, None)
        empty.close()
        view.notices += found.unread
        view.unread = len(found.unread)
        view.changed = lambda: records(self.workspace, found, view, self._progress)
        return view

    def _write(self, index: Transcripts, found: Look, view: TurnView, again: Callable[[], Look]) -> None:
        """Index what was found; where others have written meanwhile, what it finds when it looks `again`."""
        key = self._key
        if key is None:
            return
        same: dict[int, Stamp] = {}
        with writing(index, self._folder, key, self._wait) as changed:
            found = again() if changed else found
            fresh = records(self.workspace, found, view, self._progress, same)
            if found.gone or found.left:
                index.write(gone=found.gone, left=found.left)
            for number in itertools.count(1):
                batch = [*itertools.islice(fresh, BATCH)]
                if not batch:
                    break
                old = [known.id for one in batch if (known := found.read[one.folder][one.name])]
                index.write(batch, gone=old)
                if number % _SEALED == 0:
                    seal_now(self._folder, key)
            index.write(folders=found.folders, same=same)
