"""Progress of long work: one line on stderr that rewrites itself, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

_FEW = 200
_EVERY = 0.1


def progress(what: str) -> Callable[[int, int], None] | None:
    """What to call with how many are done of how many; None where nobody would see it.

    Work on a few items is not worth a line; a bar is drawn at most ten times a second and wiped at the end.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    drawn = time.monotonic()

    def show(done: int, total: int) -> None:
        nonlocal drawn
        if total < _FEW:
            return
        if done == total:
            sys.stderr.write("\r\x1b[K")
        elif time.monotonic() - drawn >= _EVERY:
            drawn = time.monotonic()
            filled = 24 * done // total
            sys.stderr.write(f"\r{what} [{'#' * filled}{' ' * (24 - filled)}] {done}/{total}")
        sys.stderr.flush()

    return show
