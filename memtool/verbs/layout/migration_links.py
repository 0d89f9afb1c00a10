"""Rewrite the links to files that a migration renames.

The edits are decided before the first file is renamed, stored beside the tree, and written after the last
rename, so the next run can complete an interrupted one without resolving links in a half-migrated tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from memtool.core.records.migration import Step
from memtool.core.records.plan import Create, Move, Remove
from memtool.verbs.changes.tree import WAITING, Tree
from memtool.verbs.layout.relayout_links import Followed, Trees, counted, dumped, followed, loaded, written
from memtool.verbs.notes.web import ENDINGS

Steps = Callable[[Tree], Iterable[Step]]


def following(tree: Tree, name: str, steps: Steps) -> Iterator[Step]:
    """Yield the steps of a migration, then the steps that rewrite links to renamed files."""
    links_path = WAITING / f"{name}-links"
    document = tree.read(links_path)
    moved_targets: frozenset[str] = frozenset()
    if document is None:
        ahead = tree.copy()
        steps_made = ahead.with_steps(steps(ahead))
        outcome = _followed(tree, ahead, steps_made)
        if not outcome.follows:
            yield from steps_made
            return
        yield Step("edit", links_path, plan=(Create(links_path, dumped(outcome.follows)),), shown=False)
        steps_made = [*counted(outcome, steps_made)]
        moved_targets = frozenset(str(step.target) for step in steps_made if step.links)
        yield from steps_made
        document = tree.read(links_path)
    else:  # an interrupted run
        yield from steps(tree)
    if document is not None:
        yield from written(tree, loaded(document.text), moved_targets)
        yield Step("edit", links_path, plan=(Remove(links_path, document.etag),), shown=False)


def _followed(tree: Tree, ahead: Tree, steps: Sequence[Step]) -> Followed:
    """The link edits of a migration; none unless it renames a Markdown file."""
    renamed = [step for step in steps if _is_renamed(step)]
    if not renamed:
        return Followed((), frozenset())
    layout = tree.workspace.layout
    files = {*tree.files(layout.enters), *(str(step.path) for step in renamed)}
    trees = Trees(tree, ahead, sorted(files), layout, layout, renamed, PurePosixPath, returns=False)
    return followed(trees)


def _is_renamed(step: Step) -> bool:
    return step.path.suffix.lower() in ENDINGS and any(
        isinstance(change, Move | Remove) and change.path == step.path for change in step.plan
    )
