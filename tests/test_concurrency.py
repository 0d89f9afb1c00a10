"""Many real processes on one workspace: every record whole, nothing lost, a killed writer harms nobody."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time

import pytest

from memtool.formats import head
from memtool.formats import turn as turn_format
from tests.trees import clean_environment, contents, make, memtool, opened

PROCESSES = 8
TIMES = 12
UNTIL_KILLED = 1000
SAYINGS = 8
INSERTS = 20

WORKER = """
import io, json, sys
from memtool.cli.main import run
kind, worker, times, root = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
sys.stdout = open("/dev/null", "w")
for i in range(times):
    if kind == "turn":
        said = json.dumps({"role": "user", "content": f"{worker} {i}"})
        sys.stdin = io.TextIOWrapper(io.BytesIO(said.encode()))
        code = run(["--root", root, "append-turn", "--json"])
    elif kind == "said":
        said = json.dumps({"role": "user", "content": f"zebra{worker}x{i}"})
        sys.stdin = io.TextIOWrapper(io.BytesIO(said.encode()))
        code = run(["--root", root, "append-turn"]) or run(["--root", root, "search", f"zebra{worker}x{i}"])
    elif kind == "memory":
        code = run(["--root", root, "memories", "insert", "/memories/log.md", "--insert-line", "0",
                    "--insert-text", f"{worker} {i}"])
    elif kind == "daily":
        code = run(["--root", root, "append-daily", "--user-text", f"question {worker} {i}",
                    "--agent-text", f"answer {worker} {i}"])
    else:
        code = run(["--root", root, "scan", "-m", f"I prefer recipe number {worker}x{i}x"])
    assert code == 0, code
"""


def start(kind, worker, root, home, times=TIMES):
    return subprocess.Popen(
        [
            sys.executable,
            "-c",
            WORKER,
            kind,
            str(worker),
            str({"said": SAYINGS, "memory": INSERTS}.get(kind, times)),
            str(root),
        ],
        env=clean_environment(home, MEMTOOL_NOW="2025-01-15T10:30:00Z", MEMTOOL_LOCK_TIMEOUT="120"),
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "w"
    assert memtool("init", str(root), "--layout", "native", home=tmp_path).returncode == 0
    return root


def test_eight_writers_of_each_kind_lose_and_mix_nothing(root, tmp_path):
    workers = [
        start(kind, worker, root, tmp_path) for worker in range(PROCESSES) for kind in ("daily", "scan")
    ]
    for worker in workers:
        _, stderr = worker.communicate(timeout=170)
        assert worker.returncode == 0, stderr
    note = (root / "memory" / "2025-01-15.md").read_text()
    blocks = re.findall(
        r"## \[10:30:00\]\n\*\*User:\*\* question (\S+ \S+)\n\*\*Agent:\*\* answer (\S+ \S+)\n", note
    )
    assert all(asked == answered for asked, answered in blocks)
    assert sorted(asked for asked, _ in blocks) == sorted(
        f"{worker} {i}" for worker in range(PROCESSES) for i in range(TIMES)
    )
    wanted = sorted(f"{worker}x{i}x" for worker in range(PROCESSES) for i in range(TIMES))
    log = (root / "SESSION-STATE.md").read_text()
    entries = re.findall(
        r"^- \[2025-01-15T10:30:00\+00:00\] \*\*preference\*\*: I prefer recipe number (\S+)$", log, re.M
    )
    assert sorted(entries) == wanted
    kept = re.findall(
        r"^- \*\*preference\*\*: I prefer recipe number (\S+)$", (root / "MEMORY.md").read_text(), re.M
    )
    assert sorted(kept) == wanted


def test_killed_writers_leave_nothing_half_written_and_no_lock(root, tmp_path):
    chance = random.Random(7)
    for _ in range(4):
        workers = [
            start(kind, worker, root, tmp_path, UNTIL_KILLED)
            for worker in range(2)
            for kind in ("daily", "scan")
        ]
        time.sleep(0.5 + chance.random())  # a random moment is what is tested here
        for worker in workers:
            os.killpg(worker.pid, signal.SIGKILL)
            worker.communicate()
        for path, line in (
            (
                "memory/2025-01-15.md",
                r"# Daily Notes -- 2025-01-15|## \[10:30:00\]|\*\*(User|Agent):\*\* (question|answer) \d \d+|",  # noqa: E501
            ),
            (
                "SESSION-STATE.md",
                r"#.*|- \[20[\dT:+-]+\] \*\*preference\*\*: I prefer (recipe number \dx\d+x|calm)|",
            ),
        ):
            if (root / path).exists():
                for row in (root / path).read_text().split("\n"):
                    assert re.fullmatch(line, row), row
        after = memtool("--root", str(root), "scan", "-m", "I prefer calm", home=tmp_path)
        assert after.returncode == 0, after.stderr


def test_what_many_writers_did_at_once_is_taken_back_as_one(root, tmp_path):
    before = contents(root)
    workers = [
        start(kind, worker, root, tmp_path) for worker in range(2) for kind in ("daily", "scan", "turn")
    ]
    for worker in workers:
        _, stderr = worker.communicate(timeout=170)
        assert worker.returncode == 0, stderr
    after = contents(root)
    listed = memtool("--root", str(root), "log", "-n", "9999", "--json", home=tmp_path).stdout.splitlines()
    assert len(listed) == 1 + 6 * TIMES
    done = memtool("--root", str(root), "undo", str(6 * TIMES), home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert contents(root) == before
    undone = memtool("--root", str(root), "log", "-n", "1", home=tmp_path).stdout.split("\t")[0]
    assert memtool("--root", str(root), "undo", undone, home=tmp_path).returncode == 0
    assert contents(root) == after


def test_undos_at_once_take_back_one_command_each(root, tmp_path):
    before = contents(root)
    for number in range(6):
        memtool("--root", str(root), "append-daily", "--user-text", f"{number}", home=tmp_path)
    undos = [
        subprocess.Popen(
            [sys.executable, "-m", "memtool", "--root", str(root), "undo"],
            env=clean_environment(tmp_path),
            stdout=subprocess.DEVNULL,
        )
        for _ in range(6)
    ]
    assert [one.wait(timeout=170) for one in undos] == [0] * 6
    assert contents(root) == before


def seqs(root):
    """The numbers of the turns there are, each file of them whole and of the number it is named by."""
    found = []
    for path in (root / "memory" / "history" / "turns").rglob("*.json"):
        turn = turn_format.parse(path.read_text())
        assert turn.seq == int(path.stem)
        found.append(turn.seq)
    return sorted(found)


def last_seq(root):
    return head.parse((root / "memory" / "history" / "state" / "head.json").read_text()).last_seq


def test_no_number_is_given_twice_however_many_write(root, tmp_path):
    workers = [start("turn", worker, root, tmp_path) for worker in range(4)]
    for worker in workers:
        _, stderr = worker.communicate(timeout=170)
        assert worker.returncode == 0, stderr
    assert seqs(root) == list(range(1, 4 * TIMES + 1))
    assert last_seq(root) == 4 * TIMES


def test_killed_writers_of_turns_leave_whole_turns_and_the_next_number(root, tmp_path):
    chance = random.Random(11)
    for _ in range(3):
        workers = [start("turn", worker, root, tmp_path, UNTIL_KILLED) for worker in range(3)]
        time.sleep(0.4 + chance.random())  # a random moment is what is tested here
        for worker in workers:
            os.killpg(worker.pid, signal.SIGKILL)
            worker.communicate()
        with opened(root).lock():
            pass  # takes back the turn that a killed writer has not acknowledged
        before = seqs(root)
        assert before == list(range(1, len(before) + 1))
        after = memtool(
            "--root", str(root), "append-turn", home=tmp_path, stdin='{"role": "user", "content": "x"}'
        )
        assert after.stdout == f"{len(before) + 1}\n", after.stderr
        assert last_seq(root) == len(before) + 1


@pytest.mark.parametrize("watched", [False, True], ids=["alone", "with a watcher"])
def test_each_finds_what_it_said_at_once_and_nobody_breaks_the_index(root, tmp_path, watched):
    if watched:
        assert memtool("--root", str(root), "watch", "--daemon", home=tmp_path).returncode == 0
    workers = [start("said", worker, root, tmp_path) for worker in range(4)]
    spoken = [worker.communicate(timeout=170) for worker in workers]
    if watched:
        memtool("--root", str(root), "watch", "stop", home=tmp_path)
    for worker, (_, stderr) in zip(workers, spoken, strict=True):
        assert worker.returncode == 0, stderr
        assert b"built anew" not in stderr
    assert seqs(root) == list(range(1, 4 * SAYINGS + 1))


def test_no_line_that_was_put_into_a_memory_is_lost(root, tmp_path):
    create = ["memories", "create", "/memories/log.md", "--file-text", ""]
    assert memtool("--root", str(root), *create, home=tmp_path).returncode == 0
    workers = [start("memory", worker, root, tmp_path) for worker in range(6)]
    for worker in workers:
        _, stderr = worker.communicate(timeout=170)
        assert worker.returncode == 0, stderr
    lines = (root / "memories" / "log.md").read_text().splitlines()
    assert sorted(lines) == sorted(f"{worker} {i}" for worker in range(6) for i in range(INSERTS))


def test_of_many_that_create_or_rename_one_wins(root, tmp_path):
    make(root, {f"memories/from{worker}/a.md": f"{worker}\n" for worker in range(6)})
    commands = [
        ["create", "/memories/one.md", "--file-text", "x"],
        ["rename", "/memories/from{}", "/memories/to"],
    ]
    for name, *arguments in commands:
        workers = [
            subprocess.Popen(
                [sys.executable, "-m", "memtool", "--root", str(root), "memories", name]
                + [argument.format(worker) for argument in arguments],
                env=clean_environment(tmp_path),
                stdout=subprocess.PIPE,
                text=True,
            )
            for worker in range(6)
        ]
        said = [worker.communicate(timeout=170)[0] for worker in workers]
        assert sorted(worker.returncode for worker in workers) == [0, 1, 1, 1, 1, 1]
        assert sum("already exists" in words for words in said) == 5
    assert len([*(root / "memories").glob("from*")]) == 5
