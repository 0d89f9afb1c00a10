"""Rewrite the links to files that a migration renames.

The edits are decided before the first file is renamed, stored beside the tree, and written after the last
rename, so the next run can complete an interrupted one without resolving links in a half-migrated tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from memtool.core.records.migration import MigrationStep
from memtool.core.records.plan import Create, Move, Remove
from memtool.verbs.changes.planned_tree import WAITING_FOLDER, PlannedTree
from memtool.verbs.layout.layout_link_edits import (
    LinkEditPlan,
    TreePair,
    add_link_counts,
    dump_link_edits,
    load_link_edits,
    plan_link_edits,
    write_links,
)
from memtool.verbs.notes.link_graph import MARKDOWN_SUFFIXES

StepPlanner = Callable[[PlannedTree], Iterable[MigrationStep]]


def follow_links(tree: PlannedTree, name: str, steps: StepPlanner) -> Iterator[MigrationStep]:
    """Yield the steps of a migration, then the steps that rewrite links to renamed files."""
    links_path = WAITING_FOLDER / f"{name}-links"
    document = tree.read(links_path)
    moved_targets: frozenset[str] = frozenset()
    if document is None:
        ahead = tree.copy()
        steps_made = ahead.apply_steps(steps(ahead))
        outcome = _plan_edits(tree, ahead, steps_made)
        if not outcome.edits:
            yield from steps_made
            return
        yield MigrationStep(
            "edit", links_path, plan=(Create(links_path, dump_link_edits(outcome.edits)),), shown=False
        )
        steps_made = [*add_link_counts(outcome, steps_made)]
        moved_targets = frozenset(str(step.target) for step in steps_made if step.links)
        yield from steps_made
        document = tree.read(links_path)
    else:  # an interrupted run
        yield from steps(tree)
    if document is not None:
        yield from write_links(tree, load_link_edits(document.text), moved_targets)
        yield MigrationStep("edit", links_path, plan=(Remove(links_path, document.etag),), shown=False)


def _plan_edits(tree: PlannedTree, ahead: PlannedTree, steps: Sequence[MigrationStep]) -> LinkEditPlan:
    """The link edits of a migration; none unless it renames a Markdown file."""
    renamed = [step for step in steps if _is_renamed(step)]
    if not renamed:
        return LinkEditPlan((), frozenset())
    layout = tree.workspace.layout
    files = {*tree.files(layout.can_contain_roles), *(str(step.path) for step in renamed)}
    trees = TreePair(tree, ahead, sorted(files), layout, layout, renamed, PurePosixPath, returns=False)
    return plan_link_edits(trees)


def _is_renamed(step: MigrationStep) -> bool:
    return step.path.suffix.lower() in MARKDOWN_SUFFIXES and any(
        isinstance(change, Move | Remove) and change.path == step.path for change in step.plan
    )
