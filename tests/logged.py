"""Run memtool, and log each operation that changes the disk: `python -m tests.logged LOG ARGUMENT...`.

Processes may share a log: each line is one write. It has the time, the process, the operation and the path.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import PurePosixPath

from memtool.__main__ import main
from memtool.store.files.disk import Disk


def log_operations(path: str) -> None:
    """Log the operations of every disk of this process, each before it is done."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def step(_: Disk, operation: str, place: PurePosixPath) -> None:
        os.write(handle, f"{datetime.now(UTC):%H:%M:%S.%f} {os.getpid()} {operation} {place}\n".encode())

    Disk.step = step  # type: ignore[method-assign]


if __name__ == "__main__":
    log_operations(sys.argv.pop(1))
    main()
