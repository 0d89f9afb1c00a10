"""fleet run: queue a command for trees, and wait until their machines have run it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from memtool.core.fleet.job_command import parse_job_command
from memtool.errors import BadUsage
from memtool.fleet.connection import FleetUnavailable, connected
from memtool.fleet.jobs import (
    JobState,
    JobStatus,
    job_statuses,
    open_queue,
    queue_job,
    remove_old_jobs,
    tree_names,
)

if TYPE_CHECKING:
    from memtool.fleet.connection import FleetConnection

TreeRunState = JobState | Literal["silent", "not queued"]
_POLL_SECONDS = 0.5
_SILENT_SECONDS = 30.0
"""How long workers may stay silent after the database was away: they connect again ever more rarely."""


class TreeRun(Struct, frozen=True):
    """What became of a command in a tree, as its machine reported it.

    `silent`: the job waits or runs, and no worker of the tree is alive. `not queued`: the database did not
    take the job. `worker_seen_at` is the last sign of life of a worker.
    """

    tree: str
    job: int | None
    state: TreeRunState
    exit_code: int | None = None
    output: str = ""
    worker_seen_at: datetime | None = None

    @property
    def has_succeeded(self) -> bool:
        """Whether the command ran and exited with 0."""
        return self.state == "succeeded"

    @property
    def is_unknown(self) -> bool:
        """Whether it is not known how the command ends: it waits, runs, or was not queued."""
        return self.state in {"queued", "running", "silent", "not queued"}


def run_on_trees(
    dsn: str,
    trees: Sequence[str],
    words: Sequence[str],
    wait_seconds: float,
    progress: Callable[[int, int], None] | None = None,
) -> list[TreeRun]:
    """Queue a command for trees, by default for all, and wait for the results; in the order of the trees.

    `dsn` is the operator's. No tree is waited for whose worker is silent. What has not ended after
    `wait_seconds` goes on. Raises BadUsage for a command that no fleet runs and for an unknown tree, before
    anything is queued, and what `connected` raises.
    """
    command = parse_job_command(words)
    with connected(dsn) as connection:
        open_queue(connection)
        names = _chosen(tree_names(connection), trees)
        remove_old_jobs(connection)
    jobs, refusals = _queue(dsn, names, command)
    statuses = _wait(dsn, jobs, wait_seconds, progress) if jobs and wait_seconds > 0 else {}
    return [_tree_run(name, jobs.get(name), statuses, refusals.get(name, "")) for name in names]


def checked_trees(dsn: str, trees: Sequence[str], words: Sequence[str]) -> list[str]:
    """The trees for which `run_on_trees` would queue a command; raises what it raises."""
    parse_job_command(words)
    with connected(dsn) as connection:
        open_queue(connection)
        return _chosen(tree_names(connection), trees)


def _chosen(every: Sequence[str], trees: Sequence[str]) -> list[str]:
    if unknown := [name for name in trees if name not in every]:
        known = f"trees in the fleet: {', '.join(every)}" if every else "no tree has joined the fleet yet"
        raise BadUsage(f"no tree is named {unknown[0]!r}; {known}")
    return [*dict.fromkeys(trees or every)]


def _queue(dsn: str, names: Sequence[str], command: Sequence[str]) -> tuple[dict[str, int], dict[str, str]]:
    """The jobs by tree, each queued in a transaction of its own, and why others could not be queued."""
    jobs: dict[str, int] = {}
    refusals: dict[str, str] = {}
    rest = [*names]
    while rest:
        try:
            with connected(dsn) as connection:
                open_queue(connection)
                while rest:
                    jobs[rest[0]] = queue_job(connection, rest[0], command)
                    del rest[0]
        except (FleetUnavailable, BadUsage) as error:  # one tree's lock or absence stops no other tree
            refusals[rest.pop(0)] = str(error)
            if len(refusals) == len(names):
                raise
    return jobs, refusals


def _wait(
    dsn: str, jobs: dict[str, int], wait_seconds: float, progress: Callable[[int, int], None] | None
) -> dict[int, JobStatus]:
    """The jobs once none is worth waiting for, or once the time is over."""
    deadline = time.monotonic() + wait_seconds
    silence_counts_from = 0.0
    while True:
        try:
            with connected(dsn) as connection:
                open_queue(connection)
                return _follow(connection, jobs, deadline, silence_counts_from, progress)
        except FleetUnavailable:
            if time.monotonic() >= deadline:
                raise
            silence_counts_from = time.monotonic() + _SILENT_SECONDS
            time.sleep(min(_POLL_SECONDS, max(0.0, deadline - time.monotonic())))


def _follow(
    connection: FleetConnection,
    jobs: dict[str, int],
    deadline: float,
    silence_counts_from: float,
    progress: Callable[[int, int], None] | None,
) -> dict[int, JobStatus]:
    while True:
        statuses = job_statuses(connection, jobs.values())
        now = time.monotonic()
        waiting = [
            status
            for status in statuses.values()
            if not status.is_over and not (status.is_worker_silent and now >= silence_counts_from)
        ]
        if progress is not None:
            progress(len(jobs) - len(waiting), len(jobs))
        if not waiting or now >= deadline:
            return statuses
        time.sleep(min(_POLL_SECONDS, deadline - now))


def _tree_run(tree: str, job: int | None, statuses: dict[int, JobStatus], refusal: str) -> TreeRun:
    if job is None:
        return TreeRun(tree, None, "not queued", output=refusal)
    status = statuses.get(job)
    if status is None:  # not waited for, or the tree was removed meanwhile
        return TreeRun(tree, job, "queued" if not statuses else "expired")
    is_silent = status.is_worker_silent and not status.is_over
    return TreeRun(
        tree,
        job,
        "silent" if is_silent else status.state,
        status.exit_code,
        status.output,
        status.worker_seen_at,
    )
