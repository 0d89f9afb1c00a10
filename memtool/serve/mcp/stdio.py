"""The stdio transport: JSON-RPC messages, one a line, over a pair of file descriptors."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
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

from memtool.errors import InternalError
from memtool.serve.internal_errors import thread_errors
from memtool.serve.reader_thread import read_block, start_reader

MOST_BYTES = 8_000_000
"""Most bytes of one message; a longer one is skipped and answered by an error."""
_BLOCK = 1 << 16
_ENDS = 400
"""Bytes of the start and end of a message that is too long, in which its id is searched."""
_HALF = re.compile("[\ud800-\udfff]")
_ID = re.compile(rb'(?<!\\)"id"\s*:\s*("(?:[^"\\]|\\.){1,100}"|-?[0-9]{1,18})\s*[,}]')

Incoming = ObjectReceiveStream[SessionMessage | Exception]
Outgoing = ObjectSendStream[SessionMessage]


async def run_over_stdio(
    serve: Callable[[Incoming, Outgoing], Awaitable[None]], source: int, sink: int
) -> None:
    """Run a server over two file descriptors until `source` ends and every request is answered.

    A line that is not a message is answered by an error, with its id if that can be found. Returns at once
    when the client no longer reads, and when it is interrupted. Raises InternalError if its reader fails.
    """
    wire, loop = _StdioTransport(sink), asyncio.get_running_loop()
    failures: list[InternalError] = []
    try:
        async with anyio.create_task_group() as tasks:

            def fail(error: InternalError) -> None:
                failures.append(error)
                loop.call_soon_threadsafe(tasks.cancel_scope.cancel)

            tasks.start_soon(wire.write, tasks.cancel_scope)
            with thread_errors(fail):
                start_reader(lambda own: wire.read(own, loop), source, "memtool-mcp-reader")
                await serve(wire.incoming, wire.outgoing)
    except BaseExceptionGroup:
        task = asyncio.current_task()
        if task is not None and task.cancelling():  # interrupted: errors during cancellation do not matter
            raise asyncio.CancelledError from None
        raise
    for failure in failures:
        raise failure


class _StdioTransport:
    """Both directions of the transport, and the ids of requests that are not answered yet."""

    def __init__(self, sink: int) -> None:
        self._sink = sink
        self._incoming_sender, self.incoming = anyio.create_memory_object_stream[SessionMessage | Exception](
            0
        )
        self.outgoing, self._outgoing_receiver = anyio.create_memory_object_stream[SessionMessage](0)
        self._unanswered: set[str] = set()
        self._has_ended = False

    def read(self, source: int, loop: asyncio.AbstractEventLoop) -> None:
        """Read line by line, each after the server accepted the one before; runs in its own thread."""
        with contextlib.suppress(RuntimeError, asyncio.CancelledError):  # the loop has ended meanwhile
            for line, is_whole in _lines(source):
                _run_in_loop(loop, self._accept(line, is_whole=is_whole))
            _run_in_loop(loop, self._end())

    async def write(self, scope: anyio.CancelScope) -> None:
        """Write outgoing messages in a thread, so that a client that does not read cannot block reading."""
        limiter = anyio.CapacityLimiter(1)
        async with self._outgoing_receiver:
            async for item in self._outgoing_receiver:
                message = item.message
                text = message.model_dump_json(by_alias=True, exclude_unset=True)
                try:
                    await anyio.to_thread.run_sync(
                        _write_all, self._sink, text.encode() + b"\n", limiter=limiter
                    )
                except OSError:  # the client closed its end
                    scope.cancel()
                    return
                if isinstance(message, JSONRPCResponse | JSONRPCError):
                    await self._mark_answered(message.id)

    async def _accept(self, line: bytes, *, is_whole: bool) -> None:
        message = _parse_message(line) if is_whole else _too_long(line)
        if isinstance(message, JSONRPCError):
            with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                await self.outgoing.send(SessionMessage(message))
            return
        if message is None:
            return
        if isinstance(message, JSONRPCRequest):
            self._unanswered.add(str(message.id))
        with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await self._incoming_sender.send(SessionMessage(message))
        if isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            await self._mark_answered((message.params or {}).get("requestId"))

    async def _mark_answered(self, request: object) -> None:
        """Mark a request as answered or cancelled; after the last one, close the incoming stream."""
        self._unanswered.discard(str(request))
        if self._has_ended and not self._unanswered:
            await self._incoming_sender.aclose()

    async def _end(self) -> None:
        self._has_ended = True
        if not self._unanswered:
            await self._incoming_sender.aclose()


def _run_in_loop(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in the event loop of another thread and wait. Raises RuntimeError if it is closed."""
    try:
        waited = asyncio.run_coroutine_threadsafe(work, loop)
    except RuntimeError:
        work.close()
        raise
    waited.result()


def _lines(source: int) -> Iterator[tuple[bytes, bool]]:
    """The lines of a file descriptor and True; for a line that is too long, its start and end, and False."""
    head, tail, size = bytearray(), b"", 0
    while block := read_block(source, _BLOCK):
        *complete, rest = block.split(b"\n")
        for piece in complete:
            size += len(piece)
            if size <= MOST_BYTES:
                yield bytes(head + piece), True
            else:
                yield bytes(head[:_ENDS]) + b"\0" + (tail + bytes(head) + piece)[-_ENDS:], False
            head, tail, size = bytearray(), b"", 0
        size += len(rest)
        if size <= MOST_BYTES:
            head += rest
        else:
            tail = (tail + bytes(head[_ENDS:]) + rest)[-_ENDS:]
            del head[_ENDS:]
    if size and size <= MOST_BYTES:
        yield bytes(head), True


def _write_all(sink: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(sink, rest) :]


def _parse_message(line: bytes) -> JSONRPCMessage | None:
    """The message on a line; for an invalid line the error to answer with, or None if none is due."""
    line = line.removeprefix(b"\xef\xbb\xbf").strip()
    if not line:
        return None
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        if isinstance(message, JSONRPCNotification) and b'"id"' in line and "id" in json.loads(line):
            return _error(None, INVALID_REQUEST, "the id of a request must be a string or a whole number")
        return message
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        reason = first["msg"].removeprefix("Invalid JSON: ")
        return _error(None, PARSE_ERROR, f"the line is not JSON: {reason}")
    if isinstance(value, dict) and "id" not in value and "method" in value:
        return None  # a notification is never answered
    request = value.get("id") if isinstance(value, dict) else None
    if first["type"] == "json_invalid":  # Python's parser accepts it, the SDK's does not
        half = _HALF.search(json.dumps(value, ensure_ascii=False))
        why = "a string contains an unpaired surrogate" if half else first["msg"]
        return _error(request, INVALID_REQUEST, f"the request cannot be read: {why}")
    return _error(request, INVALID_REQUEST, "the line is not a JSON-RPC 2.0 request")


def _too_long(ends: bytes) -> JSONRPCError:
    start, _, end = ends.partition(b"\0")
    ids = [*_ID.finditer(end)][-1:] or [*_ID.finditer(start)][:1]
    request = json.loads(ids[0][1]) if ids else None
    return _error(request, INVALID_REQUEST, f"the request is longer than {MOST_BYTES:,} bytes")


def _error(request: object, code: int, text: str) -> JSONRPCError:
    is_id = isinstance(request, str | int) and not isinstance(request, bool)
    request_id: Any = request if is_id else None
    if isinstance(request_id, str):
        request_id = request_id.encode("utf-8", "replace").decode()
    return JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=text))
