"""undo: revert what commands did to the tree, by one plan, if the files have not changed since."""

from __future__ import annotations

import shlex
import stat
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import dropwhile, islice
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.history.file_effects import FileEffect, net_effects
from memtool.core.history.undo import (
    CachedEntries,
    FileContent,
    JournalEntry,
    UndoConflict,
    journal_entries,
    revert_contents,
    revert_modes,
)
from memtool.core.records.document import etag_of
from memtool.core.records.health import count_noun
from memtool.core.records.plan import Change, Create, Move, Permit, Plan, Remove, Replace
from memtool.core.records.scope import sees
from memtool.errors import BadUsage, CannotUndo, NotFound, OutsideWorkspace
from memtool.store.commit.retry import retry_when_stale
from memtool.store.root import WORKSPACE_FILE
from memtool.store.workspace import Workspace
from memtool.verbs.changes.planned_tree import WAITING_FOLDER

BOOKKEEPING_ROLES = frozenset({"salience", "recovered", "next-run"})
"""Bookkeeping roles: `undo` skips commits that change nothing else, and leaves such a file as it is if it has
changed since."""
_EXCLUDED_FOLDER = ".git"
_ROOT = "."
_WAITING_FOLDER = WAITING_FOLDER.name
_ID_LENGTH = len("j-") + 12
"""Characters of a full id."""
_MOST_TRIED = 30
"""Most earlier entries that are tried when an entry cannot be undone."""
_MEMORY_TOOL_ROLE = "memories"


class UndoReport(Struct, frozen=True):
    """The undone entries, the newest first, and the plan that reverted them."""

    entries: tuple[JournalEntry, ...]
    plan: Plan
    completes_interrupted: bool = False
    """Whether this completed an interrupted undo."""

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
    an unknown id or a count larger than the number of entries, and the errors of writing.
    """
    with workspace.lock(does_pending=False):
        entries = journal_entries(workspace.journal.newest_first())
        every = CachedEntries(
            item for item in entries if is_in_group(workspace, item, group) and sees(owners, owner_of(item))
        )
        unfinished = None if names else _interrupted_undo(workspace, every)
        remaining = _entries_with_ids(every, unfinished.undoes) if unfinished else []
        chosen = (
            _entries_named(every, names) if names else remaining or _last_undoable(workspace, every, count)
        )
        if not chosen:
            return UndoReport((), ())
        try:
            plan = _plan_undo(
                workspace,
                [unfinished, *remaining] if unfinished and remaining else chosen,
                every,
                by_count=not names,
            )
        except CannotUndo:
            if not remaining:
                raise
            plan = _plan_undo(
                workspace, chosen, every, by_count=True
            )  # the state of the interrupted undo is then irrelevant
        result = UndoReport(tuple(chosen), plan, completes_interrupted=bool(remaining))
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
    return bool(entry.paths) and all(_is_mark(workspace)(path) for path in entry.paths)


def find_entry(every: Iterable[JournalEntry], name: str) -> JournalEntry:
    """The entry with an id or a unique prefix of one. Raises NotFound, BadUsage for several matches."""
    start = name if name.startswith("j-") else f"j-{name}"
    exact = next((entry for entry in every if entry.id == start), None) if len(start) == _ID_LENGTH else None
    matches = [exact] if exact else [entry for entry in every if entry.id.startswith(start)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise BadUsage(f"the ids of {len(matches)} journal entries begin with {name!r}; give more characters")
    raise NotFound(f"there is no journal entry {name!r}; see memtool log")


def _entries_named(every: CachedEntries, names: Sequence[str]) -> list[JournalEntry]:
    chosen = {entry.id: entry for entry in (find_entry(every, name) for name in names)}
    for entry in chosen.values():
        if entry.undone:
            undoing_id = next(
                (other.id for other in every if entry.id in other.undoes and not other.undone), ""
            )
            raise BadUsage(f"{entry.id} is already undone; redo it with memtool undo {undoing_id}")
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


def _last_undoable(workspace: Workspace, every: CachedEntries, count: int) -> list[JournalEntry]:
    """The last `count` entries that changed memory and are not undone; none if there are no more at all.

    More than one entry never includes `init`, without which there is no workspace to redo it in. Raises
    BadUsage if there are fewer.
    """
    chosen: list[JournalEntry] = []
    is_before_init = False
    for entry in every:
        is_before_init = count > 1 and entry.records[0].author.command == "init"
        if len(chosen) == count or is_before_init:
            break
        if _is_undoable(workspace, entry) and (entry.done or not _had_no_effect(workspace, entry)):
            chosen.append(entry)
    if chosen and len(chosen) < count:
        init = " together (init must be undone alone)" if is_before_init else ""
        number = f" {len(chosen)}" if len(chosen) > 1 else ""
        raise BadUsage(
            f"only {count_noun(len(chosen), 'command')} can be undone{init}, not {count}; "
            f"nothing was undone; run memtool undo{number}"
        )
    return chosen


def _is_undoable(workspace: Workspace, entry: JournalEntry) -> bool:
    return not entry.undone and not entry.undoes and not is_bookkeeping(workspace, entry)


def _had_no_effect(workspace: Workspace, entry: JournalEntry) -> bool:
    """Whether an interrupted commit had no effect."""
    try:
        return not revert_contents(entry.records, _content_reader(workspace), may_skip=_is_mark(workspace))
    except UndoConflict:
        return False


def _plan_undo(
    workspace: Workspace, chosen: Sequence[JournalEntry], every: CachedEntries, *, by_count: bool
) -> Plan:
    ids = {entry.id for entry in chosen}
    for path in (path for entry in chosen for path in entry.paths):
        steps = PurePosixPath(path).parts
        if (
            path != _ROOT and steps[0].startswith(".") and steps[0] != _WAITING_FOLDER
        ) or _EXCLUDED_FOLDER in steps:
            raise OutsideWorkspace(f"{path} is not a memory file; undo changes only memory files")
    try:
        run_records = (entry for entry in workspace.journal.newest_first() if entry.run in ids)
        newest_first = [*islice(run_records, sum(len(entry.records) for entry in chosen))]
        contents = revert_contents(
            newest_first[::-1],
            _content_reader(workspace),
            may_skip=_is_mark(workspace),
            newest_first=workspace.journal.newest_first,
        )
        move_effects = net_effects(step for record in newest_first[::-1] for step in record.steps)
        return (
            *_plan_contents(contents, move_effects),
            *_plan_modes(workspace, contents, revert_modes(newest_first[::-1])),
        )
    except UndoConflict as conflict:
        ids_of = [entry.id for entry in chosen]
        raise CannotUndo(
            _conflict_message(workspace, conflict, every, ids_of, by_count=by_count)
        ) from conflict


def _undoable_before(workspace: Workspace, run: str, every: CachedEntries, ids: Sequence[str]) -> str:
    """The id of the last entry before a run that can be undone by itself; empty if none is near."""
    older_entries = islice(dropwhile(lambda entry: entry.id != run, every), 1, None)
    for entry in islice(
        (entry for entry in older_entries if entry.id not in ids and _is_undoable(workspace, entry)),
        _MOST_TRIED,
    ):
        if entry.done and not _had_no_effect(workspace, entry):
            try:
                revert_contents(entry.records, _content_reader(workspace), may_skip=_is_mark(workspace))
            except UndoConflict:
                continue
            return entry.id
    return ""


def _conflict_message(
    workspace: Workspace,
    conflict: UndoConflict,
    every: CachedEntries,
    chosen_ids: Sequence[str],
    *,
    by_count: bool,
) -> str:
    """The message for a conflict: what prevents the undo, and what to do."""
    path, record = conflict.path, conflict.record
    command = f"{record.author.command or 'the command'} ({record.run})"
    if not conflict.is_stored:
        earlier_id = _undoable_before(workspace, record.run, every, chosen_ids) if by_count else ""
        hint = f"; to undo an earlier command instead, run memtool undo {earlier_id}" if earlier_id else ""
        return f"the text that {command} removed from {path} is no longer stored; nothing was undone{hint}"
    later_ids: list[str] = []
    for entry in every:
        if entry.id == record.run:
            break
        if not entry.undone and not entry.undoes and entry.id not in chosen_ids and path in entry.paths:
            later_ids.append(entry.id)
    hint = (
        f"print the change with memtool log --diff --path {shlex.quote(path)} and edit the file by hand, or "
        "revert the later edits and run undo again"
    )
    if later_ids:
        all_ids = [*later_ids, *chosen_ids]
        hint = f"undo the later changes as well: memtool undo {' '.join(all_ids)}"
    return f"{path} has changed since {command}, so nothing was undone; {hint}"


def _plan_contents(
    contents: Mapping[str, tuple[FileContent, FileContent]], move_effects: Iterable[FileEffect]
) -> Plan:
    """Plan the restoration of each path; files are restored before others are removed.

    A moved file is moved back before its content is restored, so that it stays the same file.
    """
    restored: list[Change] = []
    removed = {
        path: current
        for path, (current, target) in contents.items()
        if current is not None and target is None
    }
    moved = {
        effect.before: effect.after for effect in move_effects if effect.is_moved and effect.after in removed
    }
    by_etag = {etag_of(content): path for path, content in removed.items() if path not in moved.values()}
    for path, (current, target) in contents.items():
        place = PurePosixPath(path)
        if target is None:
            continue
        if current is not None:
            restored.append(Replace(place, _text(target), etag_of(current)))
        elif (source := moved.get(path) or by_etag.pop(etag_of(target), None)) is not None:
            etag = etag_of(removed.pop(source))
            restored.append(Move(PurePosixPath(source), place, etag))
            if etag != etag_of(target):
                restored.append(Replace(place, _text(target), etag))
        else:
            restored.append(Create(place, _text(target)))
    return (*restored, *(Remove(PurePosixPath(path), etag_of(content)) for path, content in removed.items()))


def _plan_modes(
    workspace: Workspace,
    contents: Mapping[str, tuple[FileContent, FileContent]],
    modes_of: Mapping[str, tuple[int, int]],
) -> Plan:
    """Plan the restoration of file modes, after the contents are restored."""
    plan: Plan = ()
    for path, (now, then) in modes_of.items():
        place = PurePosixPath(path)
        content_before, content_after = contents.get(path, (b"", b""))
        is_new = content_before is None and content_after is not None
        mode = None if is_new else workspace.disk.mode(place)
        if content_after is not None and (is_new or (mode is not None and stat.S_IMODE(mode) == now)):
            plan += (Permit(place, then, now),)
    return plan


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


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def _content_reader(workspace: Workspace) -> Callable[[str], FileContent]:
    return lambda path: workspace.disk.read_bytes(PurePosixPath(path))


def _is_mark(workspace: Workspace) -> Callable[[str], bool]:
    def is_mark(path: str) -> bool:
        located = workspace.role_of(path)
        return located is not None and located.role in BOOKKEEPING_ROLES

    return is_mark
