"""The calls by which the worker of a tree takes jobs from the fleet's database and reports them.

What the database answers is limited in size and time, and checked here for its types alone; whether a
command may run is decided by `memtool.core.fleet.job_command`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from memtool.fleet.bounded_call import bounded_row
from memtool.fleet.connection import FleetUnavailable

if TYPE_CHECKING:
    import psycopg

JobOutcome = Literal["ran", "refused", "timeout"]


class TakenJob(Struct, frozen=True):
    """A job that a worker has taken: its number, and the words of its command as the database gave them."""

    number: int
    words: tuple[object, ...]


class WorkState(Struct, frozen=True):
    """Whether a tree's worker is alive, its last call (None without a worker), and how many jobs wait."""

    is_silent: bool
    seen_at: datetime | None
    waiting: int


NO_WORK = WorkState(is_silent=True, seen_at=None, waiting=0)


def begin_work(connection: psycopg.Connection[Any], instance: str) -> int | None:
    """The number of a new worker; None while a worker of another copy of the tree is alive."""
    row = bounded_row(connection, "SELECT memtool.begin_work(%s)", [instance])
    return None if row is None or row[0] is None else _number(row[0])


def keep_work(connection: psycopg.Connection[Any], worker: int) -> None:
    """Tell that a worker is alive. Raises SupersededWorker through `connected`."""
    bounded_row(connection, "SELECT memtool.keep_work(%s)", [worker])


def next_job(connection: psycopg.Connection[Any], worker: int) -> TakenJob | None:
    """Take the oldest waiting job of the tree. Raises FleetUnavailable for an answer that is none."""
    row = bounded_row(connection, "SELECT job, command FROM memtool.next_job(%s)", [worker], columns=2)
    if row is None:
        return None
    number, words = row
    return TakenJob(_number(number), tuple(words) if isinstance(words, list) else ())


def finish_job(
    connection: psycopg.Connection[Any],
    worker: int,
    job: int,
    outcome: JobOutcome,
    exit_code: int | None,
    output: str,
) -> bool:
    """Report the end of a job; False if the worker does not have it any more."""
    row = bounded_row(
        connection,
        "SELECT memtool.finish_job(%s, %s, %s, %s, %s)",
        [worker, job, outcome, exit_code, output],
    )
    return row is not None and row[0] is True


def end_work(connection: psycopg.Connection[Any], worker: int) -> None:
    """End a worker; the job that it has is queued again."""
    bounded_row(connection, "SELECT memtool.end_work(%s)", [worker])


def work_states(connection: psycopg.Connection[Any]) -> dict[str, WorkState]:
    """The workers and queues of the trees that the caller may read, by name."""
    rows = connection.execute("SELECT name, is_worker_silent, seen_at, waiting FROM memtool.work()")
    return {
        name: WorkState(is_silent, seen_at and seen_at.astimezone(UTC), waiting)
        for name, is_silent, seen_at, waiting in rows
    }


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise FleetUnavailable("the fleet's database returned a result in an unexpected format")
    return value
