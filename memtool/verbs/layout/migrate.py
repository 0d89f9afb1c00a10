"""migrate: bring an older tree up to date with its layout, or move a tree to another layout."""

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

NAMES = (*(migration.name for migration in MIGRATIONS), LAYOUT)
"""The names of all migrations; the last is that of a move to another layout."""

_WHY = "every role's files at their places in the {} layout"
_BATCH = 256
"""Moves per commit, after which the folders are synced to disk."""

Progress = Callable[[int, int], None] | None


class Migrated(Struct, frozen=True):
    """Every migration with its steps, the unreadable files, and the folder of the backup, if one was made."""

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
    """Plan every migration in order, each on the tree as those before it leave it.

    Without `links`, links to renamed files are not followed. With `to`, a move to another layout comes last;
    a tree already in that layout needs nothing; an interrupted move is planned alone. Nothing is written;
    unreadable files are in `tree.unread`. Raises BadUsage for an unknown migration.
    """
    for name in only:
        if name not in NAMES:
            raise BadUsage(f"there is no migration {name!r}; there are {', '.join(NAMES)}")
    unfinished_layout = unfinished(tree.workspace)
    if unfinished_layout is not None:
        if to not in {None, unfinished_layout}:
            raise BadUsage(
                f"a move to the {unfinished_layout} layout was begun; finish it first with: memtool migrate"
            )
        return (
            _stage(LAYOUT, _WHY.format(unfinished_layout), arranged(tree, unfinished_layout, progress), tree),
        )
    is_current = to is not None and tree.workspace.layout is load(to)  # a second run has nothing to do
    planned = [
        _stage(migration.name, migration.why, _steps(migration, tree, now, links=links), tree)
        for migration in MIGRATIONS
        if not is_current and (not only or migration.name in only)
    ]
    if to is not None and (not only or LAYOUT in only):
        planned.append(_stage(LAYOUT, _WHY.format(to), arranged(tree, to, progress), tree))
    return tuple(planned)


def pending(workspace: Workspace, now: datetime, only: Sequence[str] = ()) -> Migrated:
    """Plan the migrations without links and without a move to another layout; writes nothing."""
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
    """Apply every pending migration step by step, each step whole; with `to`, move to another layout.

    Planning and writing happen under one lock. An interrupted run can be repeated. With `backup`, files that
    will change are copied first. `progress` receives the number of files examined, `making` that of steps
    applied. Raises BadUsage, Locked, StaleWrite, Unwritable.
    """
    with workspace.lock():
        tree = Tree(workspace)
        planned = stages(tree, now, only=only, to=to, progress=progress)
        backup_folder = None
        if backup and workspace.writes and any(stage.pending for stage in planned):
            backup_folder = back_up(workspace, tree.outcome(), now)
        _make(workspace, planned, making)
    return Migrated(planned, tuple(dict.fromkeys(tree.unread)), backup_folder)


def restore(workspace: Workspace, name: str | None) -> tuple[str, Plan]:
    """Restore the files of a backup, by default the last one. Raises as `restored`."""
    with workspace.lock():
        chosen, plan = restored(workspace, name)
        workspace.commit(plan)
        if workspace.writes:
            _tidy(workspace, plan)
            discard_roles(workspace)
    return chosen, plan


def is_other_layout(planned: Iterable[Stage]) -> bool:
    """Whether a move to another layout is pending among the stages."""
    return any(stage.name == LAYOUT and stage.pending for stage in planned)


def _make(workspace: Workspace, planned: Sequence[Stage], making: Progress) -> None:
    if not workspace.writes:
        return  # a later step depends on what an earlier one would have written
    steps = [(stage, step) for stage in planned for step in stage.steps if step.plan]
    done = 0
    for batch in _batches([step for _, step in steps]):
        try:
            workspace.commit(tuple(change for step in batch for change in step.plan))
        except StaleWrite as error:
            raise ChangedUnderway(error.path, done, len(steps)) from error
        done += len(batch)
        if making is not None:
            making(done, len(steps))
    if steps:
        _tidy(workspace, [change for _, step in steps for change in step.plan])
        if is_other_layout(planned):
            discard_roles(workspace)


def _batches(steps: Iterable[Step]) -> Iterator[list[Step]]:
    """Yield steps that are committed together: moves between the same folders, and link edits."""
    for key, group in itertools.groupby(steps, _folders):
        batch = list(group)
        size = _BATCH if key else 1
        yield from (batch[start : start + size] for start in range(0, len(batch), size))


def _folders(step: Step) -> tuple[PurePosixPath, PurePosixPath | None] | None:
    match step.plan:
        case (Move(path, target),):
            return path.parent, target.parent
        case (Replace(path),) if step.links:
            return path.parent, None
    return None


def _tidy(workspace: Workspace, plan: Iterable[object]) -> None:
    """Remove the folders that the plan left empty."""
    folders = {change.path.parent for change in plan if isinstance(change, Move | Remove)}
    for folder in sorted(folders, key=lambda folder: -len(folder.parts)):
        workspace.disk.prune(folder)


def _steps(migration: Migration, tree: Tree, now: datetime, *, links: bool) -> Iterable[Step]:
    if not links and tree.read(WAITING / f"{migration.name}-links") is None:
        return migration.steps(tree, now)
    return following(tree, migration.name, lambda current: migration.steps(current, now))


def _stage(name: str, why: str, steps: Iterable[Step], tree: Tree) -> Stage:
    applied = []
    for step in steps:
        tree.apply(step.plan)
        applied.append(step)
    return Stage(name, why, tuple(applied))
