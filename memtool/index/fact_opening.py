"""Opening the index of facts: what is there if it can be trusted, an empty one otherwise."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from memtool.index import lock
from memtool.index.engine import BrokenIndex, breaking
from memtool.index.facts import FILE, VERSION, Facts
from memtool.index.seal import clear, is_plain_folder, is_sealed, seal


def in_memory() -> Facts:
    """An index that is kept nowhere."""
    made = Facts(":memory:")
    made.make()
    return made


def open_facts(folder: str, key: bytes, *, wait: float, writes: bool = True) -> tuple[Facts, str | None]:
    """The index in `folder`, and why what was there before could not be used, if something was.

    No file is opened before its seal is found to fit, and the index comes with a transaction begun in which
    it stays as it was sealed. With `writes=False` nothing is created, locked or thrown away. Raises
    BrokenIndex when there is no index to be had that way, IndexBusy when another memtool does not finish
    within `wait` seconds.
    """
    with contextlib.suppress(BrokenIndex):
        return _opened(folder, key, writes=writes), None
    if not writes:
        raise BrokenIndex(f"in {folder} is missing, or not as this user's memtool left it")
    with lock.held(folder, wait):
        try:
            return _opened(folder, key, writes=True), None
        except BrokenIndex as error:
            why = error.why if _start_over(folder, key) else None
        return _opened(folder, key, writes=True), why


@contextlib.contextmanager
def writing(index: Facts, folder: str, key: bytes, wait: float) -> Iterator[None]:
    """Hold the index's lock while it is written, and seal it then. Raises IndexBusy.

    Raises BrokenIndex for one that is not ours.
    """
    index.end()
    with lock.held(folder, wait):
        if not is_sealed(folder, key):
            raise BrokenIndex("was not written by this user's memtool, or was changed by something else")
        yield
        with breaking():
            seal(folder, key)
        index.begin()


def is_usable(index: Facts, folder: str, key: bytes) -> bool:
    """Whether an open index is still the one that stands there, as memtool left it."""
    return index.is_in_place() and is_sealed(folder, key)


def discard(folder: str, wait: float) -> None:
    """Throw away the index in `folder`, whatever it is. Raises IndexBusy, BrokenIndex."""
    with lock.held(folder, wait):
        clear(folder)


def _opened(folder: str, key: bytes, *, writes: bool) -> Facts:
    """The index as it is. Sealed while its transaction holds off every writer."""
    if not (is_plain_folder(folder) and is_sealed(folder, key)):
        raise BrokenIndex("was not written by this user's memtool, or was changed by something else")
    found = Facts(os.path.join(folder, FILE), writes=writes)
    try:
        found.begin()
        if found.version != VERSION:
            raise BrokenIndex(f"is of version {found.version}, and this memtool's is {VERSION}")
        if not is_sealed(folder, key):
            raise BrokenIndex("changed while it was being opened")
    except BrokenIndex:
        found.close()
        raise
    return found


def _start_over(folder: str, key: bytes) -> bool:
    """An empty, sealed index in place of what was there; whether there was anything."""
    with breaking():
        if not os.path.lexists(folder):
            os.mkdir(folder, 0o700)
        was_there = is_plain_folder(folder) and bool(os.listdir(folder))
        clear(folder)  # before it is looked into: it may hold a stranger's files
        place = os.path.join(folder, FILE)
        os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
        made = Facts(place)
        made.make()
        made.close()
        seal(folder, key)
    return was_there
