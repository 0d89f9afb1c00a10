"""Start `memtool` by fork: a process that has imported it forks a child for each command.

Most of the time of a short command is the start of an interpreter and its imports. A child has what a new
process would have: a pid, the given arguments, environment, folder, umask, stdin, stdout and stderr, default
signal handlers, and no other open file. Its modules are as they are after import and the usual commands.
It runs `memtool` as `python -m memtool` does, and ends as an interpreter ends. If a variable differs that an
interpreter reads at its start, the child starts one. Tests of imports, closed streams and limits start
interpreters themselves.

`python -m tests.fork_server SOCKET` is the server. It ends when its stdin does. `tests.forked` starts it.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import gc
import importlib
import io
import logging
import marshal
import os
import pkgutil
import runpy
import selectors
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import memtool
from memtool.cli.main import run as run_here
from memtool.index.sentence_embedder import for_facts
from tests.fork_client import NUMBER
from tests.forked import READY, REPOSITORY

AT_START = (b"PYTHON", b"LC_", b"LANG", b"LD_", b"DYLD_", b"MALLOC_", b"OMP_", b"OPENBLAS_")
"""What the names of the variables begin with that an interpreter or a library reads when it is started."""
NOT_IMPORTED = ("memtool.cli.documentation.build_hook", "memtool.serve.adapters")
"""Modules of memtool that no command imports."""
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
HUGE_PAGE = 2 << 20
MADV_COLLAPSE = 25
"""See madvise(2); the module mmap does not have it."""


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
