"""The thread in which a server reads its input."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable


def start_reader(read: Callable[[int], None], source: int, name: str) -> None:
    """Call `read` in a thread, with a duplicate of a file descriptor that is closed when it returns.

    The thread is a daemon, because a blocking read must not keep the process from exiting, so it may outlive
    the server. With its own descriptor, it then never reads from a file that has received the number of
    `source` since. Raises OSError where `source` is closed.
    """
    own = os.dup(source)

    def run() -> None:
        try:
            read(own)
        finally:
            os.close(own)

    threading.Thread(target=run, name=name, daemon=True).start()


def read_block(source: int, size: int) -> bytes:
    """Some bytes; none at the end of input, and where it cannot be read any more."""
    try:
        return os.read(source, size)
    except OSError:
        return b""
