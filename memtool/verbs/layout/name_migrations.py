"""Migrations of files under older names: daily notes, and files whose layout names an older spelling."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec.structs import replace

from memtool.core.records.migration import MigrationStep
from memtool.core.text.dates import SpelledDay, parse_day_name, resolve_day
from memtool.errors import BadUsage
from memtool.formats import daily_note
from memtool.formats.syntax import frontmatter
from memtool.layouts.layout_mapping import daily_folders
from memtool.layouts.seeds import initial_text, seed_text
from memtool.verbs.changes.planned_tree import PlannedTree
from memtool.verbs.layout.migration_step import move_step
from memtool.verbs.turns.history import history_groups

_ROLE = "daily-note"
_ENDING = ".md"


def respell_daily_notes(tree: PlannedTree) -> Iterator[MigrationStep]:
    """Yield a step for each daily note under an older name; a note with an ambiguous date is kept."""
    layout = tree.workspace.layout
    for group in history_groups(tree.workspace) if layout.place(_ROLE).grouped else [None]:
        spellings = {
            path: spelling
            for path in _candidates(tree, group)
            if (spelling := _spelling_of(path, tree, group))
        }
        first_parts = {spelling.first for spelling in spellings.values() if spelling.first}
        ambiguous = [path for path, spelling in spellings.items() if len(spelling.days) > 1]
        for path in (
            *sorted(ambiguous),
            *sorted(spellings.keys() - ambiguous),
        ):  # ambiguous ones first, while the others are in place
            step = _step(tree, path, spellings[path], first_parts, group)
            if step is not None:
                yield step


def _step(
    tree: PlannedTree, path: PurePosixPath, spelling: SpelledDay, first_parts: set[str], group: str | None
) -> MigrationStep | None:
    text = tree.try_read_text(path)
    if text is None or "id" in frontmatter.keys_or_empty(frontmatter.split(text)[0]):
        return None  # a zettel, which is named for its id
    day = resolve_day(spelling, first_parts, daily_note.date_of(daily_note.parse(text)))
    if day is None:
        choices = " or ".join(day.isoformat() for day in spelling.days)
        return MigrationStep("keep", path, why=f"the date in the file name is ambiguous: {choices}")
    try:
        target = tree.workspace.layout.path(_ROLE, group=group, day=day)
    except BadUsage:
        return None
    if target == path:
        return None
    step = move_step(tree, path, target, tree.workspace.layout.place(_ROLE).format)
    return step and replace(step, role=_ROLE)


def _spelling_of(path: PurePosixPath, tree: PlannedTree, group: str | None) -> SpelledDay | None:
    """The day that a path spells, in its name or in folders for year and month."""
    if path.suffix.lower() != _ENDING:
        return None
    daily_folder = tree.workspace.layout.folder(_ROLE, group=group)
    parts = path.with_suffix("").parts
    for length in (1, 3):
        steps = parts[-length:]
        if len(steps) == length and len(parts) - length >= len(daily_folder.parts):
            spelling = parse_day_name("/".join(steps))
            if spelling is not None:
                return spelling
    return None


def _candidates(tree: PlannedTree, group: str | None) -> list[PurePosixPath]:
    """Files that may be daily notes, but do not have the name of one."""
    layout = tree.workspace.layout
    daily_folder, memory_folder = (
        layout.folder(_ROLE, group=group),
        layout.folder("head", group=group).parent.parent,
    )
    paths = [daily_folder / name for name in tree.names(daily_folder)]
    for folder in dict.fromkeys(
        parent / name for parent in (daily_folder, memory_folder) for name in daily_folders()
    ):
        if folder != daily_folder and tree.workspace.disk.folder_stat(folder) is not None:
            paths += tree.below(folder)
    return [path for path in paths if _role(tree, path) in {None, "note"}]


def _role(tree: PlannedTree, path: PurePosixPath) -> str | None:
    located = tree.workspace.role_of(str(path))
    return located.role if located else None


def rename_old_files(tree: PlannedTree, role: str) -> Iterator[MigrationStep]:
    """Yield a step for each file of a role under its older name, in the workspace and in each group."""
    layout = tree.workspace.layout
    for place in layout.places:
        if place.role != role or not place.old:
            continue
        for group in history_groups(tree.workspace) if place.grouped else [None]:
            target = layout.path(role, group=group)
            path = target.with_name(PurePosixPath(place.template.pattern).name)
            if path.name in tree.names(path.parent):
                step = move_step(
                    tree,
                    path,
                    target,
                    place.format,
                    seed=initial_text(layout, target) or seed_text(layout, role),
                )
                if step is not None:
                    yield step
