"""The watcher's loop: events become index updates, and messages on the socket get replies."""

from __future__ import annotations

import contextlib
import json
import logging
import math
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any

import msgspec

from memtool import __version__
from memtool.core.records.search import SearchResponse
from memtool.errors import InternalError, MemtoolError, UnreadableFile
from memtool.serve.internal_errors import log_internal_error, thread_errors
from memtool.serve.watch.client import ACCEPTED, GO, SOCKET, address, read_line, receive
from memtool.serve.watch.inotify_limit import InotifyLimit, limit_reached
from memtool.serve.watch.protocol import (
    HookMessage,
    HookReply,
    Message,
    SearchMessage,
    StatusMessage,
    StopMessage,
    read_message,
)
from memtool.serve.watch.tree_changes import WHOLE_TREE, TreeChanges
from memtool.store.files import private, queue
from memtool.store.files.posix import error_reason
from memtool.store.root import PRIVATE_FOLDER
from memtool.verbs.indexing.indexes import SearchIndexes

if TYPE_CHECKING:
    from memtool.serve.watch.events import FileEvents

LOG = logging.getLogger("memtool.serve.watch")

_DEBOUNCE = 0.05
"""Seconds without an event before what changed is indexed."""
_LONGEST_WAIT = 0.15
"""Seconds after which a burst that does not end is indexed all the same: the promise is 250 ms."""
_QUIET = 2.0
"""Seconds without events after which the index is tidied, and what hooks have queued is recorded."""
_LONGEST_QUIET = 60.0
"""The longest of these waits, each of which is twice the one before, while what is queued is not recorded."""
_POLL = 2.0
"""The shortest time in seconds between two comparisons of all files where a limit of inotify is reached."""
_POLL_SHARE = 0.02
"""The share of the time that such comparisons take at most; they are rarer in large trees."""
_RETRY = 300.0
"""Seconds after which the watcher tries again to watch all folders: other programs may have ended."""
_POLLED = (
    "the watcher therefore compares all files periodically, which makes searches slower; raise the inotify "
    "limit"
)
"""What follows from a limit that is reached; the command comes next."""
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
        self._socket: os.stat_result | None = None
        self._failure: InternalError | None = None
        self._wake_out, self._wake_in = os.pipe()
        os.set_blocking(self._wake_in, False)
        os.set_blocking(self._wake_out, False)
        layout = indexes.workspace.layout
        self._events: FileEvents | None = None
        self._enters = layout.can_contain_roles
        self._changes = TreeChanges(self._root, layout.is_memory_folder)
        self._limit: InotifyLimit | None = None
        self._poll_at = self._retry_at = math.inf
        if indexes.workspace.disk.linked is None:  # the kernel reports nothing of what is behind a link
            indexes.follow_changes(self._changes.since)

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
            self._cover()
            listener = _listen(folder, self._root)
            self._socket = os.stat(SOCKET, dir_fd=folder, follow_symlinks=False)
            try:
                self._guarded(self._upgrade_turns)
                self._guarded(lambda: self._search_indexes.sync(every=True))
                ready()
                self._loop(listener)
            finally:
                self._stop_observing()
                self._changes.close()
                listener.close()
                with contextlib.suppress(OSError):
                    if os.path.samestat(os.stat(SOCKET, dir_fd=folder, follow_symlinks=False), self._socket):
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
        pending: set[str] = set()
        first = last = time.monotonic()
        tidy, quiet = self._has_outdated, _QUIET
        while not self._stopping:
            due = min(last + _DEBOUNCE, first + _LONGEST_WAIT) if pending else last + quiet
            due = min(due if pending or tidy else math.inf, self._poll_at)
            if listener.fileno() in self._wait(listener, due):
                with contextlib.suppress(OSError):
                    self.serve(listener.accept()[0])
                tidy, quiet = True, _QUIET
            now = time.monotonic()
            if new := self._take():
                first = first if pending else now
                last = now
                pending |= new
            if pending and now >= min(last + _DEBOUNCE, first + _LONGEST_WAIT):
                self._update(pending)
                pending = set()
                tidy, quiet = True, _QUIET
            elif now >= self._poll_at:
                self._poll()
                tidy = tidy or bool(queue.waiting_events(self._root))
            elif tidy and not pending and now >= last + quiet:
                self._guarded(self._prepare)
                self._guarded(self._search_indexes.workspace.do_waiting)
                if self._has_outdated:
                    self._guarded(self._upgrade_turns)
                tidy = self._has_outdated or bool(queue.waiting_events(self._root))  # locked elsewhere
                last, quiet = now, min(2 * quiet, _LONGEST_QUIET) if tidy else _QUIET

    def _wait(self, listener: socket.socket, due: float) -> set[int]:
        """The handles that can be read, waited for until `due`."""
        poll = select.poll()
        for handle in (listener.fileno(), self._wake_out, self._changes.fileno()):
            if handle >= 0:
                poll.register(handle, select.POLLIN)
        left = None if due == math.inf else math.ceil(1000 * max(0.0, due - time.monotonic()))
        ready = {handle for handle, _ in poll.poll(left)}
        if self._wake_out in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake_out, 1 << 16)
        return ready

    def _take(self) -> set[str]:
        """The paths that changed since the last call; WHOLE_TREE where the indexes ask for them."""
        paths = {WHOLE_TREE} if self._changes.take() else set()
        return paths if self._events is None else paths | self._events.take()

    def _cover(self) -> None:
        """Have changes reported: by the kernel's queue, else by an observer.

        Where a limit of the system allows neither, log it; then all files are compared periodically.
        """
        now, known = time.monotonic(), self._limit
        if known is None or not known.is_in_force() or now >= self._retry_at:
            self._changes.cover()
            self._limit = self._changes.limit
            if self._changes.is_covered or self._limit is not None:
                self._stop_observing()
            else:
                self._observe()
            self._retry_at = now + _RETRY
        if self._limit is None:
            self._poll_at = math.inf
        elif self._poll_at == math.inf:
            self._poll_at = now + _POLL
        if self._limit is not None and self._limit != known:
            LOG.warning("%s; %s: %s", self._limit, _POLLED, self._limit.command)

    def _observe(self) -> None:
        """Have an observer report changes, which most systems and file systems have.

        Raises UnreadableFile where the root cannot be listed.
        """
        from memtool.serve.watch.events import FileEvents

        try:
            if self._events is None:
                self._events = FileEvents(self._root, self._enters, self._wake)
                self._events.start()
            else:
                self._events.cover()
        except OSError as error:
            self._limit = limit_reached(error)
            self._stop_observing()
            if self._limit is None:
                reason = error_reason(error)
                raise UnreadableFile(f"{self._root} cannot be watched: {reason}") from error

    def _stop_observing(self) -> None:
        if self._events is not None:
            self._events.stop()
            self._events = None

    def _poll(self) -> None:
        """Compare all files, and set the time of the next comparison."""
        if self._is_cut_off():
            return
        begun = time.monotonic()
        self._guarded(self._cover)
        self._guarded(self._search_indexes.sync)
        if self._poll_at != math.inf:  # the limit is still reached, or it is not known whether it is
            now = time.monotonic()
            self._poll_at = now + max(_POLL, (now - begun) / _POLL_SHARE)

    def _upgrade_turns(self) -> None:
        """Bring a part of the old turns up to date; an error ends it until the next start."""
        self._has_outdated = False
        self._has_outdated = self._upgrade()

    def _prepare(self) -> None:
        """Do beforehand what the next message would wait for."""
        if self._is_cut_off():
            return
        self._cover()
        self._search_indexes.prepare()

    def _update(self, paths: set[str]) -> None:
        if self._is_cut_off():
            return
        if WHOLE_TREE in paths:
            self._guarded(self._cover)
            self._guarded(self._search_indexes.sync)
        else:
            self._guarded(lambda: self._search_indexes.sync_paths(paths))

    def _is_cut_off(self) -> bool:
        """Whether no client can reach the socket by its path any more; then the loop ends.

        That is so once the root or its private folder was deleted, also where there is a new one: its lock is
        another file, so a second watcher can start there.
        """
        path = os.path.join(self._root, PRIVATE_FOLDER, SOCKET)
        try:
            if self._socket is None or os.path.samestat(os.lstat(path), self._socket):
                return False
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError:  # not readable at the moment
            return False
        gone = path if os.path.isdir(self._root) else self._root
        LOG.warning("%s was deleted or replaced; the watcher is stopping", gone)
        self._stopping = True
        return True

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
            return {"pid": os.getpid(), "limit": msgspec.to_builtins(self._limit)}
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
