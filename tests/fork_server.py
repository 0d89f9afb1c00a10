"""Start `memtool` by fork: a process that has imported it forks a child for each command.

Most of the time of a short command is the start of an interpreter and its imports. A child has what a new
process would have: a pid, the given arguments, environment, folder, umask, stdin, stdout and stderr, default
signal handlers, and no other open file. Its modules are as they are after import and the usual commands.
It runs `memtool` as `python -m memtool` does, and ends as an interpreter ends. If a variable differs that an
interpreter reads at its start, the child starts one. Tests of imports, closed streams and limits start
interpreters themselves; with MEMTOOL_TESTS_SPAWN set, all tests do.

`python -m tests.fork_server SOCKET` is the server. It ends when its stdin does.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import gc
import importlib
import io
import logging
import marshal
import os
import pkgutil
import runpy
import select
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import memtool
from memtool.cli.main import run as run_here
from memtool.index.sentence_embedder import for_facts
from tests.fork_client import NUMBER, number, start

REPOSITORY = Path(__file__).parent.parent
AT_START = (b"PYTHON", b"LC_", b"LANG", b"LD_", b"DYLD_", b"MALLOC_", b"OMP_", b"OPENBLAS_")
"""What the names of the variables begin with that an interpreter or a library reads when it is started."""
NOT_IMPORTED = (
    "memtool.cli.documentation.build_hook",
    "memtool.serve.adapters",
    "memtool.serve.lsp",
    "memtool.serve.mcp",
)
"""Modules of memtool that need what is not installed with it; no command but `mcp` and `lsp` imports them."""
LIBRARIES = (
    *("difflib", "encodings.utf_8_sig", "hmac", "mmap", "tomllib"),
    *("apsw", "fasteners", "frontmatter", "jsonschema", "pathspec", "snowballstemmer", "yaml"),
    *("safetensors.numpy", "tokenizers"),
    *("whoosh.codec.whoosh3", "whoosh.index", "whoosh.support.levenshtein", "whoosh.writing"),
)
"""What many commands import when they need it."""
USUAL = (
    ["scan", "-m", "Actually, I prefer green tea."],
    ["append-daily", "--user-text", "Which glaze?", "--agent-text", "Celadon."],
    ["search", "kiln"],
    ["context", "--prompt", "kiln"],
    ["lint"],
    ["save", "The kiln is booked."],
    ["recall", "parcels"],
    ["get", "MEMORY.md"],
    ["doctor"],
    ["log"],
    ["undo"],
    ["help", "scan"],
    ["--help"],
)
"""Commands that many tests run."""
FORKS = "MEMTOOL_TESTS_SPAWN" not in os.environ
SHARED = "MEMTOOL_TESTS_SERVER"
"""The variable with the socket of a server that all processes of a test run share; see `tests.run`."""
_SHARED_SOCKET = os.environ.get(SHARED)
HUGE_PAGE = 2 << 20
MADV_COLLAPSE = 25
"""See madvise(2); the module mmap does not have it."""
READY = b"."
"""What the server prints when it can be connected to."""


class Server:
    """Forks a child for each connection, and sends it the pid and, in the end, the wait status."""

    def __init__(self, path: str) -> None:
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(path)
        self.listener.listen(64)
        self.connections: dict[int, int] = {}
        self.wake, woken = os.pipe()
        os.set_blocking(woken, False)
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.selector = selectors.DefaultSelector()
        for file in (self.listener.fileno(), self.wake, 0):
            self.selector.register(file, selectors.EVENT_READ)

    def serve(self) -> int | None:
        """Returns None when stdin has ended; in each child, the connection that its command comes from."""
        while True:
            for key, _ in self.selector.select():
                if key.fd == 0:
                    return None
                if key.fd == self.wake:
                    self.report()
                elif (connection := self.fork()) is not None:
                    return connection

    def fork(self) -> int | None:
        """Fork a child for the next connection; the connection in the child, None in the server."""
        connection = self.listener.accept()[0].detach()
        process = os.fork()
        if process == 0:
            self.selector.close()
            self.listener.close()
            return connection
        self.connections[process] = connection
        send(connection, process)
        return None

    def report(self) -> None:
        """Send the wait status of each child that has ended."""
        os.read(self.wake, 1 << 10)
        while self.connections:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return
            connection = self.connections.pop(process)
            send(connection, status)
            os.close(connection)


def send(connection: int, value: int) -> None:
    with contextlib.suppress(BrokenPipeError):  # the client may have been killed
        os.write(connection, value.to_bytes(NUMBER, sys.byteorder))


def import_memtool() -> None:
    """Import what commands import, and read the embedder's files, which takes 0.4 s of a command.

    All of it is exempt from garbage collection, which would copy its memory.
    """
    for module in pkgutil.walk_packages(memtool.__path__, "memtool."):
        if not module.name.startswith(NOT_IMPORTED) and module.name != "memtool.__main__":
            importlib.import_module(module.name)
    for name in LIBRARIES:
        importlib.import_module(name)
    if (embedder := for_facts()) is not None:
        embedder.vectors([(REPOSITORY / "README.md").read_text()])  # a text with pieces from all its tables
    run_usual_commands()
    gc.collect()
    gc.freeze()
    collapse_pages()


def run_usual_commands() -> None:
    """Run the usual commands on a copy of the sample workspace: later ones take two thirds of their time.

    What they leave is compiled patterns and tables of constants. The rest is undone, or it may not be there:
    handlers of signals, open files and threads.
    """
    before, streams, folder = dict(os.environb), [os.dup(number) for number in (1, 2)], os.getcwd()
    files = os.listdir("/dev/fd")
    with tempfile.TemporaryDirectory() as home, open(os.devnull, "wb") as nowhere:
        workspace = shutil.copytree(REPOSITORY / "sample-workspace", Path(home, "w"))
        os.environ.update(HOME=home, MEMTOOL_WATCH="off", MEMTOOL_NOW="2025-01-15T10:30:00+00:00")
        os.chdir(workspace)
        for number in (1, 2):
            os.dup2(nowhere.fileno(), number)
        for command in USUAL:
            run_here(command)
        sys.stdout.flush()
        for number, stream in enumerate(streams, 1):
            os.dup2(stream, number)
        os.chdir(folder)
    os.environb.clear()
    os.environb.update(before)
    logging.root.handlers.clear()
    logging.root.setLevel(logging.WARNING)
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        assert signal.getsignal(number) in {signal.SIG_DFL, signal.SIG_IGN}, number
    assert len(os.listdir("/dev/fd")) == len(files), "a command left a file open"
    assert threading.active_count() == 1
    for stream in streams:
        os.close(stream)


def collapse_pages() -> None:
    """Ask Linux (6.1 or later) for huge pages of this process's memory; elsewhere, do nothing.

    A fork copies a table entry for each page, and its end frees it. For 200 MB in pages of 4 KB, that takes
    as long as a short command.
    """
    maps = Path("/proc/self/maps")
    if not maps.exists():
        return
    madvise = ctypes.CDLL(None).madvise
    for line in maps.read_text().splitlines():
        addresses, access, _, _, inode, *_ = line.split()
        if access == "rw-p" and inode == "0":  # memory without a file
            first, end = (int(address, 16) for address in addresses.split("-"))
            for start in range(-(-first // HUGE_PAGE) * HUGE_PAGE, end - HUGE_PAGE + 1, HUGE_PAGE):
                madvise(ctypes.c_void_p(start), ctypes.c_size_t(HUGE_PAGE), MADV_COLLAPSE)


def become(connection: int) -> None:
    """Make this child the process of the command that comes from a connection; other files are closed."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    arguments, environment, folder, mask, streams = receive(connection)
    for descriptor, stream in enumerate(streams):
        os.dup2(stream, descriptor)
    os.closerange(3, max(connection, *streams, 1 << 10) + 1)
    os.chdir(folder)
    os.umask(mask)
    if read_at_start(environment) != read_at_start(os.environb):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.execve(sys.executable, [sys.executable, "-m", "memtool", *arguments], environment)
    os.environb.clear()
    os.environb.update(environment)
    time.tzset()
    sys.path[0] = os.getcwd()
    sys.argv[1:] = map(os.fsdecode, arguments)
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        reopen(descriptor, name)


def receive(connection: int) -> tuple[list[bytes], dict[bytes, bytes], bytes, int, list[int]]:
    """The request that `tests.fork_client.start` sends."""
    with socket.socket(fileno=connection) as client:
        data, streams, *_ = socket.recv_fds(client, 1 << 16, 3)
        while len(data) < NUMBER or len(data) < NUMBER + int.from_bytes(data[:NUMBER], sys.byteorder):
            data += client.recv(1 << 16)
    return (*marshal.loads(data[NUMBER:]), streams)


def read_at_start(environment: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
    """The variables that change how an interpreter starts."""
    return {name: value for name, value in environment.items() if name.startswith(AT_START)}


def reopen(descriptor: int, name: str) -> None:
    """Make sys.stdin, sys.stdout or sys.stderr as an interpreter does at its start."""
    before, mode = getattr(sys, name), "r" if descriptor == 0 else "w"
    buffer = open(descriptor, f"{mode}b", closefd=False)  # noqa: SIM115  it is open until the process ends
    buffer.raw.name = f"<{name}>"
    stream = io.TextIOWrapper(
        buffer, before.encoding, before.errors, "\n", line_buffering=descriptor == 2 or buffer.isatty()
    )
    stream.mode = mode
    setattr(sys, name, stream)
    setattr(sys, f"__{name}__", stream)


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
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY), "LC_ALL": "C.UTF-8"},
        )
        assert process.stdout is not None
        assert process.stdout.read(1) == READY
        yield path
        process.communicate()


def current_umask() -> int:
    """The umask, read without setting it where that is possible: a watcher in a thread may be setting it."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().partition("Umask:")[2].split()[0], 8)
    mask = os.umask(0)
    os.umask(mask)
    return mask


def run(
    arguments: Sequence[str],
    stdin: bytes,
    folder: str | Path,
    environment: Mapping[str, str],
    timeout: float = 170,
) -> subprocess.CompletedProcess[bytes]:
    """Run `memtool` as `subprocess.run` would, and return what it prints. Raises TimeoutExpired."""
    command = [sys.executable, "-m", "memtool", *arguments]
    if not FORKS:
        return subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            cwd=folder,
            env=environment,
            timeout=timeout,
            check=False,
        )
    variables = {os.fsencode(name): os.fsencode(value) for name, value in environment.items()}
    mask = current_umask()
    path, pipes = server(), [os.pipe() for _ in range(3)]
    theirs = (pipes[0][0], pipes[1][1], pipes[2][1])
    with (
        open(pipes[0][1], "wb", buffering=0) as to_stdin,
        open(pipes[1][0], "rb", buffering=0) as from_stdout,
        open(pipes[2][0], "rb", buffering=0) as from_stderr,
    ):
        try:
            process, connection = start(
                path, [*map(os.fsencode, arguments)], variables, os.fsencode(folder), mask, theirs
            )
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        try:
            printed = exchange(to_stdin, stdin, (from_stdout, from_stderr), timeout)
            connection.settimeout(timeout)
            status = number(connection)
        except TimeoutError:
            os.kill(process, signal.SIGKILL)
            raise subprocess.TimeoutExpired(command, timeout) from None
        finally:
            connection.close()
    return subprocess.CompletedProcess(command, os.waitstatus_to_exitcode(status), *printed)


def write_command(path: Path) -> None:
    """Write a program that is `memtool` in a shell."""
    module = Path(__file__).with_name("fork_client.py")
    command = f'"{sys.executable}" -IS "{module}" "{server()}"' if FORKS else f'"{sys.executable}" -m memtool'
    path.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    path.chmod(0o755)


def exchange(
    writer: io.FileIO, stdin: bytes, readers: Sequence[io.FileIO], timeout: float
) -> tuple[bytes, ...]:
    """Write all of stdin, and read from each reader until it ends. Raises TimeoutError."""
    remaining, end = memoryview(stdin), time.monotonic() + timeout
    printed = {reader.fileno(): bytearray() for reader in readers}
    with selectors.DefaultSelector() as selector:
        for reader in readers:
            selector.register(reader, selectors.EVENT_READ)
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
                    printed[key.fd] += data
                    continue
                selector.unregister(key.fileobj)
                key.fileobj.close()
    return tuple(map(bytes, printed.values()))


def main(path: str) -> None:
    """Be the server; in a child, be the command."""
    server = Server(path)
    os.write(1, READY)
    import_memtool()
    connection = server.serve()
    if connection is not None:
        become(connection)
        try:
            runpy.run_module("memtool", run_name="__main__", alter_sys=True)
        except SystemExit as end:
            end_quickly(end.code)
            raise


def end_quickly(code: object) -> None:
    """End as an interpreter does, but leave its memory to the system; return if that is not possible.

    To free the objects of all imported modules takes longer than most commands.
    """
    if not isinstance(code, int | None):
        return
    threading._shutdown()
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return
    os._exit((code or 0) & 0xFF)


if __name__ == "__main__":
    main(sys.argv[1])
