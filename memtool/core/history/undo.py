"""Undo: the journal's commits grouped into entries, and the contents that undoing them restores."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from msgspec import Struct

from memtool.core.history.effect import Effect, effects
from memtool.core.history.journal import (
    PRIVATE,
    Appended,
    Created,
    Moved,
    Permitted,
    Record,
    Removed,
    Replaced,
    Step,
    digest,
    touched,
    without_content,
)

Content = bytes | None
"""The content of a file, None if there is no file."""


class Entry(Struct, frozen=True):
    """One run of a command: its commits, the oldest first, and whether they were undone."""

    records: tuple[Record, ...]
    undone: bool = False

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths that the run touched."""
        paths = (path for record in self.records for step in record.steps for path in touched(step))
        return tuple(dict.fromkeys(paths))

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps of the run, in order."""
        return tuple(step for record in self.records for step in record.steps)

    @property
    def effects(self) -> tuple[Effect, ...]:
        """The net effect of the run on each file."""
        return effects(self.steps)

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


class Conflict(Exception):
    """A file is neither as a step left it nor as the step found it, or its old content is not stored."""

    def __init__(self, path: str, record: Record, *, kept: bool = True) -> None:
        super().__init__(path)
        self.path = path
        self.record = record
        self.kept = kept


def entries(newest: Iterable[Record]) -> Iterator[Entry]:
    """Group commits, the newest first, into entries; the run with the newest commit comes first.

    An entry is yielded as soon as its first commit has been read, so that a caller who needs only the newest
    entries reads no more. An undo that was itself undone has no effect.
    """
    runs: dict[str, list[Record]] = {}
    undone_runs: set[str] = set()

    def entry(run: str) -> Entry:
        run_records = runs.pop(run)
        if run not in undone_runs:
            undone_runs.update(undone for record in run_records if record.done for undone in record.undoes)
            return Entry(tuple(reversed(run_records)))
        return Entry(tuple(reversed(run_records)), undone=True)

    for record in newest:
        runs.setdefault(record.run, []).append(record)
        while runs and runs[first := next(iter(runs))][-1].id == first:
            yield entry(first)
    for run in [*runs]:  # runs whose first commits are no longer in the journal
        yield entry(run)


class Every:
    """Entries that are read on demand and cached."""

    def __init__(self, source: Iterable[Entry]) -> None:
        self._source = iter(source)
        self._read: list[Entry] = []

    def __iter__(self) -> Iterator[Entry]:
        """Iterate over all entries, the newest first; each iteration begins at the newest."""
        number = 0
        while number < len(self._read) or self._reads_one():
            yield self._read[number]
            number += 1

    def _reads_one(self) -> bool:
        for entry in self._source:
            self._read.append(entry)
            return True
        return False


def reverted(
    records: Sequence[Record], read: Callable[[str], Content], *, loose: Callable[[str], bool]
) -> dict[str, tuple[Content, Content]]:
    """Undo these commits, the newest first: (current, restored) content of each path that changes.

    A step that never happened, or was undone already, changes nothing. Raises UndoConflict if a file is
    neither as the step left it nor as the step found it, unless `may_skip` accepts its path.
    """
    current: dict[str, Content] = {}
    restored: dict[str, Content] = {}

    def content_at(path: str) -> Content:
        if path not in restored:
            current[path] = restored[path] = read(path)
        return restored[path]

    for record in reversed(records):
        for step in reversed(record.steps):
            try:
                restored.update(_taken_back(step, content_at, record))
            except Conflict:
                if not loose(step.path):
                    raise
    return {path: (current[path], content) for path, content in restored.items() if content != current[path]}


def modes(records: Sequence[Record]) -> dict[str, tuple[int, int]]:
    """Undo the mode changes of these commits: (current, restored) mode of each path that changes."""
    changes: dict[str, tuple[int, int]] = {}
    for record in reversed(records):
        for step in reversed(record.steps):
            match step:
                case Permitted(path, before, after):
                    changes[path] = (changes[path][0] if path in changes else after, before)
                case Removed(path, mode=mode) if mode != PRIVATE:
                    changes[path] = (PRIVATE, mode)
                case Moved(path, target) if target in changes:
                    changes[path] = changes.pop(target)
    return {path: (current, restored) for path, (current, restored) in changes.items() if current != restored}


def _taken_back(step: Step, content_at: Callable[[str], Content], record: Record) -> Mapping[str, Content]:
    """Undo one step: the restored contents by path. Raises UndoConflict."""
    current = None if isinstance(step, Permitted) else content_at(step.path)
    match step:
        case Created():
            if current is None or digest(current) == step.etag:
                return {step.path: None}
        case Appended():
            if current is not None and (shortened := _cut(step, current)) is not None:
                return {step.path: shortened}
        case Replaced():
            return {step.path: _unspliced(step, current, record)}
        case Moved(etag=""):
            raise Conflict(step.path, record, kept=False)
        case Moved():
            moved = content_at(step.target)
            if current is None and moved is not None and digest(moved) == step.etag:
                return {step.path: moved, step.target: None}
            if moved is None and current is not None and digest(current) == step.etag:
                return {}
        case Removed():
            if current is not None and digest(current) == step.etag:
                return {}
            if current is None:
                if step.content is None or digest(step.content) != step.etag:
                    raise Conflict(step.path, record, kept=False)
                return {step.path: step.content}
        case Permitted():  # handled by `revert_modes`
            return {}
        case _:
            assert_never(step)
    raise Conflict(step.path, record)


def _cut(step: Appended, current: bytes) -> bytes | None:
    """The content without the bytes that a step appended; None if it does not end with these."""
    if len(current) == step.size:
        return current
    end = step.size + step.length
    is_last = len(current) == end and digest(current[step.size :]) == step.etag
    return current[: step.size] if is_last else None


def _unspliced(step: Replaced, current: Content, record: Record) -> bytes:
    """The content before a replacement. Raises UndoConflict."""
    if current is None or digest(current) not in {step.before, step.after}:
        raise Conflict(step.path, record)
    if digest(current) == step.before:
        return current
    if step.removed is None:
        raise Conflict(step.path, record, kept=False)
    restored = current[: step.start] + step.removed + current[step.start + step.length :]
    if digest(restored) != step.before:
        raise Conflict(step.path, record, kept=False)
    return restored


def forgotten(
    records: Sequence[Record], paths: Collection[str], said: Collection[str], undoes: Collection[str]
) -> Iterator[Record]:
    """The records without the stored contents that must be forgotten.

    For a purge (no `undoes`), these are the contents of all steps that touched one of the paths, under any
    earlier name of the file, and of all steps whose content contains one of the texts; the steps can then no
    longer be undone. For runs that are undone for good, they are the contents needed to redo the runs.
    """
    names, runs = set() if undoes else set(paths), set(undoes)
    forgotten_texts = [text.encode("utf-8", "surrogateescape") for text in said if text]
    for record in reversed(records):
        for step in record.steps:
            if isinstance(step, Moved) and step.target in names:
                names.add(step.path)
    for record in records:
        if runs & {*record.undoes}:
            runs.add(record.run)
        elif not any(path in names for step in record.steps for path in touched(step)) and not any(
            forgotten_text in content
            for step in record.steps
            if (content := _content(step))
            for forgotten_text in forgotten_texts
        ):
            yield record
            continue
        yield record._replace(steps=tuple(map(without_content, record.steps)))


def _content(step: Step) -> bytes:
    """The stored content that a step removed."""
    match step:
        case Replaced(removed=content) | Removed(content=content):
            return content or b""
        case _:
            return b""
