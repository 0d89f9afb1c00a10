"""`memtool fleet run` and `memtool fleet work`."""

from __future__ import annotations

import contextlib
import os
import select
import signal
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.cli.times import parse_duration
from memtool.core.fleet.job_command import RUNNABLE
from memtool.errors import BadUsage

if TYPE_CHECKING:
    from memtool.verbs.fleet.run import TreeRun

_HANGING_SECONDS = 20
"""Seconds that a worker waits for an answer of the database after it has received a signal to end."""

_DEFAULT_TIMEOUT = "10m"


@click.command(
    "run",
    cls=MemtoolCommand,
    context_settings={"ignore_unknown_options": True},
    epilog="""
memtool fleet run DSN maintain --all
memtool fleet run DSN lint --severity error --tree desk --tree laptop
memtool fleet run DSN reindex --all --no-wait
memtool fleet run DSN --tree desk -- doctor -q      options after -- belong to the command
""",
)
@click.argument("dsn", metavar="DSN")
@click.argument("words", metavar="COMMAND [ARGS]...", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option(
    "--tree",
    "trees",
    metavar="NAME",
    multiple=True,
    help="Run the command in this tree; repeatable [default: none; required unless --all is given]",
)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Run the command in all trees [default: only in those named with --tree]",
)
@click.option(
    "--timeout",
    metavar="SPAN",
    help="Stop waiting after SPAN, such as 90s, 30m or 2h [default: 10m]",
)
@click.option("--no-wait", is_flag=True, help="Queue the command and exit [default: wait for the results]")
@pass_session
def run_command(
    session: Session,
    dsn: str,
    words: tuple[str, ...],
    trees: tuple[str, ...],
    every: bool,
    timeout: str | None,
    no_wait: bool,
) -> int:
    """Run a maintenance command in some or all trees of a fleet

    DSN is the connection string with which the fleet was created. A tree is a workspace in the fleet. On each
    tree's machine, `memtool fleet work` runs the command and reports its exit code and the end of its output.
    Prints a line for each tree: its name, the state of the job, the exit code, and the last line of the
    output. Does not wait for a tree whose worker has been silent for 30 seconds; the job runs later if that
    tree's worker becomes active again within 7 days.

    COMMAND is one of: maintain, lint, reindex, upgrade-history, decay, session sweep, session status,
    session-end, quarantine list, doctor, status or fleet push. Options that name a file or a program are
    refused.

    Exits 0 if the command succeeded in all trees (with --no-wait, if it was queued for all trees), 3 if its
    result in any tree is unknown, and 1 otherwise.
    """
    from memtool.verbs.fleet.run import checked_trees, run_on_trees

    if bool(trees) == every:
        raise click.UsageError("give either --tree or --all")
    if no_wait and timeout is not None:
        raise click.UsageError("--no-wait and --timeout cannot be combined")
    seconds = parse_duration(timeout or _DEFAULT_TIMEOUT, "--timeout").total_seconds()
    if session.dry_run or session.incognito:
        for name in checked_trees(dsn, trees, words):
            mode = "dry run" if session.dry_run else "incognito"
            session.notice(f"{mode}: the command was not queued for {name}")
        return 0
    runs = run_on_trees(dsn, trees, words, 0.0 if no_wait else seconds, session.progress("running"))
    for run in runs:
        _print_run(session, run)
    if no_wait:
        return 3 if any(run.job is None for run in runs) else 0
    if any(run.is_unknown for run in runs):
        return 3
    return 0 if all(run.has_succeeded for run in runs) else 1


@click.command(
    "work",
    cls=MemtoolCommand,
    epilog="""
memtool fleet work                              run jobs until SIGTERM or Ctrl-C
memtool fleet work --allow lint --allow doctor
*/5 * * * *  memtool fleet work --once -q --root ~/agent      a crontab line
""",
)
@click.option("--once", is_flag=True, help="Run the queued jobs, then exit [default: wait for more jobs]")
@click.option(
    "--allow",
    metavar="COMMAND",
    multiple=True,
    help="Run only this command, such as lint; repeatable [default: all commands that a fleet may run]",
)
@click.option(
    "--job-timeout",
    metavar="SPAN",
    default="1h",
    help="Stop a job after SPAN, such as 90s, 30m or 2h [default: 1h]",
)
@pass_session
def work_command(session: Session, once: bool, allow: tuple[str, ...], job_timeout: str) -> int:
    """Run the commands that the fleet's operator queues for this workspace

    Runs only the commands that `memtool fleet run` accepts, and refuses all others, whatever the database
    asks for. Only one worker runs for a workspace at a time; a second one waits (with --once, it exits 11).
    If the database cannot be reached, the worker keeps trying (with --once, it exits 3). On SIGTERM or
    Ctrl-C, the worker waits up to 10 seconds for a running job to end, then stops the job and returns it to
    the queue. If the end of a job was not recorded, the job runs again, up to three times in all.
    """
    from memtool.verbs.fleet.push import own_key
    from memtool.verbs.fleet.work import FleetWorker, WorkerRules

    if unknown := [name for name in allow if name not in RUNNABLE]:
        raise BadUsage(f"--allow: a fleet cannot run {unknown[0]!r}; choose from {', '.join(RUNNABLE)}")
    seconds = parse_duration(job_timeout, "--job-timeout").total_seconds()
    workspace = session.workspace
    key = own_key(workspace, session.environment)
    if not workspace.writes:
        session.notice(f"{'dry run' if session.dry_run else 'incognito'}: no job was run")
        return 0
    environment = {**session.environment}
    if layout := session.given.get("layout"):
        environment["MEMTOOL_LAYOUT"] = layout
    rules = WorkerRules(allow or tuple(RUNNABLE), seconds)
    stop = _StopSignal()
    worker = FleetWorker(workspace.root, key, rules, environment, stop, session.notice)
    with stop.handled(worker.abandon_connection):
        worker.run(once=once)
    return 0


class _StopSignal:
    """SIGTERM and SIGINT as a request to end, which ends a wait at once."""

    def __init__(self) -> None:
        self.is_set = False
        self._read_end, self._write_end = os.pipe()
        os.set_blocking(self._write_end, False)

    def wait(self, seconds: float) -> None:
        """Wait for so long, or until a signal comes."""
        select.select([self._read_end], [], [], max(0.0, seconds))

    @contextlib.contextmanager
    def handled(self, abandon: Callable[[], None]) -> Iterator[None]:
        """Handle the signals in the block; `abandon` is called if it goes on for too long after one."""

        def stop(_number: int, _frame: object) -> None:
            self.is_set = True
            with contextlib.suppress(BlockingIOError):
                os.write(self._write_end, b"x")
            signal.alarm(_HANGING_SECONDS)

        before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
        before[signal.SIGALRM] = signal.signal(signal.SIGALRM, lambda _number, _frame: abandon())
        try:
            yield
        finally:
            signal.alarm(0)
            for number, handler in before.items():
                signal.signal(number, handler)


def _print_run(session: Session, run: TreeRun) -> None:
    seen_at = run.worker_seen_at and run.worker_seen_at.isoformat(timespec="seconds")
    if session.json:
        output.put_json(
            {
                "tree": run.tree,
                "job": run.job,
                "state": run.state,
                "exit_code": run.exit_code,
                "output": run.output,
                "worker_seen_at": seen_at,
            }
        )
        return
    last = " ".join(run.output.rpartition("\n")[2].split())
    if run.state == "silent":
        last = f"its worker was last seen at {seen_at}" if seen_at else "no worker is running"
    output.put_row(run.tree, run.state, "-" if run.exit_code is None else str(run.exit_code), last)
