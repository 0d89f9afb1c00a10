"""The lock of a workspace's fleet worker, which the process of a job inherits."""

from __future__ import annotations

import fcntl
import os

from memtool.core.digest import blake2b
from memtool.errors import Unwritable
from memtool.store.files import private
from memtool.store.files.posix import error_reason
from memtool.store.root import PRIVATE_FOLDER

_NAME = "work.lock"


class WorkerLock:
    """A lock that at most one worker of a workspace holds, with the jobs that it has started.

    It belongs to the open file, unlike a lock of POSIX. A child process that was given `handle` holds it,
    too: after a worker was killed, no other worker begins until the job that it had started has ended.
    """

    def __init__(self, root: str, handle: int) -> None:
        self._path = os.path.join(root, PRIVATE_FOLDER, _NAME)
        self.handle = handle

    @property
    def instance(self) -> str:
        """A name of this copy of the workspace: of the machine, the path and the lock file, in a digest."""
        status = os.fstat(self.handle)
        name = f"{os.uname().nodename}\0{self._path}\0{status.st_dev}\0{status.st_ino}"
        return blake2b(os.fsencode(name), digest_size=16).hexdigest()

    def is_current(self) -> bool:
        """Whether the lock file is still in its place; another worker could lock a new one."""
        try:
            return os.path.samestat(os.fstat(self.handle), os.lstat(self._path))
        except OSError:
            return False

    def release(self) -> None:
        """Close the file; where a job still runs, that ends the lock with the job."""
        os.close(self.handle)


def acquire_worker_lock(root: str) -> WorkerLock | None:
    """Lock the workspace for its worker; None if another worker, or a job that it started, holds the lock.

    Raises Unwritable, OutsideWorkspace for anything but a regular file.
    """
    try:
        with private.opened(root) as folder:
            handle = private.open_file(folder, _NAME, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise Unwritable(
            f"{root}/{PRIVATE_FOLDER}/{_NAME} cannot be opened: {error_reason(error)}"
        ) from error
    lock = WorkerLock(root, handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.release()
        return None
    except OSError as error:
        lock.release()
        raise Unwritable(
            f"{root}/{PRIVATE_FOLDER}/{_NAME} cannot be locked: {error_reason(error)}"
        ) from error
    if not lock.is_current():
        lock.release()
        return None
    return lock
