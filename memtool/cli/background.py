"""Work of a server after a commit, in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable


def in_background() -> Callable[[Callable[[], None]], None]:
    """For a server's `Session.schedule`: run one piece of work after another in a thread of its own."""
    from concurrent.futures import ThreadPoolExecutor

    executor = ThreadPoolExecutor(1, "write-hooks")

    def schedule(work: Callable[[], None]) -> None:
        executor.submit(work)

    return schedule
