"""files: which memory files there are that whoever asks may read."""

from __future__ import annotations

import contextlib

from msgspec import Struct

from memtool.errors import OutsideWorkspace
from memtool.store.files import guard
from memtool.store.workspace import Workspace
from memtool.verbs.access.groups import admits, heard, readable_groups


class File(Struct, frozen=True):
    """A memory file: its path from the root, what it is for, and its bytes."""

    path: str
    role: str
    size: int


class Files(Struct, frozen=True):
    """The files, by path; `notices` name what could not be listed."""

    files: tuple[File, ...]
    notices: tuple[str, ...] = ()


def files(workspace: Workspace, *, group: str | None = None) -> Files:
    """The files that `get` would give, histories left out; for a group its own and the shared group's.

    Names that begin with a dot and links are passed by. Raises BadUsage for a group that there is not.
    """
    if group is not None:
        readable_groups(workspace, group)
    listing = workspace.documents()
    found = []
    for path, stat in listing.files.items():
        located = workspace.located(path)
        if located is not None and located.place.readable and admits(workspace, located, group):
            with contextlib.suppress(OutsideWorkspace):  # a name that can be given to nobody
                guard.clean(path)
                found.append(File(path, located.role, stat.size))
    unread = [f"{path or 'the root'} cannot be listed: {why}" for path, why in listing.unreadable]
    return Files(tuple(sorted(found, key=lambda one: one.path)), tuple(heard(workspace, group, unread)))
