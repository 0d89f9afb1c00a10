"""Client of a workspace's watcher: one line of JSON to its private socket, and one back."""

from __future__ import annotations

import os
import stat
import time
from _socket import AF_UNIX, SOCK_STREAM, socket  # the C half alone: all of `socket` costs a search 3 ms

from memtool import __version__
from memtool.serve.watch.json_values import decode_json, encode_json
from memtool.store.handle import handle_path
from memtool.store.root import PRIVATE_FOLDER

TYPE_CHECKING = False  # a hook waits for what is imported here
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memtool.core.records.search import SearchArguments, SearchResponse

SOCKET = "socket"
"""The socket's name in the private folder."""

ACCEPTED, GO = b" ", b"\n"
"""What the watcher sends before it begins with work, and what the client answers: a message of a client that
has given up, and does the work itself, is not worked on."""
BEGIN_SECONDS = 0.5
"""Seconds within which a watcher that is not busy accepts a connection and begins to answer."""
TOTAL_SECONDS = 5.0
"""Seconds within which it has answered."""

_MAX_REPLY = 64_000_000
"""Bytes of a reply that are read."""


def ask(root: str, message: Mapping[str, Any], timeout: float = TOTAL_SECONDS) -> dict[str, Any] | None:
    """The watcher's reply; None when no watcher of this version runs, or it does not answer in time.

    `message` is one of `serve/watch/protocol.py` as JSON values, without the version.
    """
    reply = ask_any_version(root, message, timeout)
    return reply if reply is not None and reply.get("version") == __version__ else None


def ask_any_version(
    root: str, message: Mapping[str, Any], timeout: float = TOTAL_SECONDS
) -> dict[str, Any] | None:
    """The reply of a watcher of whichever version; None where none answers in time, or not with an object.

    Only a socket of this very user is used. `timeout` is in seconds for the whole exchange, in which the
    watcher begins to answer within `BEGIN_SECONDS`.
    """
    deadline = time.monotonic() + timeout
    begin = min(deadline, time.monotonic() + BEGIN_SECONDS)
    try:
        connection = socket(AF_UNIX, SOCK_STREAM)
        try:
            folder = os.open(
                os.path.join(root, PRIVATE_FOLDER),
                os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW,
            )
            try:
                info = os.stat(SOCKET, dir_fd=folder, follow_symlinks=False)
                if not stat.S_ISSOCK(info.st_mode) or info.st_uid != os.geteuid():
                    return None
                connection.settimeout(max(0.001, begin - time.monotonic()))
                connection.connect(address(folder, root))
            finally:
                os.close(folder)
            connection.sendall(encode_json({"version": __version__, **message}).encode() + b"\n")
            line = receive(connection, begin)
            if line == ACCEPTED:
                connection.sendall(GO)
            if not line.endswith(b"\n"):
                line += read_line(connection, deadline, _MAX_REPLY)
        finally:
            connection.close()
        reply = decode_json(line.decode())
    except (OSError, ValueError, RecursionError):
        return None  # no watcher listens there, or it ended: the caller does the work itself
    return reply if isinstance(reply, dict) else None


def search(
    root: str, arguments: SearchArguments, environment: Mapping[str, str], timeout: float = TOTAL_SECONDS
) -> SearchResponse | None:
    """The watcher's response to a search; None when no watcher answers it in time.

    Raises WatcherError for an error that the search itself raises there.
    """
    reply = ask(root, {"ask": "search", "arguments": arguments, "environment": environment}, timeout)
    if reply is None:
        return None
    text, code = reply.get("error"), reply.get("exit")
    if isinstance(text, str) and isinstance(code, int):
        from memtool.errors import WatcherError

        raise WatcherError(text, code)
    from memtool.core.records.search import read_response

    try:
        return read_response(reply["response"])
    except (LookupError, TypeError, ValueError):  # the watcher failed, or whatever answered is none
        return None


def process_number(reply: Mapping[str, Any] | None) -> int | None:
    """The watcher's process number in its reply to `status` or `stop`; None where it gives none."""
    pid = reply.get("pid") if reply else None
    return pid if type(pid) is int and pid > 0 else None


def address(folder: int, root: str) -> str:
    """A path of the socket in the open private folder.

    On Linux it is short enough for the system (about 100 bytes), however deep the root.
    """
    return os.path.join(handle_path(folder, os.path.join(root, PRIVATE_FOLDER)), SOCKET)


def receive(connection: socket, deadline: float) -> bytes:
    """The bytes that come next, b"" at the end. Raises OSError once the monotonic clock passes `deadline`."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    connection.settimeout(left)
    return connection.recv(1 << 16)


def read_line(connection: socket, deadline: float, most: int) -> bytes:
    """The bytes up to a block that ends a line, to the end, or to `most` bytes. Raises as `receive` does."""
    blocks: list[bytes] = []
    size = 0
    while size < most and (block := receive(connection, deadline)):
        blocks.append(block)
        size += len(block)
        if block.endswith(b"\n"):
            break
    return b"".join(blocks)
