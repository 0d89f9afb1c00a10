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

from tests.trees import clean_environment, memtool

PROCESSES = 8
TIMES = 100

WORKER = """
import sys
from memtool.cli.main import run
kind, worker, times, root = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
sys.stdout = open("/dev/null", "w")
for i in range(times):
    if kind == "daily":
        code = run(["--root", root, "append-daily", "--user-text", f"question {worker} {i}",
                    "--agent-text", f"answer {worker} {i}"])
    else:
        code = run(["--root", root, "scan", "-m", f"I prefer recipe number {worker}x{i}x"])
    assert code == 0, code
"""


def start(kind, worker, root, home):
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, kind, str(worker), str(TIMES), str(root)],
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
        workers = [start(kind, worker, root, tmp_path) for worker in range(2) for kind in ("daily", "scan")]
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
