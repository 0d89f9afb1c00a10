"""Daily notes whose names spell the day in another way, or that lie in a folder for themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec.structs import replace

from memtool.core.records.migration import Step
from memtool.core.text.when import SpelledDay, parse_day_name, resolve_day
from memtool.errors import BadUsage
from memtool.formats import daily_note
from memtool.formats.syntax import frontmatter
from memtool.layouts.join import daily_folders
from memtool.verbs.changes.tree import Tree
from memtool.verbs.layout.migration_step import moved
from memtool.verbs.turns.history import groups

_ROLE = "daily-note"
_ENDING = ".md"


def respelled(tree: Tree) -> Iterator[Step]:
    """A step for each such note; what could be one of two days stays where nothing tells which."""
    layout = tree.workspace.layout
    for group in groups(tree.workspace) if layout.place(_ROLE).grouped else [None]:
        named = {path: one for path in _candidates(tree, group) if (one := _spelled(path, tree, group))}
        firsts = {one.first for one in named.values() if one.first}
        doubtful = [path for path, one in named.items() if len(one.days) > 1]
        for path in (*sorted(doubtful), *sorted(named.keys() - doubtful)):  # while their neighbours are there
            step = _step(tree, path, named[path], firsts, group)
            if step is not None:
                yield step


def _step(
    tree: Tree, path: PurePosixPath, one: SpelledDay, firsts: set[str], group: str | None
) -> Step | None:
    text = tree.text(path)
    if text is None or "id" in frontmatter.keys(frontmatter.split(text)[0]):
        return None  # a zettel, which is called after its id
    day = resolve_day(one, firsts, daily_note.day(daily_note.parse(text)))
    if day is None:
        either = " or ".join(day.isoformat() for day in one.days)
        return Step("keep", path, why=f"its name can mean {either}")
    try:
        target = tree.workspace.layout.path(_ROLE, group=group, day=day)
    except BadUsage:
        return None
    if target == path:
        return None
    step = moved(tree, path, target, tree.workspace.layout.place(_ROLE).format)
    return step and replace(step, role=_ROLE)


def _spelled(path: PurePosixPath, tree: Tree, group: str | None) -> SpelledDay | None:
    """The day that a path spells: its name, or the folders of a year and a month with it."""
    if path.suffix.lower() != _ENDING:
        return None
    home = tree.workspace.layout.folder(_ROLE, group=group)
    whole = path.with_suffix("").parts
    for length in (1, 3):
        steps = whole[-length:]
        if len(steps) == length and len(whole) - length >= len(home.parts):
            found = parse_day_name("/".join(steps))
            if found is not None:
                return found
    return None


def _candidates(tree: Tree, group: str | None) -> list[PurePosixPath]:
    """Files that may be daily notes, and have not the name of one."""
    layout = tree.workspace.layout
    home, memory = layout.folder(_ROLE, group=group), layout.folder("head", group=group).parent.parent
    found = [home / name for name in tree.names(home)]
    for folder in dict.fromkeys(top / name for top in (home, memory) for name in daily_folders()):
        if folder != home and tree.workspace.disk.folder_stat(folder) is not None:
            found += tree.below(folder)
    return [path for path in found if _role(tree, path) in {None, "note"}]


def _role(tree: Tree, path: PurePosixPath) -> str | None:
    located = tree.workspace.located(str(path))
    return located.role if located else None
