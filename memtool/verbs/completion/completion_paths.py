"""Paths inside the workspace that complete a command line, a folder at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from memtool.layouts.layout import Layout, Located
from memtool.store.workspace import Workspace
from memtool.verbs.completion.completion import MOST, Offer

_MOST_NOTES = 5_000
_HEAD = 12
"""Lines of a note that are searched for its id; frontmatter is short."""


def readable(workspace: Workspace, typed: str, group: str | None) -> list[Offer]:
    """Return readable files, and folders that lead to them, whose paths begin as typed.

    If there are none, but exactly one note's name or id matches, return that note. With a group, paths are
    relative to its folder.
    """
    top = workspace.layout.groups
    prefix = f"{top}/{group}/" if group and not f"{typed}/".startswith(f"{top}/") else ""
    offers = _inside(
        workspace, typed, group, lambda located: located.place.readable, Layout.enters_readable, prefix
    )
    return offers or ([] if "/" in typed or not typed else _note(workspace, typed, group))


def searched(workspace: Workspace, typed: str, group: str | None) -> list[Offer]:
    """Return searchable files, and folders that lead to them, as paths from the root."""
    return _inside(
        workspace,
        typed,
        group,
        lambda located: located.place.indexed or located.role == "turn",
        Layout.enters,
    )


def turns(workspace: Workspace, typed: str) -> list[Offer]:
    """Return turn files, and folders that lead to them."""
    return _inside(workspace, typed, None, lambda located: located.role == "turn", Layout.enters)


def _inside(
    workspace: Workspace,
    typed: str,
    group: str | None,
    is_wanted: Callable[[Located], bool],
    enters: Callable[[Layout, str], bool],
    prefix: str = "",
) -> list[Offer]:
    layout = workspace.layout
    folder, slash, name = (prefix + typed).rpartition("/")
    listed = workspace.disk.folder(PurePosixPath(folder))
    if listed is None:
        return []
    offers = []
    for name_listed in sorted([*listed.files, *(f"{inner}/" for inner in listed.folders)]):
        if not name_listed.startswith(name):
            continue
        path = folder + slash + name_listed
        located = layout.role_of(path)
        fits = (
            enters(layout, path[:-1])
            if name_listed.endswith("/")
            else located is not None and is_wanted(located)
        )
        if fits and (group is None or _is_open_to(layout, path, group)):
            offers.append(Offer(path.removeprefix(prefix)))
        if len(offers) == MOST:
            break
    return offers


def _is_open_to(layout: Layout, path: str, group: str) -> bool:
    """Whether a group may read a path, or a path below it."""
    top, _, rest = path.partition("/")
    return top == layout.groups and rest.partition("/")[0] in {"", *layout.readable_by(group)}


def _note(workspace: Workspace, typed: str, group: str | None) -> list[Offer]:
    """Return the only note whose file name, or else whose id, begins as typed."""
    for search in (_by_name, _by_id):
        matches = [*search(workspace, typed, group)]
        if matches:
            return [Offer(matches[0], instead=True)] if len(matches) == 1 else []
    return []


def _by_name(workspace: Workspace, typed: str, group: str | None) -> Iterator[str]:
    name = typed.casefold()
    return (path for path in _notes(workspace, group) if path.rpartition("/")[2].casefold().startswith(name))


def _by_id(workspace: Workspace, typed: str, group: str | None) -> Iterator[str]:
    pattern = re.compile(rf"id:[ \t]*[\"']?{re.escape(typed)}")
    for path, _ in zip(_notes(workspace, group), range(_MOST_NOTES), strict=False):
        for number, line in workspace.disk.lines(PurePosixPath(path)):
            if pattern.match(line):
                yield path
            if number == _HEAD:
                break


def _notes(workspace: Workspace, group: str | None) -> Iterator[str]:
    for path in sorted(workspace.documents().files):
        located = workspace.located(path)
        if located is not None and located.role == "note" and located.group == group:
            yield path
