"""The index of facts: the active lines of the semantic files, and their vectors."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from memtool.core.facts.relation_names import asked_words
from memtool.core.records.document import FileStat
from memtool.core.records.scope import WHOLE_WORKSPACE, Scope, sees
from memtool.core.search.embedder import Embedder
from memtool.errors import DelegateFailed, MemtoolError
from memtool.index.embed import INSTALL_HINT
from memtool.index.engine import BrokenIndex, FileStamp
from memtool.index.facts.fact_search import FactHit, FactQuery
from memtool.index.facts.fact_vectors import FactVectors
from memtool.index.facts.facts import FactFile, Facts, stems
from memtool.index.facts.newer_facts import recall_newest
from memtool.index.freshness import compare_stamps, content_differences
from memtool.index.sync import REBUILT, IndexState, IndexSync, SyncReport, SyncView
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.location import FACTS, index_location
from memtool.verbs.memory_files.semantic_files import fact_file, semantic_files

if TYPE_CHECKING:
    from memtool.core.search.embedder import Vectors


class FactSnapshot(Struct, frozen=True):
    """The semantic files at one moment; `unreadable` says why they could not be listed."""

    at_ns: int
    files: dict[str, FileStat] = field(default_factory=dict)
    unreadable: str = ""


class FactDiff(Struct):
    """What the index of facts lacks.

    Files that were read again, `removed` paths, and new stamps of `same` texts.
    """

    files: list[FactFile] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    same: dict[str, FileStamp] = field(default_factory=dict)
    lacks_vectors: bool = False

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.files or self.removed or self.same or self.lacks_vectors)


class FactSync(IndexSync[Facts, FactSnapshot, FactDiff, SyncView]):
    """Keeps the index of a workspace's facts in line with the semantic files, and answers from it.

    Where nothing may be written the whole index is made in memory. `notices` collect what a user should know,
    and `unread` counts the files that could not be read at the last comparison.
    """

    engine = Facts
    subject = Facts.subject
    unopened = "this recall reads the fact files without the index"
    busy_at_opening = "another memtool process is writing the index of facts"
    busy_at_writing = f"{busy_at_opening}; {unopened}"
    broken_at_opening = REBUILT
    failed_query = unopened

    def __init__(
        self, workspace: Workspace, key: bytes | None, *, wait: float, embedder: Embedder | None
    ) -> None:
        super().__init__(index_location(workspace, FACTS, key, wait))
        self.workspace = workspace
        self.notices: list[str] = []
        self.unread = 0
        self._embedder = embedder
        self._vectors: FactVectors | None = None
        self._vectors_state: tuple[int, int] | None = None
        self.hint = "" if embedder else f"facts are matched by words only, not by meaning; {INSTALL_HINT}"
        """What may help where no fact is found; a notice, too, if there should be an embedder."""
        if self.hint and workspace.settings["embedder"]:
            self._notice(self.hint)

    def embed_query(self, text: str) -> None:
        """Ask the embedder for one vector, so that its model is known; one that fails is not used again."""
        self._vector(text)

    def recall(
        self,
        text: str,
        limit: int,
        *,
        category: str | None = None,
        owners: frozenset[str] | None = None,
        salience: dict[str, float] | None = None,
        every: bool = False,
    ) -> list[FactHit]:
        """The facts that answer a question, the best first; call `sync` before.

        With `every`, facts that only share something with the question are returned, too.
        """
        vector = self._vector(text)
        kind = "embedded" if self._embedder is None else self._embedder.kind
        query = FactQuery(
            tuple(stems(asked_words(text))), limit, vector, category, owners, salience, every, text, kind
        )
        return recall_newest(self._current_index(), self._fact_vectors(), query)

    def recall_among(
        self,
        files: Sequence[FactFile],
        text: str,
        limit: int,
        *,
        category: str | None,
        scope: Scope,
        salience: dict[str, float],
    ) -> tuple[list[FactHit], dict[str, FileStamp]]:
        """The facts of the workspace and of `files` that answer a question by words; what each file was.

        All are one set of facts, in memory. Of those that the workspace has, too, only its own is in it.
        """
        report = SyncReport()
        own = self.diff(None, self.snapshot(every=True), report).files
        self.unread = report.unread
        for notice in report.notices:
            self._notice(notice)
        known = {(fact.owner, fact.meaning) for file in own for fact in file.facts}
        others = [
            replace(file, facts=tuple(fact for fact in file.facts if (fact.owner, fact.meaning) not in known))
            for file in files
        ]
        memory = Facts.in_memory()
        try:
            memory.write([*own, *others])
            owners = None
            if scope.owners:
                owners = frozenset(owner for owner in memory.owners() if sees(scope.owners, owner))
            query = FactQuery(
                tuple(stems(asked_words(text))),
                limit,
                None,
                category,
                owners,
                salience,
                every=False,
                text=text,
            )
            return recall_newest(memory, None, query), memory.stamps()
        finally:
            memory.close()

    def stamps(self) -> dict[str, FileStamp]:
        """Which text of each semantic file is searched; call `sync` before."""
        return self._current_index().stamps()

    def lines_of(self, name: str) -> list[tuple[str, int]]:
        """Where the active facts of an id stand: path and line each."""
        return self._current_index().lines_of(name)

    def known_categories(self) -> list[str]:
        """The categories that facts have."""
        return self._current_index().categories()

    def owners(self) -> list[str]:
        """The owners that facts have, as tags; "" for nobody."""
        return self._current_index().owners()

    def categories(self, text: str, owners: Collection[str]) -> list[tuple[float, str]]:
        """The categories by how near these owners' facts are to a text, nearest first; by vectors."""
        vector, vectors = self._vector(text), self._fact_vectors()
        if vector is None or vectors is None or not vectors.fits(vector):
            return []
        return vectors.centroids(vector, owners)

    def nearest_category(self, text: str, examples: Mapping[str, Sequence[str]]) -> tuple[float, str] | None:
        """The category with the example nearest to a text, and their cosine; None without the encoder.

        Other embedders are not asked: a command would have to embed all examples for each text, and the
        static model tells what a text is about, not what it says of it.
        """
        vector = self._vector(text)
        if vector is None or self._embedder is None or self._embedder.kind != "sentence":
            return None
        categories = [category for category, sentences in examples.items() for _ in sentences]
        rows = self._embedder.vectors([sentence for sentences in examples.values() for sentence in sentences])
        similarities = rows @ vector
        nearest = int(similarities.argmax())
        return float(similarities[nearest]), categories[nearest]

    def state(self, scope: Scope = WHOLE_WORKSPACE) -> IndexState:
        """The state of the index on disk, without changing it; the facts of a scope's owners are counted."""
        with self.read_only() as index:
            if index is None:
                return IndexState("none", 0)
            differences = self.diff(index, self.snapshot(every=True), SyncReport())
            behind = bool(differences.files or differences.removed)
            return IndexState("behind" if behind else "fresh", index.count(scope.owner_values))

    def differences(self, unread: list[str]) -> Iterator[tuple[str, str]]:
        """See `IndexSync`; where there is no index yet there is nothing to compare."""
        with self.read_only() as index:
            if index is None:
                return
            stamps = index.stamps()
        try:
            paths = map(str, semantic_files(self.workspace))
        except MemtoolError as error:
            unread.append(str(error))
            return
        yield from content_differences(paths, stamps, self.workspace.etag, unread)

    def close(self) -> None:
        """See `IndexSync`."""
        self._vectors = None
        super().close()

    # the description of the index ---------------------------------------------------------------------------

    def snapshot(self, *, every: bool) -> FactSnapshot:
        """See `IndexSync`."""
        at_ns = self.workspace.disk.clock_ns()
        try:
            paths = {path.name: str(path) for path in semantic_files(self.workspace)}
            folder = self.workspace.layout.folder("semantic")
            stats = self.workspace.disk.stat_files(folder, paths) if paths else {}
        except MemtoolError as error:
            return FactSnapshot(at_ns, unreadable=str(error))
        return FactSnapshot(at_ns, {paths[name]: stat for name, stat in stats.items()})

    def diff(self, index: Facts | None, snapshot: FactSnapshot, report: SyncReport) -> FactDiff:
        """See `IndexSync`; what cannot be read stays as it was."""
        stamps = index.stamps() if index else {}
        difference = FactDiff(lacks_vectors=self._lacks_vectors(index))
        if snapshot.unreadable:
            report.add_unread(snapshot.unreadable)
            return difference
        changes = compare_stamps(snapshot.files, stamps)
        difference.removed = [*changes.removed]
        for path in (*changes.added, *changes.changed, *changes.doubtful):
            try:
                document = self.workspace.read(PurePosixPath(path))
            except MemtoolError as error:
                report.add_unread(str(error))
                continue
            if document is None:
                if path in stamps:
                    difference.removed.append(path)
                continue
            stamp = FileStamp.of(snapshot.files[path], snapshot.at_ns, document.etag)
            if path not in stamps or stamps[path].etag != document.etag:
                difference.files.append(fact_file(document, stamp))
            elif stamps[path][:5] != stamp[:5]:
                difference.same[path] = stamp
        return difference

    def diff_paths(self, index: Facts, paths: Sequence[str], report: SyncReport) -> FactDiff:
        """See `IndexSync`: there are so few files that all are compared."""
        return self.diff(index, self.snapshot(every=True), report)

    def may_apply(self, index: Facts) -> bool:
        """See `IndexSync`."""
        return index.is_in_memory or super().may_apply(index)

    def apply(self, index: Facts, diff: FactDiff, report: SyncReport) -> None:
        """See `IndexSync`; vectors are made outside of the lock."""
        if diff.files or diff.removed or diff.same:
            with index.writing() as is_changed:
                if is_changed:
                    diff = self.diff(index, self.snapshot(every=True), SyncReport())
                index.write(diff.files, diff.removed, diff.same)
        if self._embedder is not None:
            try:
                index.embed(self._embedder)
            except DelegateFailed as error:
                self._lose_embedder(error)

    def view(self, index: Facts, diff: FactDiff, report: SyncReport) -> SyncView:
        """See `IndexSync`; the read transaction ends, for it would keep others from writing."""
        index.end()
        self.unread = report.unread
        for notice in report.notices:
            self._notice(notice)
        return SyncView(notices=report.notices, unread=report.unread)

    def view_beside(self, index: Facts | None, diff: FactDiff, report: SyncReport) -> SyncView:
        """See `IndexSync`: the whole index is made in memory, and stays open."""
        if index is not None:
            report.unread = 0
            diff = self.diff(None, self.snapshot(every=True), report)
        self.close()
        self._index = memory = Facts.in_memory()
        self.apply(memory, diff, report)
        return self.view(memory, diff, report)

    def final_view(self, stale: Sequence[str]) -> SyncView:
        """See `IndexSync`: the whole index is made in memory."""
        report = SyncReport()
        diff = self.diff(None, self.snapshot(every=True), report)
        return replace(self.view_beside(None, diff, report), is_final=True)

    def open_in_memory(self) -> Facts:
        """See `IndexSync`."""
        return Facts.in_memory()

    def _current_index(self) -> Facts:
        if self._index is None:
            self.sync()
        if self._index is None:
            raise BrokenIndex("was closed")
        return self._index

    def _lacks_vectors(self, index: Facts | None) -> bool:
        return self._embedder is not None and (index is None or index.lacks(self._embedder.name))

    def _vector(self, text: str) -> Vectors | None:
        if self._embedder is None or not text.strip():
            return None
        try:
            vector = self._embedder.query_vectors([text])[0]
        except DelegateFailed as error:
            self._lose_embedder(error)
            return None
        return vector if vector.any() else None

    def _fact_vectors(self) -> FactVectors | None:
        """The vectors of all facts, in memory until the index is written."""
        if self._embedder is None:
            return None
        index = self._current_index()
        state = index.state
        if self._vectors is None or self._vectors_state != state:
            self._vectors, self._vectors_state = FactVectors(index, self._embedder.name), state
        return self._vectors

    def _lose_embedder(self, error: DelegateFailed) -> None:
        self._notice(f"{error}; facts are matched by words only")
        self._embedder = None

    def _notice(self, text: str) -> None:
        if text not in self.notices:
            self.notices.append(text)
