"""A progress bar on stderr, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

_LEAST_ITEMS = 200
"""Work on fewer items shows no bar."""
_INTERVAL = 0.1
"""Seconds between two updates of the bar."""


def progress_bar(label: str) -> Callable[[int, int], None] | None:
    """A callback that takes the items done and their total, and draws a bar; None if stderr is no terminal.

    It erases the bar when all items are done.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    drawn = time.monotonic()

    def show(done: int, total: int) -> None:
        nonlocal drawn
        if total < _LEAST_ITEMS:
            return
        if done == total:
            sys.stderr.write("\r\x1b[K")
        elif time.monotonic() - drawn >= _INTERVAL:
            drawn = time.monotonic()
            filled = 24 * done // total
            sys.stderr.write(f"\r{label} [{'#' * filled}{' ' * (24 - filled)}] {done}/{total}")
        sys.stderr.flush()

    return show
