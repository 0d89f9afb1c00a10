"""The cost of commands against the number of files: `make bench SIZES="1000 10000 100000"`.

Each row gives processor time, and elapsed time, as multiples of C: the processor time of `python -c "import
click"` in the same rounds. The watcher's own processor time is not counted, so read its elapsed time.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.bench.corpus import large
from tests.bench.cost_plot import plot
from tests.bench.first_index import weighed
from tests.trees import clean_environment

ROUNDS = 15
ENGINES = ("sqlite", "whoosh")  # the rows after the first index are of the last one
NO_ANSWER = ", no answer"
SETTLING = 2.1
"""Seconds after which a file is not read again because it might still change."""
CLICK = [sys.executable, "-c", "import click"]


@dataclass(frozen=True, slots=True)
class Cost:
    """Medians of processor time and elapsed time, as multiples of C, of a command at a number of files."""

    what: str
    files: int
    busy: float
    elapsed: float
    megabytes: float | None = None


def run_timed(
    command: list[str], root: Path, environment: dict[str, str], stdin: bytes = b""
) -> tuple[float, float]:
    """Seconds of processor time and of elapsed time of a command with the processes that it waits for."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    result = subprocess.run(command, cwd=root, env=environment, input=stdin, capture_output=True, check=False)
    elapsed, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode not in {0, 1}:
        raise SystemExit(f"{command}: exit code {result.returncode}: {result.stderr.decode()}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, elapsed


def rare_words(text: str) -> list[str]:
    """The three longest words of a text, which few other files have."""
    return sorted({*re.findall(r"[a-z]+", text)}, key=lambda word: (len(word), word))[-3:]


class ScaleBench:
    """A tree of so many files of 4 KB, and what commands on it cost."""

    def __init__(self, memtool: list[str], folder: Path, files: int, report: Callable[[Cost], None]) -> None:
        self.memtool, self.files, self.report = memtool, files, report
        self.root = folder / f"tree{files}"
        self.environment = clean_environment(folder)
        run_timed([*memtool, "init", str(self.root)], folder, self.environment)
        text = ""
        for path, text in large(files):
            place = self.root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        self.words = rare_words(text)
        self.unit = statistics.median(run_timed(CLICK, folder, self.environment)[0] for _ in range(ROUNDS))

    def run(self) -> None:
        for engine in ENGINES:
            self.first_index(engine)
        time.sleep(SETTLING)
        self.command("search, cold", "search", *self.words)
        question = f"What about {' '.join(self.words)}, and when?"
        prompt = json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": question}).encode()
        self.command("context, cold", "context", "--prompt", question)
        self.command("hook, cold", "hook", stdin=prompt)
        self.command("search --exact --role all", "search", "--exact", "--role", "all", self.words[0])
        self.command("--help", "--help")
        self.command("scan", "scan", "-m", "I prefer tea without sugar")
        self.command("append-daily", "append-daily", "--user-text", "Which tea?", "--agent-text", "Green.")
        self.touched()
        watch = [*self.memtool, "watch"]
        run_timed([*watch, "--daemon"], self.root, self.environment)
        try:
            self.command("search, by the watcher", "search", *self.words)
            self.command("hook, by the watcher", "hook", stdin=prompt)
        finally:
            run_timed([*watch, "stop"], self.root, self.environment)

    def command(self, what: str, *arguments: str, stdin: bytes = b"") -> None:
        """Report the medians of a command, each round divided by C of the same round."""
        first = subprocess.run(
            [*self.memtool, *arguments],
            cwd=self.root,
            env=self.environment,
            input=stdin,
            capture_output=True,
            check=False,
        )  # indexes what changed, and shows whether there is an answer to measure
        if first.returncode == 1:
            what += NO_ANSWER
        busy, elapsed = [], []
        for number in range(ROUNDS + 1):
            unit, _ = run_timed(CLICK, self.root, self.environment)
            spent = run_timed([*self.memtool, *arguments], self.root, self.environment, stdin)
            if number:  # the first round warms the disk cache
                busy.append(spent[0] / unit)
                elapsed.append(spent[1] / unit)
        self.report(Cost(what, self.files, statistics.median(busy), statistics.median(elapsed)))

    def first_index(self, engine: str) -> None:
        """Report the first index with an engine, run once."""
        shutil.rmtree(self.root / ".memtool", ignore_errors=True)
        environment = {**self.environment, "MEMTOOL_SEARCH_ENGINE": engine}
        elapsed, busy, peak = weighed([*self.memtool, "-q", "reindex"], self.root, environment)
        what = f"first index, {engine}"
        self.report(Cost(what, self.files, busy / self.unit, elapsed / self.unit, peak))

    def touched(self) -> None:
        """Report the first complete search after every file was touched and none changed, run once."""
        for path in (self.root / "memory").rglob("*.md"):
            os.utime(path)
        time.sleep(SETTLING)
        search = [*self.memtool, "search", *self.words]
        busy, elapsed = run_timed(search, self.root, self.environment)
        self.report(Cost("all touched, none changed", self.files, busy / self.unit, elapsed / self.unit))


def show(cost: Cost) -> None:
    """Print a row as soon as it is measured."""
    memory = "" if cost.megabytes is None else f"  {cost.megabytes:,.0f} MB, all processes"
    row = f"{cost.files:>9,}  {cost.what:<26} {cost.busy:>9,.2f} C  {cost.elapsed:>9,.2f} C{memory}"
    print(row, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=int)
    parser.add_argument(
        "--svg", type=Path, help="where to draw the processor time against the number of files"
    )
    options = parser.parse_args()
    costs: list[Cost] = []

    def report(cost: Cost) -> None:
        costs.append(cost)
        show(cost)

    print(
        f'C: processor time of `python -c "import click"`; medians of {ROUNDS} rounds, an index and a touched'
    )
    print(f"tree once; {os.cpu_count()} processors, Python {sys.version.split()[0]}\n")
    print(f"{'files':>9}  {'':<26} {'processor':>11}  {'elapsed':>11}")
    for files in options.files:
        with tempfile.TemporaryDirectory() as folder:
            ScaleBench([sys.executable, "-m", "memtool"], Path(folder), files, report).run()
    if options.svg:
        series: dict[str, list[tuple[int, float]]] = {}
        for cost in costs:
            if not cost.what.endswith("watcher"):  # its own processor time is not counted
                series.setdefault(cost.what.removesuffix(NO_ANSWER), []).append((cost.files, cost.busy))
        options.svg.write_text(plot(series), encoding="utf-8")


if __name__ == "__main__":
    main()
