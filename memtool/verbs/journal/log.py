"""log: list the entries of the journal, the newest first."""

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
    """Which entries to list: at most `limit`, not before `since`, with a path that matches a pattern or role.

    `group` selects entries in its folder; `marks` includes entries that change only counts and marks.
    """

    limit: int | None = None
    since: datetime | None = None
    path: str | None = None
    role: str | None = None
    group: str = ""
    marks: bool = False


class Logged(Struct, frozen=True):
    """A journal entry, and the lines of its diff, if requested."""

    entry: Entry
    diff: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the entry as printed with --json."""
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
            "changes": [row for effect in self.entry.effects for row in _as_json(effect, self.entry.steps)],
        }


def log(workspace: Workspace, asked: Asked, *, diff: bool = False) -> list[Logged]:
    """Return the requested entries, the newest first. Raises Unreadable, BadUsage for an unknown role."""
    if asked.role is not None:
        workspace.layout.place(asked.role)
    every = entries(workspace.journal.recent())
    matches = (entry for entry in every if _is_asked(workspace, entry, asked))
    selected = [*islice(matches, asked.limit)]
    if not diff:
        return [Logged(entry) for entry in selected]
    changes_by_run: dict[str, list[Change]] = {entry.id: [] for entry in selected}
    steps_left = sum(len(record.steps) for entry in selected for record in entry.records)
    for change in versions(workspace.journal.recent(), reading(workspace)) if steps_left else ():
        if change.record.run in changes_by_run:
            steps_left -= 1
            changes_by_run[change.record.run].append(change)
            if not steps_left:
                break
    return [Logged(entry, tuple(_diff(changes_by_run[entry.id][::-1], asked))) for entry in selected]


def _is_asked(workspace: Workspace, entry: Entry, asked: Asked) -> bool:
    if not lies_in(workspace, entry, asked.group) or (asked.since and entry.records[-1].at < asked.since):
        return False
    if not _fits(entry.paths, asked):
        return False
    if asked.role is not None:
        located_paths = map(workspace.located, entry.paths)
        return any(located is not None and located.role == asked.role for located in located_paths)
    return asked.marks or asked.path is not None or not only_marks(workspace, entry)


def _fits(paths: Sequence[str], asked: Asked) -> bool:
    """Whether one of these paths matches the requested pattern."""
    return asked.path is None or any(fnmatchcase(path, asked.path) for path in paths)


def reading(workspace: Workspace) -> Callable[[str], Version]:
    """Return a function that reads the current content of a path; UNKNOWN if it cannot be read."""

    def read(path: str) -> Version:
        try:
            return workspace.disk.read_bytes(PurePosixPath(path))
        except MemtoolError:
            return UNKNOWN

    return read


def _as_json(effect: Effect, steps: Sequence[Step]) -> Iterator[dict[str, Any]]:
    lines = {"removed": effect.gone, "added": effect.new}
    if effect.before is None or effect.after is None:
        yield {"change": "create" if effect.before is None else "remove", "path": effect.path, **lines}
    elif effect.is_moved:
        yield {"change": "move", "path": effect.before, "target": effect.after, **lines}
    elif any(not isinstance(steps[number], Permitted) for number in effect.numbers):
        kind = "append" if _only_grew(effect, steps) else "replace"
        yield {"change": kind, "path": effect.path, **lines}
    if effect.mode:
        yield {"change": "permit", "path": effect.after or effect.path, "removed": 0, "added": 0}


def _only_grew(effect: Effect, steps: Sequence[Step]) -> bool:
    return all(isinstance(steps[number], Appended | Permitted) for number in effect.numbers)


def _diff(changes: Sequence[Change], asked: Asked) -> Iterator[str]:
    steps = [effect.step for effect in changes]
    for effect in effects(steps):
        if not _fits(effect.names, asked):
            continue
        if effect.is_moved:
            yield from (f"rename from {effect.before}", f"rename to {effect.after}")
        edits = [
            changes[number] for number in effect.numbers if not isinstance(steps[number], Moved | Permitted)
        ]
        if edits:
            yield from _edited(effect, edits, _only_grew(effect, steps))
        if effect.mode:
            yield f"mode {effect.mode[0]:04o} to {effect.mode[1]:04o}: {effect.after or effect.path}"


def _edited(effect: Effect, edits: Sequence[Change], only_grew: bool) -> Iterator[str]:
    """Yield the combined diff of all edits of a file, or one for each edit if its text is unknown."""
    old, new = effect.before or "/dev/null", effect.after or "/dev/null"
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
    """Yield the diff of a step whose file has changed since: only the removed text is in the journal."""
    added = lines_of(step)[1]
    removed = (
        step.removed if isinstance(step, Replaced) else step.content if isinstance(step, Removed) else b""
    )
    if removed is None:
        yield "@@ what it said is not kept any more @@"
        return
    added_note = f"; {added} line{'s' * (added != 1)} came, not known any more which" if added else ""
    removed_note = "; what went, as far as it differed:" if removed else ""
    yield f"@@ the file has changed since{added_note}{removed_note} @@"
    yield from (f"-{line}" for line in _lines(removed) or ())


def _lines(version: Version) -> list[str] | None:
    """The lines of a version, none for a missing file; None if the version is unknown."""
    if isinstance(version, Unknown):
        return None
    text = (version or b"").decode("utf-8", "replace")
    return text.removesuffix("\n").split("\n") if text else []
