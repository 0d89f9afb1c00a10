"""The `.memtool` folder: what may be lost (indexes, lock, socket), kept private and never a link."""

from __future__ import annotations

import contextlib
import os
import stat

from memtool.errors import OutsideWorkspace, Unwritable
from memtool.store.files.posix import reason, write_all
from memtool.store.root import PRIVATE_FOLDER

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


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
        raise Unwritable(f"{path} cannot be made: {reason(error)}") from error
    return path


def kept(root: str, name: str, most: int = 1 << 20) -> bytes | None:
    """A small file of the private folder; None where there is none that is ours to read."""
    try:
        handle = os.open(os.path.join(folder(root), name), _READ)
    except OSError:
        return None
    try:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode) or info.st_size > most:
            return None
        return os.read(handle, most)
    except OSError:
        return None
    finally:
        os.close(handle)


def keep(root: str, name: str, content: bytes) -> None:
    """Put a small file into the private folder, whole or not at all; its loss does no harm.

    Raises Unwritable, OutsideWorkspace.
    """
    path = os.path.join(make(root), name)
    temporary = f"{path}.{os.getpid()}"
    try:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        handle = os.open(temporary, _NEW, 0o600)
        try:
            write_all(handle, content)
        finally:
            os.close(handle)
        os.replace(temporary, path)
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {reason(error)}") from error
