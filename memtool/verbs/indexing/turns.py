"""The index of transcripts: every turn file of every history, message by message."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import PurePosixPath

from msgspec import Struct, field

from memtool.core.history.upgrade import UpgradedTurn
from memtool.core.records.document import etag_of
from memtool.core.records.message_text import searchable_text
from memtool.core.records.speech import speaker_name, turn_chat, turn_session
from memtool.core.records.turn import Turn
from memtool.core.search.embedder import Embedder
from memtool.core.search.query import Query, QueryFilter
from memtool.errors import UnreadableFile
from memtool.formats.ownership import json_owner
from memtool.index.engine import BrokenIndex, FileStamp, IndexBusy
from memtool.index.freshness import is_racy
from memtool.index.sync import REBUILT, IndexState, IndexSync, Progress, SyncReport, SyncView
from memtool.index.transcripts.transcript_hits import TranscriptHit
from memtool.index.transcripts.transcript_search import TranscriptSearch
from memtool.index.transcripts.transcript_vectors import MessageVectors
from memtool.index.transcripts.transcripts import Speech, Transcripts, TurnRecord
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.location import TRANSCRIPTS, index_location
from memtool.verbs.indexing.turn_diff import (
    COMPARE_ALL_LIMIT,
    TurnDiff,
    diff_turn_files,
    diff_turns,
    read_start,
    write_start,
)
from memtool.verbs.turns.history import history_groups
from memtool.verbs.turns.turn_file import CurrentTurn, read_turn

_BATCH = 2_000
"""Turns indexed at once, in one commit or in memory."""
_SEALED = 10
"""Batches after which the index is sealed: a build that is stopped goes on from there."""
_BUSY = f"another memtool process is writing {Transcripts.subject}"


class TurnView(SyncView, kw_only=True):
    """The turns as they are on disk now.

    Files of the index that are not what they were are `masked`; `changed` gives the turns that are not in it.
    """

    index: Transcripts | None = None
    masked: Sequence[int] = ()
    changed: Callable[[], Iterator[TurnRecord]] = lambda: iter(())
    notices: list[str] = field(default_factory=list)

    def query(
        self,
        query: Query,
        limit: int,
        filters: Sequence[QueryFilter],
        today: date | None = None,
        embedder: Embedder | None = None,
        *,
        vectors_only: bool = False,
        with_replies: bool = False,
    ) -> list[TranscriptHit]:
        """The best messages, best first, of the index and of what is not in it."""
        hits: list[TranscriptHit] = []
        if self.index is not None:
            dense = None if embedder is None else MessageVectors(self.index, embedder)
            hits = TranscriptSearch(
                self.index, query, filters, self.masked, today, dense, vectors_only=vectors_only
            ).run(limit, with_replies=with_replies)
        records = self.changed()
        while batch := [*itertools.islice(records, _BATCH)]:
            memory = Transcripts.in_memory()
            memory.write(batch)
            dense = None if embedder is None else MessageVectors(memory, embedder)
            if dense is not None:
                dense.fill()
            search = TranscriptSearch(memory, query, filters, (), today, dense, vectors_only=vectors_only)
            hits = [*hits, *search.run(limit, with_replies=with_replies)]
            hits = sorted(hits, key=lambda hit: -hit.score)[:limit]
            memory.close()
        return hits


class TurnSnapshot(Struct, frozen=True):
    """What is to be compared. Folders are listed while they are, for most are known not to have changed.

    With `every`, each file is compared, however many there are.
    """

    is_empty: bool
    every: bool


class TurnSync(IndexSync[Transcripts, TurnSnapshot, TurnDiff, TurnView]):
    """Keeps the index of transcripts of a workspace in line with its folders of turns."""

    engine = Transcripts
    subject = Transcripts.subject
    unopened = "this search reads all turns from their files, without the index"
    busy_at_opening = _BUSY
    busy_at_writing = f"{_BUSY}; this search reads new and changed turns from their files"
    broken_at_opening = REBUILT
    failed_query = "this search reads all turns from their files, without the index"

    def __init__(
        self,
        workspace: Workspace,
        key: bytes | None,
        *,
        wait: float,
        progress: Progress | None = None,
    ) -> None:
        super().__init__(index_location(workspace, TRANSCRIPTS, key, wait))
        self.workspace = workspace
        self._progress = progress

    def embed_messages(self, view: TurnView, embedder: Embedder) -> None:
        """Give every message of the index its vector, where it may be written; failures are reported."""
        index = self._index
        if index is None or not self.workspace.writes:
            return
        dense = MessageVectors(index, embedder)
        if not dense.missing():
            return
        try:
            dense.fill(self._progress)
        except IndexBusy:
            index.begin()
            view.notices.append(
                f"{_BUSY}; this search ranks a message by meaning only if it contains words of the query"
            )

    def prepare(self, most: int) -> None:
        """Compare every file of a history of up to `most` turns, so that the next query need not."""
        if self._index is not None and self._index.count() <= most:
            self.sync(every=True)
            self.end_read()

    def origins(self, wanted: Sequence[str]) -> dict[str, str]:
        """Of these origins, those that a turn has, each with its path; the index is brought in line first."""
        view = self.sync()
        paths = view.index.origins(wanted) if view.index else {}
        origins = set(wanted)
        for record in view.changed():
            if record.origin and record.origin in origins:
                paths[record.origin] = f"{record.folder}/{record.name}"
        self.end_read()
        return paths

    def state(self) -> IndexState:
        """The state of the index on disk, without changing it."""
        with self.open_read_only() as (index, is_fresh):
            return IndexState(
                ("fresh" if is_fresh else "behind") if index else "none", index.count() if index else 0
            )

    @contextlib.contextmanager
    def open_read_only(self) -> Iterator[tuple[Transcripts | None, bool]]:
        """The index on disk, if any, and whether it is what is in the folders now; nothing is changed."""
        with self.read_only() as index:
            if index is None:
                yield None, False
            else:
                diff = diff_turns(self.workspace, index, 0)
                yield index, not (diff.certain or diff.removed or diff.unread)

    def differences(self, unread: list[str]) -> Iterator[tuple[str, str]]:
        """See `IndexSync`; files are read a folder at a time."""
        with self.read_only() as stored:
            index = stored or Transcripts.in_memory()
            diff = diff_turns(self.workspace, index, None)
            files = {folder: {**names} for folder, names in diff.read.items()}
            for folder, names in index.every().items():
                files.setdefault(folder, {}).update(names)
        unread += diff.unread
        for folder in sorted(files):
            left = {**files[folder]}
            for name, _, content in self.workspace.disk.read_files(PurePosixPath(folder), sorted(left)):
                known = left.pop(name)
                if isinstance(content, UnreadableFile):
                    unread.append(str(content))
                elif known is None or etag_of(content) != known.stamp.etag:
                    yield f"{folder}/{name}", "stale" if known else "missing"
            yield from ((f"{folder}/{name}", "deleted") for name, known in left.items() if known)

    def end_read(self) -> None:
        """End the read transaction: others can write, and what they write is seen."""
        if self._index is not None:
            self._index.end()

    # the description of the index ---------------------------------------------------------------------------

    def snapshot(self, *, every: bool) -> TurnSnapshot:
        """See `IndexSync`."""
        workspace = self.workspace
        folders = (workspace.layout.folder("turn", group=group) for group in history_groups(workspace))
        has_turns = any(workspace.disk.folder_stat(folder) is not None for folder in folders)
        return TurnSnapshot(is_empty=not (has_turns or self.location.is_present()), every=every)

    def last_view(self, snapshot: TurnSnapshot) -> TurnView | None:
        """See `IndexSync`: where there is no history, and was none, no index is made."""
        return TurnView() if snapshot.is_empty else None

    def compares_all(self, snapshot: TurnSnapshot) -> bool:
        """See `IndexSync`."""
        return snapshot.every or self._index is None or self._index.count() <= COMPARE_ALL_LIMIT

    def diff(self, index: Transcripts | None, snapshot: TurnSnapshot, report: SyncReport) -> TurnDiff:
        """See `IndexSync`."""
        if index is None:
            with contextlib.closing(Transcripts.in_memory()) as empty:
                diff = diff_turns(self.workspace, empty, None)
        else:
            folder = self.location.folder
            start = None if snapshot.every or index.count() <= COMPARE_ALL_LIMIT else read_start(folder)
            diff = diff_turns(self.workspace, index, start)
            if start is not None and self.workspace.writes:
                write_start(folder, diff.next_start)
        for reason in diff.unread:
            report.add_unread(reason)
        return diff

    def diff_paths(self, index: Transcripts, paths: Sequence[str], report: SyncReport) -> TurnDiff:
        """See `IndexSync`."""
        diff = diff_turn_files(self.workspace, index, paths)
        for reason in diff.unread:
            report.add_unread(reason)
        return diff

    def apply(self, index: Transcripts, diff: TurnDiff, report: SyncReport) -> None:
        """See `IndexSync`: turns are indexed in batches, for a history may be of any size."""
        same: dict[int, FileStamp] = {}
        with index.writing() as is_changed:
            if is_changed:
                diff = diff.recompute()
            records = self._records(diff, report, same)
            if diff.removed or diff.removed_folders:
                index.write(removed=diff.removed, removed_folders=diff.removed_folders)
            for number in itertools.count(1):
                batch = [*itertools.islice(records, _BATCH)]
                if not batch:
                    break
                replaced = [known.id for record in batch if (known := diff.read[record.folder][record.name])]
                index.write(batch, removed=replaced)
                if number % _SEALED == 0:
                    index.seal()
            index.write(folders=diff.folders, same=same)

    def view(self, index: Transcripts, diff: TurnDiff, report: SyncReport) -> TurnView:
        """See `IndexSync`."""
        return TurnView(index=index, notices=report.notices, unread=report.unread)

    def view_beside(self, index: Transcripts | None, diff: TurnDiff, report: SyncReport) -> TurnView:
        """See `IndexSync`: what differs is read at every query."""
        view = TurnView(index=index, notices=report.notices, unread=report.unread)
        if index is not None:
            view.masked = diff.masked()
        view.changed = lambda: self._records(diff, view)
        return view

    def repair(self, stale: Sequence[str]) -> None:
        """See `IndexSync`: an edit in place does not change the stamp of its folder."""
        with contextlib.suppress(BrokenIndex, IndexBusy):  # else the next comparison reports it
            self.sync_paths(stale)

    def _records(
        self, diff: TurnDiff, report: SyncReport | TurnView, same: dict[int, FileStamp] | None = None
    ) -> Iterator[TurnRecord]:
        """The turns that must be read, one by one; of texts that are what is indexed, new stamps in `same`.

        What cannot be read is reported, and its folder is listed again the next time.
        """
        done, count = 0, diff.count
        for folder, files in diff.read.items():
            group = self._group(folder)
            for name, stat, content in self.workspace.disk.read_files(PurePosixPath(folder), files):
                done += 1
                if self._progress is not None:
                    self._progress(done, count)
                if isinstance(content, UnreadableFile) or stat is None:
                    report.notices.append(str(content))
                    report.unread += 1
                    diff.folders.pop(folder, None)
                    continue
                stamp = FileStamp.of(stat, diff.at_ns, etag_of(content))
                known = files[name]
                if same is not None and known is not None and known.stamp.etag == stamp.etag:
                    if not is_racy(stat, diff.at_ns):  # else it would be as doubtful as before
                        same[known.id] = stamp
                    continue
                yield record_of(folder, name, stamp, group, content)

    def _group(self, folder: str) -> str:
        groups_folder = self.workspace.layout.groups
        parts = PurePosixPath(folder).parts
        return parts[1] if groups_folder is not None and parts[:1] == (groups_folder,) else ""


def record_of(folder: str, name: str, stamp: FileStamp, group: str, content: bytes) -> TurnRecord:
    """A turn file as the index takes it; one that is no turn is found by its text as it stands."""
    match read_turn(content):
        case CurrentTurn(turn) | UpgradedTurn(turn):
            return TurnRecord(
                folder,
                name,
                stamp,
                group,
                turn.seq,
                turn.created_at,
                turn.at.date().isoformat(),
                _origin(turn),
                turn_session(turn),
                turn_chat(turn),
                json_owner(content),
                tuple(
                    Speech(message.role, searchable_text(message), speaker_name(message))
                    for message in turn.messages
                ),
            )
        case _:
            text, owner = content.decode("utf-8", "replace"), json_owner(content)
            return TurnRecord(folder, name, stamp, group, owner=owner, speeches=(Speech("", text),))


def _origin(turn: Turn) -> str | None:
    """Where an imported turn is from, as one text; None for a turn of our own."""
    source = turn.more.get("source")
    if not isinstance(source, dict):
        return None
    from memtool.transcripts.transcript import TurnOrigin

    return TurnOrigin(*(str(source.get(key, "")) for key in ("agent", "session", "id"))).key
