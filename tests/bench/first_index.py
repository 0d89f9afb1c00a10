"""The first index of large trees: `python -m tests.bench.first_index [FILES...]`, or `make bench-index`.

Once with each engine. Processor time, also as a ratio to that of `python -c "import click"` before and after,
is that of all processes. Memory is that of all processes together, with each shared page counted once (the
kernel's PSS), looked at ten times a second.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from memtool.index.documents.document_index import EngineName
from tests.bench.corpus import large
from tests.bench.table import Table
from tests.trees import clean_environment

SIZES = (1_000, 10_000, 100_000)
PROMISES: dict[EngineName, float] = {"sqlite": 100, "whoosh": 800}
"""The most times `import click` that the first index of 10,000 files takes, by engine."""
MEGABYTES = 250
CLICK = [sys.executable, "-c", "import click"]
ROUNDS = 10


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
    for engine, promise in PROMISES.items():
        chosen = {**environment, "MEMTOOL_SEARCH_ENGINE": engine}
        units = [weighed(CLICK, root, chosen)[1] for _ in range(ROUNDS)]
        wall, busy, peak = weighed([*memtool, "-q", "reindex"], root, chosen)
        units += [weighed(CLICK, root, chosen)[1] for _ in range(ROUNDS)]
        what = f"{engine}, first index of {files:,} files of 4 KB"
        table.add(what, wall, None, " s")
        table.add(f"{what}, processor time", busy * 1000, None, " ms")
        most = promise * files / 10_000 if files >= 10_000 else None  # of fewer, much is the start
        table.add(f"{what}, processor time, times import click", busy / statistics.median(units), most)
        table.add(f"{what}, memory of all processes", peak, MEGABYTES, " MB")


def weighed(command: list[str], root: Path, environment: dict[str, str]) -> tuple[float, float, float]:
    """Seconds, seconds of processor time, and peak megabytes of a command with its child processes."""
    before, begun, peak = _busy(), time.perf_counter(), 0
    with subprocess.Popen(
        command, cwd=root, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        while process.poll() is None:
            peak = max(peak, sum(map(_kilobytes, _family(process.pid))))
            time.sleep(0.1 if time.perf_counter() - begun > 1 else 0.005)
    if process.returncode:
        raise SystemExit(f"{command} failed")
    return time.perf_counter() - begun, _busy() - before, peak / 1024


def _busy() -> float:
    """Seconds of processor time of all child processes that have ended; `os.times` counts hundredths."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


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
