"""The lock of a workspace, held from reading to committing; the system releases it if its holder dies."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING

from memtool.errors import Locked, OutsideWorkspace, Unwritable
from memtool.store.files import private
from memtool.store.files.posix import error_reason
from memtool.store.root import PRIVATE_FOLDER

if TYPE_CHECKING:
    import threading

    from fasteners.process_lock import InterProcessLock


_THREADS: dict[str, threading.Lock] = {}


@contextlib.contextmanager
def hold(root: str, timeout: float) -> Iterator[None]:
    """Hold the workspace's lock; waits up to `timeout` seconds for other writers.

    The system's lock belongs to a process, so the threads of a process first queue for a thread lock. Raises
    Locked if the lock is not free in time, Unwritable if the lock file cannot be created.
    """
    import threading

    deadline = time.monotonic() + timeout
    path = os.path.join(root, PRIVATE_FOLDER, "lock")
    thread_lock = _THREADS.setdefault(root, threading.Lock())
    if not thread_lock.acquire(timeout=min(timeout, threading.TIMEOUT_MAX)):
        raise Locked(PurePath(path), timeout)
    try:
        with _hold_process_lock(root, path, timeout, deadline):
            yield
    finally:
        thread_lock.release()


@contextlib.contextmanager
def _hold_process_lock(root: str, path: str, timeout: float, deadline: float) -> Iterator[None]:
    try:
        while True:
            lock = _acquire(root, path, max(0.0, deadline - time.monotonic()))
            if lock is None:
                raise Locked(PurePath(path), timeout)
            if _is_current(lock, path):
                break
            lock.release()  # the folder was removed meanwhile; the lock is a new file now
    except OSError as error:
        raise Unwritable(f"{path} cannot be locked: {error_reason(error)}") from error
    try:
        yield
    finally:
        lock.release()


def _acquire(root: str, path: str, timeout: float) -> InterProcessLock | None:
    from fasteners.process_lock import InterProcessLock

    private.make(root)
    if os.path.islink(path):
        raise OutsideWorkspace(f"{path} is a link; remove it, memtool keeps its lock there")
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
    lock = InterProcessLock(path)
    return lock if lock.acquire(delay=0.002, max_delay=0.02, timeout=timeout) else None


def _is_current(lock: InterProcessLock, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(lock.lockfile.fileno()), os.stat(path))
    except FileNotFoundError:
        return False
