"""Time limits on work in this process, by SIGALRM."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

from memtool.errors import DeadlineExceeded


@contextlib.contextmanager
def time_limit(seconds: float, extra: float) -> Iterator[None]:
    """Raise DeadlineExceeded in the block after so many seconds, and again every `extra` seconds after that.

    Work that catches the first DeadlineExceeded, such as a step of several, has `extra` seconds for the rest.
    In any thread but the main one there is no limit: only the main thread receives signals.
    """

    def stop(_: int, __: FrameType | None) -> None:
        raise DeadlineExceeded

    try:
        before = signal.signal(signal.SIGALRM, stop)
    except ValueError:  # not the main thread
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, seconds, extra)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
