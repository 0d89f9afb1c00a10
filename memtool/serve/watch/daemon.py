"""The watcher as a process: one at a time per workspace, in the foreground or in the background."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from memtool import __version__
from memtool.errors import MemtoolError, Unwritable, WatcherAlreadyRuns
from memtool.serve.watch.client import SOCKET, ask, ask_any_version, process_number
from memtool.serve.watch.inotify_limit import InotifyLimit
from memtool.store.files import private
from memtool.store.files.posix import error_reason
from memtool.store.lock import acquire
from memtool.store.root import PRIVATE_FOLDER

LOG_FILE = "watch.log"
"""The daemon's log, in the private folder."""
PID_FILE = "watch.pid"
"""The file with the watcher's process number, for people and service managers."""

_LOCK_FILE = "watch.lock"


class WatcherCondition(Struct, frozen=True):
    """`running` is the process that replies, `busy` one that does not, `other` one of another version.

    `left` are the files that a dead one left, `limit` the limit of inotify that a running one has reached.
    """

    running: int | None = None
    busy: int | None = None
    other: int | None = None
    left: tuple[str, ...] = ()
    limit: InotifyLimit | None = None

    @property
    def process(self) -> int | None:
        """The process number of the watcher, whatever it replies."""
        return self.running or self.busy or self.other

    @property
    def answers(self) -> bool:
        """Whether it replies, in whichever version."""
        return self.running is not None or self.other is not None


@contextlib.contextmanager
def hold_watcher_lock(root: str) -> Iterator[None]:
    """Hold the lock of a workspace's only watcher.

    Raises WatcherAlreadyRuns when another holds it, Unwritable.
    """
    path = os.path.join(root, PRIVATE_FOLDER, _LOCK_FILE)
    try:
        lock = acquire(root, _LOCK_FILE, 2.0)
        if lock is None:
            raise _runs(root)
        with private.opened(root) as folder:
            handle = private.open_file(folder, PID_FILE, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.write(handle, f"{os.getpid()}\n".encode())
        pid_file = os.fstat(handle)
        os.close(handle)
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {error_reason(error)}") from error
    try:
        yield
    finally:
        with contextlib.suppress(OSError, MemtoolError), private.opened(root, make=False) as folder:
            if os.path.samestat(os.stat(PID_FILE, dir_fd=folder, follow_symlinks=False), pid_file):
                os.unlink(PID_FILE, dir_fd=folder)  # else the root is another folder, with its own watcher
        os.close(lock)


def pid_of(root: str) -> int | None:
    """The process number of the watcher that answers here; None when none does."""
    return process_number(ask(root, {"ask": "status"}))


def running(root: str) -> int | None:
    """The process number of the watcher, also of one that is too busy to reply; None for none."""
    return pid_of(root) or lock_holder(root)


def lock_holder(root: str) -> int | None:
    """The process that holds the watcher's lock, by its pid file; None where no process does."""
    try:
        with private.opened(root, make=False) as folder:
            handle = private.open_file(folder, PID_FILE, os.O_RDONLY)
        with os.fdopen(handle, encoding="ascii") as file:
            pid = int(file.read(20))
        lock = acquire(root, _LOCK_FILE, 0.0, make=False)
    except (OSError, ValueError, MemtoolError):
        return None
    if lock is not None:
        os.close(lock)
        return None
    return pid if is_alive(pid) else None


def condition(root: str) -> WatcherCondition:
    """The condition of a workspace's watcher. A process that holds its lock is one, whatever it replies."""
    reply = ask_any_version(root, {"ask": "status"})
    pid = process_number(reply)
    if pid is not None and reply is not None and reply.get("version") == __version__:
        return WatcherCondition(running=pid, limit=_limit_of(reply))
    pid = lock_holder(root)
    if pid is not None:
        return WatcherCondition(busy=pid) if reply is None else WatcherCondition(other=pid)
    left = [name for name in (PID_FILE, SOCKET) if _is_file_or_socket(root, name)]
    return WatcherCondition(left=tuple(f"{PRIVATE_FOLDER}/{name}" for name in left))


def _limit_of(reply: Mapping[str, Any]) -> InotifyLimit | None:
    """The limit in a watcher's reply to `status`; None where it has none."""
    with contextlib.suppress(msgspec.ValidationError):
        return msgspec.convert(reply.get("limit"), InotifyLimit | None)
    return None


def _is_file_or_socket(root: str, name: str) -> bool:
    try:
        mode = os.lstat(os.path.join(root, PRIVATE_FOLDER, name)).st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) or stat.S_ISSOCK(mode)


def start(root: str, arguments: list[str], environment: Mapping[str, str], seconds: float = 60.0) -> int:
    """Start a watcher in the background and return its process number once it answers.

    Raises WatcherAlreadyRuns when one is running, Unwritable when it ended at once (its log says why).
    """
    running_pid = running(root)
    if running_pid is not None:
        raise _runs(root, running_pid)
    log = os.path.join(root, PRIVATE_FOLDER, LOG_FILE)
    try:
        with private.opened(root) as folder:
            output = private.open_file(folder, LOG_FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    except OSError as error:
        raise Unwritable(f"{log} cannot be written: {error_reason(error)}") from error
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
    raise Unwritable(f"the watcher did not start; see {log}")


def stop(root: str, seconds: float = 10.0) -> int | None:
    """End the watcher and wait until it is gone; its process number, or None when none was running."""
    answered = process_number(ask(root, {"ask": "stop"}))
    pid = answered or lock_holder(root)
    if pid is None:
        return None
    if answered is None:  # too busy to reply, or stopped
        for number in (signal.SIGTERM, signal.SIGCONT):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
    if not _until(lambda: not is_alive(pid), seconds):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return pid


def _runs(root: str, pid: int | None = None) -> WatcherAlreadyRuns:
    process = "" if pid is None else f" (process {pid})"
    return WatcherAlreadyRuns(
        f"a watcher is already running for {root}{process}; stop it with memtool watch stop"
    )


def is_alive(pid: int) -> bool:
    """Whether a process of that number runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:  # a zombie has ended; its parent only has not waited for it yet
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
