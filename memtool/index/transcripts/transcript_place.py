"""The place of transcripts: where the next look at some of many files begins."""

from __future__ import annotations

import contextlib
import os


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
