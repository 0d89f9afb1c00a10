"""The first index of large trees: `python -m tests.bench.first_index [FILES...]`, or `make bench-index`.

Processor time is a ratio to that of `python -c "import click"`. Memory is that of all processes together,
with each shared page counted once (the kernel's PSS), looked at ten times a second.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.corpus import large
from tests.bench.table import Table
from tests.trees import clean_environment

SIZES = (1_000, 10_000, 100_000)


def first_index(
    table: Table, memtool: list[str], folder: Path, environment: dict[str, str], files: int
) -> None:
    """Add what the first index of so many files of 4 KB takes."""
    root = folder / f"large{files}"
    subprocess.run([*memtool, "init", str(root)], env=environment, check=True, capture_output=True)
    for path, text in large(files):
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    wall, busy, peak = weighed([*memtool, "-q", "reindex"], root, environment)
    base = [sys.executable, "-c", "import click"]
    unit = statistics.median(weighed(base, root, environment)[1] for _ in range(15))
    what = f"first index of {files:,} files of 4 KB"
    table.add(what, wall, None, " s")
    table.add(f"{what}, processor time, times import click", busy / unit, 800 * files / 10_000)
    table.add(f"{what}, memory of all processes", peak, 250, " MB")


def weighed(command: list[str], root: Path, environment: dict[str, str]) -> tuple[float, float, float]:
    """Seconds, seconds of processor time, and peak megabytes of a command with its child processes."""
    before, begun, peak = os.times(), time.perf_counter(), 0
    with subprocess.Popen(
        command, cwd=root, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        while process.poll() is None:
            peak = max(peak, sum(map(_kilobytes, _family(process.pid))))
            time.sleep(0.1 if time.perf_counter() - begun > 1 else 0.005)
    if process.returncode:
        raise SystemExit(f"{command} failed")
    after = os.times()
    busy = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - begun, busy, peak / 1024


def _family(process: int) -> list[int]:
    """A process and those that it started."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []
    return [process, *(each for child in children for each in _family(int(child)))]


def _kilobytes(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has ended
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def main() -> None:
    table = Table()
    with tempfile.TemporaryDirectory() as folder:
        environment = clean_environment(Path(folder))
        for files in map(int, sys.argv[1:] or SIZES):
            first_index(table, [sys.executable, "-m", "memtool"], Path(folder), environment, files)
    table.show()


if __name__ == "__main__":
    main()
