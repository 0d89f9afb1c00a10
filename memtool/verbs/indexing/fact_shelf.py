"""The shelf of facts: their index, brought in line with the semantic files before every question."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from msgspec import Struct

from memtool.errors import DelegateFailed, Unwritable
from memtool.index.database_opening import is_intact, open_database, writing
from memtool.index.embed import EXTRA, Embedder
from memtool.index.engine import BrokenIndex, IndexBusy
from memtool.index.facts.fact_search import FactHit, FactQuestion, recall
from memtool.index.facts.fact_vectors import FactVectors
from memtool.index.facts.facts import Facts, stems
from memtool.index.seal import discard
from memtool.store.files import private
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.fact_look import FactLook, compared, look

if TYPE_CHECKING:
    from memtool.index.embed import Vectors

FOLDER = "facts"
"""The folder of the index of facts, in the private folder."""
_BUSY = "another memtool is writing the index of facts; the facts are read instead"


def throw_away(workspace: Workspace) -> None:
    """Throw the index of facts away; the next question builds it anew. Raises BrokenIndex, IndexBusy."""
    folder = os.path.join(private.folder(workspace.root), FOLDER)
    if workspace.writes and os.path.isdir(folder):
        discard(folder, workspace.settings["lock_timeout"])


class FactState(Struct, frozen=True):
    """How the index of facts is: `fresh`, `behind` or `none`; and how many facts it holds."""

    state: str
    facts: int


class FactShelf:
    """The index of one workspace's facts; opened when it is first needed, and it can be kept open.

    `key` proves an index on disk; without one it is made in memory, as it is where nothing may be written.
    `notices` collect what a user should hear.
    """

    def __init__(
        self, workspace: Workspace, key: bytes | None, *, wait: float, embedder: Embedder | None
    ) -> None:
        self.workspace = workspace
        self.notices: list[str] = []
        self._embedder = embedder
        self._folder = os.path.join(private.folder(workspace.root), FOLDER)
        self._key = key
        self._wait = wait
        self._index: Facts | None = None
        self._in_memory = False
        self._vectors: FactVectors | None = None
        self._of: tuple[int, int] | None = None
        self.unread = 0
        if embedder is None:
            self.notices.append(f"facts are found by their words alone; {EXTRA}")

    def freshen(self) -> None:
        """Bring the index in line with the semantic files; what cannot be kept on disk is made in memory."""
        for _ in range(2):  # an index that turns out to be broken is started over once
            try:
                self._freshen(self._opened())
                self._opened_index().end()  # whoever reads on would keep others from writing
                return
            except BrokenIndex as error:
                self._notice(f"the index of facts {error.why}; it is built anew")
                self._start_over()
            except IndexBusy:
                self._notice(_BUSY)
                break
            except Unwritable as error:
                self._notice(f"{error}; the facts are read instead")
                break
        self.close()
        self._index, self._in_memory = Facts.in_memory(), True
        self._freshen(self._index)

    def prime(self, text: str) -> None:
        """Let the embedder answer once, so that it is known which model it is; one that cannot is let go."""
        self._vector(text)

    def recall(
        self,
        text: str,
        limit: int,
        *,
        category: str | None = None,
        owners: frozenset[str] | None = None,
        salience: dict[str, float] | None = None,
    ) -> list[FactHit]:
        """The facts that answer a question, the best first; call `freshen` before."""
        asked = FactQuestion(
            tuple(dict.fromkeys(stems(text))), limit, self._vector(text), category, owners, salience
        )
        return recall(self._opened_index(), self._matrix(), asked)

    def lines_of(self, name: str) -> list[tuple[str, int]]:
        """Where the active facts of an id stand: path and line each."""
        return self._opened_index().lines_of(name)

    def known_categories(self) -> list[str]:
        """The categories that facts have."""
        return self._opened_index().categories()

    def categories(self, text: str, owners: Collection[str]) -> list[tuple[float, str]]:
        """The categories by how near these owners' facts are to a text, nearest first; by vectors."""
        vector, vectors = self._vector(text), self._matrix()
        if vector is None or vectors is None or not vectors.fits(vector):
            return []
        return vectors.centroids(vector, owners)

    def state(self) -> FactState:
        """How the index on disk is, without changing it."""
        try:
            index = self._read_only()
        except (BrokenIndex, IndexBusy):
            return FactState("none", 0)
        behind = self._look(index)
        found = FactState("behind" if behind.files or behind.gone else "fresh", index.count())
        index.close()
        return found

    def compared(self, unread: list[str]) -> Iterator[tuple[str, str]]:
        """Each semantic file that is not what is indexed, with `missing`, `stale` or `gone`; changes nothing.

        Every file is read, and no time stamp trusted. What cannot be read is named in `unread`. Where there
        is no index yet there is nothing to compare.
        """
        try:
            index = self._read_only()
        except (BrokenIndex, IndexBusy):
            return
        stamps = index.stamps()
        index.close()
        yield from compared(self.workspace, stamps, unread)

    def close(self) -> None:
        """Let go of the open index; the next question opens it anew."""
        if self._index is not None:
            self._index.close()
        self._index, self._in_memory, self._vectors = None, False, None

    # inside -------------------------------------------------------------------------------------------------

    def _notice(self, text: str) -> None:
        if text not in self.notices:
            self.notices.append(text)

    def _read_only(self) -> Facts:
        if self._key is None:
            raise BrokenIndex("cannot be proven without a key")
        return open_database(Facts, self._folder, self._key, wait=0.0, writes=False)[0]

    def _opened_index(self) -> Facts:
        if self._index is None:
            self.freshen()
        if self._index is None:
            raise BrokenIndex("was closed")
        return self._index

    def _opened(self) -> Facts:
        """An index that can be used: the one on disk, else one in memory. Raises BrokenIndex, IndexBusy."""
        writes = self.workspace.writes
        if self._index is not None and self._in_memory:
            return self._index
        if self._index is not None and self._key is not None:
            self._index.end()
            self._index.begin()
            if self._index.is_in_place() and is_intact(self._folder, self._key):
                return self._index
            self.close()  # another memtool is writing it, or something else was at its files
        if self._key is None or not (writes or os.path.isdir(self._folder)):
            self._index, self._in_memory = Facts.in_memory(), True
            return self._index
        if writes:
            private.make(self.workspace.root)
        try:
            self._index, why = open_database(Facts, self._folder, self._key, wait=self._wait, writes=writes)
        except BrokenIndex:
            if writes:
                raise
            self._index, self._in_memory, why = Facts.in_memory(), True, None
        if why:
            self._notice(f"the index of facts {why}; it is built anew")
        return self._index

    def _freshen(self, index: Facts) -> None:
        found = self._look(index)
        if not found and not self._lacks_vectors(index):
            return
        if self._in_memory:
            index.write(found.files, found.gone, found.same)
            self._embed(index, contextlib.nullcontext)
        elif not self.workspace.writes or self._key is None:
            index.close()
            self._index, self._in_memory = Facts.in_memory(), True
            self._freshen(self._index)
        else:
            hold = functools.partial(writing, index, self._folder, self._key, self._wait)
            if found:
                with hold():
                    found = self._look(index)
                    index.write(found.files, found.gone, found.same)
            self._embed(index, hold)

    def _embed(self, index: Facts, hold: Callable[[], AbstractContextManager[object]]) -> None:
        if self._embedder is not None:
            try:
                index.embed(self._embedder, hold)
            except DelegateFailed as error:
                self._notice(f"{error}; facts are found by their words alone")
                self._embedder = None

    def _lacks_vectors(self, index: Facts) -> bool:
        return self._embedder is not None and index.lacks(self._embedder.name)

    def _look(self, index: Facts) -> FactLook:
        """What the index has to catch up with; what cannot be read stays as it was, and is said."""
        found = look(self.workspace, index.stamps())
        self.unread = len(found.unread)
        for sentence in found.unread:
            self._notice(sentence)
        return found

    def _vector(self, text: str) -> Vectors | None:
        if self._embedder is None or not text.strip():
            return None
        try:
            found = self._embedder.questions([text])[0]
        except DelegateFailed as error:
            self._notice(f"{error}; facts are found by their words alone")
            self._embedder = None
            return None
        return found if found.any() else None

    def _matrix(self) -> FactVectors | None:
        """The vectors of all facts, kept until somebody writes the index."""
        if self._embedder is None:
            return None
        index = self._opened_index()
        state = index.state
        if self._vectors is None or self._of != state:
            self._vectors, self._of = FactVectors(index, self._embedder.name), state
        return self._vectors

    def _start_over(self) -> None:
        """Let go of an index that turned out to be broken, and of its files where that is possible."""
        self.close()
        if self.workspace.writes and os.path.isdir(self._folder):
            with contextlib.suppress(BrokenIndex, IndexBusy):
                discard(self._folder, self._wait)
