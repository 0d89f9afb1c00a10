"""Undo: the journal's commits grouped into entries, and the contents that undoing them restores."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import assert_never

from msgspec import Struct

from memtool.core.history.file_effects import FileEffect, net_effects
from memtool.core.history.journal import (
    LINE_SUFFIXES,
    PRIVATE_MODE,
    Appended,
    CommitRecord,
    CommitStep,
    Created,
    Moved,
    Permitted,
    Removed,
    Replaced,
    line_digest,
    touched_paths,
)
from memtool.core.history.line_undo import LineConflict, without_step
from memtool.core.history.moved_lines import later_moves, without_lines
from memtool.core.records.document import etag_of
from memtool.core.text.three_way import merge_lines

FileContent = bytes | None
"""The content of a file, None if there is no file."""


class JournalEntry(Struct, frozen=True):
    """One run of a command: its commits, the oldest first, and whether they were undone."""

    records: tuple[CommitRecord, ...]
    undone: bool = False

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths that the run touched."""
        paths = (path for record in self.records for step in record.steps for path in touched_paths(step))
        return tuple(dict.fromkeys(paths))

    @property
    def steps(self) -> tuple[CommitStep, ...]:
        """All steps of the run, in order."""
        return tuple(step for record in self.records for step in record.steps)

    @property
    def effects(self) -> tuple[FileEffect, ...]:
        """The net effect of the run on each file."""
        return net_effects(self.steps)

    @property
    def id(self) -> str:
        """The id of the run."""
        return self.records[0].run

    @property
    def undoes(self) -> tuple[str, ...]:
        """The ids of the entries that the run undid."""
        return tuple(dict.fromkeys(run for record in self.records for run in record.undoes))

    @property
    def done(self) -> bool:
        """Whether all commits of the run are known to be completed."""
        return all(record.done for record in self.records)


class UndoConflict(Exception):
    """A file is neither as a step left it nor as the step found it, or its old content is not stored.

    `line` is the number of a line that has changed since; 0 if it is not known.
    """

    def __init__(self, path: str, record: CommitRecord, *, is_stored: bool = True, line: int = 0) -> None:
        super().__init__(path)
        self.path = path
        self.record = record
        self.is_stored = is_stored
        self.line = line


def journal_entries(newest: Iterable[CommitRecord]) -> Iterator[JournalEntry]:
    """Group commits, the newest first, into entries; the run with the newest commit comes first.

    An entry is yielded as soon as its first commit has been read, so that a caller who needs only the newest
    entries reads no more. An undo that was itself undone has no effect.
    """
    runs: dict[str, list[CommitRecord]] = {}
    undone_runs: set[str] = set()

    def entry(run: str) -> JournalEntry:
        run_records = runs.pop(run)
        if run not in undone_runs:
            undone_runs.update(undone for record in run_records if record.done for undone in record.undoes)
            return JournalEntry(tuple(reversed(run_records)))
        return JournalEntry(tuple(reversed(run_records)), undone=True)

    for record in newest:
        runs.setdefault(record.run, []).append(record)
        while runs and runs[first := next(iter(runs))][-1].id == first:
            yield entry(first)
    for run in [*runs]:  # runs whose first commits are no longer in the journal
        yield entry(run)


class CachedEntries:
    """Entries that are read on demand and cached."""

    def __init__(self, source: Iterable[JournalEntry]) -> None:
        self._source = iter(source)
        self._read: list[JournalEntry] = []

    def __iter__(self) -> Iterator[JournalEntry]:
        """Iterate over all entries, the newest first; each iteration begins at the newest."""
        number = 0
        while number < len(self._read) or self._read_next():
            yield self._read[number]
            number += 1

    def _read_next(self) -> bool:
        for entry in self._source:
            self._read.append(entry)
            return True
        return False


def revert_contents(
    records: Sequence[CommitRecord],
    read: Callable[[str], FileContent],
    *,
    may_skip: Callable[[str], bool],
    newest_first: Callable[[], Iterable[CommitRecord]] | None = None,
    may_merge: Callable[[str, bytes, bytes], bool] | None = None,
) -> dict[str, tuple[FileContent, FileContent]]:
    """Undo these commits, the newest first: (current, restored) content of each path that changes.

    A step that never happened, or was undone already, changes nothing. With `newest_first`, which reads the
    journal, later changes of other lines of a file are kept if its name ends in one of `LINE_SUFFIXES`, and
    `may_merge` accepts its path, current and merged content. Raises UndoConflict if a file is neither as the
    step left it nor as the step found it, unless `may_skip` accepts its path; with `newest_first` also for a
    file that would not change because a later command removed the lines. Lines that a later command moved to
    another file, all of them, are removed there; it is a conflict unless that file has each of them once.
    """
    current: dict[str, FileContent] = {}
    restored: dict[str, FileContent] = {}
    conflicts: dict[str, UndoConflict] = {}

    def content_at(path: str) -> FileContent:
        if path not in restored:
            current[path] = restored[path] = read(path)
        return restored[path]

    for record in reversed(records):
        for step in reversed(record.steps):
            try:
                restored.update(_revert_step(step, content_at, record))
            except UndoConflict as conflict:
                if may_skip(conflict.path):
                    continue
                if newest_first is None or PurePosixPath(conflict.path).suffix not in LINE_SUFFIXES:
                    raise
                conflicts.setdefault(conflict.path, conflict)
    if newest_first is not None:
        _revert_by_lines(conflicts, current, restored, content_at, records, newest_first, may_merge)
    return {path: (current[path], content) for path, content in restored.items() if content != current[path]}


def _revert_by_lines(
    conflicts: Mapping[str, UndoConflict],
    current: Mapping[str, FileContent],
    restored: dict[str, FileContent],
    content_at: Callable[[str], FileContent],
    records: Sequence[CommitRecord],
    newest_first: Callable[[], Iterable[CommitRecord]],
    may_merge: Callable[[str, bytes, bytes], bool] | None,
) -> None:
    """Undo the commits line by line in the paths with conflicts, as `revert_contents` says.

    Lines that a later command moved to another file are removed there.
    """
    titles = {path: _digests(_bytes(_heading(content))) for path, content in current.items()}
    moves = later_moves(titles, records, newest_first())
    for path, reason in conflicts.items():
        here = [record for record in records if (path, record.id) not in moves.moved]
        content = current[path]
        if any(path in touched_paths(step) for record in here for step in record.steps):
            content = _without_commits(path, current[path], here, newest_first())
            if content is None:
                content = _without_lines(path, current[path], here, reason)
        if may_merge and content is not None and not may_merge(path, current[path] or b"", content):
            raise reason
        restored[path] = content
    for record in records:
        for path in titles:
            origin = path, record.id
            if origin in moves.split or (origin in moves.removed and restored[path] == current[path]):
                raise UndoConflict(path, record)
            for target, digests in moves.moved.get(origin, {}).items():
                content = without_lines(content_at(target), digests)
                if (
                    content is None
                    or digests & _digests(current[path] or b"")
                    or (may_merge and not may_merge(target, current[target] or b"", content))
                ):
                    raise UndoConflict(path, record)
                restored[target] = content


def _without_commits(
    path: str, content: FileContent, records: Sequence[CommitRecord], newest_first: Iterable[CommitRecord]
) -> FileContent:
    """The content that a file would have without these commits; None if later ones changed the same lines.

    The journal is followed back from the content as it is, so every state on the way is verified.
    """
    remaining = {record.id for record in records}
    result = _lines(content)
    for record in newest_first:
        after = content
        for step in reversed(record.steps):
            if path in touched_paths(step) and not isinstance(step, Permitted):
                if isinstance(step, Moved | Removed):
                    return None
                try:
                    content = _revert_step(step, {path: content}.__getitem__, record)[path]
                except UndoConflict:
                    return None
        if record.id in remaining:
            remaining.remove(record.id)
            before = _heading(after) if content is None else _lines(content)
            merged = merge_lines(_lines(after), before, result)
            if merged is None:
                return None
            result = merged
        if not remaining:
            return _bytes(result)
    return None


def _without_lines(
    path: str, content: FileContent, records: Sequence[CommitRecord], reason: UndoConflict
) -> FileContent:
    """The content without what these commits wrote, found by its lines where another program wrote since.

    Raises UndoConflict if a line of theirs has changed.
    """
    for record in reversed(records):
        for step in reversed(record.steps):
            if path not in touched_paths(step) or isinstance(step, Permitted):
                continue
            if isinstance(step, Moved | Removed):
                raise reason
            try:
                content = _revert_step(step, {path: content}.__getitem__, record)[path]
            except UndoConflict as conflict:
                if content is None or not conflict.is_stored:
                    raise
                title = len(_heading(content)) if isinstance(step, Created) else 0
                try:
                    content = without_step(step, content, title)
                except LineConflict as changed:
                    raise UndoConflict(path, record, line=changed.line) from conflict
    return content


def _lines(content: FileContent) -> list[str]:
    """The lines of a content, each with its line end."""
    return (content or b"").decode("utf-8", "surrogateescape").splitlines(keepends=True)


def _bytes(lines: Iterable[str]) -> bytes:
    return "".join(lines).encode("utf-8", "surrogateescape")


def _digests(content: bytes) -> set[str]:
    return {*map(line_digest, content.splitlines(keepends=True))}


def _heading(content: FileContent) -> list[str]:
    """The lines up to the title, and the empty ones after it: they stay where a new file has grown since."""
    lines = _lines(content)
    title = next((number for number, line in enumerate(lines) if line.startswith("# ")), -1)
    text = next((number for number in range(title + 1, len(lines)) if lines[number].strip()), len(lines))
    return lines[:text] if title >= 0 else []


def revert_modes(records: Sequence[CommitRecord]) -> dict[str, tuple[int, int]]:
    """Undo the mode changes of these commits: (current, restored) mode of each path that changes."""
    changes: dict[str, tuple[int, int]] = {}
    for record in reversed(records):
        for step in reversed(record.steps):
            match step:
                case Permitted(path, before, after):
                    changes[path] = (changes[path][0] if path in changes else after, before)
                case Removed(path, mode=mode) if mode != PRIVATE_MODE:
                    changes[path] = (PRIVATE_MODE, mode)
                case Moved(path, target) if target in changes:
                    changes[path] = changes.pop(target)
    return {path: (current, restored) for path, (current, restored) in changes.items() if current != restored}


def _revert_step(
    step: CommitStep, content_at: Callable[[str], FileContent], record: CommitRecord
) -> Mapping[str, FileContent]:
    """Undo one step: the restored contents by path. Raises UndoConflict."""
    current = None if isinstance(step, Permitted) else content_at(step.path)
    match step:
        case Created():
            if current is None or etag_of(current) == step.etag:
                return {step.path: None}
        case Appended():
            if current is not None and (shortened := _without_appended(step, current)) is not None:
                return {step.path: shortened}
        case Replaced():
            return {step.path: _before_replacement(step, current, record)}
        case Moved(etag=""):
            raise UndoConflict(step.path, record, is_stored=False)
        case Moved():
            moved = content_at(step.target)
            if current is None and moved is not None and etag_of(moved) == step.etag:
                return {step.path: moved, step.target: None}
            if moved is None and current is not None and etag_of(current) == step.etag:
                return {}
        case Removed():
            if current is not None and etag_of(current) == step.etag:
                return {}
            if current is None:
                if step.content is None or etag_of(step.content) != step.etag:
                    raise UndoConflict(step.path, record, is_stored=False)
                return {step.path: step.content}
        case Permitted():  # handled by `revert_modes`
            return {}
        case _:
            assert_never(step)
    raise UndoConflict(step.path, record)


def _without_appended(step: Appended, current: bytes) -> bytes | None:
    """The content without the bytes that a step appended; None if it does not end with these."""
    if len(current) == step.size:
        return current
    end = step.size + step.length
    is_last = len(current) == end and etag_of(current[step.size :]) == step.etag
    return current[: step.size] if is_last else None


def _before_replacement(step: Replaced, current: FileContent, record: CommitRecord) -> bytes:
    """The content before a replacement. Raises UndoConflict."""
    if current is None or etag_of(current) not in {step.before, step.after}:
        raise UndoConflict(step.path, record)
    if etag_of(current) == step.before:
        return current
    if step.removed is None:
        raise UndoConflict(step.path, record, is_stored=False)
    restored = current[: step.start] + step.removed + current[step.start + step.length :]
    if etag_of(restored) != step.before:
        raise UndoConflict(step.path, record, is_stored=False)
    return restored


def earlier_versions(path: str, content: bytes, newest_first: Iterable[CommitRecord]) -> Iterator[bytes]:
    """What a file contained before each of the commits that led to this content, the newest first.

    It ends where the journal does not say what the file contained before: where another program changed it,
    or where it was created or moved. Nothing if no commit led to this content.
    """
    is_found = False
    for record in newest_first:
        for step in reversed(record.steps):
            if path not in touched_paths(step) or isinstance(step, Permitted):
                continue
            before = content
            with contextlib.suppress(UndoConflict):
                if isinstance(step, Appended | Replaced):
                    before = _revert_step(step, {path: content}.__getitem__, record)[path] or b""
            if before != content:
                is_found, content = True, before
                yield content
            elif is_found:
                return


def last_undo(entries: Iterable[JournalEntry]) -> JournalEntry | None:
    """The first of these entries that is an undo, was not undone and is no redo; None if there is none."""
    undos = [entry for entry in entries if entry.undoes]
    names = {entry.id for entry in undos}
    return next((entry for entry in undos if not entry.undone and names.isdisjoint(entry.undoes)), None)
