"""The `.memtool` folder: what may be lost (indexes, lock, socket), kept private and never a link.

A tree from elsewhere could bring a link, a pipe or a device in place of the folder or of a file in it, and
another program could put one there while memtool works. So the folder is opened once for an operation, and
its files by their names in it; only regular files are opened.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator

from memtool.errors import OutsideWorkspace, Unwritable
from memtool.store.files.posix import error_reason, kind_name
from memtool.store.root import PRIVATE_FOLDER

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


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
        raise _no_folder(path)
    return path


def make(root: str) -> str:
    """The path of the private folder, made (0700) and hidden from git where missing.

    Raises Unwritable, OutsideWorkspace.
    """
    with opened(root):
        return os.path.join(root, PRIVATE_FOLDER)


@contextlib.contextmanager
def opened(root: str, inner: str = "", *, make: bool = True) -> Iterator[int]:
    """Open the private folder, or a folder right in it; both are made (0700) where missing if `make`.

    Raises Unwritable, OutsideWorkspace for a link or a file in place of a folder, and without `make`
    FileNotFoundError.
    """
    path = root
    with contextlib.ExitStack() as handles:
        try:
            handle = os.open(root, _FOLDER)
            handles.callback(os.close, handle)
            for name in (PRIVATE_FOLDER, inner) if inner else (PRIVATE_FOLDER,):
                path = os.path.join(path, name)
                handle = _enter(handle, name, path, make=make)
                handles.callback(os.close, handle)
                if make and name == PRIVATE_FOLDER:
                    _hide_from_git(handle)
        except OSError as error:
            if not make and isinstance(error, FileNotFoundError):
                raise
            raise Unwritable(f"{path} cannot be opened or created: {error_reason(error)}") from error
        yield handle


def open_file(handle: int, name: str, flags: int, inner: str = "") -> int:
    """Open a regular file (0600) in the open private folder, or in the folder `inner` of it.

    A pipe is not waited for, and a link not followed. Raises OSError, and OutsideWorkspace for anything that
    is there and is no regular file.
    """
    try:
        file = os.open(name, flags | _FILE, 0o600, dir_fd=handle)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.EISDIR, errno.ENXIO}:
            info = os.stat(name, dir_fd=handle, follow_symlinks=False)
            raise _no_file(inner, name, info.st_mode) from error
        raise
    mode = os.fstat(file).st_mode
    if not stat.S_ISREG(mode):
        os.close(file)
        raise _no_file(inner, name, mode)
    return file


def _enter(outer: int, name: str, path: str, *, make: bool) -> int:
    """Open a folder in an open one. Raises OSError, OutsideWorkspace."""
    try:
        return os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=outer)
    except FileNotFoundError:
        if not make:
            raise
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENOTDIR}:
            raise _no_folder(path) from error
        raise
    with contextlib.suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=outer)
    return _enter(outer, name, path, make=False)


def _hide_from_git(handle: int) -> None:
    with contextlib.suppress(FileExistsError):
        file = os.open(".gitignore", os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE, 0o600, dir_fd=handle)
        try:
            os.write(file, b"*\n")
        finally:
            os.close(file)


def _no_folder(path: str) -> OutsideWorkspace:
    return OutsideWorkspace(
        f"{path} is not a folder; remove it, because memtool needs a folder with this name"
    )


def _no_file(inner: str, name: str, mode: int) -> OutsideWorkspace:
    path = os.path.join(PRIVATE_FOLDER, inner, name)
    return OutsideWorkspace(
        f"{path} is {kind_name(mode)}, not a file; remove it, because memtool needs a file with this name"
    )
