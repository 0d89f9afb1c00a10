"""The wire: JSON-RPC messages, one a line, read from one file descriptor and written to another."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any

import anyio
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

LONGEST = 8_000_000
"""Bytes of one message; what is longer is passed over and refused."""
_BLOCK = 1 << 16
_ENDS = 400
_HALF = re.compile("[\ud800-\udfff]")
_ID = re.compile(rb'(?<!\\)"id"\s*:\s*("(?:[^"\\]|\\.){1,100}"|-?[0-9]{1,18})\s*[,}]')

Incoming = ObjectReceiveStream[SessionMessage | Exception]
Outgoing = ObjectSendStream[SessionMessage]


async def carry(serve: Callable[[Incoming, Outgoing], Awaitable[None]], source: int, sink: int) -> None:
    """Run a server over two descriptors until `source` ends and every request before that is answered.

    A line that is no message is answered by an error, with its id where that can be made out. Ends at once
    when nobody reads the answers any more, and when it is interrupted, whatever breaks meanwhile.
    """
    wire = _Wire(sink)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(wire.write, tasks.cancel_scope)
            reader = threading.Thread(
                target=wire.read,
                args=(source, asyncio.get_running_loop()),
                name="memtool-mcp-reader",
                daemon=True,
            )
            reader.start()  # a daemon: what waits for a line must not keep the process from ending
            await serve(wire.incoming, wire.outgoing)
    except BaseExceptionGroup:
        task = asyncio.current_task()
        if task is not None and task.cancelling():  # interrupted: what broke on the way out is no news
            raise asyncio.CancelledError from None
        raise


class _Wire:
    """Both directions, and which requests still wait for their answers."""

    def __init__(self, sink: int) -> None:
        self._sink = sink
        self._arrived, self.incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        self.outgoing, self._leaving = anyio.create_memory_object_stream[SessionMessage](0)
        self._waiting: set[str] = set()
        self._has_ended = False

    def read(self, source: int, loop: asyncio.AbstractEventLoop) -> None:
        """Take line by line, each once the one before was taken up; runs in a thread of its own."""
        with contextlib.suppress(RuntimeError, asyncio.CancelledError):  # the loop has ended meanwhile
            for line, is_whole in _lines(source):
                _done_in(loop, self._take(line, is_whole=is_whole))
            _done_in(loop, self._end())

    async def write(self, scope: anyio.CancelScope) -> None:
        """Write what leaves, in a thread, so that a client that does not read keeps nobody from reading."""
        limiter = anyio.CapacityLimiter(1)
        async with self._leaving:
            async for item in self._leaving:
                message = item.message
                text = message.model_dump_json(by_alias=True, exclude_unset=True)
                try:
                    await anyio.to_thread.run_sync(
                        _written, self._sink, text.encode() + b"\n", limiter=limiter
                    )
                except OSError:  # nobody is there to read it
                    scope.cancel()
                    return
                if isinstance(message, JSONRPCResponse | JSONRPCError):
                    await self._settle(message.id)

    async def _take(self, line: bytes, *, is_whole: bool) -> None:
        message = _message(line) if is_whole else _too_long(line)
        if isinstance(message, JSONRPCError):
            with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                await self.outgoing.send(SessionMessage(message))
            return
        if message is None:
            return
        if isinstance(message, JSONRPCRequest):
            self._waiting.add(str(message.id))
        with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await self._arrived.send(SessionMessage(message))
        if isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            await self._settle((message.params or {}).get("requestId"))

    async def _settle(self, request: object) -> None:
        """A request is answered, or nobody waits for its answer."""
        self._waiting.discard(str(request))
        if self._has_ended and not self._waiting:
            await self._arrived.aclose()

    async def _end(self) -> None:
        self._has_ended = True
        if not self._waiting:
            await self._arrived.aclose()


def _done_in(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, None]) -> None:
    """Wait until a loop in another thread has done this. Raises RuntimeError where it runs no more."""
    try:
        waited = asyncio.run_coroutine_threadsafe(work, loop)
    except RuntimeError:
        work.close()
        raise
    waited.result()


def _lines(source: int) -> Iterator[tuple[bytes, bool]]:
    """The lines of a descriptor, without their ends; of one that is too long the two ends, and False."""
    head, tail, size = bytearray(), b"", 0
    while block := _block(source):
        *complete, rest = block.split(b"\n")
        for piece in complete:
            size += len(piece)
            if size <= LONGEST:
                yield bytes(head + piece), True
            else:
                yield bytes(head[:_ENDS]) + b"\0" + (tail + bytes(head) + piece)[-_ENDS:], False
            head, tail, size = bytearray(), b"", 0
        size += len(rest)
        if size <= LONGEST:
            head += rest
        else:
            tail = (tail + bytes(head[_ENDS:]) + rest)[-_ENDS:]
            del head[_ENDS:]
    if size and size <= LONGEST:
        yield bytes(head), True


def _block(source: int) -> bytes:
    try:
        return os.read(source, _BLOCK)
    except OSError:
        return b""


def _written(sink: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(sink, rest) :]


def _message(line: bytes) -> JSONRPCMessage | None:
    """What a line says; where that is no message the error to answer with, or None where none is due."""
    line = line.removeprefix(b"\xef\xbb\xbf").strip()
    if not line:
        return None
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        if isinstance(message, JSONRPCNotification) and b'"id"' in line and "id" in json.loads(line):
            return _error(None, INVALID_REQUEST, "the id of a request is a text or a whole number")
        return message
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        return _error(None, PARSE_ERROR, f"the line is not JSON: {first['msg']}")
    if isinstance(value, dict) and "id" not in value and "method" in value:
        return None  # a notification has no answer, not even this one
    request = value.get("id") if isinstance(value, dict) else None
    if first["type"] == "json_invalid":  # what Python reads and the SDK does not
        half = _HALF.search(json.dumps(value, ensure_ascii=False))
        why = "a text in it holds half of a surrogate pair, which is no character" if half else first["msg"]
        return _error(request, INVALID_REQUEST, f"the request cannot be read: {why}")
    return _error(request, INVALID_REQUEST, "the line is no JSON-RPC 2.0 request")


def _too_long(ends: bytes) -> JSONRPCError:
    start, _, end = ends.partition(b"\0")
    ids = [*_ID.finditer(end)][-1:] or [*_ID.finditer(start)][:1]
    request = json.loads(ids[0][1]) if ids else None
    return _error(request, INVALID_REQUEST, f"the request is longer than {LONGEST:,} bytes")


def _error(request: object, code: int, text: str) -> JSONRPCError:
    is_id = isinstance(request, str | int) and not isinstance(request, bool)
    request_id: Any = request if is_id else None
    if isinstance(request_id, str):
        request_id = request_id.encode("utf-8", "replace").decode()
    return JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=text))
