"""Opening the index of transcripts: what is there if it can be trusted, an empty one otherwise."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator

from memtool.index import lock
from memtool.index.engine import BrokenIndex, breaking
from memtool.index.seal import clear, is_plain_folder, is_sealed, seal
from memtool.index.transcript_tables import VERSION
from memtool.index.transcripts import FILE, Transcripts

_PEEK = 0.2  # seconds a reader waits for a writer's last step before it asks for the lock


def open_transcripts(
    folder: str, key: bytes, *, wait: float, writes: bool = True
) -> tuple[Transcripts, str | None]:
    """The index in `folder`, and why what was there before could not be used, if something was.

    No file is opened before its seal is found to fit, and the index comes with a transaction begun in which
    it stays as it was sealed. With `writes=False` nothing is created, locked or thrown away. Raises
    BrokenIndex when there is no index to be had that way, IndexBusy when another memtool does not finish
    within `wait` seconds.
    """
    deadline = time.monotonic() + min(wait, _PEEK)
    while True:
        with contextlib.suppress(BrokenIndex):
            return _opened(folder, key, writes=writes), None
        if time.monotonic() > deadline or not os.path.lexists(os.path.join(folder, FILE)):
            break
        time.sleep(0.01)
    if not writes:
        raise BrokenIndex(f"in {folder} is missing, or not as this user's memtool left it")
    with lock.held(folder, wait):
        try:
            return _opened(folder, key, writes=True), None
        except BrokenIndex as error:
            why = error.why if _start_over(folder, key) else None
        return _opened(folder, key, writes=True), why


@contextlib.contextmanager
def writing(index: Transcripts, folder: str, key: bytes, wait: float) -> Iterator[bool]:
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


def discard(folder: str, wait: float) -> None:
    """Throw away the index in `folder`, whatever it is. Raises IndexBusy, BrokenIndex."""
    with lock.held(folder, wait):
        clear(folder)


def place(folder: str, then: int | None = None) -> int:
    """Where the next look at some of many files begins; with `then`, where the one after it will.

    It is kept beside the index, without a seal: whatever it says, nothing worse than another order comes of
    it.
    """
    path = f"{folder}.place"
    found = 0
    with contextlib.suppress(OSError, ValueError):
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
        try:
            if then is not None:
                os.pwrite(handle, f"{then:<20}".encode(), 0)
            found = max(0, int(os.read(handle, 20) or b"0"))
        finally:
            os.close(handle)
    return found


def _opened(folder: str, key: bytes, *, writes: bool) -> Transcripts:
    """The index as it is. Sealed while its transaction holds off every writer."""
    if not (is_plain_folder(folder) and is_sealed(folder, key)):
        raise BrokenIndex("was not written by this user's memtool, or was changed by something else")
    found = Transcripts(os.path.join(folder, FILE), writes=writes)
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
        os.close(
            os.open(os.path.join(folder, FILE), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        )
        made = Transcripts(os.path.join(folder, FILE))
        made.make()
        made.close()
        seal(folder, key)
    return was_there
