"""log: what the journal knows of commits, the last one first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

from memtool.core.diff import unified
from memtool.core.journal import (
    Appended,
    Created,
    Moved,
    Permitted,
    Removed,
    Replaced,
    Step,
    lines_of,
    touched,
)
from memtool.core.turn import spell
from memtool.core.undo import Entry, entries
from memtool.core.versions import UNKNOWN, Change, Unknown, Version, versions
from memtool.errors import MemtoolError
from memtool.store.workspace import Workspace
from memtool.values import dataclass
from memtool.verbs.undo import lies_in, only_marks


@dataclass(frozen=True, slots=True)
class Asked:
    """Which entries: at most `limit`, not before `since`, of paths that fit a pattern or have a role.

    `group` narrows to what lies in its folder; with `marks` those that only count or mark are shown too.
    """

    limit: int | None = None
    since: datetime | None = None
    path: str | None = None
    role: str | None = None
    group: str = ""
    marks: bool = False


@dataclass(frozen=True, slots=True)
class Logged:
    """An entry, and, where they were asked for, the lines of the diff of each of its steps."""

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
            "changes": [_as_json(step) for record in self.entry.records for step in record.steps],
        }


def log(workspace: Workspace, asked: Asked, *, diff: bool = False) -> list[Logged]:
    """The entries that are asked for, the last one first. Raises Unreadable."""
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
            if _fits(touched(change.step), asked):
                wanted[change.record.run].append(change)
            if not left:
                break
    return [Logged(one, tuple(_diff(wanted[one.id][::-1]))) for one in found]


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


def _as_json(step: Step) -> dict[str, Any]:
    kind = {Created: "create", Appended: "append", Replaced: "replace", Moved: "move", Removed: "remove"}
    kind |= {Permitted: "permit"}
    out, in_ = lines_of(step)
    target = {"target": step.target} if isinstance(step, Moved) else {}
    return {"change": kind[type(step)], "path": step.path, **target, "removed": out, "added": in_}


def _diff(changes: Sequence[Change]) -> Iterator[str]:
    for one in changes:
        step = one.step
        if isinstance(step, Moved):
            yield from (f"rename from {step.path}", f"rename to {step.target}")
            continue
        if isinstance(step, Permitted):
            yield f"mode {step.before:04o} to {step.after:04o}: {step.path}"
            continue
        old = "/dev/null" if isinstance(step, Created) else step.path
        new = "/dev/null" if isinstance(step, Removed) else step.path
        before, after = _lines(one.before), _lines(one.after)
        if before is None or after is None:
            yield from (f"--- {old}", f"+++ {new}", *_left(step))
        elif isinstance(step, Appended):
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
