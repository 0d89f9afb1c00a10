"""Renames that lose no file: to a name that must be free, and the exchange of two names.

Linux has both as one operation, `renameat2` (since 3.15; see rename(2)), which Python's `os` lacks. Elsewhere
the first is a test and a rename, and the second is not available.
"""

from __future__ import annotations

import errno
import functools
import os
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
    call = _system_call()
    if call is None:
        return False
    number = call(old_folder, os.fsencode(source), folder, os.fsencode(target), flag)
    if number in _UNSUPPORTED:
        return False
    if number:
        raise OSError(number, os.strerror(number), target)
    return True


@functools.cache
def _system_call() -> Callable[[int, bytes, int, bytes, int], int] | None:
    """The C library's renameat2, which returns an error number; None if there is none."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes  # 3 ms, and most commands rename nothing

    try:
        function: Any = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return None
    function.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    return lambda *arguments: ctypes.get_errno() if function(*arguments) else 0
