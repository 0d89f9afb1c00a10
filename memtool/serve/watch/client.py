"""Asking the watcher of a workspace: one line of JSON there, one back, over its private socket."""

from __future__ import annotations

import contextlib
import json
import os
import stat
from _socket import AF_UNIX, SOCK_STREAM, socket  # the C half alone: all of `socket` costs a search 3 ms
from collections.abc import Iterator
from typing import Any

from memtool import __version__
from memtool.store.root import PRIVATE_FOLDER

SOCKET = "socket"
"""The socket's name in the private folder."""

_MOST = 64_000_000


def ask(root: str, request: dict[str, Any], timeout: float = 5.0) -> dict[str, Any] | None:
    """The watcher's reply; None when no watcher of this version lives here, or it does not answer in time."""
    found = reply(root, request, timeout)
    return found if found is not None and found.get("version") == __version__ else None


def reply(root: str, request: dict[str, Any], timeout: float = 5.0) -> dict[str, Any] | None:
    """What a watcher says, of whichever version it is; None where none does in time.

    Only a socket of this very user is talked to. `timeout` is in seconds for each step of the talk.
    """
    folder = os.path.join(root, PRIVATE_FOLDER)
    path = os.path.join(folder, SOCKET)
    try:
        info = os.lstat(path)
        if not stat.S_ISSOCK(info.st_mode) or info.st_uid != os.geteuid():
            return None
        talk = socket(AF_UNIX, SOCK_STREAM)
        try:
            with address(folder) as place:
                talk.settimeout(timeout)
                talk.connect(place)
            talk.sendall(json.dumps({"version": __version__, **request}).encode() + b"\n")
            said = _line(talk)
        finally:
            talk.close()
    except OSError:
        return None  # nobody listens there: the caller does the work itself
    if not said:
        return None
    answer = json.loads(said)
    return answer if isinstance(answer, dict) else None


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


def _line(talk: socket) -> bytes:
    blocks: list[bytes] = []
    size = 0
    while size < _MOST and (block := talk.recv(1 << 16)):
        blocks.append(block)
        size += len(block)
        if block.endswith(b"\n"):
            break
    return b"".join(blocks)
