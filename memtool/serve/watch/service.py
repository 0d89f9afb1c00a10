"""The watcher's loop: events become index updates, and questions on the socket get answers."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import selectors
import signal
import socket
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from memtool import __version__
from memtool.errors import MemtoolError
from memtool.serve.watch.client import SOCKET, address
from memtool.serve.watch.events import EVERYTHING, Events
from memtool.store.files import private
from memtool.verbs.indexing.indexes import SearchIndexes

LOG = logging.getLogger("memtool.serve.watch")

_DEBOUNCE = 0.05
"""Seconds without an event before what changed is indexed."""
_LONGEST_WAIT = 0.15
"""Seconds after which a burst that does not end is indexed all the same: the promise is 250 ms."""
_QUIET = 2.0
"""Seconds without events after which the index is tidied."""
_TALK = 5.0
"""Seconds a client has for each step of its talk."""


class Service:
    """One watcher of one workspace. It writes nothing canonical, so it cannot chase its own tail."""

    def __init__(self, shelves: SearchIndexes, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        self._shelves = shelves
        self._answer = answer
        self._root = shelves.workspace.root
        self._stopping = False
        self._wake_out, self._wake_in = os.pipe()
        os.set_blocking(self._wake_in, False)
        os.set_blocking(self._wake_out, False)
        self._events = Events(self._root, shelves.workspace.layout.enters, self._wake)

    def run(self, ready: Callable[[], None]) -> None:
        """Watch until SIGTERM, SIGINT or `stop`; `ready` is called once questions are answered.

        Raises Unwritable where the socket cannot be made.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._signalled)
        signal.set_wakeup_fd(self._wake_in, warn_on_full_buffer=False)
        folder = private.make(self._root)
        self._events.start()
        listener = _listen(folder)
        inode = os.lstat(os.path.join(folder, SOCKET)).st_ino
        try:
            self._guarded(lambda: self._shelves.freshen(every=True))
            ready()
            self._loop(listener, folder, inode)
        finally:
            self._events.stop()
            listener.close()
            with contextlib.suppress(OSError):
                if os.lstat(os.path.join(folder, SOCKET)).st_ino == inode:
                    os.unlink(os.path.join(folder, SOCKET))
            self._shelves.close()

    def stop(self) -> None:
        """End the loop after the present step."""
        self._stopping = True
        self._wake()

    def _loop(self, listener: socket.socket, folder: str, inode: int) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(listener, selectors.EVENT_READ)
            selector.register(self._wake_out, selectors.EVENT_READ)
            pending: set[str] = set()
            first = last = time.monotonic()
            tidy = False
            while not self._stopping:
                due = min(last + _DEBOUNCE, first + _LONGEST_WAIT) if pending else last + _QUIET
                wait = max(0.0, due - time.monotonic()) if pending or tidy else None
                for key, _ in selector.select(wait):
                    if key.fileobj is listener:
                        self._serve(listener)
                        pending.clear()  # an answer is given from what is on disk at that moment
                        tidy = True
                    else:
                        with contextlib.suppress(BlockingIOError):
                            os.read(self._wake_out, 1 << 16)
                now = time.monotonic()
                if new := self._events.taken():
                    first = first if pending else now
                    last = now
                    pending |= new
                if pending and now >= min(last + _DEBOUNCE, first + _LONGEST_WAIT):
                    self._update(pending)
                    pending = set()
                    tidy = True
                elif tidy and not pending and now >= last + _QUIET:
                    self._guarded(self._shelves.settle)
                    tidy = False

    def _update(self, paths: set[str]) -> None:
        if not os.path.isdir(self._root):
            LOG.warning("%s is gone; the watch ends", self._root)
            self._stopping = True
        elif EVERYTHING in paths:
            self._guarded(self._events.cover)
            self._guarded(self._shelves.freshen)
        else:
            self._guarded(lambda: self._shelves.freshen_paths(paths))

    def _guarded(self, step: Callable[[], object]) -> None:
        """Do a step; a fault of one file, of the disk or of ours must not end the watch."""
        try:
            step()
        except MemtoolError as error:
            LOG.warning("%s", error)
        except Exception:
            LOG.exception("a step failed; the next change or question looks at the whole tree again")
            self._shelves.close()

    def _serve(self, listener: socket.socket) -> None:
        try:
            talk, _ = listener.accept()
        except OSError:
            return
        with talk, contextlib.suppress(OSError):
            talk.settimeout(_TALK)
            request = b""
            while not request.endswith(b"\n") and len(request) < 1 << 20 and (block := talk.recv(1 << 16)):
                request += block
            reply = self._reply(request)
            talk.sendall(json.dumps(reply).encode() + b"\n")

    def _reply(self, request: bytes) -> dict[str, Any]:
        try:
            asked = json.loads(request)
            if asked.get("version") != __version__:
                return {"version": __version__, "mismatch": True}
            if asked.get("ask") == "stop":
                self._stopping = True
                return {"version": __version__, "pid": os.getpid()}
            if asked.get("ask") == "status":
                return {"version": __version__, "pid": os.getpid()}
            return {"version": __version__, **self._answer(asked)}
        except MemtoolError as error:
            return {"version": __version__, "error": str(error), "exit": error.exit_code}
        except Exception:
            LOG.exception("a question could not be answered")
            self._shelves.close()
            return {"version": __version__, "failed": True}

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        self._stopping = True

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake_in, b".")


def _listen(folder: str) -> socket.socket:
    path = os.path.join(folder, SOCKET)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)  # left by a watcher that died; the pid lock says that none lives
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    old = os.umask(0o177)
    try:
        with address(folder) as place:
            listener.bind(place)
    finally:
        os.umask(old)
    listener.listen(64)
    return listener
