"""The transport: messages with headers over a pair of file descriptors, read in a thread of its own."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

from memtool.errors import InternalError
from memtool.serve.internal_errors import thread_errors
from memtool.serve.reader_thread import read_block, start_reader

LOG = logging.getLogger("memtool.serve.lsp")

MOST_BYTES = 64_000_000
"""Most bytes of one message; a longer one is skipped."""
_MOST_HEADER_BYTES = 8_000
_MOST_WAITING = 1_000
"""Messages that are read before they are handled; the client waits when there are more."""
_MOST_CANCELLED = 2_000
"""Cancelled ids that are remembered: more than there are waiting messages, as most come after the answer."""
_LONGEST_BUSY = 0.5
"""Seconds after which `idle` is called even if messages wait."""
_BLOCK = 1 << 16
_LENGTH = re.compile(rb"(?im)^Content-Length:[ \t]*(\d{1,18})[ \t]*\r?$")


class LspMessageReader:
    """Reads messages in a thread, so that cancelled requests and waiting changes are known early."""

    def __init__(self, source: int, loop: asyncio.AbstractEventLoop) -> None:
        self._source = source
        self._loop = loop
        self._queue: asyncio.Queue[Any] = asyncio.Queue()
        self._room = threading.Semaphore(_MOST_WAITING)
        self._cancelling = threading.Lock()
        self._cancelled: dict[str | int, None] = {}
        """The ids that the client cancelled, the latest last; of requests that were handled before, too."""

    def start(self) -> None:
        """Start reading."""
        start_reader(self._read, self._source, "memtool-lsp-reader")

    @property
    def is_empty(self) -> bool:
        """Whether no message waits."""
        return self._queue.empty()

    async def next(self) -> Any:
        """The next message as a JSON value; None at the end of input."""
        message = await self._queue.get()
        self._room.release()
        return message

    def take_cancelled(self, name: object) -> bool:
        """Whether the client has cancelled the request with an id; the id is then forgotten."""
        with self._cancelling:
            return isinstance(name, str | int) and self._cancelled.pop(name, self) is None

    def _read(self, source: int) -> None:
        for body in read_bodies(source):
            try:
                message = json.loads(body)
            except (ValueError, RecursionError):
                LOG.warning("a message is not JSON; it was ignored")
                continue
            if isinstance(message, dict) and message.get("method") == "$/cancelRequest":
                params = message.get("params")
                name = params.get("id") if isinstance(params, dict) else None
                if isinstance(name, str | int):
                    with self._cancelling:
                        self._cancelled[name] = None
                        if len(self._cancelled) > _MOST_CANCELLED:
                            del self._cancelled[next(iter(self._cancelled))]
                continue
            if isinstance(message, dict):
                self._put(message)
            else:
                LOG.warning("a message is not a JSON object; it was ignored")
        self._put(None)

    def end(self) -> None:
        """Let `next` return None."""
        self._queue.put_nowait(None)

    def _put(self, message: Any) -> None:
        self._room.acquire()
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._queue.put_nowait, message)


def read_bodies(source: int) -> Iterator[bytes]:
    """The bodies of the messages of a file descriptor until it ends; too long ones are skipped.

    What is no header ends the input, because the start of the next message cannot be found.
    """
    pending = b""
    while True:
        while (end := _header_end(pending)) < 0:
            block = read_block(source, _BLOCK) if len(pending) < _MOST_HEADER_BYTES else b""
            if not block:
                if pending.strip():
                    LOG.error("the input is not a Language Server Protocol message")
                return
            pending += block
        match = _LENGTH.search(pending[:end])
        if match is None:
            LOG.error("the input is not a Language Server Protocol message")
            return
        size = int(match[1])
        parts, count = [pending[end : end + size]], min(size, len(pending) - end)
        pending = pending[end + size :]
        while count < size:
            block = read_block(source, min(_BLOCK, size - count))
            if not block:
                return
            count += len(block)
            if size <= MOST_BYTES:
                parts.append(block)
        if size <= MOST_BYTES:
            yield b"".join(parts)
        else:
            LOG.warning("a message of %s bytes is too long; it was ignored", size)


def _header_end(pending: bytes) -> int:
    end = pending.find(b"\r\n\r\n")
    return end + 4 if end >= 0 else -1


class LspMessageWriter:
    """Writes messages to a file descriptor; a client that no longer reads raises BrokenPipeError."""

    def __init__(self, sink: int) -> None:
        self._sink = sink

    def write(self, data: bytes) -> None:
        """Write all bytes."""
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._sink, rest) :]

    def close(self) -> None:
        """Do nothing: whoever opened the descriptor closes it."""


def run_loop(source: int, handle: Callable[[dict[str, Any], bool], bool], idle: Callable[[], None]) -> None:
    """Give each message of a descriptor to `handle` until it returns False or the input ends.

    `handle` also receives whether the client has cancelled the request. `idle` is called whenever no message
    waits, and at least every half a second. Raises InternalError if the reader fails.
    """
    asyncio.run(_run(source, handle, idle))


async def _run(source: int, handle: Callable[[dict[str, Any], bool], bool], idle: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    reader = LspMessageReader(source, loop)
    failures: list[InternalError] = []

    def fail(error: InternalError) -> None:
        failures.append(error)
        loop.call_soon_threadsafe(reader.end)

    with thread_errors(fail):
        reader.start()
        last_idle = loop.time()
        while (message := await reader.next()) is not None:
            if not handle(message, reader.take_cancelled(message.get("id"))):
                break
            await asyncio.sleep(0)  # whatever a thread has finished, and messages that were read meanwhile
            if reader.is_empty or loop.time() - last_idle > _LONGEST_BUSY:
                idle()
                last_idle = loop.time()
    for failure in failures:
        raise failure
