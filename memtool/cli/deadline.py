"""Time limits on work in this process, by SIGALRM."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the C half of `signal`, which imports enum: 3 ms of a hook

from memtool.errors import DeadlineExceeded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType


class TimeLimit:
    """Raise DeadlineExceeded in the block after so many seconds, and again every `extra` seconds after that.

    Work that catches the first DeadlineExceeded, such as a step of several, has `extra` seconds for the rest.
    In any thread but the main one there is no limit: only the main thread receives signals.
    """

    def __init__(self, seconds: float, extra: float) -> None:
        self._seconds, self._extra = seconds, extra

    def __enter__(self) -> None:
        self._is_set = True
        try:
            self._before = _signal.signal(_signal.SIGALRM, _stop)
        except ValueError:  # not the main thread
            self._is_set = False
            return
        _signal.setitimer(_signal.ITIMER_REAL, self._seconds, self._extra)

    def __exit__(self, *_: object) -> None:
        if self._is_set:
            _signal.setitimer(_signal.ITIMER_REAL, 0)
            _signal.signal(_signal.SIGALRM, self._before)


def _stop(_: int, __: FrameType | None) -> None:
    raise DeadlineExceeded
