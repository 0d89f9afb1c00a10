"""Opening an index: its lock, its seal, and starting over where what is there cannot be trusted."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Iterator
from pathlib import PurePath
from typing import ClassVar, Protocol, Self, TypeVar

from memtool.errors import Unwritable
from memtool.index.engine import BrokenIndex, IndexBusy, as_broken_index
from memtool.index.folder import OpenFolder
from memtool.index.seal import clear, drop_unfinished, is_sealed, seal

_PEEK = 0.2
"""Seconds that a reader, who may not take the lock, waits for a writer's last step."""
_RETRY = 0.05
"""Seconds that the lock is waited for before the index is tried again: its writer seals it now and then."""


class SealedFolder:
    """The open folder of an index: `key` seals it, and another writer is waited for up to `wait` seconds.

    `rules` are those by which the caller selects what is indexed. The lock is a file beside the folder,
    released when its holder dies.
    """

    def __init__(self, folder: OpenFolder, key: bytes, wait: float, rules: str = "") -> None:
        self.key = key
        self.wait = wait
        self.rules = rules
        self._folder = folder

    @property
    def path(self) -> str:
        """The path for what opens the files in it; see `OpenFolder`."""
        return self._folder.path

    @property
    def shown(self) -> str:
        """The path for messages, and for SQLite, which would resolve the other one."""
        return self._folder.shown

    def close(self) -> None:
        """Release the folder; closing twice is fine."""
        self._folder.close()

    def is_sealed(self) -> bool:
        """Whether the folder is where it was opened, and its files are as memtool left them."""
        return self._folder.is_in_place() and is_sealed(self.path, self.key)

    def check(self) -> None:
        """Raise BrokenIndex where the files are not as memtool left them."""
        if not self.is_sealed():
            raise BrokenIndex("was copied from another place, or changed by another program")

    def seal(self) -> None:
        """Seal the files as they are now, so that a later stop costs no more than what came after."""
        with as_broken_index():
            seal(self.path, self.key)

    def drop_unfinished(self) -> None:
        """Delete what killed writers have left; under the lock."""
        with as_broken_index():
            drop_unfinished(self.path)

    def lock(self) -> contextlib.AbstractContextManager[None]:
        """Hold the lock; see `lock_index`."""
        return lock_index(self.shown, self.wait)


class StoredIndex(Protocol):
    """An engine whose index lies in a sealed folder."""

    marker: ClassVar[str]
    """The name of a file that every index of this kind has."""
    why_empty: str | None
    """Why what was there was deleted at opening, as in `BrokenIndex.why`; None if nothing was."""

    @classmethod
    def create(cls, folder: SealedFolder) -> None:
        """Write the files of an empty index into an empty folder."""
        ...

    @classmethod
    def load(cls, folder: SealedFolder, *, writes: bool) -> Self:
        """The index of a folder whose seal fits, and which it closes. Raises BrokenIndex.

        Also for another version's.
        """
        ...

    def is_current(self) -> bool:
        """Whether the files are still the ones that were opened, and sealed; reads what others committed."""
        ...

    def close(self) -> None:
        """Release the files; closing twice is fine."""
        ...


Kind = TypeVar("Kind", bound=StoredIndex)


def open_index(
    kind: type[Kind], folder: str, key: bytes, *, wait: float = 2.0, writes: bool = True, rules: str = ""
) -> Kind:
    """The index in `folder`, whose parent exists and is no link; an empty one where none can be used.

    Nothing in the folder is opened before its seal is found to fit. While a writer is at work, what it sealed
    last is opened. `wait` is how many seconds another memtool is waited for, here and at every commit. An
    index of documents that other `rules` have selected is replaced. With
    `writes=False` nothing is created, locked or deleted. Raises BrokenIndex when no index can be opened that
    way, IndexBusy when another memtool does not finish in time.
    """
    deadline = time.monotonic() + (wait if writes else min(wait, _PEEK))
    while True:
        with contextlib.suppress(BrokenIndex):
            return _load(kind, _open_folder(folder, key, wait, rules), writes=writes)
        left = deadline - time.monotonic()
        if writes:
            try:
                with lock_index(folder, max(0.0, min(left, _RETRY))):
                    return _load_or_create(kind, folder, key, wait, rules)
            except IndexBusy:
                if left <= 0:
                    raise IndexBusy(PurePath(folder), wait) from None
        elif left <= 0 or not os.path.lexists(os.path.join(folder, kind.marker)):
            raise BrokenIndex(f"in {folder} is missing or cannot be used")
        else:
            time.sleep(0.01)


def discard_index(folder: str, wait: float) -> None:
    """Delete the index in `folder`, whatever it is. Raises IndexBusy, BrokenIndex."""
    with lock_index(folder, wait), _as_missing(), OpenFolder.open(folder) as opened:
        clear(opened.path)


@contextlib.contextmanager
def lock_index(folder: str, timeout: float) -> Iterator[None]:
    """Hold the lock of the index in `folder`, waited for up to `timeout` seconds.

    One writer at a time; readers take it only when they find the index unsealed. Raises IndexBusy; Unwritable
    without permission, or where something else has the lock's name; BrokenIndex if no lock can be made.
    """
    from fasteners.process_lock import InterProcessLock

    path = f"{folder}.lock"
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with contextlib.ExitStack() as opened:
        try:
            with OpenFolder.open(os.path.dirname(path)) as outer:
                handle = os.open(os.path.join(outer.path, os.path.basename(path)), flags, 0o600)
            opened.callback(os.close, handle)
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise Unwritable(f"no index can be written, because {path} is not a regular file (remove it)")
            own_path = f"/dev/fd/{handle}"  # so that the library opens this very file
            lock = InterProcessLock(own_path if os.path.exists(own_path) else path)
            acquired = lock.acquire(delay=0.002, max_delay=0.05, timeout=timeout)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
                raise Unwritable(f"no permission to write to the index {folder}") from error
            raise BrokenIndex(f"cannot be locked: {path}: {error.strerror}") from error
        if not acquired:
            raise IndexBusy(PurePath(folder), timeout)
        try:
            yield
        finally:
            lock.release()


def _open_folder(folder: str, key: bytes, wait: float, rules: str, *, make: bool = False) -> SealedFolder:
    """The folder of an index. Raises BrokenIndex where there is none."""
    with _as_missing():
        return SealedFolder(OpenFolder.open(folder, make=make), key, wait, rules)


@contextlib.contextmanager
def _as_missing() -> Iterator[None]:
    """Turn an OSError for a folder that is missing, or no folder, into BrokenIndex."""
    try:
        yield
    except OSError as error:
        raise BrokenIndex(f"cannot be opened: {error.strerror}") from error


def _load(kind: type[Kind], folder: SealedFolder, *, writes: bool) -> Kind:
    """The index as it is. Sealed before and after: it did not change while it was being opened."""
    try:
        folder.check()
        if not os.path.lexists(os.path.join(folder.path, kind.marker)):
            raise BrokenIndex("was not built by the configured search engine")
        index = kind.load(folder, writes=writes)
        if not folder.is_sealed():
            index.close()
            raise BrokenIndex("changed while it was being opened")
    except BaseException:
        folder.close()
        raise
    return index


def _load_or_create(kind: type[Kind], path: str, key: bytes, wait: float, rules: str) -> Kind:
    """The index as it is, else an empty, sealed one in place of what was there."""
    try:
        return _load(kind, _open_folder(path, key, wait, rules), writes=True)
    except BrokenIndex as error:
        why = error.why
    folder = _open_folder(path, key, wait, rules, make=True)
    try:
        with as_broken_index():
            was_there = bool(os.listdir(folder.path))
            clear(folder.path)  # before anything is opened: it may hold a stranger's files
            kind.create(folder)
            folder.seal()
    except BaseException:
        folder.close()
        raise
    index = _load(kind, folder, writes=True)
    index.why_empty = why if was_there else None
    return index
