"""completion_paths: paths inside the workspace that a command line may go on with, a folder at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from memtool.layouts.layout import Layout, Located
from memtool.store.workspace import Workspace
from memtool.verbs.completion.completion import MOST, Offer

_MOST_NOTES = 5_000
_HEAD = 12
"""Lines of a note in which its id is looked for: frontmatter is short."""


def readable(workspace: Workspace, typed: str, group: str | None) -> list[Offer]:
    """Files that may be printed, and folders on the way to them, whose paths begin as typed.

    Where none does, and just one note's name or id does, that note. With a group, paths in its folder.
    """
    top = workspace.layout.groups
    above = f"{top}/{group}/" if group and not f"{typed}/".startswith(f"{top}/") else ""
    found = _inside(workspace, typed, group, lambda at: at.place.readable, Layout.enters_readable, above)
    return found or ([] if "/" in typed or not typed else _note(workspace, typed, group))


def searched(workspace: Workspace, typed: str, group: str | None) -> list[Offer]:
    """Files that searches look into, and folders on the way to them; always from the root."""
    return _inside(workspace, typed, group, lambda at: at.place.indexed or at.role == "turn", Layout.enters)


def turns(workspace: Workspace, typed: str) -> list[Offer]:
    """Files of turns, and folders on the way to them."""
    return _inside(workspace, typed, None, lambda at: at.role == "turn", Layout.enters)


def _inside(
    workspace: Workspace,
    typed: str,
    group: str | None,
    wanted: Callable[[Located], bool],
    enters: Callable[[Layout, str], bool],
    above: str = "",
) -> list[Offer]:
    layout = workspace.layout
    folder, slash, name = (above + typed).rpartition("/")
    found = workspace.disk.folder(PurePosixPath(folder))
    if found is None:
        return []
    offers = []
    for one in sorted([*found.files, *(f"{inner}/" for inner in found.folders)]):
        if not one.startswith(name):
            continue
        path = folder + slash + one
        located = layout.role_of(path)
        fits = enters(layout, path[:-1]) if one.endswith("/") else located is not None and wanted(located)
        if fits and (group is None or _is_open_to(layout, path, group)):
            offers.append(Offer(path.removeprefix(above)))
        if len(offers) == MOST:
            break
    return offers


def _is_open_to(layout: Layout, path: str, group: str) -> bool:
    """Whether a path is, or leads to, what a group may read."""
    top, _, rest = path.partition("/")
    return top == layout.groups and rest.partition("/")[0] in {"", *layout.readable_by(group)}


def _note(workspace: Workspace, typed: str, group: str | None) -> list[Offer]:
    """The note whose file's name begins as typed, else whose id does, if there is just one."""
    for find in (_by_name, _by_id):
        found = [*find(workspace, typed, group)]
        if found:
            return [Offer(found[0], instead=True)] if len(found) == 1 else []
    return []


def _by_name(workspace: Workspace, typed: str, group: str | None) -> Iterator[str]:
    name = typed.casefold()
    return (path for path in _notes(workspace, group) if path.rpartition("/")[2].casefold().startswith(name))


def _by_id(workspace: Workspace, typed: str, group: str | None) -> Iterator[str]:
    wanted = re.compile(rf"id:[ \t]*[\"']?{re.escape(typed)}")
    for path, _ in zip(_notes(workspace, group), range(_MOST_NOTES), strict=False):
        for number, line in workspace.disk.lines(PurePosixPath(path)):
            if wanted.match(line):
                yield path
            if number == _HEAD:
                break


def _notes(workspace: Workspace, group: str | None) -> Iterator[str]:
    for path in sorted(workspace.documents().files):
        located = workspace.located(path)
        if located is not None and located.role == "note" and located.group == group:
            yield path
