"""Many trees are edited and pushed while pushes, workers and the server are killed; then all is checked.

After a last push of each tree, every chunk, posting and count of the fleet must be what the files are, row by
row. Each writer has one tree with a worker, for which jobs are queued: each job that the database accepted
must end, at most three times interrupted. The server is a throw-away one.
`make fleet-storm TREES=100 FILES=100 WRITERS=10 SECONDS=300 SEED=1`
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from memtool.errors import CouldNotTell, WorkerAlreadyRuns
from memtool.fleet.connection import connected
from memtool.fleet.dev_server import DevServer, dev_server
from memtool.fleet.jobs import job_statuses, open_queue, queue_job
from memtool.verbs.fleet.join import init_fleet
from tests.fleet.fleets import Fleet, Tree, server_folder
from tests.fleet.test_push import actual_rows, assert_in_line
from tests.trees import clean_environment

WORDS = [
    f"{first}{second}" for first in ("kil", "gla", "mug", "bow", "cla") for second in ("n", "ze", "s", "y")
]
PUSHES_BEFORE_A_KILL = 0.5
"""The share of pushes that are killed, at a random moment."""
SERVER_SECONDS, WORKER_SECONDS = (8.0, 20.0), (2.0, 12.0)
"""Between two kills of the server, and of a worker."""
COMMANDS = ("fleet push", "status", "lint --severity error", "session status", "quarantine list")
"""What workers run: commands that a storm does not slow down."""


def text(chooser: random.Random) -> str:
    """The text of a note."""
    return "".join(
        f"## {chooser.choice(WORDS)}\n\n{' '.join(chooser.choices(WORDS, k=chooser.randrange(5, 60)))}\n\n"
        for _ in range(chooser.randrange(1, 5))
    )


class FleetStorm:
    """The trees, what kills them, and counts of what happened."""

    def __init__(self, fleet: Fleet, server: DevServer, seed: int) -> None:
        self.fleet = fleet
        self.server = server
        self.chooser = random.Random(seed)
        names = (
            "edits, pushes, killed pushes, failed pushes, jobs, unqueued jobs, killed workers, killed servers"
        )
        self.counts = dict.fromkeys(names.split(", "), 0)
        self.jobs: set[int] = set()
        self._lock = threading.Lock()
        self._ends = threading.Event()

    def count(self, name: str) -> None:
        """Count an event."""
        with self._lock:
            self.counts[name] += 1

    def run(self, trees: list[list[Tree]], seconds: float) -> None:
        """Edit and push each group of trees by a thread of its own for so many seconds."""
        workers = [group[0] for group in trees]
        with ThreadPoolExecutor(2 * len(trees) + 2) as pool:
            done = [pool.submit(self._write, group, random.Random(self.chooser.random())) for group in trees]
            done += [pool.submit(self._work, tree, random.Random(self.chooser.random())) for tree in workers]
            done.append(pool.submit(self._queue, workers, random.Random(self.chooser.random())))
            done.append(pool.submit(self._kill_servers, random.Random(self.chooser.random())))
            self._ends.wait(seconds)
            self._ends.set()
            for each in done:
                each.result()

    def _write(self, trees: list[Tree], chooser: random.Random) -> None:
        while not self._ends.is_set():
            tree = chooser.choice(trees)
            for _ in range(chooser.randrange(1, 6)):
                self._edit(tree, chooser)
            process = start(tree, "push")
            self.count("pushes")
            with contextlib.suppress(subprocess.TimeoutExpired):
                limit = chooser.uniform(0.05, 0.8) if chooser.random() < PUSHES_BEFORE_A_KILL else 120.0
                process.wait(limit)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                self.count("killed pushes")
            elif process.returncode:
                assert process.returncode == 3, process.returncode  # the server was away
                self.count("failed pushes")
            process.wait()

    def _edit(self, tree: Tree, chooser: random.Random) -> None:
        folder = tree.root / "memory/notes/zettel"
        paths = sorted(folder.glob("*.md"))
        kind = chooser.choice(("write", "write", "add", "remove", "move"))
        if kind == "add" or not paths:
            (folder / f"new-{chooser.randrange(10**6)}.md").write_text(text(chooser))
        elif kind == "write":
            chooser.choice(paths).write_text(text(chooser))
        elif kind == "remove":
            chooser.choice(paths).unlink()
        else:
            chooser.choice(paths).rename(folder / f"moved-{chooser.randrange(10**6)}.md")
        self.count("edits")

    def _work(self, tree: Tree, chooser: random.Random) -> None:
        """Run the worker of a tree, which is killed and comes back, as if it were supervised."""
        while not self._ends.is_set():
            process = start(tree, "work")
            self._ends.wait(chooser.uniform(*WORKER_SECONDS))
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                self.count("killed workers")
            process.wait()

    def _queue(self, trees: list[Tree], chooser: random.Random) -> None:
        while not self._ends.wait(chooser.uniform(0.05, 0.5)):
            tree, command = chooser.choice(trees), chooser.choice(COMMANDS).split()
            try:
                with connected(self.fleet.dsn) as connection:
                    open_queue(connection)
                    self.jobs.add(queue_job(connection, tree.name, command))
                self.count("jobs")
            except CouldNotTell:
                self.count("unqueued jobs")

    def _kill_servers(self, chooser: random.Random) -> None:
        while not self._ends.wait(chooser.uniform(*SERVER_SECONDS)):
            number = int(Path(self.server.folder, "data", "postmaster.pid").read_text().split("\n")[0])
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
                self.count("killed servers")
                while True:  # until it is gone: the pid file stays
                    os.kill(number, 0)
                    time.sleep(0.05)
            restart(self.server)


def start(tree: Tree, *arguments: str) -> subprocess.Popen[bytes]:
    """A command `memtool fleet` of a tree, in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "memtool", "-q", "fleet", *arguments],
        cwd=tree.root,
        env=clean_environment(tree.home),
        stderr=subprocess.DEVNULL,
    )


def finish_jobs(tree: Tree) -> None:
    """Run the jobs of a tree that wait, once the job that a killed worker has started has ended."""
    for _ in range(120):
        if (code := start(tree, "work", "--once").wait()) == 0:
            return
        assert code == WorkerAlreadyRuns.exit_code, code
        time.sleep(0.5)
    raise AssertionError(f"the job of a killed worker in {tree.name} does not end")


def outcomes(fleet: Fleet, jobs: Collection[int]) -> Counter[str]:
    """How the jobs ended."""
    with connected(fleet.dsn) as connection:
        open_queue(connection)
        found = job_statuses(connection, jobs)
    assert found.keys() == {*jobs}
    assert all(job.is_over for job in found.values()), found
    return Counter(job.state for job in found.values())


def restart(server: DevServer) -> None:
    """Start the server again; what is left of the killed one ends first."""
    for _ in range(60):
        with contextlib.suppress(CouldNotTell):
            server.start()
            return
        time.sleep(0.5)
    raise CouldNotTell(f"the server in {server.folder} does not start again")


def make_trees(fleet: Fleet, count: int, files: int, seed: int) -> list[Tree]:
    """Trees that have joined, with notes, nothing of which is pushed."""
    chooser = random.Random(seed)
    trees = []
    for number in range(count):
        tree = fleet.add_tree(f"tree-{number}")
        tree.write({f"memory/notes/zettel/n{note}.md": text(chooser) for note in range(files)})
        trees.append(tree)
    return trees


def main(environment: Mapping[str, str]) -> int:
    """Run the storm; 1 if the fleet differs from the files in the end."""
    count, files = int(environment.get("TREES") or 100), int(environment.get("FILES") or 100)
    writers, seconds = int(environment.get("WRITERS") or 10), float(environment.get("SECONDS") or 300)
    seed = int(environment.get("SEED") or 1)
    folder = server_folder()
    server = dev_server(os.environ, folder)
    server.start()
    try:
        init_fleet(server.dsn)
        with tempfile.TemporaryDirectory(prefix="fleet-storm-") as home:
            fleet = Fleet(server.dsn, Path(home))
            trees = make_trees(fleet, count, files, seed)
            print(f"{count} trees of {files} files joined; {writers} writers for {seconds:.0f} s", flush=True)
            storm = FleetStorm(fleet, server, seed)
            storm.run([trees[number::writers] for number in range(writers)], seconds)
            print(", ".join(f"{number:,} {name}" for name, number in storm.counts.items()), flush=True)
            with ThreadPoolExecutor(2) as pool:
                [*pool.map(finish_jobs, trees[:writers])]
                codes = [*pool.map(lambda tree: start(tree, "push").wait(), trees)]
            assert not any(codes), codes
            ended = outcomes(fleet, storm.jobs)
            assert ended.keys() <= {"succeeded", "failed", "interrupted"}, ended
            print("jobs: " + ", ".join(f"{number} {state}" for state, number in ended.items()), flush=True)
            rows = 0
            for tree in trees:
                assert_in_line(fleet, tree)
                rows += sum(sum(found.values()) for found in actual_rows(fleet, tree))
            print(f"after a last push, all {rows:,} chunks and postings of the fleet are what the files are")
            with connected(server.dsn) as connection:
                left = connection.execute(
                    "SELECT count(*) FROM memtool_data.term WHERE chunks < 1"
                ).fetchone()
            assert left == (0,), left
    finally:
        server.stop()
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(os.environ))
