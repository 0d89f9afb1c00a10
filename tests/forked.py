"""Run `memtool` in a child of a server of `tests.fork_server`, as `subprocess` would in a new interpreter.

With MEMTOOL_TESTS_SPAWN set, an interpreter is started for each command.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import select
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Self

from tests.fork_client import number, start

REPOSITORY = Path(__file__).parent.parent
FORKS = "MEMTOOL_TESTS_SPAWN" not in os.environ
SHARED = "MEMTOOL_TESTS_SERVER"
"""The variable with the socket of a server that all processes of a test run share; see `tests.run`."""
_SHARED_SOCKET = os.environ.get(SHARED)
READY = b"."
"""What the server prints when it can be connected to."""
AT_START = {"PYTHONPATH": str(REPOSITORY), "LC_ALL": "C.UTF-8"}
"""What the server's interpreter read at its start; a command with other such variables starts its own."""
PATIENCE = 170.0
"""Seconds within which even a command on a slow or paused machine ends."""


@functools.cache
def server() -> str:
    """The socket of the server: a shared one, else this process's own, which is started at the first call."""
    if _SHARED_SOCKET is not None:
        return _SHARED_SOCKET
    running = contextlib.ExitStack()
    path = running.enter_context(started_server())
    atexit.register(running.close)
    return path


@contextlib.contextmanager
def started_server() -> Iterator[str]:
    """Start a server, and end it with the block; its socket, which can be connected to while it imports."""
    with tempfile.TemporaryDirectory(prefix="mt") as folder:
        path = f"{folder}/socket"
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.fork_server", path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=REPOSITORY,
            env={"PATH": os.environ["PATH"], **AT_START},
        )
        assert process.stdout is not None
        assert process.stdout.read(1) == READY
        yield path
        process.communicate()


class Forked:
    """A running command with pipes to its streams: what the tests use of `subprocess.Popen`."""

    def __init__(self, arguments: Sequence[str], folder: str | Path, environment: Mapping[str, str]) -> None:
        self.args = [sys.executable, "-m", "memtool", *arguments]
        self.returncode: int | None = None
        variables = {os.fsencode(name): os.fsencode(value) for name, value in environment.items()}
        path, mask, pipes = server(), current_umask(), [os.pipe() for _ in range(3)]
        self.stdin: BinaryIO = os.fdopen(pipes[0][1], "wb")
        self.stdout: BinaryIO = os.fdopen(pipes[1][0], "rb")
        self.stderr: BinaryIO = os.fdopen(pipes[2][0], "rb")
        theirs = (pipes[0][0], pipes[1][1], pipes[2][1])
        try:
            self.pid, self._connection = start(
                path, [*map(os.fsencode, arguments)], variables, os.fsencode(folder), mask, theirs
            )
        finally:
            for descriptor in theirs:
                os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self.stdin, self.stdout, self.stderr):
            stream.close()
        self.wait()

    def wait(self, timeout: float = PATIENCE) -> int:
        """The exit code, or the negative number of the signal that ended it. Raises TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self._connection], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout)
            self.returncode = os.waitstatus_to_exitcode(number(self._connection))
            self._connection.close()
        return self.returncode

    def poll(self) -> int | None:
        """The exit code if it has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def send_signal(self, sent: int) -> None:
        """Send a signal if it has not ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, sent)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def communicate(self, stdin: bytes = b"", timeout: float = PATIENCE) -> tuple[bytes, bytes]:
        """Write all of stdin, close it, and return what is printed to the end. Raises TimeoutExpired."""
        end = time.monotonic() + timeout
        if not self.stdin.closed:
            self.stdin.flush()
        try:
            printed = exchange(self.stdin, stdin, (self.stdout, self.stderr), timeout)
        except TimeoutError:
            raise subprocess.TimeoutExpired(self.args, timeout) from None
        self.wait(max(end - time.monotonic(), 0))
        return printed


def started(
    arguments: Sequence[str], folder: str | Path, environment: Mapping[str, str]
) -> Forked | subprocess.Popen[bytes]:
    """Start `memtool` with pipes to its streams."""
    if FORKS:
        return Forked(arguments, folder, environment)
    pipe, command = subprocess.PIPE, [sys.executable, "-m", "memtool", *arguments]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, env=environment)


def run(
    arguments: Sequence[str],
    stdin: bytes,
    folder: str | Path,
    environment: Mapping[str, str],
    timeout: float = PATIENCE,
) -> subprocess.CompletedProcess[bytes]:
    """Run `memtool` as `subprocess.run` would, and return what it prints. Raises TimeoutExpired."""
    with started(arguments, folder, environment) as process:
        try:
            printed = process.communicate(stdin, timeout)
        except BaseException:
            process.kill()
            raise
        assert process.returncode is not None
    return subprocess.CompletedProcess(process.args, process.returncode, *printed)


def write_command(path: Path, *, set_variables: bool = False) -> None:
    """Write a program that is `memtool` in a shell, and sets the variables of `AT_START` if asked to."""
    module = Path(__file__).with_name("fork_client.py")
    command = f'"{sys.executable}" -IS "{module}" "{server()}"' if FORKS else f'"{sys.executable}" -m memtool'
    variables = "".join(f"{name}='{value}' " for name, value in AT_START.items() if set_variables)
    prefix = f"unset LANG\n{variables}" if set_variables else ""
    path.write_text(f'#!/bin/sh\n{prefix}exec {command} "$@"\n')
    path.chmod(0o755)


def current_umask() -> int:
    """The umask, read without setting it where that is possible: a watcher in a thread may be setting it."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().partition("Umask:")[2].split()[0], 8)
    mask = os.umask(0)
    os.umask(mask)
    return mask


def exchange(
    writer: BinaryIO, stdin: bytes, readers: Sequence[BinaryIO], timeout: float
) -> tuple[bytes, ...]:
    """Write all of stdin, and read from each reader until it ends; all are closed. Raises TimeoutError."""
    remaining, end = memoryview(stdin), time.monotonic() + timeout
    printed = {reader: bytearray() for reader in readers}
    with selectors.DefaultSelector() as selector:
        for reader in readers:
            selector.register(reader, selectors.EVENT_READ)
        if not writer.closed:
            selector.register(writer, selectors.EVENT_WRITE)
        while selector.get_map():
            ready = selector.select(end - time.monotonic())
            if not ready:
                raise TimeoutError
            for key, _ in ready:
                if key.fileobj is writer:
                    try:
                        remaining = remaining[os.write(key.fd, remaining[: select.PIPE_BUF]) :]
                    except BrokenPipeError:  # the command reads no more
                        remaining = remaining[:0]
                    if remaining:
                        continue
                elif data := os.read(key.fd, 1 << 16):
                    printed[key.fileobj] += data
                    continue
                selector.unregister(key.fileobj)
                key.fileobj.close()
    return tuple(map(bytes, printed.values()))
