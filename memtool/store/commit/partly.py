"""Errors of commands that write in several steps, each of them whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from memtool.errors import RUN_AGAIN, MemtoolError, PartlyApplied, UnfinishedCommit


@contextmanager
def after_steps(done: Callable[[], str], remedy: str = RUN_AGAIN) -> Iterator[None]:
    """Raise PartlyApplied in place of an error after the first step.

    `done` says what was written until then, and returns "" before the first step.
    """
    try:
        yield
    except (PartlyApplied, UnfinishedCommit):
        raise
    except MemtoolError as error:
        if not (written := done()):
            raise
        raise PartlyApplied(error, written, remedy) from error
