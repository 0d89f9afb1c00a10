"""Migration of compaction sections that older hosts wrote into identity files, which are in every prompt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from memtool.core.records.migration import Step, lines_of
from memtool.core.records.plan import Replace
from memtool.errors import MemtoolError
from memtool.formats import compaction
from memtool.layouts.join import is_identity
from memtool.layouts.seeds import seed_text
from memtool.verbs.changes.tree import Tree
from memtool.verbs.layout.migration_step import put
from memtool.verbs.turns.history import groups

_TO = "long-term"


def sections(tree: Tree) -> Iterator[Step]:
    """Yield a step for each identity file with such sections, which moves them to long-term memory."""
    layout = tree.workspace.layout
    for group in groups(tree.workspace):
        if group is not None and not layout.place(_TO).grouped:
            continue
        target = layout.path(_TO, group=group)
        for path in _identities(tree, group):
            try:
                step = _step(tree, path, target)
            except MemtoolError as error:
                tree.unread.append(str(error))
                continue
            if step is not None:
                yield step


def _step(tree: Tree, path: PurePosixPath, target: PurePosixPath) -> Step | None:
    document = tree.read(path)
    if document is None or compaction.HEADING not in document.text:
        return None
    remaining, block = compaction.taken(document.text, f"<!-- session compactions moved to {target} -->")
    if not block:
        return None
    target_document = tree.read(target)
    text = target_document.text if target_document else seed_text(tree.workspace.layout, _TO)
    if f"\n{block}" not in f"\n{text}\n":
        text = compaction.add(text, block)
    plan = (*put(tree, target, text), Replace(path, remaining, document.etag))
    return Step("merge", path, target, plan, lines=lines_of(block))


def _identities(tree: Tree, group: str | None) -> list[PurePosixPath]:
    layout = tree.workspace.layout
    folders = {
        layout.folder(place.role, group=group)
        for place in layout.places
        if place.format in {"core-file", "markdown"} and (group is None or place.grouped) and not place.old
    }
    paths: list[PurePosixPath] = []
    for folder in sorted(folders):
        for name in tree.names(folder):
            located = layout.role_of(folder / name)
            if located is not None and located.group == group and is_identity(located, name):
                paths.append(folder / name)
    return paths
