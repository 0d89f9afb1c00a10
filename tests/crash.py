"""The crash law at every disk operation of every command: `make crash`. Prints the number of faults tried."""

from __future__ import annotations

import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.commands import COMMANDS
from tests.test_crash_law import FAULTS, CrashLaw


def check_command(name: str) -> tuple[str, dict[str, int], list[str]]:
    """The faults tried on a command, by kind, and the violations of the law."""
    tried = dict.fromkeys(FAULTS, 0)
    violations = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        trees = Path(folder) / "trees"
        trees.mkdir()
        law = CrashLaw(name, trees)
        for fault in FAULTS:
            for at in law.points(fault):
                tried[fault] += 1
                try:
                    law.check(fault, at)
                except AssertionError as error:
                    violations.append(str(error).partition("\n")[0])
    return name, tried, violations


def main(names: list[str]) -> int:
    """Check the named commands, else all; returns 1 if the law is violated."""
    total = dict.fromkeys(FAULTS, 0)
    violated = 0
    with ProcessPoolExecutor() as pool:
        for name, tried, violations in pool.map(check_command, names or [*COMMANDS]):
            for fault, count in tried.items():
                total[fault] += count
            violated += len(violations)
            print(f"{sum(tried.values()):6}  {name}", flush=True)
            for violation in violations:
                print(f"        {violation}", flush=True)
    counts = ", ".join(f"{count} {fault}" for fault, count in total.items())
    print(f"{sum(total.values()):6}  faults in {len(names or COMMANDS)} commands: {counts}")
    print(f"{violated:6}  violations of the crash law")
    return int(violated > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
