"""The lock of a workspace, held from reading to committing; the system releases it if its holder dies."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from _thread import TIMEOUT_MAX, LockType, allocate_lock  # `threading` takes longer to import
from collections.abc import Iterator
from pathlib import PurePath

from memtool.errors import Locked, Unwritable
from memtool.store.files import private
from memtool.store.files.posix import error_reason
from memtool.store.root import PRIVATE_FOLDER

_NAME = "lock"
_THREADS: dict[str, LockType] = {}  # by path


@contextlib.contextmanager
def hold(root: str, timeout: float, name: str = _NAME) -> Iterator[None]:
    """Hold the workspace's lock, or another one by name; waits up to `timeout` seconds for other holders.

    The system's lock belongs to a process, so the threads of a process first queue for a thread lock. Raises
    Locked if the lock is not free in time, Unwritable if the lock file cannot be created, OutsideWorkspace if
    something else stands in its place.
    """
    deadline = time.monotonic() + timeout
    path = os.path.join(root, PRIVATE_FOLDER, name)
    thread_lock = _THREADS.setdefault(path, allocate_lock())
    if not thread_lock.acquire(timeout=min(timeout, TIMEOUT_MAX)):
        raise Locked(PurePath(path), timeout)
    try:
        with _hold_process_lock(root, name, timeout, deadline):
            yield
    finally:
        thread_lock.release()


@contextlib.contextmanager
def _hold_process_lock(root: str, name: str, timeout: float, deadline: float) -> Iterator[None]:
    path, handle = os.path.join(root, PRIVATE_FOLDER, name), None
    try:
        while handle is None:
            handle = acquire(root, name, deadline - time.monotonic())
            if handle is None:
                raise Locked(PurePath(path), timeout)
            if not _is_current(handle, path):
                os.close(handle)  # the folder was removed meanwhile; the lock is a new file now
                handle = None
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise Unwritable(
                f"no permission to write to {root} ({error_reason(error)}); run memtool as the owner of the "
                "workspace, or use --incognito to write nothing"
            ) from error
        raise Unwritable(f"{path} cannot be locked: {error_reason(error)}") from error
    try:
        yield
    finally:
        os.close(handle)


def acquire(root: str, name: str, timeout: float, *, make: bool = True) -> int | None:
    """A handle of a private file, locked until it is closed; None if it is not free in time.

    It is waited for up to `timeout` seconds. The lock is POSIX's, as earlier versions take it: it belongs to
    the process, and ends when the process closes any handle of the file. Raises OSError, Unwritable,
    OutsideWorkspace for anything but a regular file.
    """
    deadline, delay = time.monotonic() + timeout, 0.002
    with private.opened(root, make=make) as folder:
        handle = private.open_file(folder, name, os.O_RDWR | os.O_CREAT if make else os.O_RDWR)
    try:
        while True:
            try:
                fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return handle
            except (BlockingIOError, PermissionError):  # POSIX allows either
                left = deadline - time.monotonic()
            if left <= 0:
                os.close(handle)
                return None
            time.sleep(min(delay, left))
            delay = min(delay + 0.002, 0.02)
    except BaseException:
        with contextlib.suppress(OSError):
            os.close(handle)
        raise


def _is_current(handle: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.lstat(path))
    except FileNotFoundError:
        return False
