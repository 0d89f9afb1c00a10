"""log: list the entries of the journal, the newest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from memtool.core.history.file_effects import FileEffect, file_changes, net_effects, only_grew
from memtool.core.history.journal import (
    CommitStep,
    Moved,
    Permitted,
    Removed,
    Replaced,
    changed_line_counts,
    removed_text,
)
from memtool.core.history.undo import JournalEntry, journal_entries
from memtool.core.history.versions import (
    UNKNOWN,
    ContentChange,
    ContentVersion,
    UnknownContent,
    content_changes,
)
from memtool.core.records.scope import WHOLE_WORKSPACE, Scope, sees
from memtool.core.records.turn import format_moment
from memtool.core.text.diff import unified_diff
from memtool.errors import MemtoolError
from memtool.store.files.reader import TreeReader
from memtool.store.workspace import Workspace
from memtool.verbs.journal.changed_statements import ChangedStatements, changed_statements
from memtool.verbs.journal.undo import is_bookkeeping, is_in_group, owner_of


class LogRequest(Struct, frozen=True):
    """Which entries to list: at most `limit`, not before `since`, with a path that matches a pattern or role.

    `group` selects entries in its folder; `marks` includes entries that change only counts and marks. Only
    what is in `scope` is listed: no commit of another user, and no file or line of one or of other groups.
    """

    limit: int | None = None
    since: datetime | None = None
    path: str | None = None
    role: str | None = None
    group: str = ""
    marks: bool = False
    scope: Scope = WHOLE_WORKSPACE


class LogEntry(Struct, frozen=True):
    """A journal entry, its effects and statements that are in the scope, and its diff, if requested."""

    entry: JournalEntry
    effects: tuple[FileEffect, ...]
    statements: ChangedStatements
    diff: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the entry as printed with --json."""
        first = self.entry.records[0]
        return {
            "id": self.entry.id,
            "at": format_moment(first.at),
            "command": first.author.command,
            "user": first.author.user,
            "session": first.author.session,
            "done": self.entry.done,
            "undone": self.entry.undone,
            "undoes": list(self.entry.undoes),
            "text": self.statements.text,
            "changes": [row for effect in self.effects for row in _effect_json(effect, self.entry.steps)],
        }


def log(workspace: Workspace, request: LogRequest, *, diff: bool = False) -> list[LogEntry]:
    """Return the requested entries, the newest first. Raises UnreadableFile, BadUsage for an unknown role."""
    if request.role is not None:
        workspace.layout.place(request.role)
    every = journal_entries(workspace.journal.newest_first())
    is_visible = _visibility(workspace, request.scope)
    matches = (
        (entry, effects)
        for entry in every
        if _matches(workspace, entry, request)
        and ((effects := _visible_effects(entry, is_visible)) or not entry.effects)
        and sees(request.scope.owners, owner_of(entry))
    )
    chosen = [*islice(matches, request.limit)]
    statements = changed_statements(workspace, chosen, request.scope)
    if not diff:
        return [LogEntry(*each, changed) for each, changed in zip(chosen, statements, strict=True)]
    selected = [entry for entry, _ in chosen]
    changes_by_run: dict[str, list[ContentChange]] = {entry.id: [] for entry in selected}
    steps_left = sum(len(record.steps) for entry in selected for record in entry.records)
    for change in (
        content_changes(workspace.journal.newest_first(), version_reader(workspace)) if steps_left else ()
    ):
        if change.record.run in changes_by_run:
            steps_left -= 1
            changes_by_run[change.record.run].append(change)
            if not steps_left:
                break
    disk = workspace.seen_by(request.scope.owners).disk
    return [
        LogEntry(*each, changed, tuple(_diff(changes_by_run[each[0].id][::-1], request, disk, is_visible)))
        for each, changed in zip(chosen, statements, strict=True)
    ]


def _visibility(workspace: Workspace, scope: Scope) -> Callable[[FileEffect], bool]:
    """Whether an effect is on files of the groups in the scope, and on none of another user."""
    disk = workspace.seen_by(scope.owners).disk

    def is_visible(effect: FileEffect) -> bool:
        groups = {located.group if (located := workspace.role_of(path)) else None for path in effect.paths}
        return all(map(scope.admits, groups)) and not any(map(disk.is_hidden, effect.paths))

    return is_visible


def _visible_effects(entry: JournalEntry, is_visible: Callable[[FileEffect], bool]) -> tuple[FileEffect, ...]:
    return tuple(effect for effect in entry.effects if is_visible(effect))


def _matches(workspace: Workspace, entry: JournalEntry, request: LogRequest) -> bool:
    if not is_in_group(workspace, entry, request.group) or (
        request.since and entry.records[-1].at < request.since
    ):
        return False
    if not _matches_path(entry.paths, request):
        return False
    if request.role is not None:
        located_paths = map(workspace.role_of, entry.paths)
        return any(located is not None and located.role == request.role for located in located_paths)
    return request.marks or request.path is not None or not is_bookkeeping(workspace, entry)


def _matches_path(paths: Sequence[str], request: LogRequest) -> bool:
    """Whether one of these paths matches the requested pattern."""
    return request.path is None or any(fnmatchcase(path, request.path) for path in paths)


def version_reader(workspace: Workspace) -> Callable[[str], ContentVersion]:
    """Return a function that reads the current content of a path; UNKNOWN if it cannot be read."""

    def read(path: str) -> ContentVersion:
        try:
            return workspace.disk.read_bytes(PurePosixPath(path))
        except MemtoolError:
            return UNKNOWN

    return read


def _effect_json(effect: FileEffect, steps: Sequence[CommitStep]) -> Iterator[dict[str, Any]]:
    for change in file_changes(effect, steps):
        counts = (0, 0) if change.kind == "permit" else (effect.removed_lines, effect.added_lines)
        target = {} if change.target is None else {"target": change.target}
        lines = dict(zip(("removed", "added"), counts, strict=True))
        yield {"change": change.kind, "path": change.path, **target, **lines}


def _diff(
    changes: Sequence[ContentChange],
    request: LogRequest,
    disk: TreeReader,
    is_visible: Callable[[FileEffect], bool],
) -> Iterator[str]:
    steps = [effect.step for effect in changes]
    for effect in net_effects(steps):
        if not _matches_path(effect.paths, request) or not is_visible(effect):
            continue
        if effect.is_moved:
            yield from (f"rename from {effect.before}", f"rename to {effect.after}")
        edits = [
            changes[number]
            for number in effect.step_indexes
            if not isinstance(steps[number], Moved | Permitted)
        ]
        if edits:
            yield from _diff_edits(
                effect, edits, disk, only_grew=only_grew(effect, steps), is_whole=not request.scope.owners
            )
        if effect.mode:
            before, after = effect.mode
            yield f"mode changed from {before:04o} to {after:04o}: {effect.after or effect.path}"


def _diff_edits(
    effect: FileEffect, edits: Sequence[ContentChange], disk: TreeReader, *, only_grew: bool, is_whole: bool
) -> Iterator[str]:
    """Yield the combined diff of all edits of a file, or one for each edit if its text is unknown."""
    old, new = effect.before or "/dev/null", effect.after or "/dev/null"
    before = _lines(_visible(edits[0].before, effect.before or effect.path, disk))
    after = _lines(_visible(edits[-1].after, effect.after or effect.path, disk))
    if before is None or after is None:
        for edit in edits:
            yield from (f"--- {old}", f"+++ {new}", *_diff_unknown(edit.step, is_whole=is_whole))
    elif only_grew:
        yield from (f"--- {old}", f"+++ {new}", "@@ at the end @@")
        yield from (f"+{line}" for line in after[len(before) :])
    else:
        yield from unified_diff(before, after, old, new)


def _diff_unknown(step: CommitStep, *, is_whole: bool) -> Iterator[str]:
    """Yield the diff of a step whose file has changed since: only the removed text is in the journal.

    Whose lines that text has is not known; it is left out unless the whole diff is wanted.
    """
    added = changed_line_counts(step)[1]
    removed = (
        removed_text(step)
        if isinstance(step, Replaced)
        else step.content
        if isinstance(step, Removed)
        else b""
    )
    if removed is None or not is_whole:
        yield "@@ the content is not available @@"
        return
    effects = [f"added {added} line{'s' * (added != 1)} (no longer stored)"] if added else []
    effects += ["removed these lines"] if removed else []
    note = f"; this change {' and '.join(effects)}" if effects else ""
    yield f"@@ the file was changed again later{note} @@"
    yield from (f"-{line}" for line in _lines(removed) or ())


def _visible(version: ContentVersion, path: str, disk: TreeReader) -> ContentVersion:
    return disk.visible_bytes(path, version) if isinstance(version, bytes) else version


def _lines(version: ContentVersion) -> list[str] | None:
    """The lines of a version, none for a missing file; None if the version is unknown."""
    if isinstance(version, UnknownContent):
        return None
    text = (version or b"").decode("utf-8", "replace")
    return text.removesuffix("\n").split("\n") if text else []
