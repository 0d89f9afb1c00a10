"""Derived files: small files of `.memtool`, written whole or not at all, whose loss costs only time.

A workspace from elsewhere could bring such a file and lie with it. What must be believed is saved under a
signature made with the user's own key, which no workspace holds.
"""

from __future__ import annotations

import contextlib
import os
import stat

from memtool.core.integrity import sign, verify
from memtool.errors import MemtoolError, OutsideWorkspace, Unwritable
from memtool.store.files import private
from memtool.store.files.posix import error_reason, write_all

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_MOST_SIGNED = 1 << 28
"""Bytes of a signed file that are read."""


def load(root: str, name: str, key: bytes) -> bytes | None:
    """What was saved last; None where there is nothing, or nothing that this user's memtool saved."""
    try:
        signed = read(root, name, _MOST_SIGNED)
    except MemtoolError:
        return None
    return None if signed is None else verify(signed, key)


def save(root: str, name: str, content: bytes, key: bytes) -> bool:
    """Save a content under a signature; whether it could be. Never raises."""
    try:
        write(root, name, sign(content, key))
    except MemtoolError:
        return False
    return True


def read(root: str, name: str, most: int = 1 << 20) -> bytes | None:
    """The bytes of a file; None where there is none that can be read, or it is longer than `most`.

    Raises OutsideWorkspace.
    """
    try:
        with open(os.open(os.path.join(private.folder(root), name), _READ), "rb", buffering=0) as file:
            info = os.fstat(file.fileno())
            if not stat.S_ISREG(info.st_mode) or info.st_size > most:
                return None
            return file.readall()
    except OSError:
        return None


def write(root: str, name: str, content: bytes) -> None:
    """Replace a file, whole or not at all. Raises Unwritable, OutsideWorkspace."""
    path = os.path.join(private.make(root), name)
    folder, temporary = os.path.dirname(path), f"{path}.{os.getpid()}"
    try:
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder, 0o700)
        if not stat.S_ISDIR(os.lstat(folder).st_mode):
            raise OutsideWorkspace(f"{folder} is not a folder; remove it, memtool keeps its files there")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        handle = os.open(temporary, _NEW, 0o600)
        try:
            write_all(handle, content)
        finally:
            os.close(handle)
        os.replace(temporary, path)
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {error_reason(error)}") from error
