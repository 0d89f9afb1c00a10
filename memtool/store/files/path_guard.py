"""The path guard: resolve external names to paths inside the root, or refuse them."""

from __future__ import annotations

import functools
import os
import re
import stat
from collections.abc import Iterable
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.text.regex import regex
from memtool.errors import BadUsage, OutsideWorkspace

_ENCODED = r"%(?:25)*(?:2e|2f|5c|00)"
_SEPARATORS = r"[/\\]"


class LinkedFolder(Struct, frozen=True):
    """A link directly in the root to a folder outside of it, which the user's own configuration allows."""

    name: str
    target: str
    """The real path of the folder."""

    def contains(self, path: PurePosixPath) -> bool:
        """Whether a path of the tree is below the link."""
        return len(path.parts) > 1 and path.parts[0] == self.name


def linked_folder(root: str, name: str | None, allowed: str) -> LinkedFolder | None:
    """The link `name` in the root, if it leads to the folder `allowed`; None for any other.

    Raises BadUsage where `allowed` is not an absolute path, and for a link to a folder with the root in it.
    """
    if not allowed or name is None:
        return None
    if not os.path.isabs(allowed):
        raise BadUsage(f"groups.folder: {allowed!r} is not an absolute path")
    place, target = os.path.join(root, name), os.path.realpath(allowed)
    if not (os.path.islink(place) and os.path.isdir(place) and os.path.realpath(place) == target):
        return None
    if f"{root}/".startswith(f"{target.rstrip('/')}/"):
        raise BadUsage(
            f"groups.folder: {allowed!r} contains the workspace {root}; choose a folder that does not"
        )
    return LinkedFolder(name, target)


def check_name(name: str | PurePosixPath) -> PurePosixPath:
    """A safe relative path, checked without access to the disk.

    Raises OutsideWorkspace for an absolute path, a parent step with either kind of slash, percent-encoded
    dots and slashes (also encoded repeatedly), a NUL, a line break, a name that is too long, and a home or
    drive prefix.
    """
    return _check_text(str(name))


@functools.lru_cache(maxsize=1024)  # a command names the same files again and again
def _check_text(text: str) -> PurePosixPath:
    steps = regex(_SEPARATORS).split(text)
    if "\0" in text or "\n" in text or "\r" in text:
        raise OutsideWorkspace(f"{text!r} is not a valid path: it contains a NUL character or a line break")
    if text.startswith(("/", "\\", "~")) or regex(r"[A-Za-z]:[/\\]").match(text):
        raise OutsideWorkspace(
            f"{text} is outside the workspace; give a path relative to the workspace's root"
        )
    if ".." in steps:
        raise OutsideWorkspace(
            f"{text} contains '..', which is not allowed; give a path relative to the workspace's root"
        )
    if regex(_ENCODED, re.IGNORECASE).search(text):
        raise OutsideWorkspace(f"invalid path {text}: percent-encoded dots and slashes are not allowed")
    path = PurePosixPath(text)
    if path == PurePosixPath("."):
        what = "is the workspace's root, which is a folder" if text else "is empty"
        raise OutsideWorkspace(f"the path {what}; give the path of a file, relative to the workspace's root")
    if any(len(os.fsencode(step)) > 255 for step in path.parts) or len(os.fsencode(text)) > 4000:
        raise OutsideWorkspace(f"the path {text[:60]!r}… is too long")
    return path


def resolve(root: str, name: str | PurePosixPath, linked: LinkedFolder | None = None) -> PurePosixPath:
    """The real path of a name relative to the root (itself a real path), with symbolic links resolved.

    A path below `linked` keeps that name. Raises OutsideWorkspace as `check_name` does, and for a path that
    leaves the root, or the linked folder.
    """
    path = check_name(name)
    if linked is not None and linked.contains(path):
        return linked.name / _real_path(linked.target, PurePosixPath(*path.parts[1:]), path)
    return _real_path(root, path, path)


def _real_path(root: str, path: PurePosixPath, name: PurePosixPath) -> PurePosixPath:
    """The real path of a path below a folder, relative to that; `name` is what errors call it."""
    if not _has_link(root, path):
        return path
    try:
        target = os.path.realpath(os.path.join(root, str(path)))
    except OSError as error:  # a loop of links
        raise OutsideWorkspace(f"{name} cannot be opened: {error.strerror or error}") from error
    prefix = root if root.endswith("/") else root + "/"
    if not target.startswith(prefix):
        raise OutsideWorkspace(f"{name} leads outside the workspace through a symbolic link")
    return PurePosixPath(target[len(prefix) :])


def start_of(root: str, place: PurePosixPath, linked: LinkedFolder | None) -> tuple[str, tuple[str, ...]]:
    """The folder from which a real path is opened step by step, and the steps to its own folder."""
    if linked is not None and linked.contains(place):
        return linked.target, place.parts[1:-1]
    return root, place.parts[:-1]


def _has_link(root: str, path: PurePosixPath) -> bool:
    """Whether the root, which may have been replaced, or anything on the way to the path is a link."""
    place = root
    try:
        if stat.S_ISLNK(os.lstat(place).st_mode):
            return True
        for step in path.parts:
            place = f"{place}/{step}"
            if stat.S_ISLNK(os.lstat(place).st_mode):
                return True
    except OSError:  # nothing there, or no permission: what is below cannot be looked at either
        return False
    return False


def resolve_within(
    root: str, folder: PurePosixPath, steps: Iterable[str], linked: LinkedFolder | None = None
) -> PurePosixPath:
    """The real path of steps from a folder, relative to the root, with links and `..` resolved.

    `root` and `folder` are real paths. Raises OutsideWorkspace for a path that leaves the folder.
    """
    start, folder_steps = start_of(root, folder / "_", linked)
    base = os.path.join(start, *folder_steps)
    name = "/".join(steps)
    target = os.path.realpath(os.path.join(base, name))
    if target != base and not target.startswith(base + "/"):
        raise OutsideWorkspace(f"{name} is outside {folder}")
    return folder / target[len(base) + 1 :]
