"""The frontmatter that a new layout requires, added to the files that a move to it brings there.

The paths are stored beside the waiting files before the first file moves, and the keys are added after the
last link is written, so that the offsets of links stay valid until then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from memtool.core.records.migration import MigrationStep
from memtool.core.records.plan import Replace
from memtool.errors import MemtoolError
from memtool.formats.required_keys import missing_keys, with_required_keys
from memtool.layouts.layout import Layout
from memtool.verbs.changes.planned_tree import PlannedTree


def paths_with_required_keys(
    tree: PlannedTree, old: Layout, new: Layout, steps: Sequence[MigrationStep]
) -> Iterator[str]:
    """The new paths of the files of the old layout of which the new one requires frontmatter.

    A file that has no role in the old layout, such as a project's README.md, is left alone.
    """
    targets = {str(step.path): str(step.target) for step in steps if step.plan and step.target is not None}
    for path in tree.files(old.can_contain_roles):
        target = targets.get(path, path)
        located = new.locate(target) if old.locate(path) is not None else None
        if located is not None and located.place.required_keys(target):
            yield target


def add_required_keys(tree: PlannedTree, new: Layout, paths: Iterable[str]) -> Iterator[MigrationStep]:
    """Yield a step for each file that lacks keys: an edit, or the reason why it stays as it is.

    A path without a role is ignored, since the list of paths is a file that anybody can have written.
    """
    for name in paths:
        path, located = PurePosixPath(name), new.locate(name)
        if located is None:
            continue
        try:
            document = tree.read(path)
            missing = missing_keys(document.text, located.place.required_keys(name)) if document else ()
            if document is None or not missing:
                continue
            text = with_required_keys(
                document.text, path, missing, titled_by_heading=new.notes.titled_by_heading
            )
        except MemtoolError as error:
            yield MigrationStep("keep", path, why=str(error), role=located.role)
            continue
        yield MigrationStep(
            "edit",
            path,
            plan=(Replace(path, text, document.etag),),
            why=f"adds {' and '.join(key for key, _ in missing)} to its frontmatter",
            role=located.role,
            is_irreversible=True,
        )
