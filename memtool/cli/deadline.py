"""A deadline: work that is told, in time, that its time is over."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

from memtool.errors import OutOfTime


@contextlib.contextmanager
def within(seconds: float, more: float) -> Iterator[None]:
    """Raise OutOfTime in what is being done after so many seconds, and again every `more` seconds after that.

    So a step that is short may still be done after a long one was ended. Only the main thread can be told.
    """

    def stop(_: int, __: FrameType | None) -> None:
        raise OutOfTime

    try:
        before = signal.signal(signal.SIGALRM, stop)
    except ValueError:  # another thread
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, seconds, more)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
