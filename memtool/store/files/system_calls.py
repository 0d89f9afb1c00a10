"""System calls of Linux that Python's `os` lacks: renames that lose no file, and the sync of a file system.

`renameat2` (since 3.15; see rename(2)) renames to a name that must be free, and exchanges two names.
Elsewhere the first is a test and a rename, and the second is not available. `syncfs` (see sync(2)) reports
failed writes since 5.8; before, and elsewhere, it is not used.
"""

from __future__ import annotations

import errno
import functools
import os
import re
import sys
from collections.abc import Callable
from typing import Any

from memtool.store.files.posix import exists

_NO_REPLACE, _EXCHANGE = 1, 2
"""Flags of renameat2: RENAME_NOREPLACE, RENAME_EXCHANGE."""
_UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP})
"""Errors of a kernel or file system that lacks the call or the flag."""


def rename_to_free_name(source: str, target: str, old_folder: int, folder: int) -> None:
    """Rename a file or folder to a name that does not exist. Raises FileExistsError, OSError."""
    if _renameat2(source, target, old_folder, folder, _NO_REPLACE):
        return
    if exists(target, folder):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target)
    os.rename(source, target, src_dir_fd=old_folder, dst_dir_fd=folder)


def exchange(name: str, other: str, folder: int, other_folder: int) -> bool:
    """Exchange the files of two names atomically; False where that is not possible. Raises OSError."""
    return _renameat2(name, other, folder, other_folder, _EXCHANGE)


def _renameat2(source: str, target: str, old_folder: int, folder: int, flag: int) -> bool:
    call = _system_call("renameat2")
    if call is None:
        return False
    number = call(old_folder, os.fsencode(source), folder, os.fsencode(target), flag)
    if number in _UNSUPPORTED:
        return False
    if number:
        raise OSError(number, os.strerror(number), target)
    return True


def can_sync_file_system() -> bool:
    """Whether `sync_file_system` is available, and reports failed writes."""
    return _system_call("syncfs") is not None and _kernel_version() >= (5, 8)


def sync_file_system(folder: int) -> None:
    """Write all changes of the file system of an open folder to the disk. Raises OSError."""
    call = _system_call("syncfs")
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    if number := call(folder):
        raise OSError(number, os.strerror(number))


def _kernel_version() -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", os.uname().release)[:2])


@functools.cache
def _system_call(name: str) -> Callable[..., int] | None:
    """A function of the C library, which returns an error number; None if there is none."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes  # 3 ms, and most commands call neither

    try:
        function: Any = getattr(ctypes.CDLL(None, use_errno=True), name)
    except (OSError, AttributeError):
        return None
    if name == "renameat2":
        function.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    return lambda *arguments: ctypes.get_errno() if function(*arguments) else 0
