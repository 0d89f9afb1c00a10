"""The log of a workspace: a line for each failure that could not be reported to the user.

It is `.memtool/log` (0600), contains no prompts and no secrets, and is bounded: when it is full, its older
half is removed.
"""

from __future__ import annotations

import os
import stat
from datetime import datetime

from memtool.core.records.turn import spell
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.errors import MemtoolError
from memtool.store.files import derived, private
from memtool.store.files.posix import write_all

NAME = "log"
"""Its name in the private folder."""
MOST = 256 * 1024
"""Its largest size in bytes."""
_LONGEST = 1000
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def note(root: str, at: datetime, text: str) -> bool:
    """Append a line with its time; returns whether that succeeded. Never raises.

    Line ends and invisible characters are removed, secrets redacted, and long texts truncated.
    """
    message = " ".join(redact(clean(text[: _LONGEST * 2])).split())[:_LONGEST]
    line = f"{spell(at)} {message}\n".encode("utf-8", "replace")
    try:
        path = os.path.join(private.make(root), NAME)
        handle = os.open(path, _APPEND, 0o600)
        try:
            info = os.fstat(handle)
            if not stat.S_ISREG(info.st_mode):
                return False
            write_all(handle, line)
        finally:
            os.close(handle)
        if info.st_size + len(line) > MOST:
            _halve(root)
    except (OSError, MemtoolError):
        return False
    return True


def _halve(root: str) -> None:
    content = derived.read(root, NAME, 2 * MOST)
    if content is None:  # not a regular file of ours, or grown by another program: start over
        derived.write(root, NAME, b"")
    else:
        half = content[-MOST // 2 :]
        derived.write(root, NAME, half[half.find(b"\n") + 1 :])
