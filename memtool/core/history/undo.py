"""undo: the journal's commits by the runs of commands that made them, and what taking them back leaves."""

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
"""What is at a path: a file's bytes, or nothing."""


class Entry(Struct, frozen=True):
    """What one run of a command did: its commits, the first one first. `undone`: it was taken back."""

    records: tuple[Record, ...]
    undone: bool = False

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths that it touched."""
        paths = (path for one in self.records for step in one.steps for path in touched(step))
        return tuple(dict.fromkeys(paths))

    @property
    def steps(self) -> tuple[Step, ...]:
        """All that it did, in order."""
        return tuple(step for one in self.records for step in one.steps)

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What it came to, file by file."""
        return effects(self.steps)

    @property
    def id(self) -> str:
        """How it is called: the id of its run."""
        return self.records[0].run

    @property
    def undoes(self) -> tuple[str, ...]:
        """The ids of the entries that it took back."""
        return tuple(dict.fromkeys(name for one in self.records for name in one.undoes))

    @property
    def done(self) -> bool:
        """Whether all of it is known to be finished."""
        return all(one.done for one in self.records)


class Conflict(Exception):
    """A path is neither as a step left it nor as it found it, or what was there before is not kept."""

    def __init__(self, path: str, record: Record, *, kept: bool = True) -> None:
        super().__init__(path)
        self.path = path
        self.record = record
        self.kept = kept


def entries(newest: Iterable[Record]) -> Iterator[Entry]:
    """Records, the last one first, by their runs: the run that wrote last comes first.

    Each is told as soon as all of it is known, which is when its first commit was seen, so that whoever wants
    the last ones reads no further. An undo that was undone counts as none.
    """
    runs: dict[str, list[Record]] = {}
    gone: set[str] = set()

    def entry(name: str) -> Entry:
        rows = runs.pop(name)
        if name not in gone:
            gone.update(undone for one in rows if one.done for undone in one.undoes)
            return Entry(tuple(reversed(rows)))
        return Entry(tuple(reversed(rows)), undone=True)

    for one in newest:
        runs.setdefault(one.run, []).append(one)
        while runs and runs[first := next(iter(runs))][-1].id == first:
            yield entry(first)
    for name in [*runs]:  # their first commits are not kept any more
        yield entry(name)


class Every:
    """Entries that are read only as far as anybody asks, and then kept."""

    def __init__(self, source: Iterable[Entry]) -> None:
        self._source = iter(source)
        self._read: list[Entry] = []

    def __iter__(self) -> Iterator[Entry]:
        """All of them, the last one first, each time from the start."""
        number = 0
        while number < len(self._read) or self._reads_one():
            yield self._read[number]
            number += 1

    def _reads_one(self) -> bool:
        for one in self._source:
            self._read.append(one)
            return True
        return False


def reverted(
    records: Sequence[Record], read: Callable[[str], Content], *, loose: Callable[[str], bool]
) -> dict[str, tuple[Content, Content]]:
    """What taking these commits back, the last one first, makes of the tree: (now, then) of each path.

    A step that never happened, or was taken back already, changes nothing. Raises Conflict where a path is
    neither as the step left it nor as it found it; one that is `loose` stays as it is then.
    """
    now: dict[str, Content] = {}
    then: dict[str, Content] = {}

    def there(path: str) -> Content:
        if path not in then:
            now[path] = then[path] = read(path)
        return then[path]

    for record in reversed(records):
        for step in reversed(record.steps):
            try:
                then.update(_taken_back(step, there, record))
            except Conflict:
                if not loose(step.path):
                    raise
    return {path: (now[path], content) for path, content in then.items() if content != now[path]}


def modes(records: Sequence[Record]) -> dict[str, tuple[int, int]]:
    """What taking these commits back, the last one first, makes of modes: (now, then) of each path."""
    found: dict[str, tuple[int, int]] = {}
    for record in reversed(records):
        for step in reversed(record.steps):
            match step:
                case Permitted(path, before, after):
                    found[path] = (found[path][0] if path in found else after, before)
                case Removed(path, mode=mode) if mode != PRIVATE:
                    found[path] = (PRIVATE, mode)
                case Moved(path, target) if target in found:
                    found[path] = found.pop(target)
    return {path: (now, then) for path, (now, then) in found.items() if now != then}


def _taken_back(step: Step, there: Callable[[str], Content], record: Record) -> Mapping[str, Content]:
    found = None if isinstance(step, Permitted) else there(step.path)
    match step:
        case Created():
            if found is None or digest(found) == step.etag:
                return {step.path: None}
        case Appended():
            if found is not None and (left := _cut(step, found)) is not None:
                return {step.path: left}
        case Replaced():
            return {step.path: _unspliced(step, found, record)}
        case Moved(etag=""):
            raise Conflict(step.path, record, kept=False)
        case Moved():
            moved = there(step.target)
            if found is None and moved is not None and digest(moved) == step.etag:
                return {step.path: moved, step.target: None}
            if moved is None and found is not None and digest(found) == step.etag:
                return {}
        case Removed():
            if found is not None and digest(found) == step.etag:
                return {}
            if found is None:
                if step.content is None or digest(step.content) != step.etag:
                    raise Conflict(step.path, record, kept=False)
                return {step.path: step.content}
        case Permitted():  # `modes` sees to it
            return {}
        case _:
            assert_never(step)
    raise Conflict(step.path, record)


def _cut(step: Appended, found: bytes) -> bytes | None:
    """A content without what a step put at its end; None where something else stands there."""
    if len(found) == step.size:
        return found
    end = step.size + step.length
    is_last = len(found) == end and digest(found[step.size :]) == step.etag
    return found[: step.size] if is_last else None


def _unspliced(step: Replaced, found: Content, record: Record) -> bytes:
    if found is None or digest(found) not in {step.before, step.after}:
        raise Conflict(step.path, record)
    if digest(found) == step.before:
        return found
    if step.removed is None:
        raise Conflict(step.path, record, kept=False)
    old = found[: step.start] + step.removed + found[step.start + step.length :]
    if digest(old) != step.before:
        raise Conflict(step.path, record, kept=False)
    return old


def forgotten(
    records: Sequence[Record], paths: Collection[str], said: Collection[str], undoes: Collection[str]
) -> Iterator[Record]:
    """The same records, without a byte of what is to be forgotten.

    Where something is purged, that is whatever ever stood at these paths, whatever the files were called
    then, and what holds one of the texts elsewhere: nothing that touched the paths could be taken back any
    more. Where runs are taken back for good, it is what it would take to do them again.
    """
    names, runs = set() if undoes else set(paths), set(undoes)
    words = [one.encode("utf-8", "surrogateescape") for one in said if one]
    for record in reversed(records):
        for step in record.steps:
            if isinstance(step, Moved) and step.target in names:
                names.add(step.path)
    for record in records:
        if runs & {*record.undoes}:
            runs.add(record.run)
        elif not any(path in names for step in record.steps for path in touched(step)) and not any(
            word in content for step in record.steps if (content := _content(step)) for word in words
        ):
            yield record
            continue
        yield record._replace(steps=tuple(map(without_content, record.steps)))


def _content(step: Step) -> bytes:
    """What a step took away, as far as it is kept."""
    match step:
        case Replaced(removed=content) | Removed(content=content):
            return content or b""
        case _:
            return b""
