"""Client of a workspace's watcher: one line of JSON to its private socket, and one back."""

from __future__ import annotations

import contextlib
import json
import os
import stat
from _socket import AF_UNIX, SOCK_STREAM, socket  # the C half alone: all of `socket` costs a search 3 ms
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from memtool import __version__
from memtool.store.root import PRIVATE_FOLDER

if TYPE_CHECKING:
    from memtool.core.records.search import SearchArguments, SearchResponse

SOCKET = "socket"
"""The socket's name in the private folder."""

_MAX_REPLY = 64_000_000
"""Bytes of a reply that are read."""


def ask(root: str, message: Mapping[str, Any], timeout: float = 5.0) -> dict[str, Any] | None:
    """The watcher's reply; None when no watcher of this version runs, or it does not answer in time.

    `message` is one of `serve/watch/protocol.py` as JSON values, without the version.
    """
    reply = ask_any_version(root, message, timeout)
    return reply if reply is not None and reply.get("version") == __version__ else None


def ask_any_version(root: str, message: Mapping[str, Any], timeout: float = 5.0) -> dict[str, Any] | None:
    """The reply of a watcher of whichever version; None where none answers in time.

    Only a socket of this very user is used. `timeout` is in seconds for each step of the exchange.
    """
    folder = os.path.join(root, PRIVATE_FOLDER)
    path = os.path.join(folder, SOCKET)
    try:
        info = os.lstat(path)
        if not stat.S_ISSOCK(info.st_mode) or info.st_uid != os.geteuid():
            return None
        connection = socket(AF_UNIX, SOCK_STREAM)
        try:
            with address(folder) as short_path:
                connection.settimeout(timeout)
                connection.connect(short_path)
            connection.sendall(json.dumps({"version": __version__, **message}).encode() + b"\n")
            line = _read_line(connection)
        finally:
            connection.close()
    except OSError:
        return None  # no watcher listens there: the caller does the work itself
    if not line:
        return None
    reply = json.loads(line)
    return reply if isinstance(reply, dict) else None


def search(root: str, arguments: SearchArguments, environment: Mapping[str, str]) -> SearchResponse | None:
    """The watcher's response to a search; None when no watcher answers it.

    Raises WatcherError for an error that the search itself raises there.
    """
    reply = ask(root, {"ask": "search", "arguments": arguments, "environment": environment})
    if reply is None:
        return None
    if "error" in reply:
        from memtool.errors import WatcherError

        raise WatcherError(reply["error"], reply["exit"])
    if "response" not in reply:
        return None
    from memtool.core.records.search import read_response

    return read_response(reply["response"])


@contextlib.contextmanager
def address(folder: str) -> Iterator[str]:
    """A path of the socket that is short enough for the system (about 100 bytes), however deep the root."""
    path = os.path.join(folder, SOCKET)
    if len(os.fsencode(path)) < 100:
        yield path
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{handle}/{SOCKET}"
    finally:
        os.close(handle)


def _read_line(connection: socket) -> bytes:
    blocks: list[bytes] = []
    size = 0
    while size < _MAX_REPLY and (block := connection.recv(1 << 16)):
        blocks.append(block)
        size += len(block)
        if block.endswith(b"\n"):
            break
    return b"".join(blocks)
