"""The watcher's loop: events become index updates, and messages on the socket get replies."""

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

import msgspec

from memtool import __version__
from memtool.core.records.search import SearchResponse
from memtool.errors import InternalError, MemtoolError
from memtool.serve.internal_errors import log_internal_error, thread_errors
from memtool.serve.watch.client import ACCEPTED, GO, SOCKET, address, read_line, receive
from memtool.serve.watch.events import WHOLE_TREE, FileEvents
from memtool.serve.watch.protocol import (
    HookMessage,
    HookReply,
    Message,
    SearchMessage,
    StatusMessage,
    StopMessage,
    read_message,
)
from memtool.serve.watch.tree_changes import TreeChanges
from memtool.store.files import private, queue
from memtool.verbs.indexing.indexes import SearchIndexes

LOG = logging.getLogger("memtool.serve.watch")

_DEBOUNCE = 0.05
"""Seconds without an event before what changed is indexed."""
_LONGEST_WAIT = 0.15
"""Seconds after which a burst that does not end is indexed all the same: the promise is 250 ms."""
_QUIET = 2.0
"""Seconds without events after which the index is tidied, and what hooks have queued is recorded."""
_LONGEST_QUIET = 60.0
"""The longest of these waits, each of which is twice the one before, while what is queued is not recorded."""
_TALK = 5.0
"""Seconds a client has to send its message, and to read the reply."""
_MAX_MESSAGE = 1 << 20
"""Bytes of a message that are read."""


class Watcher:
    """One watcher of one workspace. It brings old turns up to date, and records what hooks have queued.

    `upgrade` does a part of the former, and says whether there is more; it changes no file besides.
    """

    def __init__(
        self,
        indexes: SearchIndexes,
        answer: Callable[[SearchMessage | HookMessage], SearchResponse | HookReply],
        upgrade: Callable[[], bool] = lambda: False,
    ) -> None:
        self._upgrade = upgrade
        self._has_outdated = True
        self._search_indexes = indexes
        self._answer = answer
        self._root = indexes.workspace.root
        self._stopping = False
        self._failure: InternalError | None = None
        self._wake_out, self._wake_in = os.pipe()
        os.set_blocking(self._wake_in, False)
        os.set_blocking(self._wake_out, False)
        layout = indexes.workspace.layout
        self._events = FileEvents(self._root, layout.can_contain_roles, self._wake)
        self._changes = TreeChanges(self._root, layout.is_memory_folder)
        if indexes.workspace.disk.linked is None:  # the kernel reports nothing of what is behind a link
            indexes.count_changes_by(self._changes.count)

    def run(self, ready: Callable[[], None]) -> None:
        """Watch until SIGTERM, SIGINT or `stop`; `ready` is called once messages are answered.

        Raises Unwritable where the socket cannot be made, InternalError where the observer's thread died.
        """
        with thread_errors(self._fail):
            self._run(ready)
        if self._failure is not None:
            raise self._failure

    def _run(self, ready: Callable[[], None]) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._signalled)
        signal.set_wakeup_fd(self._wake_in, warn_on_full_buffer=False)
        with private.opened(self._root) as folder:
            self._events.start()
            self._changes.cover()
            listener = _listen(folder, self._root)
            inode = os.stat(SOCKET, dir_fd=folder, follow_symlinks=False).st_ino
            try:
                self._guarded(self._upgrade_turns)
                self._guarded(lambda: self._search_indexes.sync(every=True))
                ready()
                self._loop(listener)
            finally:
                self._events.stop()
                self._changes.close()
                listener.close()
                with contextlib.suppress(OSError):
                    if os.stat(SOCKET, dir_fd=folder, follow_symlinks=False).st_ino == inode:
                        os.unlink(SOCKET, dir_fd=folder)
                self._search_indexes.close()

    def _fail(self, error: InternalError) -> None:
        self._failure = error
        self.stop()

    def stop(self) -> None:
        """End the loop after the present step."""
        self._stopping = True
        self._wake()

    def _loop(self, listener: socket.socket) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(listener, selectors.EVENT_READ)
            selector.register(self._wake_out, selectors.EVENT_READ)
            pending: set[str] = set()
            first = last = time.monotonic()
            tidy, quiet = self._has_outdated, _QUIET
            while not self._stopping:
                due = min(last + _DEBOUNCE, first + _LONGEST_WAIT) if pending else last + quiet
                wait = max(0.0, due - time.monotonic()) if pending or tidy else None
                for key, _ in selector.select(wait):
                    if key.fileobj is listener:
                        with contextlib.suppress(OSError):
                            self.serve(listener.accept()[0])
                        pending.clear()  # a search reads what is on disk at that moment
                        tidy, quiet = True, _QUIET
                    else:
                        with contextlib.suppress(BlockingIOError):
                            os.read(self._wake_out, 1 << 16)
                now = time.monotonic()
                if new := self._events.take():
                    first = first if pending else now
                    last = now
                    pending |= new
                if pending and now >= min(last + _DEBOUNCE, first + _LONGEST_WAIT):
                    self._update(pending)
                    pending = set()
                    tidy, quiet = True, _QUIET
                elif tidy and not pending and now >= last + quiet:
                    self._guarded(self._prepare)
                    self._guarded(self._search_indexes.workspace.record_waiting)
                    if self._has_outdated:
                        self._guarded(self._upgrade_turns)
                    tidy = self._has_outdated or bool(queue.waiting_events(self._root))  # locked elsewhere
                    last, quiet = now, min(2 * quiet, _LONGEST_QUIET) if tidy else _QUIET

    def _upgrade_turns(self) -> None:
        """Bring a part of the old turns up to date; an error ends it until the next start."""
        self._has_outdated = False
        self._has_outdated = self._upgrade()

    def _prepare(self) -> None:
        """Do beforehand what the next message would wait for."""
        self._changes.cover()
        self._search_indexes.prepare()

    def _update(self, paths: set[str]) -> None:
        if not os.path.isdir(self._root):
            LOG.warning("%s was deleted; the watcher stops", self._root)
            self._stopping = True
        elif WHOLE_TREE in paths:
            self._guarded(self._events.cover)
            self._guarded(self._search_indexes.sync)
        else:
            self._guarded(lambda: self._search_indexes.sync_paths(paths))

    def _guarded(self, step: Callable[[], object]) -> None:
        """Do a step; an error of one file, of the disk or of memtool itself must not end the watch."""
        try:
            step()
        except MemtoolError as error:
            LOG.warning("%s", error)
        except Exception as error:  # the next change or question looks at the whole tree again
            log_internal_error(LOG, error)
            self._search_indexes.close()

    def serve(self, connection: socket.socket) -> None:
        """Answer the message of one client, and close the connection."""
        with connection, contextlib.suppress(OSError):
            deadline = time.monotonic() + _TALK
            line = read_line(connection, deadline, _MAX_MESSAGE)
            message = self._read_message(line)
            if isinstance(message, SearchMessage | HookMessage):
                connection.sendall(ACCEPTED)
                if receive(connection, deadline) != GO:
                    return  # the client has given up, and does the work itself
            reply = json.dumps({"version": __version__, **self._reply(message)}).encode() + b"\n"
            connection.settimeout(_TALK)
            connection.sendall(reply)

    def _read_message(self, line: bytes) -> Message | dict[str, Any]:
        """The message on a line, or the reply to one that cannot be read."""
        try:
            record = json.loads(line)
            if not isinstance(record, dict) or record.get("version") != __version__:
                return {"mismatch": True}
            return read_message(record)
        except (ValueError, RecursionError) as error:
            LOG.warning("cannot read a request: %s", error)
            return {"failed": True}

    def _reply(self, message: Message | dict[str, Any]) -> dict[str, Any]:
        """The reply to a message, without the version."""
        if isinstance(message, dict):
            return message
        if isinstance(message, StopMessage):
            self._stopping = True
        if isinstance(message, StatusMessage | StopMessage):
            return {"pid": os.getpid()}
        try:
            return {"response": msgspec.to_builtins(self._answer(message))}
        except MemtoolError as error:
            return {"error": str(error), "exit": error.exit_code}
        except Exception as error:
            log_internal_error(LOG, error)
            self._search_indexes.close()
            return {"failed": True}

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        self._stopping = True

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake_in, b".")


def _listen(folder: int, root: str) -> socket.socket:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(SOCKET, dir_fd=folder)  # left by a watcher that died: this one holds the lock
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    old_umask = os.umask(0o177)
    try:
        listener.bind(address(folder, root))
    finally:
        os.umask(old_umask)
    listener.listen(64)
    return listener
