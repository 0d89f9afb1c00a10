"""Files under the names that older versions gave them, where the layout knows those."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from memtool.core.records.migration import Step
from memtool.layouts.seeds import initial_text, seed_text
from memtool.verbs.changes.tree import Tree
from memtool.verbs.layout.migration_step import moved
from memtool.verbs.turns.history import groups


def renamed(tree: Tree, role: str) -> Iterator[Step]:
    """A step for each file of a role that has its old name, in the workspace and in each group."""
    layout = tree.workspace.layout
    for place in layout.places:
        if place.role != role or not place.old:
            continue
        for group in groups(tree.workspace) if place.grouped else [None]:
            target = layout.path(role, group=group)
            path = target.with_name(PurePosixPath(place.template.pattern).name)
            if path.name in tree.names(path.parent):
                step = moved(
                    tree,
                    path,
                    target,
                    place.format,
                    seed=initial_text(layout, target) or seed_text(layout, role),
                )
                if step is not None:
                    yield step
