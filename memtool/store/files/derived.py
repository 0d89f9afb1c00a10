"""Derived files: small files of `.memtool`, written whole or not at all, whose loss costs only time.

A workspace from elsewhere could bring such a file and lie with it. What must be believed is saved under a
signature made with the user's own key, which no workspace holds.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import os
import time

from memtool.core.integrity import sign, verify
from memtool.errors import MemtoolError, OutsideWorkspace, Unwritable
from memtool.store.files import private
from memtool.store.files.posix import error_reason, write_all
from memtool.store.root import PRIVATE_FOLDER

_MOST_SIGNED = 1 << 28
"""Bytes of a signed file that are read."""
UNFINISHED = "unfinished"
"""The folder of temporary files, each locked by its writer."""
MERGED = "merged"
"""The file that lists what merge drivers changed; see `merged_paths`."""
_NUMBERS = itertools.count()


def exists(root: str, name: str) -> bool:
    """Whether something stands in the place of a file."""
    return os.path.lexists(os.path.join(root, PRIVATE_FOLDER, name))


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

    Raises OutsideWorkspace for what stands in place of the folder. What stands in place of the file is
    replaced at the next `write`.
    """
    folder, file_name = os.path.split(name)
    try:
        with private.opened(root, folder, make=False) as handle:
            try:
                file_handle = private.open_file(handle, file_name, os.O_RDONLY, folder)
            except OutsideWorkspace:
                return None
        with open(file_handle, "rb", buffering=0) as file:
            return None if os.fstat(file_handle).st_size > most else file.readall()
    except (OSError, Unwritable):
        return None


def write(root: str, name: str, content: bytes) -> None:
    """Replace a file, whole or not at all. Raises Unwritable, OutsideWorkspace."""
    folder, file_name = os.path.split(name)
    try:
        with private.opened(root, folder) as target, private.opened(root, UNFINISHED) as source:
            temporary, handle = create_temporary(source)
            try:
                write_all(handle, content)
                os.replace(temporary, file_name, src_dir_fd=source, dst_dir_fd=target)
            except OSError:
                os.unlink(temporary, dir_fd=source)
                raise
            finally:
                os.close(handle)
    except OSError as error:
        raise Unwritable(f"{PRIVATE_FOLDER}/{name} cannot be written: {error_reason(error)}") from error


def unfinished(root: str) -> list[str]:
    """The names of the temporary files, also of running writers. Raises Unwritable, OutsideWorkspace."""
    try:
        with private.opened(root, UNFINISHED, make=False) as folder:
            return os.listdir(folder)
    except FileNotFoundError:
        return []


def sweep(root: str) -> None:
    """Remove the temporary files that dead writers left. Raises Unwritable, OutsideWorkspace."""
    with private.opened(root, UNFINISHED) as folder:
        for name in os.listdir(folder):
            with contextlib.suppress(OSError, OutsideWorkspace):
                handle = private.open_file(folder, name, os.O_RDONLY, UNFINISHED)
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    os.unlink(name, dir_fd=folder)
                finally:
                    os.close(handle)


def create_temporary(folder: int) -> tuple[str, int]:
    """A new temporary file in an open folder, locked for as long as it is open. Raises OSError.

    The lock says that its writer lives: `sweep` removes what it can lock, also in the moment before.
    """
    while True:
        name = f"{os.getpid()}-{time.time_ns():x}-{next(_NUMBERS)}"
        handle = private.open_file(folder, name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, UNFINISHED)
        fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:
            return name, handle
        os.close(handle)
