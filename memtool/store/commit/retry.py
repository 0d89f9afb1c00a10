"""Decide anew when a file changed between being read and being written."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from memtool.errors import StaleWrite

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

ATTEMPTS = 5
"""How often a function runs at most."""
_LONGEST_PAUSE = 0.02
"""Seconds of the longest pause before another attempt; random, so that two programs do not keep in step."""


def retry_when_stale(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Run a function again when it raises StaleWrite, at most `ATTEMPTS` times in all.

    For functions that take the workspace's lock, read, and commit once: a commit that raises has written
    nothing, so that the function decides anew on the files as they are then.
    """

    @functools.wraps(function)
    def run(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        for _ in range(ATTEMPTS - 1):
            try:
                return function(*args, **kwargs)
            except StaleWrite:
                import random
                import time

                time.sleep(random.uniform(0, _LONGEST_PAUSE))  # noqa: S311
        return function(*args, **kwargs)

    return run
