"""Jobs of the fleet, as the operator queues and follows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from memtool.errors import BadUsage
from memtool.fleet.schema import become_owner

if TYPE_CHECKING:
    import psycopg

JobState = Literal["queued", "running", "succeeded", "failed", "refused", "timeout", "interrupted", "expired"]
_LOCK_TIMEOUT = "5s"
"""How long a statement of the operator waits for a row that a tree's transaction has locked."""


class JobStatus(Struct, frozen=True):
    """A job as the database has it; `exit_code` and `output` are what its tree reported.

    `is_worker_silent` says that no worker of the tree has called for 30 seconds; `worker_seen_at` is its last
    call, None where no worker has ever run or the last one has ended.
    """

    job: int
    state: JobState
    exit_code: int | None
    output: str
    is_worker_silent: bool
    worker_seen_at: datetime | None

    @property
    def is_over(self) -> bool:
        """Whether the job will not change any more."""
        return self.state not in {"queued", "running"}


def open_queue(connection: psycopg.Connection[Any]) -> None:
    """Make a connection of the operator ready for the functions of this module. Raises BadUsage."""
    become_owner(connection)
    connection.execute(f"SET lock_timeout = '{_LOCK_TIMEOUT}'")


def tree_names(connection: psycopg.Connection[Any]) -> list[str]:
    """The names of all trees of the fleet."""
    rows = connection.execute("SELECT name FROM memtool_data.tree ORDER BY name")
    return [str(name) for (name,) in rows]


def remove_old_jobs(connection: psycopg.Connection[Any]) -> None:
    """Remove jobs and results that are older than a week."""
    connection.execute("SELECT memtool_data.remove_old_jobs()")


def queue_job(connection: psycopg.Connection[Any], tree: str, command: Sequence[str]) -> int:
    """Queue a command for a tree; the number of the job, or of a waiting job with the same command.

    Raises BadUsage where the tree does not exist any more.
    """
    from psycopg import errors

    try:
        row = connection.execute("SELECT memtool_data.queue_job(%s, %s)", [tree, [*command]]).fetchone()
    except errors.NoDataFound as error:
        raise BadUsage(f"no tree named {tree!r} in the fleet") from error
    assert row is not None
    return int(row[0])


def job_statuses(connection: psycopg.Connection[Any], jobs: Iterable[int]) -> dict[int, JobStatus]:
    """The jobs of these numbers that are in the database."""
    rows = connection.execute(
        "SELECT job, status, outcome, exit_code, output, is_silent, seen_at FROM memtool_data.job_states(%s)",
        [[*jobs]],
    )
    return {
        job: JobStatus(
            job, _state(status, outcome), exit_code, output, is_silent, seen_at and seen_at.astimezone(UTC)
        )
        for job, status, outcome, exit_code, output, is_silent, seen_at in rows
    }


def _state(status: str, outcome: str | None) -> JobState:
    """The state of a job by procrastinate's status, and by what the worker reported."""
    match status, outcome:
        case "todo", _:
            return "queued"
        case "doing", _:
            return "running"
        case "succeeded", _:
            return "succeeded"
        case "failed", "refused":
            return "refused"
        case "failed", "timeout":
            return "timeout"
        case "failed", "interrupted":
            return "interrupted"
        case "cancelled", _:
            return "expired"
        case _:
            return "failed"
