"""undo: revert what commands did to the tree, by one plan, if the files have not changed since."""

from __future__ import annotations

import functools
import re
import shlex
from collections.abc import Collection, Iterable, Sequence
from itertools import dropwhile, islice, takewhile
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.history.journal import Moved
from memtool.core.history.undo import (
    CachedEntries,
    JournalEntry,
    UndoConflict,
    journal_entries,
)
from memtool.core.records.health import count_noun
from memtool.core.records.plan import Move, Plan, Remove
from memtool.core.records.scope import Scope, sees
from memtool.core.records.unknown_id import id_hint, kind_of_id
from memtool.errors import BadUsage, CannotUndo, NotFound
from memtool.store.commit.retry import retry_when_stale
from memtool.store.root import WORKSPACE_FILE
from memtool.store.workspace import Workspace
from memtool.verbs.journal.changed_statements import changed_statements
from memtool.verbs.journal.undo_plan import (
    can_undo,
    check_paths,
    had_no_effect,
    mark_test,
    plan_entries,
    undo_command,
)
from memtool.verbs.journal.undone_lines import UndoneLines, undone_lines, undone_statements

_ID_LENGTH = len("j-") + 12
"""Characters of a full id."""
_MOST_TRIED = 30
"""Most earlier entries that are tried when an entry cannot be undone."""
_MEMORY_TOOL_ROLE = "memories"
_LOG_COMMANDS = frozenset({"append-turn", "append-daily", "session turn", "session-end", "context"})
_HOOK = "hook "
"""Commands that an agent's loop or its hooks run after each message; the user may not know of them."""


class UndoReport(Struct, frozen=True):
    """The undone entries, the newest first, and the plan that reverted them."""

    entries: tuple[JournalEntry, ...]
    plan: Plan
    completes_interrupted: bool = False
    """Whether this completed an interrupted undo."""
    lines: tuple[UndoneLines, ...] = ()
    """What the plan removes and restores in up to three files."""
    statements: tuple[str, ...] = ()
    """The statements that the plan removes from memory."""
    last_statement: tuple[JournalEntry, str] | None = None
    """The last entry that changed a statement, and its text, where only log commands are undone by number."""

    @property
    def may_change_layout(self) -> bool:
        """Whether the settings file changed, and with it possibly the layout."""
        return any(str(change.path) == WORKSPACE_FILE for change in self.plan)


@retry_when_stale
def undo(
    workspace: Workspace,
    names: Sequence[str] = (),
    count: int = 1,
    *,
    group: str = "",
    owners: Collection[str] = (),
    forget: bool = False,
) -> UndoReport:
    """Undo the entries with these ids, or the last `count` that are not undone yet, as one plan.

    Without ids, an interrupted undo is completed first, and nothing else is done. The plan is itself a
    journal entry, and can be undone; not with `forget`, which does not record the removed text. With a
    group, only entries in its folder are undone; with the tags of `owners`, none that another user made, and
    the ids of these are unknown. What hooks have queued is left to the next writer, so that
    the last entry is the one that `log` shows. Raises CannotUndo if a file has changed since, BadUsage for
    an unknown id or a count larger than the number of entries, NotFound if only `init` is left, and the
    errors of writing.
    """
    with workspace.lock(does_pending=False):
        entries = journal_entries(workspace.journal.newest_first())
        every = CachedEntries(
            item for item in entries if is_in_group(workspace, item, group) and sees(owners, owner_of(item))
        )
        unfinished = None if names else _interrupted_undo(workspace, every)
        remaining = _entries_with_ids(every, unfinished.undoes) if unfinished else []
        chosen = (
            _entries_named(every, names, owners)
            if names
            else remaining or _last_undoable(workspace, every, count, owners)
        )
        if not chosen:
            return UndoReport((), ())
        try:
            plan = _plan_undo(
                workspace,
                [unfinished, *remaining] if unfinished and remaining else chosen,
                every,
                by_count=not names,
                owners=owners,
            )
        except CannotUndo:
            if not remaining:
                raise
            # the state of the interrupted undo is then irrelevant
            plan = _plan_undo(workspace, chosen, every, by_count=True, owners=owners)
        lines = undone_lines(workspace, plan, owners)
        result = UndoReport(
            tuple(chosen),
            plan,
            completes_interrupted=bool(remaining),
            lines=lines,
            statements=undone_statements(workspace, plan, owners),
            last_statement=None if names or remaining else _last_statement(workspace, every, chosen, owners),
        )
        undoes = [entry.id for entry in chosen]

        def tidy() -> None:
            _prune(workspace, result)
            if result.may_change_layout:
                from memtool.verbs.indexing.reindex import discard_roles

                discard_roles(workspace)

        if not forget:
            workspace.commit(plan, undoes=undoes, then=tidy)
            return result
        from memtool.verbs.indexing.reindex import discard_while_forgetting

        with discard_while_forgetting(workspace, plan):
            workspace.commit(plan, undoes=undoes, forget=(), then=tidy)
    return result


def is_in_group(workspace: Workspace, entry: JournalEntry, group: str) -> bool:
    """Whether an entry changed only files in a group's folder; always true without a group."""
    group_folder = PurePosixPath(workspace.layout.groups or "", group)
    return not group or (
        bool(entry.paths) and all(PurePosixPath(path).is_relative_to(group_folder) for path in entry.paths)
    )


def owner_of(entry: JournalEntry) -> str:
    """The user who made an entry, as a tag; "" where none was named."""
    user = entry.records[0].author.user
    return f"user:{user}" if user else ""


def is_bookkeeping(workspace: Workspace, entry: JournalEntry) -> bool:
    """Whether an entry changed only counts and marks."""
    return bool(entry.paths) and all(mark_test(workspace)(path) for path in entry.paths)


def find_entry(every: Iterable[JournalEntry], name: str) -> JournalEntry:
    """The entry with an id or a unique prefix of one. Raises NotFound, BadUsage for several matches."""
    start = name if name.startswith("j-") else f"j-{name}"
    exact = next((entry for entry in every if entry.id == start), None) if len(start) == _ID_LENGTH else None
    matches = [exact] if exact else [entry for entry in every if entry.id.startswith(start)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise BadUsage(f"the ids of {len(matches)} journal entries begin with {name!r}; give more characters")
    if kind := kind_of_id(name):
        raise NotFound(
            f"{name} is the id of a {kind}, not of a journal entry; memtool trace {name} prints the entries "
            "to undo"
        )
    if re.fullmatch(r"\S+:\d+", name):
        raise NotFound(f"{name} is not a journal entry; memtool trace {name} prints the entries to undo")
    texts = {entry.id: " ".join((entry.records[0].author.command, *entry.paths)) for entry in every}
    raise NotFound(f"there is no journal entry {name!r}{id_hint(name, texts, 'memtool log')}")


def _entries_named(every: CachedEntries, names: Sequence[str], owners: Collection[str]) -> list[JournalEntry]:
    chosen = {entry.id: entry for entry in (find_entry(every, name) for name in names)}
    for entry in chosen.values():
        if entry.undone:
            undoing_id = next(
                (other.id for other in every if entry.id in other.undoes and not other.undone), ""
            )
            raise BadUsage(
                f"{entry.id} has already been undone; redo it with {undo_command(owners, undoing_id)}"
            )
    return _entries_with_ids(every, chosen)


def _entries_with_ids(every: CachedEntries, names: Collection[str]) -> list[JournalEntry]:
    """The entries with these ids, the newest first."""
    return [*islice((entry for entry in every if entry.id in names), len(names))]


def _interrupted_undo(workspace: Workspace, every: CachedEntries) -> JournalEntry | None:
    """The last entry, if it is an interrupted undo.

    What it did is reverted before the entries that it was to undo, so that every step can be verified.
    """
    last_entry = next((entry for entry in every if not is_bookkeeping(workspace, entry)), None)
    return None if last_entry is None or last_entry.done or not last_entry.undoes else last_entry


def _last_undoable(
    workspace: Workspace, every: CachedEntries, count: int, owners: Collection[str]
) -> list[JournalEntry]:
    """The last `count` entries that changed memory and are not undone; none if there are no more at all.

    `init` is never among them, because there is no workspace without it. Raises BadUsage if there are fewer
    entries, NotFound if only `init` is left.
    """
    chosen: list[JournalEntry] = []
    init_id = ""
    for entry in every:
        if len(chosen) == count or init_id:
            break
        if _is_undoable(workspace, entry) and (entry.done or not had_no_effect(workspace, entry)):
            if entry.records[0].author.command == "init":
                init_id = entry.id
            else:
                chosen.append(entry)
    if init_id and not chosen:
        raise NotFound(f"nothing to undo except init; to undo it, run {undo_command(owners, init_id)}")
    if chosen and len(chosen) < count:
        init = " (init must be undone separately, by its id)" if init_id else ""
        number = [str(len(chosen))] if len(chosen) > 1 else []
        raise BadUsage(
            f"only {count_noun(len(chosen), 'command')} can be undone{init}, not {count}; "
            f"nothing was undone; run {undo_command(owners, *number)}"
        )
    return chosen


def _last_statement(
    workspace: Workspace, every: CachedEntries, chosen: Sequence[JournalEntry], owners: Collection[str]
) -> tuple[JournalEntry, str] | None:
    """The entry with the last change of a statement, and its text, if all chosen ones are log commands."""
    scope = Scope(owners=frozenset(owners))

    def text(entry: JournalEntry) -> str:
        return changed_statements(workspace, [(entry, entry.effects)], scope)[0].text

    commands = [entry.records[0].author.command for entry in chosen]
    if not all(command in _LOG_COMMANDS or command.startswith(_HOOK) for command in commands):
        return None
    if any(map(text, chosen)):
        return None
    older = (entry for entry in every if entry not in chosen and _is_undoable(workspace, entry))
    texts = ((entry, text(entry)) for entry in islice(older, _MOST_TRIED))
    return next(((entry, words) for entry, words in texts if words), None)


def _is_undoable(workspace: Workspace, entry: JournalEntry) -> bool:
    return not entry.undone and not entry.undoes and not is_bookkeeping(workspace, entry)


def _plan_undo(
    workspace: Workspace,
    chosen: Sequence[JournalEntry],
    every: CachedEntries,
    *,
    by_count: bool,
    owners: Collection[str],
) -> Plan:
    check_paths(path for entry in chosen for path in entry.paths)
    try:
        plan = plan_entries(workspace, chosen)
    except UndoConflict as conflict:
        raise CannotUndo(
            _conflict_message(workspace, conflict, every, chosen, by_count=by_count, owners=owners)
        ) from conflict
    check_paths(str(change.path) for change in plan)  # a later command may have moved lines elsewhere
    return plan


def _undoable_before(
    workspace: Workspace, run: str, every: CachedEntries, chosen: Sequence[JournalEntry]
) -> str:
    """The id of the last entry before a run that can be undone by itself; empty if none is near.

    It is never that of `init`, without which there is no workspace.
    """
    older_entries = islice(dropwhile(lambda entry: entry.id != run, every), 1, None)
    candidates = (
        entry
        for entry in older_entries
        if entry not in chosen
        and _is_undoable(workspace, entry)
        and entry.done
        and entry.records[0].author.command != "init"
    )
    return next((entry.id for entry in islice(candidates, _MOST_TRIED) if can_undo(workspace, [entry])), "")


def _later_to_undo(
    workspace: Workspace,
    conflict: UndoConflict,
    every: CachedEntries,
    chosen: Sequence[JournalEntry],
    *,
    are_undos: bool = False,
) -> list[JournalEntry]:
    """The later entries to undo together with the chosen ones: one, else all; none if that fails.

    Entries of `undo` are among them only with `are_undos`, and no others then.
    """
    paths = {*_names(chosen, conflict)}
    is_later = takewhile(lambda entry: entry.id != conflict.record.run, every)
    later = [
        entry
        for entry in is_later
        if not entry.undone
        and bool(entry.undoes) == are_undos
        and entry not in chosen
        and {*entry.paths} & paths
    ]
    tried = [[entry] for entry in later[:-_MOST_TRIED:-1]] + [later] * (len(later) > 1)
    return next((each for each in tried if can_undo(workspace, _newest_first(every, [*each, *chosen]))), [])


def _newest_first(every: CachedEntries, chosen: Sequence[JournalEntry]) -> list[JournalEntry]:
    return _entries_with_ids(every, [entry.id for entry in chosen])


def _names(chosen: Sequence[JournalEntry], conflict: UndoConflict) -> list[str]:
    """The names that the run of a conflict gave to the file, from the first to the last."""
    names = [conflict.path]
    run = (entry for entry in chosen if entry.id == conflict.record.run)
    moves = [step for entry in run for step in entry.steps if isinstance(step, Moved)]
    for move in reversed(moves):
        names[:0] = [move.path] if move.target == names[0] else []
    for move in moves:
        names += [move.target] if move.path == names[-1] else []
    return names


def _conflict_message(
    workspace: Workspace,
    conflict: UndoConflict,
    every: CachedEntries,
    chosen: Sequence[JournalEntry],
    *,
    by_count: bool,
    owners: Collection[str],
) -> str:
    """The message for a conflict: what prevents the undo, and what to do. Each suggested command works."""
    path, record = (names := _names(chosen, conflict))[-1], conflict.record
    command = f"{record.author.command or 'the command'} ({record.run})"
    again = functools.partial(undo_command, owners)
    earlier_id = _undoable_before(workspace, record.run, every, chosen) if by_count else ""
    earlier = f"to undo an earlier command instead, run {again(earlier_id)}" if earlier_id else ""
    if not conflict.is_stored:
        text = f"the text that {command} removed from {path} is no longer stored; nothing was undone"
        if record.author.command.startswith(("forget", "facts forget --purge")):
            text = f"{command} cannot be undone; nothing was undone"
        return f"{text}; {earlier}" if earlier else text
    line = f":{conflict.line}" if conflict.line else ""
    text = f"{path}{line} has changed since {command}, so nothing was undone"
    if later := _later_to_undo(workspace, conflict, every, chosen):
        ids = " ".join(entry.id for entry in _newest_first(every, [*later, *chosen]))
        return f"{text}; undo the later changes as well: {again(ids)}"
    if undos := _later_to_undo(workspace, conflict, every, chosen, are_undos=True):
        ids = " ".join(entry.id for entry in _newest_first(every, [*undos, *chosen]))
        undone = [name for entry in undos for name in entry.undoes]
        commands = f"{again(ids)} && {again(*undone)}"
        return (
            f"{text}; redo what has been undone since, undo the command, and then undo again what was "
            f"redone: {commands}"
        )
    if len(names) > 1:
        hint = f"the command moved this file; move the file back to {names[0]} by hand"
        if record.author.command.startswith("migrate"):
            hint += ", or move all files back to the old layout with memtool migrate --to LAYOUT"
    else:
        place = "this line" if line else "the file"
        hint = f"print the change with memtool log --diff --path {shlex.quote(path)} and edit {place} by hand"
    return f"{text}; {hint}{'; ' if earlier else ''}{earlier}"


def _prune(workspace: Workspace, result: UndoReport) -> None:
    """Remove the folders that became empty, except the root folder of the memory tool."""
    changed_paths = {change.path for change in result.plan if isinstance(change, Move | Remove)}
    for path in sorted(changed_paths, key=lambda path: -len(path.parts)):
        located = None if result.may_change_layout else workspace.role_of(str(path))
        is_tool = located is not None and located.role == _MEMORY_TOOL_ROLE
        stop_at = (
            workspace.layout.folder(_MEMORY_TOOL_ROLE, group=located.group) if located and is_tool else None
        )
        workspace.disk.remove_empty_folders(path.parent, stop_at)
    if PurePosixPath(WORKSPACE_FILE) in changed_paths:  # init is undone; it made folders without files, too
        for place in workspace.layout.notes.places.values():
            workspace.disk.remove_empty_folders(PurePosixPath(place))
