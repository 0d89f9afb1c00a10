"""get: the memory files that a caller may read, and the text of one of them."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.records.scope import Scope
from memtool.errors import BadUsage, OutsideWorkspace, UnreadableFile
from memtool.store.files import path_guard
from memtool.store.workspace import Workspace
from memtool.verbs.access.scope import visible_notices

_HIT = re.compile(r"([^:]+):([1-9][0-9]{0,8})(?:[:-].*)?\Z", re.DOTALL)

_TURN_ROLE = "turn"
"""The role of turn files, which search finds and `memtool replay` prints."""
_MIN_SIMILARITY = 0.75
"""Of the path of a file that does not exist, and of one that is suggested."""
_MOST_SAME = 3
"""Files of one name that are suggested."""


class MemoryFile(Struct, frozen=True):
    """A memory file: its path from the root, its role, and its size in bytes."""

    path: str
    role: str
    size: int


class FileListing(Struct, frozen=True):
    """Memory files, by path; `notices` name what could not be listed."""

    files: tuple[MemoryFile, ...]
    notices: tuple[str, ...] = ()


class LineRange(Struct, frozen=True):
    """Lines `first` to `last` of a file (from 1, both included) and their text, line ends included."""

    path: PurePosixPath
    first: int
    last: int
    text: str
    is_end: bool
    """Whether the file ends with `last`."""


def list_files(workspace: Workspace, scope: Scope) -> FileListing:
    """The files that `get` reads in this scope, without histories and without files of other users.

    Names that begin with a dot and links are left out.
    """
    seen = workspace.seen_by(scope.owners)
    listing = seen.document_listing()
    files = []
    for path, stat in listing.files.items():
        located = workspace.role_of(path)
        if located is not None and located.place.readable and scope.admits(located.group):
            with contextlib.suppress(OutsideWorkspace):  # a name that `get` refuses
                size = _shown_size(seen, path_guard.check_name(path)) if scope.owners else stat.size
                if size is not None:
                    files.append(MemoryFile(path, located.role, size))
    notices = [
        f"{path or 'the workspace root'} cannot be listed: {reason}" for path, reason in listing.unreadable
    ]
    return FileListing(
        tuple(sorted(files, key=lambda file: file.path)),
        tuple(visible_notices(workspace, scope, notices)),
    )


def similar_files(workspace: Workspace, name: str, scope: Scope) -> list[str]:
    """Up to three readable files of the scope with the same name as `name`, else the one most like it.

    A path with a digit is like no other: a daily note stands for no other day.
    """
    from difflib import get_close_matches

    paths = [file.path for file in list_files(workspace, scope).files]
    stem = PurePosixPath(name.casefold()).stem
    same = [path for path in paths if PurePosixPath(path.casefold()).stem == stem]
    if same or any(character.isdigit() for character in name):
        return same[:_MOST_SAME]
    return get_close_matches(name, paths, n=1, cutoff=_MIN_SIMILARITY)


def _shown_size(seen: Workspace, path: PurePosixPath) -> int | None:
    """The bytes of a file that are for the workspace's reader; None where none are or it cannot be read."""
    try:
        content = seen.disk.read_shown(path)
    except UnreadableFile:
        return None
    return None if content is None else len(content)


def get(
    workspace: Workspace, path: str, scope: Scope, lines: tuple[int | None, int | None] = (None, None)
) -> LineRange | None:
    """The text of a memory file, or of some of its lines; None when the file does not exist.

    Lines of users that are not in the scope are empty, and a file of such a user does not exist.

    Only files of roles that the layout marks as readable and of groups in `scope` are read, judged by their
    name and by where it really leads. A path begins at the root or in the group's folder. Raises
    OutsideWorkspace, UnreadableFile.
    """
    name = _from_root(workspace, path_guard.check_name(path), scope.group)
    is_hidden = any(part.startswith(".") for part in name.parts)
    has_no_role = scope.group is None and not is_hidden and workspace.layout.locate(name) is None
    if has_no_role and workspace.disk.folder_stat(name) is not None:
        raise UnreadableFile(
            f"{name} is a folder, not a file; search it with memtool search --path '{name}/*' TEXT"
        )
    if has_no_role and workspace.disk.stat(name) is None:
        return None
    for place in (name, workspace.disk.resolve(name)):
        located = workspace.layout.locate(place)
        if located is not None and located.role == _TURN_ROLE:
            group = f" --group {located.group}" if located.group else ""
            raise OutsideWorkspace(
                f"{name} is a turn file; print it with memtool replay{group} --seq {located.slots['seq']}"
            )
        if located is None or not located.place.readable:
            raise OutsideWorkspace(
                f"{name} is not a memory file; memtool status lists the roles of the "
                f"{workspace.layout.name} layout"
            )
        if not scope.admits(located.group):
            owner = "the workspace" if located.group is None else f"group {located.group!r}"
            reader = f"group {scope.group!r}" if scope.group else "the main group"
            raise OutsideWorkspace(
                f"{place} belongs to {owner}; {reader} may read only its own memory and that of group "
                f"{workspace.layout.shared_group!r}"
            )
    document = workspace.seen_by(scope.owners).read(name)
    if document is None:
        return None
    rows = document.text.split("\n")
    has_final_newline = rows[-1] == ""
    count = len(rows) - 1 if has_final_newline else len(rows)
    first, last = lines[0] or 1, min(lines[1] or count, count)
    if lines == (None, None):
        return LineRange(name, 1, count, document.text, is_end=True)
    selected = rows[first - 1 : last]
    text = "\n".join(selected) + ("\n" if selected and (last < count or has_final_newline) else "")
    return LineRange(name, first, last, text, is_end=last >= count)


def parse_hit(workspace: Workspace, text: str) -> tuple[str, int | None]:
    """The path and the line of a hit as search prints it: `MEMORY.md:12`, `MEMORY.md:12: I prefer tea`.

    The text as it is, without a line, if it has another form or a file has it for its name. Raises BadUsage
    for a range of lines.
    """
    hit = _HIT.match(text)
    if hit is None or os.path.lexists(os.path.join(workspace.root, text)):
        return text, None
    if bounds := re.fullmatch(r"[^:]+:([0-9]+)-([0-9]+)", text):
        raise BadUsage(
            f"{text!r} does not name a single line; to print several lines, run: "
            f"memtool get {hit[1]!r} --lines {bounds[1]}:{bounds[2]}"
        )
    return hit[1], int(hit[2])


def _from_root(workspace: Workspace, name: PurePosixPath, group: str | None) -> PurePosixPath:
    """The path of a file from the root; one that does not begin at the groups' folder is in the group's."""
    if not group or name.parts[0] == workspace.layout.groups:
        return name
    return PurePosixPath(workspace.layout.groups or "", group, name)


def path_of(workspace: Workspace, role: str) -> str:
    """The path of a role that has one fixed place, from the root or from a group's folder.

    Raises BadUsage when the role has many or none.
    """
    workspace.layout.place(role)  # raises for a role that the layout does not have
    places = [place for place in workspace.layout.places if place.role == role]
    if any(place.template.slots for place in places):
        raise BadUsage(f"the role {role!r} can have many files; give the path of a file")
    paths = [place.template.pattern for place in places]
    existing = [path for path in paths if workspace.disk.stat(PurePosixPath(path)) is not None]
    if len(existing) > 1:
        raise BadUsage(
            f"the role {role!r} has several files ({', '.join(existing)}); give the path of one of them"
        )
    return (existing or paths)[0]
