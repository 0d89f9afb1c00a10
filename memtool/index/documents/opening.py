"""Opening the index of documents: what is there if it can be trusted, an empty one otherwise."""

from __future__ import annotations

import contextlib
import time

from memtool.index import lock
from memtool.index.documents import listing
from memtool.index.documents.documents import Documents
from memtool.index.documents.whoosh_parts import schema
from memtool.index.engine import BrokenIndex
from memtool.index.seal import is_plain_folder, is_sealed, started_over

_PEEK = 0.2  # seconds a reader that may not take the lock waits for a writer's last step


def open_documents(folder: str, key: bytes, *, wait: float = 2.0, writes: bool = True) -> Documents:
    """The index in `folder`, whose parent must be there and be no link; an empty one where none can be used.

    Nothing in the folder is opened before its seal is found to fit. While a writer is at work, what it has
    not replaced yet is opened. `wait` is the most seconds to wait for another memtool, here and at every
    commit. With `writes=False` nothing is created, locked or thrown away. Raises BrokenIndex when there is
    no index to be had that way, IndexBusy when another memtool does not finish in time.
    """
    deadline = time.monotonic() + min(wait, _PEEK)
    while True:
        with contextlib.suppress(BrokenIndex):
            return _opened(folder, key, wait)
        if writes or time.monotonic() > deadline or not is_plain_folder(folder):
            break
        time.sleep(0.01)
    if not writes:
        raise BrokenIndex(f"in {folder} is missing, or not as this user's memtool left it")
    with lock.held(folder, wait):
        try:
            return _opened(folder, key, wait)
        except BrokenIndex as error:
            why = error.why if _start_over(folder, key) else None
        return Documents(folder, key, wait, why)


def _opened(folder: str, key: bytes, wait: float) -> Documents:
    """The index as it is. Sealed before and after: it did not change while it was being opened."""
    if not (is_plain_folder(folder) and is_sealed(folder, key)):
        raise BrokenIndex("was not written by this user's memtool, or was changed by something else")
    found = Documents(folder, key, wait)
    if not is_sealed(folder, key):
        found.close()
        raise BrokenIndex("changed while it was being opened")
    return found


def _start_over(folder: str, key: bytes) -> bool:
    """An empty, sealed index in place of what was there; whether there was anything."""
    from whoosh.index import create_in

    with started_over(folder, key) as was_there:
        create_in(folder, schema())
        listing.write(folder, {})
    return was_there
