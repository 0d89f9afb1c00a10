"""Time limits on work in this process, by SIGALRM."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the C half of `signal`, which imports enum: 3 ms of a hook
import time

from memtool.errors import DeadlineExceeded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType


_LEAST = 0.001
"""Seconds to set for a limit that has already passed; a timer of 0 seconds would never fire."""
_LEAST_EXTRA = 0.05
"""The least extra seconds: alarms that follow each other faster would interrupt what ends the limit."""


class TimeLimit:
    """Raise DeadlineExceeded in the block, `seconds` from now, and again every `extra` seconds after that.

    Work that catches the first DeadlineExceeded, such as a step of several, has `extra` seconds for the rest,
    at least 0.05.
    The limit ends with the block, however the block is left. It applies only in the main thread, because no
    other thread receives signals.
    """

    def __init__(self, seconds: float, extra: float) -> None:
        self._until, self._extra = time.monotonic() + seconds, max(_LEAST_EXTRA, extra)

    def __enter__(self) -> None:
        self._is_set = True
        try:
            self._before = _signal.signal(_signal.SIGALRM, _stop)
        except ValueError:  # not the main thread
            self._is_set = False
            return
        _signal.setitimer(_signal.ITIMER_REAL, max(_LEAST, self._until - time.monotonic()), self._extra)

    def __exit__(self, *_: object) -> None:
        if self._is_set:
            _signal.setitimer(_signal.ITIMER_REAL, 0)
            _signal.signal(_signal.SIGALRM, self._before)


_OWN_CODE = (TimeLimit.__enter__.__code__, TimeLimit.__exit__.__code__)


def _stop(_: int, frame: FrameType | None) -> None:
    if frame is None or frame.f_code not in _OWN_CODE:  # raised there, it would leave the timer running
        raise DeadlineExceeded
