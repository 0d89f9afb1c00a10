"""Migration of compaction sections that older hosts wrote into identity files, which are in every prompt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from memtool.core.records.migration import MigrationStep, line_count
from memtool.core.records.plan import Replace
from memtool.errors import MemtoolError
from memtool.formats import compaction_section
from memtool.layouts.layout_mapping import is_identity
from memtool.layouts.seeds import seed_text
from memtool.verbs.changes.planned_tree import PlannedTree
from memtool.verbs.layout.migration_step import write_plan
from memtool.verbs.turns.history import history_groups

_TARGET_ROLE = "long-term"


def move_compactions(tree: PlannedTree) -> Iterator[MigrationStep]:
    """Yield a step for each identity file with such sections, which moves them to long-term memory."""
    layout = tree.workspace.layout
    for group in history_groups(tree.workspace):
        if group is not None and not layout.place(_TARGET_ROLE).grouped:
            continue
        target = layout.path(_TARGET_ROLE, group=group)
        for path in _identities(tree, group):
            try:
                step = _step(tree, path, target)
            except MemtoolError as error:
                tree.unread.append(str(error))
                continue
            if step is not None:
                yield step


def _step(tree: PlannedTree, path: PurePosixPath, target: PurePosixPath) -> MigrationStep | None:
    document = tree.read(path)
    if document is None or compaction_section.HEADING not in document.text:
        return None
    remaining, block = compaction_section.split_sections(
        document.text, f"<!-- session compactions moved to {target} -->"
    )
    if not block:
        return None
    target_document = tree.read(target)
    text = target_document.text if target_document else seed_text(tree.workspace.layout, _TARGET_ROLE)
    if f"\n{block}" not in f"\n{text}\n":
        text = compaction_section.append_section(text, block)
    plan = (*write_plan(tree, target, text), Replace(path, remaining, document.etag))
    return MigrationStep("merge", path, target, plan, lines=line_count(block))


def _identities(tree: PlannedTree, group: str | None) -> list[PurePosixPath]:
    layout = tree.workspace.layout
    folders = {
        layout.folder(place.role, group=group)
        for place in layout.places
        if place.format in {"core-file", "markdown"} and (group is None or place.grouped) and not place.old
    }
    paths: list[PurePosixPath] = []
    for folder in sorted(folders):
        for name in tree.names(folder):
            located = layout.locate(folder / name)
            if located is not None and located.group == group and is_identity(located, name):
                paths.append(folder / name)
    return paths
