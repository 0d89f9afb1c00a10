"""Paths inside the workspace that complete a command line, a folder at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from memtool.formats.syntax import frontmatter
from memtool.layouts.layout import Layout, LocatedFile
from memtool.store.workspace import Workspace
from memtool.verbs.completion.completion import MOST_OFFERS, CompletionOffer

_MOST_NOTES = 5_000
_MOST_ID_LINES = 12
"""Lines of a note in which its id may stand; the frontmatter of the others is not parsed."""


def readable_paths(workspace: Workspace, typed: str, group: str | None) -> list[CompletionOffer]:
    """Return readable files, and folders that lead to them, whose paths begin as typed.

    If there are none, but exactly one note's name or id matches, return that note. With a group, paths are
    relative to its folder.
    """
    top = workspace.layout.groups
    prefix = f"{top}/{group}/" if group and not f"{typed}/".startswith(f"{top}/") else ""
    offers = _paths_in_folder(
        workspace, typed, group, lambda located: located.place.readable, Layout.can_contain_readable, prefix
    )
    return offers or ([] if "/" in typed or not typed else _note(workspace, typed, group))


def searchable_paths(workspace: Workspace, typed: str, group: str | None) -> list[CompletionOffer]:
    """Return searchable files, and folders that lead to them, as paths from the root."""
    return _paths_in_folder(
        workspace,
        typed,
        group,
        lambda located: located.place.indexed or located.role == "turn",
        Layout.can_contain_roles,
    )


def turn_paths(workspace: Workspace, typed: str) -> list[CompletionOffer]:
    """Return turn files, and folders that lead to them."""
    return _paths_in_folder(
        workspace, typed, None, lambda located: located.role == "turn", Layout.can_contain_roles
    )


def _paths_in_folder(
    workspace: Workspace,
    typed: str,
    group: str | None,
    is_wanted: Callable[[LocatedFile], bool],
    enters: Callable[[Layout, str], bool],
    prefix: str = "",
) -> list[CompletionOffer]:
    layout = workspace.layout
    folder, slash, name = (prefix + typed).rpartition("/")
    listed = workspace.disk.list_folder(PurePosixPath(folder))
    if listed is None:
        return []
    offers = []
    for name_listed in sorted([*listed.files, *(f"{inner}/" for inner in listed.folders)]):
        if not name_listed.startswith(name):
            continue
        path = folder + slash + name_listed
        located = layout.locate(path)
        fits = (
            enters(layout, path[:-1])
            if name_listed.endswith("/")
            else located is not None and is_wanted(located)
        )
        if fits and (group is None or _is_open_to(layout, path, group)):
            offers.append(CompletionOffer(path.removeprefix(prefix)))
        if len(offers) == MOST_OFFERS:
            break
    return offers


def _is_open_to(layout: Layout, path: str, group: str) -> bool:
    """Whether a group may read a path, or a path below it."""
    top, _, rest = path.partition("/")
    return top == layout.groups and rest.partition("/")[0] in {"", *layout.readable_by(group)}


def _note(workspace: Workspace, typed: str, group: str | None) -> list[CompletionOffer]:
    """Return the only note whose file name, or else whose id, begins as typed."""
    for search in (_by_name, _by_id):
        matches = [*search(workspace, typed, group)]
        if matches:
            return [CompletionOffer(matches[0], replaces=True)] if len(matches) == 1 else []
    return []


def _by_name(workspace: Workspace, typed: str, group: str | None) -> Iterator[str]:
    name = typed.casefold()
    return (path for path in _notes(workspace, group) if path.rpartition("/")[2].casefold().startswith(name))


def _by_id(workspace: Workspace, typed: str, group: str | None) -> Iterator[str]:
    pattern = re.compile(rf"id:[ \t]*[\"']?{re.escape(typed)}")
    for path, _ in zip(_notes(workspace, group), range(_MOST_NOTES), strict=False):
        for number, line in workspace.disk.read_lines(PurePosixPath(path)):
            if pattern.match(line) and _id_of(workspace, PurePosixPath(path)).startswith(typed):
                yield path
            if number == _MOST_ID_LINES:
                break


def _id_of(workspace: Workspace, path: PurePosixPath) -> str:
    """The id in a note's frontmatter; "" for none."""
    document = workspace.read(path)
    return str(frontmatter.keys_or_empty(document.text).get("id") or "") if document else ""


def _notes(workspace: Workspace, group: str | None) -> Iterator[str]:
    for path in sorted(workspace.document_listing().files):
        located = workspace.role_of(path)
        if located is not None and located.role == "note" and located.group == group:
            yield path
