"""Opening a database: what is there if it can be trusted, an empty one otherwise."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from typing import TypeVar

from memtool.index import lock
from memtool.index.database import Database
from memtool.index.engine import BrokenIndex, breaking
from memtool.index.seal import is_plain_folder, is_sealed, seal, started_over

_PEEK = 0.2  # seconds a reader waits for a writer's last step before it asks for the lock


Kind = TypeVar("Kind", bound=Database)


def open_database(
    kind: type[Kind], folder: str, key: bytes, *, wait: float, writes: bool = True
) -> tuple[Kind, str | None]:
    """The index in `folder`, and why what was there before could not be used, if something was.

    No file is opened before its seal is found to fit, and the index comes with a transaction begun in which
    it stays as it was sealed. With `writes=False` nothing is created, locked or thrown away. Raises
    BrokenIndex when there is no index to be had that way, IndexBusy when another memtool does not finish
    within `wait` seconds.
    """
    deadline = time.monotonic() + min(wait, _PEEK)
    while True:
        with contextlib.suppress(BrokenIndex):
            return _opened(kind, folder, key, writes=writes), None
        if time.monotonic() > deadline or not os.path.lexists(os.path.join(folder, kind.file)):
            break
        time.sleep(0.01)
    if not writes:
        raise BrokenIndex(f"in {folder} is missing, or not as this user's memtool left it")
    with lock.held(folder, wait):
        try:
            return _opened(kind, folder, key, writes=True), None
        except BrokenIndex as error:
            why = error.why if _start_over(kind, folder, key) else None
        return _opened(kind, folder, key, writes=True), why


@contextlib.contextmanager
def writing(index: Database, folder: str, key: bytes, wait: float) -> Iterator[bool]:
    """Hold the index's lock while it is written; given is whether somebody else has written it since.

    Raises IndexBusy, and BrokenIndex for one that is not ours.
    """
    seen = index.data_version()
    index.end()
    with lock.held(folder, wait):
        if not is_sealed(folder, key):
            raise BrokenIndex("was not written by this user's memtool, or was changed by something else")
        yield index.data_version() != seen
        seal_now(folder, key)
        index.begin()


def seal_now(folder: str, key: bytes) -> None:
    """Seal what was written so far, so that a later stop costs no more than what came after."""
    with breaking():
        seal(folder, key)


def is_intact(folder: str, key: bytes) -> bool:
    """Whether the index is as memtool left it."""
    return is_sealed(folder, key)


def _opened(kind: type[Kind], folder: str, key: bytes, *, writes: bool) -> Kind:
    """The index as it is. Sealed while its transaction holds off every writer."""
    if not (is_plain_folder(folder) and is_sealed(folder, key)):
        raise BrokenIndex("was not written by this user's memtool, or was changed by something else")
    found = kind(os.path.join(folder, kind.file), writes=writes)
    try:
        found.begin()
        if found.version != kind.tables_version:
            raise BrokenIndex(f"is of version {found.version}, and this memtool's is {kind.tables_version}")
        if not is_sealed(folder, key):
            raise BrokenIndex("changed while it was being opened")
    except BrokenIndex:
        found.close()
        raise
    return found


def _start_over(kind: type[Kind], folder: str, key: bytes) -> bool:
    """An empty, sealed index in place of what was there; whether there was anything."""
    with started_over(folder, key) as was_there:
        place = os.path.join(folder, kind.file)
        os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
        made = kind(place)
        made.make()
        made.close()
    return was_there
