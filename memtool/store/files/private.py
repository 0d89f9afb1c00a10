"""The `.memtool` folder: what may be lost (indexes, lock, socket), kept private and never a link."""

from __future__ import annotations

import contextlib
import os
import stat

from memtool.errors import OutsideWorkspace, Unwritable
from memtool.store.files.posix import error_reason
from memtool.store.root import PRIVATE_FOLDER


def folder(root: str) -> str:
    """The path of the private folder, whether or not it is there.

    Raises OutsideWorkspace when a link or a file stands in its place: a tree from elsewhere could bring one.
    """
    path = os.path.join(root, PRIVATE_FOLDER)
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return path
    if not stat.S_ISDIR(mode):
        raise OutsideWorkspace(f"{path} is not a folder; remove it, memtool keeps its indexes there")
    return path


def make(root: str) -> str:
    """The path of the private folder, made (0700) and hidden from git where missing. Raises Unwritable."""
    path = folder(root)
    try:
        if not os.path.isdir(path):
            with contextlib.suppress(FileExistsError):
                os.mkdir(path, 0o700)
        ignore = os.path.join(path, ".gitignore")
        if not os.path.lexists(ignore):
            with open(os.open(ignore, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600), "w") as file:
                file.write("*\n")
    except OSError as error:
        raise Unwritable(f"{path} cannot be made: {error_reason(error)}") from error
    return path
