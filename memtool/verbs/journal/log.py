"""log: what the journal knows of commits, the last one first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from memtool.core.history.effect import Effect, effects
from memtool.core.history.journal import Appended, Moved, Permitted, Removed, Replaced, Step, lines_of
from memtool.core.history.undo import Entry, entries
from memtool.core.history.versions import UNKNOWN, Change, Unknown, Version, versions
from memtool.core.records.turn import spell
from memtool.core.text.diff import unified
from memtool.errors import MemtoolError
from memtool.store.workspace import Workspace
from memtool.verbs.journal.undo import lies_in, only_marks


class Asked(Struct, frozen=True):
    """Which entries: at most `limit`, not before `since`, of paths that fit a pattern or have a role.

    `group` narrows to what lies in its folder; with `marks` those that only count or mark are shown too.
    """

    limit: int | None = None
    since: datetime | None = None
    path: str | None = None
    role: str | None = None
    group: str = ""
    marks: bool = False


class Logged(Struct, frozen=True):
    """An entry, and, where they were asked for, the lines of the diff of each file that it changed."""

    entry: Entry
    diff: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """All of it as it is printed with --json."""
        first = self.entry.records[0]
        return {
            "id": self.entry.id,
            "at": spell(first.at),
            "command": first.author.command,
            "user": first.author.user,
            "session": first.author.session,
            "done": self.entry.done,
            "undone": self.entry.undone,
            "undoes": list(self.entry.undoes),
            "changes": [row for one in self.entry.effects for row in _as_json(one, self.entry.steps)],
        }


def log(workspace: Workspace, asked: Asked, *, diff: bool = False) -> list[Logged]:
    """The entries that are asked for, the last one first. Raises Unreadable, BadUsage for an unknown role."""
    if asked.role is not None:
        workspace.layout.place(asked.role)
    every = entries(workspace.journal.recent())
    fitting = (one for one in every if _is_asked(workspace, one, asked))
    found = [*islice(fitting, asked.limit)]
    if not diff:
        return [Logged(one) for one in found]
    wanted: dict[str, list[Change]] = {one.id: [] for one in found}
    left = sum(len(record.steps) for one in found for record in one.records)
    for change in versions(workspace.journal.recent(), reading(workspace)) if left else ():
        if change.record.run in wanted:
            left -= 1
            wanted[change.record.run].append(change)
            if not left:
                break
    return [Logged(one, tuple(_diff(wanted[one.id][::-1], asked))) for one in found]


def _is_asked(workspace: Workspace, entry: Entry, asked: Asked) -> bool:
    if not lies_in(workspace, entry, asked.group) or (asked.since and entry.records[-1].at < asked.since):
        return False
    if not _fits(entry.paths, asked):
        return False
    if asked.role is not None:
        located = map(workspace.located, entry.paths)
        return any(one is not None and one.role == asked.role for one in located)
    return asked.marks or asked.path is not None or not only_marks(workspace, entry)


def _fits(paths: Sequence[str], asked: Asked) -> bool:
    """Whether one of these paths is among those that are asked for."""
    return asked.path is None or any(fnmatchcase(path, asked.path) for path in paths)


def reading(workspace: Workspace) -> Callable[[str], Version]:
    """What is at a path now, as far as it can be read."""

    def read(path: str) -> Version:
        try:
            return workspace.disk.read_bytes(PurePosixPath(path))
        except MemtoolError:
            return UNKNOWN

    return read


def _as_json(one: Effect, steps: Sequence[Step]) -> Iterator[dict[str, Any]]:
    lines = {"removed": one.gone, "added": one.new}
    if one.before is None or one.after is None:
        yield {"change": "create" if one.before is None else "remove", "path": one.path, **lines}
    elif one.is_moved:
        yield {"change": "move", "path": one.before, "target": one.after, **lines}
    elif any(not isinstance(steps[number], Permitted) for number in one.numbers):
        kind = "append" if _only_grew(one, steps) else "replace"
        yield {"change": kind, "path": one.path, **lines}
    if one.mode:
        yield {"change": "permit", "path": one.after or one.path, "removed": 0, "added": 0}


def _only_grew(one: Effect, steps: Sequence[Step]) -> bool:
    return all(isinstance(steps[number], Appended | Permitted) for number in one.numbers)


def _diff(changes: Sequence[Change], asked: Asked) -> Iterator[str]:
    steps = [one.step for one in changes]
    for one in effects(steps):
        if not _fits(one.names, asked):
            continue
        if one.is_moved:
            yield from (f"rename from {one.before}", f"rename to {one.after}")
        edits = [
            changes[number] for number in one.numbers if not isinstance(steps[number], Moved | Permitted)
        ]
        if edits:
            yield from _edited(one, edits, _only_grew(one, steps))
        if one.mode:
            yield f"mode {one.mode[0]:04o} to {one.mode[1]:04o}: {one.after or one.path}"


def _edited(one: Effect, edits: Sequence[Change], only_grew: bool) -> Iterator[str]:
    """What all edits of a file together did to its lines; each for itself where its text is not known now."""
    old, new = one.before or "/dev/null", one.after or "/dev/null"
    before, after = _lines(edits[0].before), _lines(edits[-1].after)
    if before is None or after is None:
        for edit in edits:
            yield from (f"--- {old}", f"+++ {new}", *_left(edit.step))
    elif only_grew:
        yield from (f"--- {old}", f"+++ {new}", "@@ at the end @@")
        yield from (f"+{line}" for line in after[len(before) :])
    else:
        yield from unified(before, after, old, new)


def _left(step: Step) -> Iterator[str]:
    """What can be told of a step when its file has changed since: the journal keeps what was taken out."""
    new = lines_of(step)[1]
    kept = step.removed if isinstance(step, Replaced) else step.content if isinstance(step, Removed) else b""
    if kept is None:
        yield "@@ what it said is not kept any more @@"
        return
    came = f"; {new} line{'s' * (new != 1)} came, not known any more which" if new else ""
    went = "; what went, as far as it differed:" if kept else ""
    yield f"@@ the file has changed since{came}{went} @@"
    yield from (f"-{line}" for line in _lines(kept) or ())


def _lines(version: Version) -> list[str] | None:
    """The lines of a version, none of a file that was not there; None where nobody can tell."""
    if isinstance(version, Unknown):
        return None
    text = (version or b"").decode("utf-8", "replace")
    return text.removesuffix("\n").split("\n") if text else []
