"""get: the text of a memory file, for whoever may read it."""

from __future__ import annotations

from pathlib import PurePosixPath

from msgspec import Struct

from memtool.errors import BadUsage, OutsideWorkspace
from memtool.store.files import guard
from memtool.store.workspace import Workspace
from memtool.verbs.access.groups import admits


class Got(Struct, frozen=True):
    """Lines `first` to `last` of a file (from 1, both included) and their text, ends of lines included."""

    path: PurePosixPath
    first: int
    last: int
    text: str
    complete: bool
    """Whether the file ends with `last`."""


def get(
    workspace: Workspace,
    path: str,
    lines: tuple[int | None, int | None] = (None, None),
    *,
    group: str | None = None,
) -> Got | None:
    """The text of a readable memory file, or of some of its lines; None when it is not there.

    Only files that the layout lets everybody read are given, judged by the name and by where it really
    leads; for a group only its own and those of the shared group, by a path from the root or from the
    group's folder. Raises OutsideWorkspace, Unreadable.
    """
    name = _in_group(workspace, guard.clean(path), group)
    for place in (name, workspace.disk.place(name)):
        located = workspace.layout.role_of(place)
        if located is None or not located.place.readable:
            raise OutsideWorkspace(
                f"{name} is not a memory file that may be read; memtool status lists the roles of this layout"
            )
        if not admits(workspace, located, group):
            whose = "the workspace" if located.group is None else f"group {located.group!r}"
            own = f"group {group!r}" if group else "the main group"
            raise OutsideWorkspace(
                f"{place} belongs to {whose}: {own} reads its own memory and what is shared"
            )
    document = workspace.read(name)
    if document is None:
        return None
    rows = document.text.split("\n")
    ended = rows[-1] == ""
    count = len(rows) - 1 if ended else len(rows)
    first, last = lines[0] or 1, min(lines[1] or count, count)
    if lines == (None, None):
        return Got(name, 1, count, document.text, complete=True)
    chosen = rows[first - 1 : last]
    text = "\n".join(chosen) + ("\n" if chosen and (last < count or ended) else "")
    return Got(name, first, last, text, complete=last >= count)


def _in_group(workspace: Workspace, name: PurePosixPath, group: str | None) -> PurePosixPath:
    """The path of a file from the root; what does not begin at the groups' folder is the group's own."""
    if not group or name.parts[0] == workspace.layout.groups:
        return name
    return PurePosixPath(workspace.layout.groups or "", group, name)


def path_of(workspace: Workspace, role: str) -> str:
    """The path of a role that has one fixed place, from the root or from a group's folder.

    Raises BadUsage when the role has many or none.
    """
    if not workspace.has(role):
        raise BadUsage(f"the {workspace.layout.name} layout has no role {role!r}")
    places = [place for place in workspace.layout.places if place.role == role]
    if any(place.template.slots for place in places):
        raise BadUsage(f"{role} has many files; name one by its path")
    paths = [place.template.pattern for place in places]
    there = [path for path in paths if workspace.disk.stat(PurePosixPath(path)) is not None]
    if len(there) > 1:
        raise BadUsage(f"{role} has several files, {', '.join(there)}; name one by its path")
    return (there or paths)[0]
