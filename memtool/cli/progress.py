"""A progress bar on stderr, on a terminal only."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

from memtool.cli import output
from memtool.cli.terminal import terminal_columns

_DELAY = 0.5
"""Seconds of work before a bar appears: shorter work shows none."""
_INTERVAL = 0.1
"""Seconds between two updates of the bar."""
_MOST_CELLS = 30
_LEAST_CELLS = 5


def progress_bar(
    label: str, clock: Callable[[], float] = time.monotonic
) -> Callable[[int, int], None] | None:
    """A callback that takes the items done and their total, and draws a bar; None if stderr is no terminal.

    The bar appears half a second after this call. It is erased when all items are done, and before any other
    output. `clock` returns seconds.
    """
    if sys.stderr is None or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return None
    next_update = clock() + _DELAY

    def show(done: int, total: int) -> None:
        nonlocal next_update
        now = clock()
        if done >= total:
            output.erase_status()
            next_update = max(next_update, now + _INTERVAL)
        elif now >= next_update:
            next_update = now + _INTERVAL
            output.show_status(_bar(label, done, total, terminal_columns(sys.stderr)))

    return show


def _bar(label: str, done: int, total: int, columns: int) -> str:
    """A bar with its label and numbers that fits on one line of the terminal."""
    counts = f"{done}/{total}"
    cells = min(_MOST_CELLS, columns - len(label) - len(counts) - 5)  # the last column stays empty
    if cells < _LEAST_CELLS:
        return f"{label} {counts}"[: columns - 1]
    filled = cells * done // total
    return f"{label} [{'#' * filled}{' ' * (cells - filled)}] {counts}"
