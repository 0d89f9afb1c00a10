"""fleet run and fleet work: what the operator queues, and what the machine of a tree does of it."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtool.cli.output import printable
from memtool.fleet.bounded_call import bounded_row
from memtool.fleet.connection import FleetUnavailable, connected
from memtool.fleet.work import begin_work, finish_job, next_job
from memtool.store.lock import hold
from memtool.store.worker_lock import acquire_worker_lock
from memtool.verbs.fleet.job_process import JobProcess, sendable_output
from tests.fleet.fleets import Fleet, Tree
from tests.trees import clean_environment, memtool

GITHUB_TOKEN = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
LIMITS = resource.getrlimit(resource.RLIMIT_DATA)


@pytest.fixture
def desk(fleet: Fleet) -> Tree:
    """A tree that has joined the fleet."""
    return fleet.add_tree("desk")


def run(fleet: Fleet, *arguments: str, code: int = 0) -> list[dict]:
    """The records of a `fleet run`, which must exit with `code`."""
    done = memtool("fleet", "run", fleet.dsn, "--json", *arguments, home=fleet.folder, cwd=fleet.folder)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


@contextlib.contextmanager
def worker(tree: Tree, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A worker of a tree as a process of its own, which is killed in the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "memtool", "fleet", "work", *arguments],
        cwd=tree.root,
        env=clean_environment(tree.home, MEMTOOL_LOCK_TIMEOUT="60"),
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def until(condition) -> None:
    """Wait for a condition of the database; fail after 15 seconds."""
    for _ in range(300):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("not in time")


def children(process: subprocess.Popen[str]) -> list[str]:
    """The processes that another one has started and that have not ended."""
    tasks = Path(f"/proc/{process.pid}/task").iterdir()
    return [child for task in tasks for child in (task / "children").read_text().split()]


def states(fleet: Fleet) -> list[str]:
    return [
        row[0] for row in fleet.rows("SELECT status::text FROM memtool_jobs.procrastinate_jobs ORDER BY id")
    ]


def workers(fleet: Fleet) -> list[int]:
    return [row[0] for row in fleet.rows("SELECT id FROM memtool_jobs.procrastinate_workers")]


@contextlib.contextmanager
def locked(tree: Tree) -> Iterator[None]:
    """Hold the lock of a tree, for which `maintain` waits."""
    with hold(str(tree.root), 5.0):
        yield


def test_results_and_failures_come_back(fleet, desk):
    desk.write({"memory/notes/zettel/a.md": "# A\n\n[[nowhere]]\n"})
    with worker(desk):
        until(lambda: workers(fleet))
        (done,) = run(fleet, "maintain", "--tree", "desk")
        assert (done["state"], done["exit_code"]) == ("succeeded", 0)
        (done,) = run(fleet, "lint", "--tree", "desk", code=1)
        assert (done["state"], done["exit_code"]) == ("failed", 1)
        assert "nowhere" in done["output"]
        text = memtool("fleet", "run", fleet.dsn, "status", "--all", home=fleet.folder, cwd=fleet.folder)
        assert text.stdout.split("\t")[:3] == ["desk", "succeeded", "0"]


def test_a_silent_tree_is_not_waited_for_and_its_job_runs_later(fleet, desk):
    (before,) = run(fleet, "decay", "--tree", "desk", code=3)
    assert before["state"] == "silent"
    (again,) = run(fleet, "decay", "--tree", "desk", "--no-wait")
    assert again["job"] == before["job"]  # the same command waits already
    status = json.loads(desk.memtool("fleet", "status", "--json").stdout)
    assert (status["worker"], status["jobs"]) == (False, 1)
    desk.memtool("fleet", "work", "--once")
    assert states(fleet) == ["succeeded"]
    assert fleet.rows("SELECT command, exit_code FROM memtool_data.job") == [(["decay"], 0)]


def test_usage_is_checked_before_anything_is_queued(fleet, desk):
    run(fleet, "maintain", code=2)
    run(fleet, "maintain", "--all", "--tree", "desk", code=2)
    run(fleet, "compact", "--all", code=2)
    run(fleet, "lint", "--baseline", "x", "--all", code=2)
    run(fleet, "maintain", "--tree", "desk", "--tree", "nobody", code=2)
    run(fleet, "maintain", "--all", "--dry-run")
    desk.memtool("fleet", "work", "--once", "--allow", "compact", code=2)
    assert states(fleet) == []


@pytest.mark.parametrize(
    "command",
    [
        ["config", "set", "embedder", "sh"],
        ["maintain", "--root", "/"],
        ["lint", "--baseline", "/etc/passwd"],
        ["maintain; touch /tmp/x"],
        [],
        [None],
    ],
)
def test_a_worker_refuses_what_a_hostile_database_queues(fleet, desk, command):
    run(fleet, "decay", "--tree", "desk", "--no-wait")
    fleet.rows("UPDATE memtool_data.job SET command = %s RETURNING job", command)
    done = desk.memtool("fleet", "work", "--once")
    assert "refused" in done.stderr
    assert fleet.rows("SELECT outcome, exit_code FROM memtool_data.job") == [("refused", None)]
    assert states(fleet) == ["failed"]


def test_a_machine_that_allows_less_says_so(fleet, desk):
    run(fleet, "maintain", "--tree", "desk", "--no-wait")
    with worker(desk, "--allow", "doctor"):
        until(lambda: states(fleet) == ["failed"])
    ((output,),) = fleet.rows("SELECT output FROM memtool_data.job")
    assert "does not allow" in output


def test_one_worker_executes_and_another_one_takes_over(fleet, desk):
    with worker(desk) as first:
        until(lambda: workers(fleet))
        (number,) = workers(fleet)
        with worker(desk) as second:
            desk.memtool("fleet", "work", "--once", code=11)
            run(fleet, "decay", "--tree", "desk")
            assert workers(fleet) == [number]
            first.kill()
            until(lambda: workers(fleet) not in ([], [number]))
            run(fleet, "status", "--tree", "desk")
            second.send_signal(signal.SIGTERM)
            assert second.wait(15) == 0
    assert workers(fleet) == []


def test_the_job_of_a_killed_worker_ends_before_it_runs_again(fleet, desk):
    run(fleet, "maintain", "--tree", "desk", "--no-wait")
    with contextlib.ExitStack() as workers_left:
        with locked(desk):
            first = workers_left.enter_context(worker(desk))
            until(lambda: states(fleet) == ["doing"] and children(first))
            first.kill()
            first.wait()
            assert acquire_worker_lock(str(desk.root)) is None  # the job that is left over holds it
            (number,) = workers(fleet)
            workers_left.enter_context(worker(desk))
            assert workers(fleet) == [number]
        until(lambda: states(fleet) == ["succeeded"])
    assert fleet.rows("SELECT attempts FROM memtool_jobs.procrastinate_jobs") == [(2,)]


def test_a_worker_that_is_told_to_end_lets_a_short_job_end(fleet, desk):
    run(fleet, "maintain", "--tree", "desk", "--no-wait")
    with worker(desk) as process:
        with locked(desk):
            until(lambda: states(fleet) == ["doing"])
            process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(2)  # longer than it would take to notice the signal
            assert process.poll() is None
        assert process.wait(20) == 0
    assert states(fleet) == ["succeeded"]


def test_a_worker_that_ends_gives_its_job_back(fleet, desk):
    run(fleet, "maintain", "--tree", "desk", "--no-wait")
    with connected(desk.key.dsn) as connection:
        number = begin_work(connection, "here")
        taken = next_job(connection, number)
        assert taken.words == ("maintain",)
        connection.execute("SELECT memtool.end_work(%s)", [number])
    assert states(fleet) == ["todo"]
    assert workers(fleet) == []


def test_a_stopped_worker_that_wakes_up_cannot_report_a_job_that_was_taken_over(fleet, desk):
    from memtool.fleet.connection import SupersededWorker

    run(fleet, "maintain", "--tree", "desk", "--no-wait")
    with connected(desk.key.dsn) as there:
        stopped = begin_work(there, "there")
        job = next_job(there, stopped).number
        with connected(desk.key.dsn) as here:
            assert begin_work(here, "here") is None  # the other copy of the tree is alive
            fleet.rows(
                "UPDATE memtool_jobs.procrastinate_workers SET last_heartbeat = now() - interval '1 min'"
                " RETURNING id"
            )
            number = begin_work(here, "here")
            assert next_job(here, number).number == job
            with pytest.raises(SupersededWorker), connected(desk.key.dsn) as woken:
                finish_job(woken, stopped, job, "ran", 0, "")
            assert finish_job(here, number, job, "ran", 0, "")
            assert not finish_job(here, number, job, "ran", 1, "again")
    assert fleet.rows("SELECT exit_code FROM memtool_data.job") == [(0,)]


def test_a_job_that_ends_its_worker_three_times_does_not_run_again(fleet, desk):
    run(fleet, "maintain", "--tree", "desk", "--no-wait")
    with connected(desk.key.dsn) as connection:
        for _ in range(3):
            number = begin_work(connection, "here")
            assert next_job(connection, number) is not None
        assert next_job(connection, begin_work(connection, "here")) is None
    assert fleet.rows("SELECT outcome FROM memtool_data.job") == [("interrupted",)]


def test_a_job_that_takes_too_long_is_stopped(fleet, desk):
    run(fleet, "maintain", "--tree", "desk", "--no-wait")
    with locked(desk):
        desk.memtool("fleet", "work", "--once", "--job-timeout", "1s")
    assert fleet.rows("SELECT outcome, exit_code FROM memtool_data.job") == [("timeout", None)]


def test_nothing_runs_in_incognito_mode(fleet, desk):
    run(fleet, "maintain", "--tree", "desk", "--no-wait")
    assert "no job was run" in desk.memtool("fleet", "work", "--once", "--incognito").stderr
    assert states(fleet) == ["todo"]


def test_output_is_sent_without_secrets_and_in_whole_lines():
    key = (
        "-----BEGIN RSA PRIVATE KEY-----\n"
        + "MIIEpAIBAAKCAQEA1234567890abcdef\n" * 400
        + "-----END RSA PRIVATE KEY-----"
    )
    output = sendable_output(f"token {GITHUB_TOKEN}\n{key}\nlast\0line \x1b[2J\n".encode() + b"\xff")
    assert GITHUB_TOKEN not in output
    assert "MIIE" not in output
    assert "\0" not in output
    long = sendable_output(b"x" * 79 + b"\n" * 1 + (b"y" * 79 + b"\n") * 40_000)
    assert len(long) <= 8000
    assert long.endswith("dropped]")
    assert set(map(len, long.splitlines()[:-1])) == {79}


def test_a_forget_empties_the_outputs_of_its_tree(fleet, desk):
    desk.write({"MEMORY.md": "- kiln\n- heron\n"})
    run(fleet, "status", "--tree", "desk", "--no-wait")
    desk.memtool("fleet", "work", "--once")
    ((output,),) = fleet.rows("SELECT output FROM memtool_data.job")
    assert output
    desk.memtool("forget", "--match", "heron", "--yes")
    assert fleet.rows("SELECT output FROM memtool_data.job") == [("",)]


def test_a_job_that_ran_during_a_forget_stores_no_output(fleet, desk):
    desk.write({"MEMORY.md": "- kiln\n- heron\n"})
    run(fleet, "lint", "--tree", "desk", "--no-wait")
    run(fleet, "status", "--tree", "desk", "--no-wait")
    with connected(desk.key.dsn) as connection:
        number = begin_work(connection, "here")
        job = next_job(connection, number).number
        desk.memtool("forget", "--match", "heron", "--yes")
        assert finish_job(connection, number, job, "ran", 1, "heron")
        job = next_job(connection, number).number  # taken afterwards
        assert finish_job(connection, number, job, "ran", 0, "kiln")
    assert fleet.rows("SELECT exit_code, output FROM memtool_data.job ORDER BY job") == [(1, ""), (0, "kiln")]


def replace_function(fleet: Fleet, text: str) -> None:
    """Do what an attacker could who has taken over the server: replace a function of the fleet."""
    with connected(fleet.dsn) as connection:
        connection.execute(f"CREATE OR REPLACE FUNCTION memtool.{text}".encode())


NEXT_JOB = "next_job(worker bigint) RETURNS TABLE (job bigint, command text[]) LANGUAGE"


@pytest.mark.parametrize(
    "row",
    [
        "1::bigint, ARRAY[repeat('x', 200000000)]",
        "1::bigint, array_fill('x'::text, ARRAY[20000000])",
    ],
)
def test_a_worker_does_not_read_a_huge_answer(fleet, desk, row):
    replace_function(fleet, f"{NEXT_JOB} sql AS $$ SELECT {row} $$")
    with worker(desk) as process:
        said = process.stderr.readline()
        status = Path(f"/proc/{process.pid}/status")
        if status.exists():
            (peak,) = (line.split()[1] for line in status.read_text().splitlines() if "VmHWM" in line)
            assert int(peak) < 250_000
        assert "keep retrying" in said
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


def test_an_answer_that_takes_too_long_or_is_none_counts_as_none(fleet, desk):
    with pytest.raises(FleetUnavailable, match="within"), connected(desk.key.dsn) as connection:
        bounded_row(connection, "SELECT pg_sleep(60)", [], seconds=0.3)
    with pytest.raises(FleetUnavailable, match="unexpected format"), connected(desk.key.dsn) as connection:
        bounded_row(connection, "SELECT 1, 2", [])
    with connected(desk.key.dsn) as connection:
        assert bounded_row(connection, "SELECT 1, 2", [], columns=2) == (1, 2)
        assert resource.getrlimit(resource.RLIMIT_DATA) == LIMITS


def test_a_worker_that_is_superseded_each_time_does_not_spin(fleet, desk):
    replace_function(
        fleet,
        f"{NEXT_JOB} plpgsql AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'MT002', MESSAGE = 'x'; END $$",
    )
    desk.memtool("fleet", "work", "--once", code=3)


def test_a_long_error_of_the_server_is_cut(fleet, desk):
    replace_function(fleet, f"{NEXT_JOB} plpgsql AS $$ BEGIN RAISE '%', repeat('x', 5000000); END $$")
    assert len(desk.memtool("fleet", "work", "--once", code=3).stderr) < 1000


def test_a_job_ends_when_the_lock_file_is_removed(fleet, desk):
    run(fleet, "maintain", "--tree", "desk", "--no-wait")
    with locked(desk), worker(desk) as process:
        until(lambda: states(fleet) == ["doing"])
        (desk.root / ".memtool/work.lock").unlink()
        fleet.rows(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'memtool_tree%%'"
            " AND datname = current_database()"
        )
        assert "lock file was removed" in process.stderr.readline() + process.stderr.readline()


def test_what_a_job_left_behind_does_not_keep_its_output_open(tmp_path, monkeypatch):
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\nsleep 20 &\necho done\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    before = threading.active_count()
    with open(os.devnull, "rb") as handle:
        job = JobProcess(str(tmp_path), ["maintain"], {"PATH": os.environ["PATH"]}, handle.fileno(), 60.0)
        report = job.wait(10.0)
    assert (report.outcome, report.exit_code, report.output) == ("ran", 0, "done")
    until(lambda: threading.active_count() == before)


@pytest.mark.parametrize("before", ["\n", "\t", "\x1b", "\u2028"])
@pytest.mark.parametrize(
    "secret", ["AKIAIOSFODNN7EXAMPLQ", GITHUB_TOKEN, "r8_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"]
)
def test_a_secret_after_an_escaped_character_is_not_sent(before, secret):
    text = f"a{before}{secret}"
    for shown in (json.dumps({"text": text}), printable(text), f"\x1b[1m{text}"):
        assert secret[-12:] not in sendable_output(shown.encode())


def test_a_worker_removes_old_results_of_its_tree(fleet, desk):
    run(fleet, "status", "--tree", "desk", "--no-wait")
    desk.memtool("fleet", "work", "--once")
    run(fleet, "decay", "--tree", "desk", "--no-wait")
    fleet.rows(
        "UPDATE memtool_data.job SET finished_at = now() - interval '8 days'"
        " WHERE finished_at IS NOT NULL RETURNING job"
    )
    desk.memtool("fleet", "work", "--once")
    assert fleet.rows("SELECT command FROM memtool_data.job") == [(["decay"],)]


def test_doctor_runs_as_a_job(fleet, desk):
    run(fleet, "doctor", "--tree", "desk", "--no-wait")
    desk.memtool("fleet", "work", "--once")
    ((outcome, output),) = fleet.rows("SELECT outcome, output FROM memtool_data.job")
    assert outcome == "ran"
    assert "workspace" in output


def test_a_removed_tree_takes_its_jobs_with_it(fleet, desk):
    run(fleet, "maintain", "--tree", "desk", "--no-wait")
    memtool("fleet", "forget", fleet.dsn, "desk", "--yes", home=fleet.folder, cwd=fleet.folder)
    assert states(fleet) == []
    assert fleet.rows("SELECT job FROM memtool_data.job") == []
    assert fleet.rows("SELECT id FROM memtool_jobs.procrastinate_events") == []
