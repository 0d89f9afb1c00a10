"""Derived files: small files of `.memtool`, written whole or not at all, whose loss costs only time.

A workspace from elsewhere could bring such a file and lie with it. What must be believed is saved under a
signature made with the user's own key, which no workspace holds.
"""

from __future__ import annotations

import contextlib
import os

from memtool.core.integrity import sign, verify
from memtool.errors import MemtoolError, OutsideWorkspace, Unwritable
from memtool.store.files import private
from memtool.store.files.posix import error_reason, write_all
from memtool.store.root import PRIVATE_FOLDER

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
    temporary = f"{file_name}.{os.getpid()}"
    try:
        with private.opened(root, folder) as handle:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=handle)
            file_handle = private.open_file(handle, temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, folder)
            try:
                write_all(file_handle, content)
            finally:
                os.close(file_handle)
            os.replace(temporary, file_name, src_dir_fd=handle, dst_dir_fd=handle)
    except OSError as error:
        raise Unwritable(f"{PRIVATE_FOLDER}/{name} cannot be written: {error_reason(error)}") from error
