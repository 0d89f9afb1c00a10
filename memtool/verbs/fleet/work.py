"""fleet work: the worker of a tree, which takes jobs from the fleet's database and runs them here.

Design notes
------------
- What runs is decided here: `parse_job_command` takes a closed set of commands without paths, settings or
  programs. Of the database's answer, only the words of such a command are used, and no shell sees them.
- One worker runs the jobs of a workspace. It holds a lock file, and so does the process of a job: after a
  worker was killed, the next one begins when the job that was left over has ended. A worker that is stopped
  (SIGSTOP, a suspended machine) still holds the lock, so that nobody takes its job over.
- A copy of the workspace on another machine has another lock file. There, a worker begins once this one has
  been silent for 30 seconds. This one, when it wakes up, does not start a job that it asked for more than
  `_FRESH_SECONDS` ago, ends the process of a job that was taken over, and its result is refused.
- A job therefore runs at least once: again if its worker or machine ended, or its result could not be
  reported, before the end of the job was recorded; three times at most. Each command may run again.
- Without the database, the worker goes on waiting for its job and tries to connect, ever more rarely. No
  other command depends on it. A database that does not answer counts as one that is away.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from memtool.core.fleet.job_command import parse_job_command
from memtool.errors import BadUsage, CouldNotTell, WorkerAlreadyRuns
from memtool.fleet.connection import FleetUnavailable, SupersededWorker, connected, cut_off
from memtool.fleet.work import begin_work, end_work, finish_job, keep_work, next_job
from memtool.store.external.fleet_key import FleetKey
from memtool.store.worker_lock import WorkerLock, acquire_worker_lock
from memtool.verbs.fleet.job_process import JobProcess, JobReport

if TYPE_CHECKING:
    from memtool.fleet.connection import FleetConnection

_POLL_SECONDS = 1.0
"""Between two questions for a job, and between two signs of life while a job runs."""
_STANDBY_SECONDS = 2.0
"""Between two attempts of a worker that waits for another one to end."""
_FRESH_SECONDS = 10.0
"""How long after it was asked for a job may start; after 30 s of silence, another worker may take it over."""
_GRACE_SECONDS = 10.0
"""How long a job may go on after the worker was told to end."""
_LONGEST_BACKOFF = 60.0
_MOST_JOBS_ONCE = 50
"""Jobs that a worker runs with `once`, whatever the database has."""


class StopRequest(Protocol):
    """What tells a worker to end."""

    @property
    def is_set(self) -> bool:
        """Whether the worker is to end."""

    def wait(self, seconds: float) -> None:
        """Wait for so long, or until the worker is to end."""


class WorkerRules(Struct, frozen=True):
    """What a worker may run: the names of commands, and for how many seconds a job."""

    allowed: Sequence[str]
    job_seconds: float


class _RunningJob(Struct, frozen=True):
    number: int
    name: str
    process: JobProcess


class FleetWorker:
    """The worker of one tree. `say` prints a message, and `environment` is that of its jobs."""

    def __init__(
        self,
        root: str,
        key: FleetKey,
        rules: WorkerRules,
        environment: Mapping[str, str],
        stop: StopRequest,
        say: Callable[[str], None],
    ) -> None:
        self._root, self._key, self._rules, self._environment = root, key, rules, environment
        self._stop, self._say = stop, say
        self._lock: WorkerLock | None = None
        self._number: int | None = None
        self._job: _RunningJob | None = None
        self._report: JobReport | None = None
        self._connection: FleetConnection | None = None
        self._last_state = ""
        self._count = 0

    def run(self, *, once: bool = False) -> int:
        """Run jobs until the worker is to end, with `once` until none waits; the number of jobs that ended.

        Waits for another worker to end, and for the database to come back; with `once`, raises
        WorkerAlreadyRuns and what `connected` raises instead. Always raises OutsideWorkspace, BadUsage and
        MissingExtra of `connected`, Unwritable for the lock file.
        """
        backoff = _POLL_SECONDS
        try:
            while not self._stop.is_set:
                if not self._holds_lock():
                    self._stand_by(f"another worker for {self._root} is running", once=once)
                    continue
                try:
                    with connected(self._key.dsn) as self._connection:
                        self._note("")
                        backoff = _POLL_SECONDS
                        if self._serve(self._connection, once=once):
                            break
                except SupersededWorker:
                    self._drop_job("another worker for this tree has taken over the job")
                    self._number = None
                    if once:
                        raise
                    self._stop.wait(_POLL_SECONDS)  # a hostile server may say so each time
                except FleetUnavailable as error:
                    if once:
                        raise
                    self._note(f"{error}; the worker will keep retrying")
                    self._wait_offline(backoff)
                    backoff = min(2 * backoff, _LONGEST_BACKOFF)
        finally:
            self._drop_job("the worker is stopping; the job will be put back in the queue")
            if self._lock is not None:
                self._lock.release()
        return self._count

    def abandon_connection(self) -> None:
        """End the connection, for a database that does not answer; a signal handler may call it."""
        if self._connection is not None:
            cut_off(self._connection)

    def _serve(self, connection: FleetConnection, *, once: bool) -> bool:
        """Take and run jobs with an open connection; whether the worker ends, else it connects anew."""
        while True:
            if self._number is None:
                assert self._lock is not None
                self._number = begin_work(connection, self._lock.instance)
                if self._number is None:
                    if self._stop.is_set:
                        return True
                    self._stand_by("a worker for another copy of this tree is running", once=once)
                    continue
                self._note("")
            if self._job is not None:
                self._tend(connection, self._number, self._job)
            elif self._stop.is_set:
                end_work(connection, self._number)
                return True
            elif not self._holds_lock():
                return False
            elif (once and self._count >= _MOST_JOBS_ONCE) or not self._take(connection, self._number):
                if once:
                    end_work(connection, self._number)
                    return True
                self._stop.wait(_POLL_SECONDS)

    def _take(self, connection: FleetConnection, worker: int) -> bool:
        """Take a job and start it, or refuse it; whether there was one."""
        asked = _clock()
        taken = next_job(connection, worker)
        if taken is None:
            return False
        if _clock() - asked > _FRESH_SECONDS:
            return True  # this process was stopped: the job may be another worker's by now
        try:
            command = parse_job_command(taken.words, self._rules.allowed)
        except BadUsage as error:
            self._say(f"job {taken.number} refused: {error}")
            finish_job(connection, worker, taken.number, "refused", None, str(error))
            self._count += 1
            self._stop.wait(
                _POLL_SECONDS
            )  # `fleet run` queues none of these; a hostile server may queue many
            return True
        assert self._lock is not None
        try:
            process = JobProcess(
                self._root, command, self._environment, self._lock.handle, self._rules.job_seconds
            )
        except OSError as error:
            raise CouldNotTell(f"a process for a job cannot be started: {error.strerror}") from error
        self._job = _RunningJob(taken.number, " ".join(command), process)
        return True

    def _tend(self, connection: FleetConnection, worker: int, job: _RunningJob) -> None:
        """Wait a little for a job, and report it once it has ended."""
        is_ending = self._stop.is_set  # a signal during the wait gives the job its time
        self._report = self._report or job.process.wait(_GRACE_SECONDS if is_ending else _POLL_SECONDS)
        if self._report is None:
            if is_ending:
                self._drop_job("the worker is stopping; the job will be put back in the queue")
            else:
                keep_work(connection, worker)
            return
        report = self._report
        is_taken = finish_job(connection, worker, job.number, report.outcome, report.exit_code, report.output)
        code = "time limit exceeded" if report.exit_code is None else f"exit code {report.exit_code}"
        self._say(
            f"job {job.number}: {job.name}: {code}"
            f"{'' if is_taken else ' (not recorded: the job no longer belongs to this worker)'}"
        )
        self._count += 1
        self._job = self._report = None

    def _drop_job(self, reason: str) -> None:
        """End the process of the job, if there is one, without reporting it."""
        if self._job is not None:
            self._job.process.stop()
            self._say(f"job {self._job.number}: {self._job.name}: {reason}")
            self._job = self._report = None

    def _holds_lock(self) -> bool:
        """Whether this worker holds the lock of the workspace, which it takes if it is free."""
        if self._lock is not None and not self._lock.is_current():
            self._drop_job("the lock file was removed; the job will be put back in the queue")
            self._lock.release()
            self._lock = self._number = None
        self._lock = self._lock or acquire_worker_lock(self._root)
        return self._lock is not None

    def _stand_by(self, reason: str, *, once: bool) -> None:
        if once:
            raise WorkerAlreadyRuns(reason)
        self._note(f"{reason}; waiting for that worker to end")
        self._stop.wait(_STANDBY_SECONDS)

    def _wait_offline(self, seconds: float) -> None:
        """Wait to connect again; the time limit of a running job goes on."""
        end = time.monotonic() + seconds
        while not self._stop.is_set and (left := end - time.monotonic()) > 0:
            if self._job is None or self._report is not None:
                self._stop.wait(left)
            else:
                self._report = self._job.process.wait(min(left, _POLL_SECONDS))

    def _note(self, state: str) -> None:
        """Say once what the worker waits for, and once that it waits no more."""
        if state.partition(":")[0] != self._last_state.partition(":")[0]:
            self._say(state or "the worker is running again")
        self._last_state = state


def _clock() -> float:
    """Seconds that also pass while the machine is suspended, where the system counts them."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
