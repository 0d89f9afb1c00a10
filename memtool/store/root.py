"""Which folder is the workspace: the one that was named, else the nearest ancestor that is one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase

from memtool.errors import NoWorkspace, Unwritable

WORKSPACE_FILE = "memtool.toml"
"""The file that marks a workspace's root and holds its settings."""

PRIVATE_FOLDER = ".memtool"
"""The folder under the root for what may be lost: indexes, lock, socket."""


def find_root(start: str, named: str | None) -> str:
    """The real path of the root to use, looked for from `start` upwards unless one is `named`.

    The nearest ancestor with the settings file wins over folders that merely look like a layout: a group's
    folder and a `memory/` look like workspaces too. Raises NoWorkspace, with what to run.
    """
    if named:
        if not os.path.isdir(named):
            if os.path.lexists(named):
                raise NoWorkspace(f"{named} is no folder; name the folder of a workspace")
            raise NoWorkspace(f"{named} is not there; make a workspace with: memtool init {named}")
        return os.path.realpath(named)
    folder = os.path.realpath(start)
    for candidate in _ancestors(folder):
        if os.path.isfile(os.path.join(candidate, WORKSPACE_FILE)):
            return candidate
    if found := _recognised(folder):
        return found
    raise NoWorkspace(f"no workspace in {folder} or above it; make one with: memtool init")


def make_root(folder: str) -> None:
    """Make a folder, private, and those above it, where missing. Raises Unwritable."""
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise Unwritable(f"{folder} is there and is no folder; name another")
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
    except OSError as error:
        raise Unwritable(f"{folder} cannot be made: {(error.strerror or str(error)).lower()}") from error


def sees(root: str) -> Callable[[str], bool]:
    """What recognition asks of a tree: is this marker there?

    A marker that ends in `/` is a folder; `*` and `?` stand for any name that begins with no dot. A marker
    that begins with `@` says where the root itself lies.
    """

    def exists(marker: str) -> bool:
        if marker.startswith("@"):
            return fnmatchcase(root, f"*/{marker[1:]}")
        is_kind = os.path.isdir if marker.endswith("/") else os.path.isfile
        if "*" not in marker and "?" not in marker:
            return is_kind(os.path.join(root, marker))
        from glob import iglob

        return any(is_kind(os.path.join(root, path)) for path in iglob(marker, root_dir=root))

    return exists


def _recognised(folder: str) -> str | None:
    """The nearest ancestor that looks like a layout, unless it is a part of the tree of one further up."""
    from memtool.layouts.load import load, recognise

    found: str | None = None
    for candidate in _ancestors(folder):
        name = recognise(sees(candidate))
        if name and (found is None or load(name).claims(os.path.relpath(found, candidate))):
            found = candidate
    return found


def _ancestors(folder: str) -> Iterator[str]:
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent
