"""Bugs in a server: logged in one sentence, and the server goes on, or ends where a thread of it died."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Iterator

from memtool.errors import TRACEBACK_VARIABLE, InternalError


def log_internal_error(log: logging.Logger, error: Exception) -> str:
    """Log an unexpected exception and return the sentence; the traceback is logged at level DEBUG alone."""
    sentence = str(InternalError(error))
    log.error("%s", sentence, exc_info=error if log.isEnabledFor(logging.DEBUG) else None)
    return sentence


@contextlib.contextmanager
def thread_errors(end: Callable[[InternalError], None]) -> Iterator[None]:
    """Call `end`, on a thread that dies of an uncaught exception, within the block; print no traceback.

    A server without one of its threads no longer hears its client or the tree, so that it must end.
    """

    def report(died: threading.ExceptHookArgs) -> None:
        if died.exc_value is not None:
            if os.environ.get(TRACEBACK_VARIABLE):
                threading.__excepthook__(died)
            end(InternalError(died.exc_value))

    before, threading.excepthook = threading.excepthook, report
    try:
        yield
    finally:
        threading.excepthook = before
