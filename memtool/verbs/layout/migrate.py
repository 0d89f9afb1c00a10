"""migrate: what a tree that is older than its layout still needs, and a tree in another layout altogether."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.records.migration import Stage, Step
from memtool.core.records.plan import Move, Plan, Remove, Replace
from memtool.errors import BadUsage, ChangedUnderway, StaleWrite
from memtool.layouts.load import load
from memtool.store.workspace import Workspace
from memtool.verbs.changes.backup import back_up, restored
from memtool.verbs.changes.tree import WAITING, Tree
from memtool.verbs.indexing.reindex import discard_roles
from memtool.verbs.layout.migration_links import following
from memtool.verbs.layout.migration_table import MIGRATIONS, Migration
from memtool.verbs.layout.relayout import LAYOUT, arranged, unfinished

NAMES = (*(one.name for one in MIGRATIONS), LAYOUT)
"""The names of all migrations; the last is that of a move to another layout."""

_WHY = "every role's files at their places in the {} layout"
_BATCH = 256
"""Files that are moved before their folders are told to reach the disk."""

Progress = Callable[[int, int], None] | None


class Migrated(Struct, frozen=True):
    """Every migration with its steps, what could not be read, and where the copies are, if any were made."""

    stages: tuple[Stage, ...]
    unread: tuple[str, ...]
    backup: PurePosixPath | None = None


def stages(
    tree: Tree,
    now: datetime,
    *,
    only: Sequence[str] = (),
    to: str | None = None,
    progress: Progress = None,
    links: bool = True,
) -> tuple[Stage, ...]:
    """Every migration with its steps in this tree, in order, each seeing what those before it did.

    Without `links` it is not looked for what links to a file that is renamed. With `to`, a move to another
    layout comes last, and nothing is done to a tree that is in it already; a move that was begun comes alone.
    Nothing is written; what could not be read is in `tree.unread`. Raises BadUsage for a name that is none.
    """
    for name in only:
        if name not in NAMES:
            raise BadUsage(f"there is no migration {name!r}; there are {', '.join(NAMES)}")
    begun = unfinished(tree.workspace)
    if begun is not None:
        if to not in {None, begun}:
            raise BadUsage(f"a move to the {begun} layout was begun; finish it first with: memtool migrate")
        return (_stage(LAYOUT, _WHY.format(begun), arranged(tree, begun, progress), tree),)
    is_there = to is not None and tree.workspace.layout is load(to)  # run twice, it does no more than once
    found = [
        _stage(one.name, one.why, _steps(one, tree, now, links=links), tree)
        for one in MIGRATIONS
        if not is_there and (not only or one.name in only)
    ]
    if to is not None and (not only or LAYOUT in only):
        found.append(_stage(LAYOUT, _WHY.format(to), arranged(tree, to, progress), tree))
    return tuple(found)


def pending(workspace: Workspace, now: datetime, only: Sequence[str] = ()) -> Migrated:
    """The same without a move to another layout and without links, for whoever only wants to know."""
    tree = Tree(workspace)
    return Migrated(stages(tree, now, only=only, links=False), tuple(dict.fromkeys(tree.unread)))


def migrate(
    workspace: Workspace,
    now: datetime,
    *,
    only: Sequence[str] = (),
    to: str | None = None,
    backup: bool = False,
    progress: Progress = None,
    making: Progress = None,
) -> Migrated:
    """Make every migration that is pending, step by step, each whole; with `to`, move to another layout.

    It is planned and made under one lock. Stopped anywhere, it can be run again. With `backup`, what will be
    touched is copied first. `progress` is told how many files were looked at, `making` how many steps made.
    Raises BadUsage, Locked, StaleWrite, Unwritable.
    """
    with workspace.lock():
        tree = Tree(workspace)
        found = stages(tree, now, only=only, to=to, progress=progress)
        copies = None
        if backup and workspace.writes and any(stage.pending for stage in found):
            copies = back_up(workspace, tree.outcome(), now)
        _make(workspace, found, making)
    return Migrated(found, tuple(dict.fromkeys(tree.unread)), copies)


def restore(workspace: Workspace, name: str | None) -> tuple[str, Plan]:
    """Put everything back as a backup has it, the last one if none is named. Raises as `restored`."""
    with workspace.lock():
        chosen, plan = restored(workspace, name)
        workspace.commit(plan)
        if workspace.writes:
            _tidy(workspace, plan)
            discard_roles(workspace)
    return chosen, plan


def is_other_layout(found: Iterable[Stage]) -> bool:
    """Whether a move to another layout is among what is to be done."""
    return any(stage.name == LAYOUT and stage.pending for stage in found)


def _make(workspace: Workspace, found: Sequence[Stage], making: Progress) -> None:
    if not workspace.writes:
        return  # a later step rests on what an earlier one would have written
    steps = [(stage, step) for stage in found for step in stage.steps if step.plan]
    done = 0
    for together in _batches([step for _, step in steps]):
        try:
            workspace.commit(tuple(change for step in together for change in step.plan))
        except StaleWrite as error:
            raise ChangedUnderway(error.path, done, len(steps)) from error
        done += len(together)
        if making is not None:
            making(done, len(steps))
    if steps:
        _tidy(workspace, [change for _, step in steps for change in step.plan])
        if is_other_layout(found):
            discard_roles(workspace)


def _batches(steps: Iterable[Step]) -> Iterator[list[Step]]:
    """Steps that can be committed together: moves from folder to folder are, and links; all else is alone."""
    for key, group in itertools.groupby(steps, _folders):
        rows = list(group)
        size = _BATCH if key else 1
        yield from (rows[start : start + size] for start in range(0, len(rows), size))


def _folders(step: Step) -> tuple[PurePosixPath, PurePosixPath | None] | None:
    match step.plan:
        case (Move(path, target),):
            return path.parent, target.parent
        case (Replace(path),) if step.links:
            return path.parent, None
    return None


def _tidy(workspace: Workspace, plan: Iterable[object]) -> None:
    """Take away the folders that nothing is left in."""
    left = {change.path.parent for change in plan if isinstance(change, Move | Remove)}
    for folder in sorted(left, key=lambda folder: -len(folder.parts)):
        workspace.disk.prune(folder)


def _steps(one: Migration, tree: Tree, now: datetime, *, links: bool) -> Iterable[Step]:
    if not links and tree.read(WAITING / f"{one.name}-links") is None:
        return one.steps(tree, now)
    return following(tree, one.name, lambda seen: one.steps(seen, now))


def _stage(name: str, why: str, steps: Iterable[Step], tree: Tree) -> Stage:
    made = []
    for step in steps:
        tree.apply(step.plan)
        made.append(step)
    return Stage(name, why, tuple(made))
