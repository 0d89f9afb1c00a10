"""Run pytest with temporary files in memory and one fork server: `python -m tests.run [arguments of pytest]`.

The tests write some 400 MB in small files, many of them synchronised to the disk, which takes a fifth of the
time on a journaling file system. On a machine without a memory file system that is large enough and can run
programs, such as a container with a small `/dev/shm`, the files go where Python's `tempfile` puts them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.forked import FORKS, SHARED, started_server

MEMORY = Path("/dev/shm")
NEEDED_BYTES = 2 << 30
"""Several times what the tests write, because other programs use memory, too."""


def is_suitable(folder: Path, needed_bytes: int = NEEDED_BYTES) -> bool:
    """Whether a folder has enough space, and programs in it can be run."""
    if not os.access(folder, os.W_OK | os.X_OK) or shutil.disk_usage(folder).free < needed_bytes:
        return False
    return not os.statvfs(folder).f_flag & os.ST_NOEXEC


def run(arguments: list[str]) -> int:
    """Run pytest, and return its exit code. Its temporary files in memory and its server end with it."""
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else each worker compiles each module of the tests
    command = [sys.executable, "-m", "pytest", *arguments]
    with contextlib.ExitStack() as running:
        if not environment.keys() & {"TMPDIR", "PYTEST_DEBUG_TEMPROOT"} and is_suitable(MEMORY):
            environment["TMPDIR"] = running.enter_context(
                tempfile.TemporaryDirectory(prefix="mt", dir=MEMORY, ignore_cleanup_errors=True)
            )
        if FORKS and SHARED not in environment:  # else each process would start one of its own
            environment[SHARED] = running.enter_context(started_server())
        return wait_for(subprocess.Popen(command, env=environment))


def wait_for(process: subprocess.Popen[bytes]) -> int:
    """Wait for a process, also after Ctrl-C, which it receives as well; pass other signals to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda number, _: process.send_signal(number))
    code = process.wait()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    raise SystemExit(run(sys.argv[1:]))
