"""The watcher as a process: one at a time per workspace, in the foreground or in the background."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping

from memtool.errors import Unwritable, WatcherRuns
from memtool.serve.watch.client import ask
from memtool.store.files import private
from memtool.store.files.posix import reason
from memtool.store.root import PRIVATE_FOLDER

LOG_FILE = "watch.log"
"""The daemon's log, in the private folder."""
PID_FILE = "watch.pid"
"""Holds the number of the watcher's process, for people and service managers."""

_LOCK_FILE = "watch.lock"


@contextlib.contextmanager
def sole(root: str) -> Iterator[None]:
    """Be the one watcher of a workspace. Raises WatcherRuns when there is one already, Unwritable."""
    from fasteners.process_lock import InterProcessLock

    folder = private.make(root)
    path = os.path.join(folder, _LOCK_FILE)
    try:
        os.close(_private_file(path, os.O_WRONLY))
        lock = InterProcessLock(path)
        if not lock.acquire(timeout=2.0):
            raise _runs(root)
        handle = _private_file(os.path.join(folder, PID_FILE), os.O_WRONLY | os.O_TRUNC)
        os.write(handle, f"{os.getpid()}\n".encode())
        os.close(handle)
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {reason(error)}") from error
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(folder, PID_FILE))
        lock.release()


def pid_of(root: str) -> int | None:
    """The process number of the watcher that answers here; None when none does."""
    reply = ask(root, {"ask": "status"})
    return reply.get("pid") if reply else None


def running(root: str) -> int | None:
    """The process number of the watcher here, also of one that is too busy to answer; None for none."""
    return pid_of(root) or holder(root)


def holder(root: str) -> int | None:
    """The process that holds the watcher's lock, as its file says; None where nobody does."""
    from fasteners.process_lock import InterProcessLock

    folder = os.path.join(root, PRIVATE_FOLDER)
    try:
        handle = os.open(os.path.join(folder, PID_FILE), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        with os.fdopen(handle, encoding="ascii") as file:
            pid = int(file.read(20))
        lock = InterProcessLock(os.path.join(folder, _LOCK_FILE))
        if lock.acquire(blocking=False):
            lock.release()
            return None
    except (OSError, ValueError):
        return None
    return pid if is_alive(pid) else None


def start(root: str, arguments: list[str], environment: Mapping[str, str], seconds: float = 60.0) -> int:
    """Start a watcher in the background and return its process number once it answers.

    Raises WatcherRuns when one is running, Unwritable when it ended at once (its log says why).
    """
    other = running(root)
    if other is not None:
        raise _runs(root, other)
    log = os.path.join(private.make(root), LOG_FILE)
    try:
        output = _private_file(log, os.O_WRONLY | os.O_APPEND)
    except OSError as error:
        raise Unwritable(f"{log} cannot be written: {reason(error)}") from error
    try:
        child = subprocess.Popen(
            [sys.executable, "-m", "memtool", "--root", root, *arguments, "watch"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=dict(environment),
            cwd="/",
            start_new_session=True,
        )
    finally:
        os.close(output)
    if (
        _until(lambda: pid_of(root) == child.pid or child.poll() is not None, seconds)
        and child.poll() is None
    ):
        return child.pid
    child.kill()
    raise Unwritable(f"the watcher did not start; {log} says why")


def stop(root: str, seconds: float = 10.0) -> int | None:
    """End the watcher and wait until it is gone; its process number, or None when none was running."""
    reply = ask(root, {"ask": "stop"})
    pid = int(reply["pid"]) if reply else holder(root)
    if pid is None:
        return None
    if not reply:  # too busy to listen
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    if not _until(lambda: not is_alive(pid), seconds):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return pid


def _runs(root: str, pid: int | None = None) -> WatcherRuns:
    who = "" if pid is None else f" (process {pid})"
    return WatcherRuns(f"a watcher is running in {root} already{who}; end it with: memtool watch stop")


def _private_file(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def is_alive(pid: int) -> bool:
    """Whether a process of that number runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:  # a zombie is gone for us: its parent only has not asked after it yet
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return True


def _until(done: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.02)
    return True
