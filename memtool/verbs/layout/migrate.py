"""migrate: bring an older tree up to date with its layout, or move a tree to another layout."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.records.health import count_noun
from memtool.core.records.migration import MigrationStage, MigrationStep
from memtool.core.records.plan import Move, Remove, Replace
from memtool.errors import BadUsage, MemtoolError, PartlyApplied, StaleWrite, Unwritable
from memtool.formats.merge import source_comment
from memtool.layouts.load import load_layout
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.changes.backup import Restoration, back_up, plan_restore
from memtool.verbs.changes.planned_tree import WAITING_FOLDER, PlannedTree
from memtool.verbs.indexing.reindex import discard_roles
from memtool.verbs.layout.layout_move import LAYOUT_MIGRATION, interrupted_target, plan_layout_move
from memtool.verbs.layout.layout_summary import memory_files, summarise_move
from memtool.verbs.layout.migration_links import follow_links
from memtool.verbs.layout.migrations import MIGRATIONS, Migration

MIGRATION_NAMES = (*(migration.name for migration in MIGRATIONS), LAYOUT_MIGRATION)
"""The names of all migrations; the last is that of a move to another layout."""

_LAYOUT_PURPOSE = "files whose paths differ in the {} layout"
_MOVES_PER_COMMIT = 256
"""Moves per commit, after which the folders are synced to disk."""

Progress = Callable[[int, int], None] | None


class MigrationReport(Struct, frozen=True):
    """Every migration with its steps, the unreadable files, and the folder of the backup, if one was made.

    `mentions` are sentences about files in the root whose text still names a file by its path before,
    `summary` sentences about what a move to another layout changes.
    """

    stages: tuple[MigrationStage, ...]
    unread: tuple[str, ...]
    backup: PurePosixPath | None = None
    mentions: tuple[str, ...] = ()
    summary: tuple[str, ...] = ()


def plan_stages(
    tree: PlannedTree,
    now: datetime,
    *,
    only: Sequence[str] = (),
    to: str | None = None,
    progress: Progress = None,
    links: bool = True,
) -> tuple[MigrationStage, ...]:
    """Plan every migration in order, each on the tree as those before it leave it.

    Without `links`, links to renamed files are not followed. With `to`, a move to another layout comes last;
    a tree already in that layout needs nothing; an interrupted move is planned alone. Nothing is written;
    unreadable files are in `tree.unread`. Raises BadUsage for an unknown migration.
    """
    for name in only:
        if name not in MIGRATION_NAMES:
            raise BadUsage(f"unknown migration {name!r}; choose from {', '.join(MIGRATION_NAMES)}")
    unfinished_layout = interrupted_target(tree.workspace)
    if unfinished_layout is not None:
        if to not in {None, unfinished_layout}:
            raise BadUsage(
                f"a move to the {unfinished_layout} layout is unfinished; run memtool migrate to "
                "finish it first"
            )
        return (
            _build_stage(
                LAYOUT_MIGRATION,
                _LAYOUT_PURPOSE.format(unfinished_layout),
                plan_layout_move(tree, unfinished_layout, progress),
                tree,
            ),
        )
    is_current = to is not None and tree.workspace.layout is load_layout(to)  # a second run has nothing to do
    planned = [
        _build_stage(migration.name, migration.why, _plan_steps(migration, tree, now, links=links), tree)
        for migration in MIGRATIONS
        if not is_current and (not only or migration.name in only)
    ]
    if to is not None and (not only or LAYOUT_MIGRATION in only):
        planned.append(
            _build_stage(
                LAYOUT_MIGRATION, _LAYOUT_PURPOSE.format(to), plan_layout_move(tree, to, progress), tree
            )
        )
    return tuple(planned)


def plan_pending(workspace: Workspace, now: datetime, only: Sequence[str] = ()) -> MigrationReport:
    """Plan the migrations without links and without a move to another layout; writes nothing."""
    tree = PlannedTree(workspace)
    return MigrationReport(plan_stages(tree, now, only=only, links=False), tuple(dict.fromkeys(tree.unread)))


@retry_when_stale
def migrate(
    workspace: Workspace,
    now: datetime,
    *,
    only: Sequence[str] = (),
    to: str | None = None,
    backup: bool = False,
    progress: Progress = None,
    making: Progress = None,
) -> MigrationReport:
    """Apply every pending migration step by step, each step whole; with `to`, move to another layout.

    Planning and writing happen under one lock. After an error, the next run goes on. With `backup`, files
    that will change are copied first. `progress` receives the number of files examined, `making` that of
    steps applied. Raises BadUsage, Locked, StaleWrite, Unwritable, and PartlyApplied after the first step.
    """
    with workspace.lock():
        tree, old = PlannedTree(workspace), workspace.layout
        new = load_layout(to) if to is not None else old
        before = memory_files(tree, old) if new is not old else {}
        planned = plan_stages(tree, now, only=only, to=to, progress=progress)
        mentions: tuple[str, ...] = ()
        summary: tuple[str, ...] = ()
        if is_other_layout(planned):
            mentions = tuple(_mentions(tree, planned, is_done=workspace.writes))
        if before and is_other_layout(planned):
            after = memory_files(tree, new)
            summary = tuple(summarise_move(before, after, planned, old, new, is_done=workspace.writes))
        backup_folder = None
        if backup and workspace.writes and any(stage.pending for stage in planned):
            backup_folder = back_up(workspace, tree.final_etags(), now)
        _apply_stages(workspace, planned, making)
    unread = tuple(dict.fromkeys(tree.unread))
    return MigrationReport(planned, unread, backup_folder, mentions, summary)


@retry_when_stale
def restore_backup(workspace: Workspace, name: str | None) -> Restoration:
    """Restore the files of a backup, by default the last one. Raises as `plan_restore`."""
    with workspace.lock():
        restoration = plan_restore(workspace, name)
        workspace.commit(restoration.plan)
        if workspace.writes:
            _prune_folders(workspace, restoration.plan)
            discard_roles(workspace)
    return restoration


def is_other_layout(planned: Iterable[MigrationStage]) -> bool:
    """Whether a move to another layout is pending among the stages."""
    return any(stage.name == LAYOUT_MIGRATION and stage.pending for stage in planned)


_LINK = r"\[[^][\n]*\]\([^()\n]*\)|\[\[[^][\n]*\]\]"
"""A Markdown link or a wikilink, on one line."""


def _mentions(tree: PlannedTree, planned: Sequence[MigrationStage], *, is_done: bool) -> Iterator[str]:
    """Sentences about Markdown files in the root, such as AGENTS.md, that name a moved file in their text."""
    moved = {
        str(step.path): step.target
        for stage in planned
        for step in stage.steps
        if step.plan and step.target not in {None, step.path}
    }
    for name in sorted(tree.names(PurePosixPath())) if moved else ():
        if not name.endswith(".md"):
            continue
        document = None
        with contextlib.suppress(MemtoolError):  # whoever needs the file says why it cannot be read
            document = tree.read(PurePosixPath(name))
        # the targets of links were updated, and their labels name a file for people
        text = re.sub(_LINK, "", document.text) if document else ""
        for path, target in moved.items():
            if path not in text:
                continue
            text = text.replace(source_comment(path), "")  # it says where the text came from
            if mention := re.search(rf"(?<![\w/.-]){re.escape(path)}(?![\w/-])", text):
                line = text.count("\n", 0, mention.start()) + 1
                moves = f"{'was' if is_done else 'would be'} moved to {target}"
                then = "" if is_done else " after the migration"
                yield f"{name}:{line} still mentions {path}, which {moves}; correct the path by hand{then}"


def _apply_stages(workspace: Workspace, planned: Sequence[MigrationStage], making: Progress) -> None:
    if not workspace.writes:
        return  # a later step depends on what an earlier one would have written
    steps = [(stage, step) for stage in planned for step in stage.steps if step.plan]
    done = 0
    for batch in _batches([step for _, step in steps]):
        try:
            workspace.commit(tuple(change for step in batch for change in step.plan))
        except (StaleWrite, Unwritable) as error:
            if not done:
                raise
            raise PartlyApplied(error, f"{done} of {count_noun(len(steps), 'step')} completed") from error
        done += len(batch)
        if making is not None:
            making(done, len(steps))
    if steps:
        _prune_folders(workspace, [change for _, step in steps for change in step.plan])
        if is_other_layout(planned):
            discard_roles(workspace)


def _batches(steps: Iterable[MigrationStep]) -> Iterator[list[MigrationStep]]:
    """Yield steps that are committed together: moves between the same folders, and link edits."""
    for key, group in itertools.groupby(steps, _batch_key):
        batch = list(group)
        size = _MOVES_PER_COMMIT if key else 1
        yield from (batch[start : start + size] for start in range(0, len(batch), size))


def _batch_key(step: MigrationStep) -> tuple[PurePosixPath, PurePosixPath | None] | None:
    match step.plan:
        case (Move(path, target),):
            return path.parent, target.parent
        case (Replace(path),) if step.links:
            return path.parent, None
    return None


def _prune_folders(workspace: Workspace, plan: Iterable[object]) -> None:
    """Remove the folders that the plan left empty."""
    folders = {change.path.parent for change in plan if isinstance(change, Move | Remove)}
    for folder in sorted(folders, key=lambda folder: -len(folder.parts)):
        workspace.disk.remove_empty_folders(folder)


def _plan_steps(
    migration: Migration, tree: PlannedTree, now: datetime, *, links: bool
) -> Iterable[MigrationStep]:
    if not links and tree.read(WAITING_FOLDER / f"{migration.name}-links") is None:
        return migration.steps(tree, now)
    return follow_links(tree, migration.name, lambda current: migration.steps(current, now))


def _build_stage(name: str, why: str, steps: Iterable[MigrationStep], tree: PlannedTree) -> MigrationStage:
    applied = []
    for step in steps:
        tree.apply(step.plan)
        applied.append(step)
    return MigrationStage(name, why, tuple(applied))
