"""Messages over file descriptors."""

from __future__ import annotations

import json
import logging
import os
import threading
from typing import Any

from memtool.serve.lsp.transport import run_loop


def framed(message: Any) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class _Seen(logging.Handler):
    """Sets an event at the first log record."""

    def __init__(self) -> None:
        super().__init__()
        self.event = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        self.event.set()


def test_a_request_is_cancelled_after_thousands_of_late_cancellations():
    source, sink = os.pipe()
    late = [{"method": "$/cancelRequest", "params": {"id": number}} for number in range(5_000)]
    last = [{"id": "x", "method": "a"}, {"id": "y", "method": "a"}]
    cancel = {"method": "$/cancelRequest", "params": {"id": "x"}}
    messages = [{"id": "first", "method": "a"}, *late, *last, cancel, "read to the end"]
    seen, received = _Seen(), []

    def handle(message: dict[str, Any], is_cancelled: bool) -> bool:
        seen.event.wait(30)  # until all messages are read
        received.append((message["id"], is_cancelled))
        return True

    def write() -> None:
        with os.fdopen(sink, "wb") as stream:
            stream.writelines(map(framed, messages))

    logger = logging.getLogger("memtool.serve.lsp")
    logger.addHandler(seen)
    try:
        writer = threading.Thread(target=write)
        writer.start()
        run_loop(source, handle, lambda: None)
        writer.join()
    finally:
        logger.removeHandler(seen)
        os.close(source)
    assert received == [("first", False), ("x", True), ("y", False)]
