"""Calls of a server that is not trusted: with a time limit, and answers of a limited size."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memtool.fleet.connection import FleetUnavailable, cut_off

if TYPE_CHECKING:
    import psycopg

_MOST_SECONDS = 20.0
"""How long an answer is waited for. A worker that waits for longer counts as silent."""
_MOST_BYTES = 64 * 2**20
"""By how much an answer may enlarge the process: libpq reads all of it before anyone can look at its size."""


def bounded_row(
    connection: psycopg.Connection[Any],
    statement: str,
    parameters: Sequence[object],
    columns: int = 1,
    seconds: float = _MOST_SECONDS,
) -> tuple[Any, ...] | None:
    """The first row that a statement returns, None without any; its values may have any type.

        Raises FleetUnavailable for a row of another number of columns, for one that cannot be read or is too
    large, and where the answer takes too long; also psycopg's errors, which `connected` translates.
    """
    try:
        with _ends_after(connection, seconds), _limited_memory():
            row = connection.execute(statement.encode(), parameters).fetchone()
    except (ValueError, MemoryError) as error:
        connection.close()  # the rest of the answer is not read
        raise FleetUnavailable(
            "the fleet's database returned a result that is too large or cannot be read"
        ) from error
    if row is not None and len(row) != columns:
        raise FleetUnavailable("the fleet's database returned a result in an unexpected format")
    return row


@contextlib.contextmanager
def _ends_after(connection: psycopg.Connection[Any], seconds: float) -> Iterator[None]:
    """End the connection if the block takes longer: a server may keep a connection and never answer."""
    import psycopg

    is_late = threading.Event()

    def end() -> None:
        is_late.set()
        cut_off(connection)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    except psycopg.Error as error:
        if is_late.is_set():
            raise FleetUnavailable(f"the fleet's database did not answer within {seconds:g} s") from error
        raise
    finally:
        timer.cancel()
        timer.join()  # it does not cut off what is opened next


@contextlib.contextmanager
def _limited_memory() -> Iterator[None]:
    """Let the process grow by `_MOST_BYTES` at most in the block, on a system that counts this (Linux)."""
    import resource

    used = _data_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = used + _MOST_BYTES
    if used == 0 or any(0 <= given <= limit for given in (soft, hard)):
        yield
        return
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _data_bytes() -> int:
    """The memory that counts against RLIMIT_DATA; 0 where that is not known."""
    try:
        handle = os.open("/proc/self/status", os.O_RDONLY)
        with os.fdopen(handle, encoding="ascii", errors="replace") as file:
            return next((int(line.split()[1]) * 1024 for line in file if line.startswith("VmData:")), 0)
    except OSError:
        return 0
