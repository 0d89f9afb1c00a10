"""Fuzz every reader: `python -m tests.fuzz [--inputs N] [--seed S] [GROUP]...`.

Each group runs in a process of its own, guided by coverage if atheris is installed, else with inputs of
Hypothesis. A failure is a Python exception that the reader must not raise, an input that takes more than
`SECONDS`, or a file outside of the workspace; its input is kept in `build/fuzz`, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

KEPT = Path("build") / "fuzz"
"""Where inputs that fail are kept, one file each."""
SECONDS = 20
"""Seconds after which an input counts as one that hangs."""
MEGABYTES = 2_048
"""Memory of a process at most."""


def main() -> int:
    """Run the groups and print a line for each."""
    parser = argparse.ArgumentParser(prog="tests.fuzz", description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP")
    parser.add_argument("--inputs", type=int, default=1_000_000, help="readings in all, at least")
    parser.add_argument("--seed", type=int, default=secrets.randbits(31))
    parser.add_argument("--one", type=int, metavar="RUNS", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one is not None:
        return _fuzz(options.groups[0], options.one, options.seed)
    from tests.fuzz.targets import GROUPS, build_group

    if unknown := {*options.groups} - {*GROUPS}:
        parser.error(f"there is no group {', '.join(unknown)}; there are {', '.join(GROUPS)}")
    groups = options.groups or GROUPS
    with tempfile.TemporaryDirectory() as folder:
        readers = {name: len(build_group(name, Path(folder)).readers) for name in groups}
    runs = -(-options.inputs // sum(readers.values()))
    sys.stdout.write(
        f"seed {options.seed}; {runs:,} inputs through each of {sum(readers.values())} readers\n"
    )
    failed, count = 0, 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for name, (done, seconds, output) in zip(
            groups, pool.map(lambda name: _run(name, runs, options.seed), groups), strict=True
        ):
            is_failed = done < runs
            failed += is_failed
            count += done * readers[name]
            sys.stdout.write(f"{name:12} {readers[name]:3} readers {done:8,} inputs {seconds:6.0f} s\n")
            if is_failed:
                sys.stdout.write(output)
            sys.stdout.flush()
    sys.stdout.write(f"{count:,} readings, {failed} of {len(groups)} groups failed\n")
    return 1 if failed else 0


def _run(name: str, runs: int, seed: int) -> tuple[int, float, str]:
    """The inputs that a group read without a failure, its seconds, and the end of what it printed."""
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "--one", str(runs), "--seed", str(seed), name],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    output = done.stdout + done.stderr
    counted = re.search(r"^stat::number_of_executed_units: (\d+)", output, re.M)
    inputs = runs if done.returncode == 0 else int(counted[1]) if counted else 0
    return min(inputs, runs if done.returncode == 0 else runs - 1), time.monotonic() - begun, output[-4_000:]


def _fuzz(name: str, runs: int, seed: int) -> int:
    """Fuzz one group in this process, which atheris ends."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            import atheris  # type: ignore[import-not-found,unused-ignore]
        except ImportError:
            return _without_coverage(name, runs, seed, Path(folder))
        with atheris.instrument_imports(include=["memtool"]):
            from tests.fuzz.targets import build_group
        group = build_group(name, Path(folder))
        KEPT.mkdir(parents=True, exist_ok=True)
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for number, seed_bytes in enumerate(group.seeds):
            (corpus / str(number)).write_bytes(seed_bytes)
        limits = [f"-runs={runs}", f"-seed={seed or 1}", f"-timeout={SECONDS}", f"-rss_limit_mb={MEGABYTES}"]
        kept = ["-max_len=4096", f"-artifact_prefix={KEPT}/{name}-", "-print_final_stats=1"]
        atheris.Setup([sys.argv[0], *limits, *kept, str(corpus)], group.read)
        atheris.Fuzz()
    return 0


def _without_coverage(name: str, runs: int, seed: int, folder: Path) -> int:
    from hypothesis import HealthCheck, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    from tests.fuzz.targets import build_group

    group = build_group(name, folder)
    pieces = st.lists(st.sampled_from([*_parts(group.seeds)]) | st.binary(max_size=8), max_size=60)

    @seeded(seed)
    @settings(max_examples=runs, deadline=None, database=None, suppress_health_check=[*HealthCheck])
    @given(pieces.map(b"".join))
    def read(data: bytes) -> None:
        group.read(data)

    read()
    return 0


def _parts(seeds: Sequence[bytes]) -> Iterator[bytes]:
    """The seeds, and their words and marks."""
    for seed in seeds:
        yield seed
        yield from re.findall(rb"\w+|\W", seed)[:200]


if __name__ == "__main__":
    sys.exit(main())
