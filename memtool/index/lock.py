"""The index's lock: one writer at a time. Readers take it only when they find the index unsealed."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import PurePath

from memtool.index.engine import BrokenIndex, IndexBusy


@contextlib.contextmanager
def held(folder: str, timeout: float) -> Iterator[None]:
    """Hold the lock of the index in `folder`: a file beside the folder, let go when its holder dies.

    Waits up to `timeout` seconds. Raises IndexBusy then, BrokenIndex where no lock can be made.
    """
    from fasteners.process_lock import InterProcessLock

    path = f"{folder}.lock"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
        regular = stat.S_ISREG(os.fstat(handle).st_mode)
        os.close(handle)
        if not regular:
            raise BrokenIndex(f"cannot be locked: {path} is not a file")
        lock = InterProcessLock(path)
        taken = lock.acquire(delay=0.002, max_delay=0.05, timeout=timeout)
    except OSError as error:
        raise BrokenIndex(f"cannot be locked: {path}: {error.strerror}") from error
    if not taken:
        raise IndexBusy(PurePath(folder), timeout)
    try:
        yield
    finally:
        lock.release()
