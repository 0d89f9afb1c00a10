"""The log of a workspace: a line for each failure that could not be reported to the user.

It is `.memtool/log` (0600), contains no prompts and no secrets, and is bounded: when it is full, its older
half is removed.
"""

from __future__ import annotations

import os
from datetime import datetime

from memtool.core.records.turn import format_moment
from memtool.core.secrets.redact import redact
from memtool.core.text.clean import clean
from memtool.errors import MemtoolError
from memtool.store.files import derived, private
from memtool.store.files.posix import write_all

LOG_NAME = "log"
"""Its name in the private folder."""
MAX_LOG_BYTES = 256 * 1024
"""Its largest size in bytes."""
_MAX_LINE = 1000


def append_line(root: str, at: datetime, text: str) -> bool:
    """Append a line with its time; returns whether that succeeded. Never raises.

    Line ends and invisible characters are removed, secrets redacted, and long texts truncated.
    """
    message = " ".join(redact(clean(text[: _MAX_LINE * 2])).split())[:_MAX_LINE]
    line = f"{format_moment(at)} {message}\n".encode("utf-8", "replace")
    try:
        with private.opened(root) as folder:
            handle = private.open_file(folder, LOG_NAME, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            size = os.fstat(handle).st_size
            write_all(handle, line)
        finally:
            os.close(handle)
        if size + len(line) > MAX_LOG_BYTES:
            _drop_older_half(root)
    except (OSError, MemtoolError):
        return False
    return True


def _drop_older_half(root: str) -> None:
    content = derived.read(root, LOG_NAME, 2 * MAX_LOG_BYTES)
    if content is None:  # not a regular file of ours, or grown by another program: start over
        derived.write(root, LOG_NAME, b"")
    else:
        half = content[-MAX_LOG_BYTES // 2 :]
        derived.write(root, LOG_NAME, half[half.find(b"\n") + 1 :])
