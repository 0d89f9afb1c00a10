"""Opening an index: its lock, its seal, and starting over where what is there cannot be trusted."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Iterator
from pathlib import PurePath
from typing import ClassVar, NamedTuple, Protocol, Self, TypeVar

from memtool.index.engine import BrokenIndex, IndexBusy, as_broken_index
from memtool.index.seal import clear, is_plain_folder, is_sealed, seal

_PEEK = 0.2
"""Seconds that a reader, who may not take the lock, waits for a writer's last step."""
_RETRY = 0.05
"""Seconds that the lock is waited for before the index is tried again: its writer seals it now and then."""


class SealedFolder(NamedTuple):
    """The folder of an index: `key` seals it, and another writer is waited for up to `wait` seconds.

    The lock is a file beside the folder, released when its holder dies.
    """

    path: str
    key: bytes
    wait: float

    def is_sealed(self) -> bool:
        """Whether the files are as memtool left them."""
        return is_sealed(self.path, self.key)

    def check(self) -> None:
        """Raise BrokenIndex where the files are not as memtool left them."""
        if not (is_plain_folder(self.path) and self.is_sealed()):
            raise BrokenIndex("was not written by this user's memtool, or was changed by something else")

    def seal(self) -> None:
        """Seal the files as they are now, so that a later stop costs no more than what came after."""
        with as_broken_index():
            seal(self.path, self.key)

    def lock(self) -> contextlib.AbstractContextManager[None]:
        """Hold the lock; see `lock_index`."""
        return lock_index(self.path, self.wait)


class StoredIndex(Protocol):
    """An engine whose index lies in a sealed folder."""

    marker: ClassVar[str]
    """The name of a file that every index of this kind has."""
    why_empty: str | None
    """Why what was there was deleted at opening, as in `BrokenIndex.why`; None if nothing was."""

    @classmethod
    def create(cls, folder: str) -> None:
        """Write the files of an empty index into an empty folder."""
        ...

    @classmethod
    def load(cls, folder: SealedFolder, *, writes: bool) -> Self:
        """The index of a folder whose seal fits. Raises BrokenIndex, also for another version's."""
        ...

    def is_current(self) -> bool:
        """Whether the files are still the ones that were opened, and sealed; reads what others committed."""
        ...

    def close(self) -> None:
        """Release the files; closing twice is fine."""
        ...


Kind = TypeVar("Kind", bound=StoredIndex)


def open_index(kind: type[Kind], folder: str, key: bytes, *, wait: float = 2.0, writes: bool = True) -> Kind:
    """The index in `folder`, whose parent exists and is no link; an empty one where none can be used.

    Nothing in the folder is opened before its seal is found to fit. While a writer is at work, what it sealed
    last is opened. `wait` is how many seconds another memtool is waited for, here and at every commit. With
    `writes=False` nothing is created, locked or deleted. Raises BrokenIndex when no index can be opened that
    way, IndexBusy when another memtool does not finish in time.
    """
    sealed = SealedFolder(folder, key, wait)
    deadline = time.monotonic() + (wait if writes else min(wait, _PEEK))
    while True:
        with contextlib.suppress(BrokenIndex):
            return _load(kind, sealed, writes=writes)
        left = deadline - time.monotonic()
        if writes:
            try:
                with lock_index(folder, max(0.0, min(left, _RETRY))):
                    return _load_or_create(kind, sealed)
            except IndexBusy:
                if left <= 0:
                    raise IndexBusy(PurePath(folder), wait) from None
        elif left <= 0 or not os.path.lexists(os.path.join(folder, kind.marker)):
            raise BrokenIndex(f"in {folder} is missing, or not as this user's memtool left it")
        else:
            time.sleep(0.01)


def discard_index(folder: str, wait: float) -> None:
    """Delete the index in `folder`, whatever it is. Raises IndexBusy, BrokenIndex."""
    with lock_index(folder, wait):
        clear(folder)


@contextlib.contextmanager
def lock_index(folder: str, timeout: float) -> Iterator[None]:
    """Hold the lock of the index in `folder`, waited for up to `timeout` seconds.

    One writer at a time; readers take it only when they find the index unsealed. Raises IndexBusy, and
    BrokenIndex where no lock can be made.
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
        acquired = lock.acquire(delay=0.002, max_delay=0.05, timeout=timeout)
    except OSError as error:
        raise BrokenIndex(f"cannot be locked: {path}: {error.strerror}") from error
    if not acquired:
        raise IndexBusy(PurePath(folder), timeout)
    try:
        yield
    finally:
        lock.release()


def _load(kind: type[Kind], folder: SealedFolder, *, writes: bool) -> Kind:
    """The index as it is. Sealed before and after: it did not change while it was being opened."""
    folder.check()
    index = kind.load(folder, writes=writes)
    if not folder.is_sealed():
        index.close()
        raise BrokenIndex("changed while it was being opened")
    return index


def _load_or_create(kind: type[Kind], folder: SealedFolder) -> Kind:
    """The index as it is, else an empty, sealed one in place of what was there."""
    try:
        return _load(kind, folder, writes=True)
    except BrokenIndex as error:
        why = error.why
    with as_broken_index():
        if not os.path.lexists(folder.path):
            os.mkdir(folder.path, 0o700)
        was_there = is_plain_folder(folder.path) and bool(os.listdir(folder.path))
        clear(folder.path)  # before anything is opened: it may hold a stranger's files
        kind.create(folder.path)
        seal(folder.path, folder.key)
    index = _load(kind, folder, writes=True)
    index.why_empty = why if was_there else None
    return index
