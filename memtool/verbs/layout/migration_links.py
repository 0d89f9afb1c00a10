"""Links that follow the files which a migration renames.

What must be written is decided before the first file is renamed, kept beside the tree until the last one is,
and written then: so a run that was stopped is ended by the next, which need not guess what a link meant.
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
    """The steps of a migration, and after them those by which links lead where they led."""
    place = WAITING / f"{name}-links"
    kept = tree.read(place)
    told: frozenset[str] = frozenset()
    if kept is None:
        ahead = tree.copy()
        made = ahead.with_steps(steps(ahead))
        found = _followed(tree, ahead, made)
        if not found.follows:
            yield from made
            return
        yield Step("edit", place, plan=(Create(place, dumped(found.follows)),), shown=False)
        made = [*counted(found, made)]
        told = frozenset(str(step.target) for step in made if step.links)
        yield from made
        kept = tree.read(place)
    else:  # it was stopped
        yield from steps(tree)
    if kept is not None:
        yield from written(tree, loaded(kept.text), told)
        yield Step("edit", place, plan=(Remove(place, kept.etag),), shown=False)


def _followed(tree: Tree, ahead: Tree, steps: Sequence[Step]) -> Followed:
    """What must change; nothing where no file of Markdown has another path than before."""
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
