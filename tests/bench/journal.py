"""What the journal costs a command: time, processor time and fsyncs, with it and without."""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from memtool.core.capture.triggers import DEFAULT_TRIGGERS
from memtool.store.workspace import Workspace
from memtool.verbs.capture.append_daily import append_daily
from memtool.verbs.capture.scan import scan
from tests.trees import NOW, SAMPLE, opened

_TIMES = 300


def _append(workspace: Workspace, number: int) -> None:
    append_daily(workspace, user=f"question {number}", agent="answer", note=None, at=NOW, owner=None)


def _scan(workspace: Workspace, number: int) -> None:
    scan(workspace, f"I prefer recipe {number}x{number}", now=NOW, owner=None, triggers=DEFAULT_TRIGGERS)


def measured(workspace: Workspace, run: Callable[[Workspace, int], None]) -> tuple[float, float, float]:
    """The median time and the mean processor time of a command in milliseconds, and its fsyncs."""
    real, count = os.fsync, 0

    def counting(handle: int) -> None:
        nonlocal count
        count += 1
        real(handle)

    os.fsync = counting
    try:
        used, times = time.process_time(), []
        for number in range(_TIMES):
            started = time.perf_counter()
            run(workspace, number)
            times.append(time.perf_counter() - started)
        used = time.process_time() - used
    finally:
        os.fsync = real
    return statistics.median(times) * 1e3, used / _TIMES * 1e3, count / _TIMES


def main() -> None:
    print(f"{'':24}{'median':>10}{'processor':>12}{'fsyncs':>8}")
    for name, run in (("append-daily", _append), ("scan", _scan)):
        for journal, days in (("without", "0"), ("with", "30")):
            with tempfile.TemporaryDirectory() as folder:
                root = Path(folder) / "w"
                shutil.copytree(SAMPLE, root)
                median, used, fsyncs = measured(opened(root, MEMTOOL_JOURNAL_DAYS=days), run)
            print(f"{name + ' ' + journal:24}{median:>7.2f} ms{used:>9.2f} ms{fsyncs:>8.2f}")


if __name__ == "__main__":
    main()
