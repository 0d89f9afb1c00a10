"""undo: what commands did to the tree is taken back, by one plan, as long as nothing has changed since."""

from __future__ import annotations

import stat
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import dropwhile, islice
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.history.effect import Effect, effects
from memtool.core.history.undo import Conflict, Content, Entry, Every, entries, modes, reverted
from memtool.core.records.plan import Change, Create, Move, Permit, Plan, Remove, Replace
from memtool.errors import BadUsage, CannotUndo, OutsideWorkspace
from memtool.store.files.reader import etag_of
from memtool.store.root import WORKSPACE_FILE
from memtool.store.workspace import Workspace
from memtool.verbs.changes.tree import WAITING

MARKS = frozenset({"salience", "recovered", "next-run"})
"""Roles that only count or mark: a commit of nothing else is no step for `undo`, and where such a file has
changed since it stays as it is."""
_NEVER = ".git"
_ROOT = "."
_MOVING = WAITING.name
_ID = len("j-") + 12
"""Characters of a whole id."""
_TRIED = 30
"""Entries that are tried for one that can be taken back, where another cannot."""
_TOOL = "memories"


class Undone(Struct, frozen=True):
    """What was taken back, the last one first, and the plan that did it."""

    entries: tuple[Entry, ...]
    plan: Plan
    finishes: bool = False
    """Whether it is an undo that was begun before and stopped."""

    @property
    def is_other_layout(self) -> bool:
        """Whether the settings, and with them what every file is taken for, may be others now."""
        return any(str(change.path) == WORKSPACE_FILE for change in self.plan)


def undo(
    workspace: Workspace, names: Sequence[str] = (), count: int = 1, *, group: str = "", forget: bool = False
) -> Undone:
    """Take back the entries of these ids, or the last `count` that were not taken back, as one plan.

    Where no id is said and the last undo was stopped, that one is finished, and nothing else.
    The plan is an entry of the journal itself, and can be taken back in turn; not with `forget`, which keeps
    nothing of what it takes out. With a group, only what lies in its folder. Raises CannotUndo where a file
    has changed since, BadUsage for an id that there is not, and what writing raises.
    """
    with workspace.lock():
        known = entries(workspace.journal.recent())
        every = Every(one for one in known if lies_in(workspace, one, group))
        begun = None if names else _begun(workspace, every)
        rest = _of(every, begun.undoes) if begun else []
        chosen = _named(every, names) if names else rest or _last(workspace, every, count)
        if not chosen:
            return Undone((), ())
        try:
            plan = _plan(workspace, [begun, *rest] if begun and rest else chosen, every, by_count=not names)
        except CannotUndo:
            if not rest:
                raise
            plan = _plan(workspace, chosen, every, by_count=True)  # how far it came need not be known then
        done = Undone(tuple(chosen), plan, finishes=bool(rest))
        undoes = [one.id for one in chosen]

        def tidy() -> None:
            _prune(workspace, done)
            if done.is_other_layout:
                from memtool.verbs.indexing.reindex import discard_roles

                discard_roles(workspace)

        if not forget:
            workspace.commit(plan, undoes=undoes, then=tidy)
            return done
        from memtool.verbs.indexing.reindex import forgetting

        with forgetting(workspace, plan):
            workspace.commit(plan, undoes=undoes, forget=(), then=tidy)
    return done


def lies_in(workspace: Workspace, entry: Entry, group: str) -> bool:
    """Whether an entry is of a group's folder alone; every one is of the workspace, which is no group."""
    folder = PurePosixPath(workspace.layout.groups or "", group)
    return not group or (
        bool(entry.paths) and all(PurePosixPath(path).is_relative_to(folder) for path in entry.paths)
    )


def only_marks(workspace: Workspace, entry: Entry) -> bool:
    """Whether an entry changed nothing but counts and marks."""
    return bool(entry.paths) and all(_is_mark(workspace)(path) for path in entry.paths)


def entry_named(every: Iterable[Entry], name: str) -> Entry:
    """The entry of an id, which may be cut short. Raises BadUsage where none or several begin so."""
    start = name if name.startswith("j-") else f"j-{name}"
    whole = next((one for one in every if one.id == start), None) if len(start) == _ID else None
    found = [whole] if whole else [one for one in every if one.id.startswith(start)]
    if len(found) == 1:
        return found[0]
    if found:
        raise BadUsage(f"{len(found)} entries of the journal begin with {name!r}; give more of the id")
    raise BadUsage(f"the journal has no entry {name!r}; memtool log says which there are")


def _named(every: Every, names: Sequence[str]) -> list[Entry]:
    chosen = {one.id: one for one in (entry_named(every, name) for name in names)}
    for one in chosen.values():
        if one.undone:
            by = next((other.id for other in every if one.id in other.undoes and not other.undone), "")
            raise BadUsage(f"{one.id} is undone already; memtool undo {by} does it again")
    return _of(every, chosen)


def _of(every: Every, names: Collection[str]) -> list[Entry]:
    """The entries of these ids, the last one first."""
    return [*islice((one for one in every if one.id in names), len(names))]


def _begun(workspace: Workspace, every: Every) -> Entry | None:
    """The last entry, where it is an undo that was stopped.

    As far as it came it is taken back itself, before what it was to take back: so all of it can be proven.
    """
    last = next((one for one in every if not only_marks(workspace, one)), None)
    return None if last is None or last.done or not last.undoes else last


def _last(workspace: Workspace, every: Every, count: int) -> list[Entry]:
    """The last entries that did something and still stand."""
    chosen: list[Entry] = []
    for one in every:
        if len(chosen) == count:
            break
        if _stands(workspace, one) and (one.done or not _never_happened(workspace, one)):
            chosen.append(one)
    return chosen


def _stands(workspace: Workspace, one: Entry) -> bool:
    return not one.undone and not one.undoes and not only_marks(workspace, one)


def _never_happened(workspace: Workspace, entry: Entry) -> bool:
    """Whether a commit that was stopped had not begun, or left nothing."""
    try:
        return not reverted(entry.records, _reading(workspace), loose=_is_mark(workspace))
    except Conflict:
        return False


def _plan(workspace: Workspace, chosen: Sequence[Entry], every: Every, *, by_count: bool) -> Plan:
    ids = {one.id for one in chosen}
    for path in (path for one in chosen for path in one.paths):
        steps = PurePosixPath(path).parts
        if (path != _ROOT and steps[0].startswith(".") and steps[0] != _MOVING) or _NEVER in steps:
            raise OutsideWorkspace(f"{path} is no file of memory; it is not for the journal to change")
    try:
        mine = (one for one in workspace.journal.recent() if one.run in ids)
        newest = [*islice(mine, sum(len(one.records) for one in chosen))]
        found = reverted(newest[::-1], _reading(workspace), loose=_is_mark(workspace))
        moved = effects(step for record in newest[::-1] for step in record.steps)
        return (*_changes(found, moved), *_permits(workspace, found, modes(newest[::-1])))
    except Conflict as conflict:
        ids_of = [one.id for one in chosen]
        raise CannotUndo(_why(workspace, conflict, every, ids_of, by_count=by_count)) from conflict


def _before(workspace: Workspace, run: str, every: Every, ids: Sequence[str]) -> str:
    """The last entry before a run that can be taken back by itself; empty where none is near."""
    older = islice(dropwhile(lambda one: one.id != run, every), 1, None)
    for one in islice((one for one in older if one.id not in ids and _stands(workspace, one)), _TRIED):
        if one.done and not _never_happened(workspace, one):
            try:
                reverted(one.records, _reading(workspace), loose=_is_mark(workspace))
            except Conflict:
                continue
            return one.id
    return ""


def _why(
    workspace: Workspace, conflict: Conflict, every: Every, ids: Sequence[str], *, by_count: bool
) -> str:
    """What stands in the way, and what to do."""
    path, record = conflict.path, conflict.record
    what = f"{record.author.command or 'the command'} ({record.run})"
    if not conflict.kept:
        before = _before(workspace, record.run, every, ids) if by_count else ""
        hint = f"; memtool undo {before} takes back what came before it" if before else ""
        return f"what {what} took out of {path} is not kept any more; nothing was undone{hint}"
    later: list[str] = []
    for one in every:
        if one.id == record.run:
            break
        if not one.undone and not one.undoes and one.id not in ids and path in one.paths:
            later.append(one.id)
    hint = "memtool log --diff shows what it did, to be taken back by hand"
    if later:
        both = [*later, *ids]
        hint = f"what came after goes first, or with it: memtool undo {' '.join(both)}"
    return f"{path} has changed since {what}, so nothing was undone; {hint}"


def _changes(found: Mapping[str, tuple[Content, Content]], told: Iterable[Effect]) -> Plan:
    """The plan that makes of each path what it was: what comes back before what goes.

    A file that was moved is moved back, and then what else was done to it; so it stays the file that it is.
    """
    back: list[Change] = []
    gone = {path: now for path, (now, then) in found.items() if now is not None and then is None}
    moved = {one.before: one.after for one in told if one.is_moved and one.after in gone}
    by_etag = {etag_of(content): path for path, content in gone.items() if path not in moved.values()}
    for path, (now, then) in found.items():
        place = PurePosixPath(path)
        if then is None:
            continue
        if now is not None:
            back.append(Replace(place, _text(then), etag_of(now)))
        elif (source := moved.get(path) or by_etag.pop(etag_of(then), None)) is not None:
            etag = etag_of(gone.pop(source))
            back.append(Move(PurePosixPath(source), place, etag))
            if etag != etag_of(then):
                back.append(Replace(place, _text(then), etag))
        else:
            back.append(Create(place, _text(then)))
    return (*back, *(Remove(PurePosixPath(path), etag_of(content)) for path, content in gone.items()))


def _permits(
    workspace: Workspace,
    found: Mapping[str, tuple[Content, Content]],
    modes_of: Mapping[str, tuple[int, int]],
) -> Plan:
    """The changes that give back modes to what has them no more, after all else is as it was."""
    plan: Plan = ()
    for path, (now, then) in modes_of.items():
        place = PurePosixPath(path)
        was, is_to_be = found.get(path, (b"", b""))
        is_new = was is None and is_to_be is not None
        mode = None if is_new else workspace.disk.mode(place)
        if is_to_be is not None and (is_new or (mode is not None and stat.S_IMODE(mode) == now)):
            plan += (Permit(place, then, now),)
    return plan


def _prune(workspace: Workspace, done: Undone) -> None:
    """Take away the folders that nothing is left in, but for that of the memory tool, which is its root."""
    left = {change.path for change in done.plan if isinstance(change, Move | Remove)}
    for path in sorted(left, key=lambda path: -len(path.parts)):
        located = None if done.is_other_layout else workspace.located(str(path))
        is_tool = located is not None and located.role == _TOOL
        top = workspace.layout.folder(_TOOL, group=located.group) if located and is_tool else None
        workspace.disk.prune(path.parent, top)


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def _reading(workspace: Workspace) -> Callable[[str], Content]:
    return lambda path: workspace.disk.read_bytes(PurePosixPath(path))


def _is_mark(workspace: Workspace) -> Callable[[str], bool]:
    def is_mark(path: str) -> bool:
        located = workspace.located(path)
        return located is not None and located.role in MARKS

    return is_mark
