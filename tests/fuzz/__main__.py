"""Fuzz every reader: `python -m tests.fuzz [--inputs N] [--seed S] [GROUP]...`.

Each group runs in a process of its own, guided by coverage if atheris is installed, else with inputs of
Hypothesis. The processes are forked from one that has imported memtool: where coverage is counted, that takes
ten seconds. A failure is a Python exception that the reader must not raise, an input that takes more than
`SECONDS`, or a file outside of the workspace; its input is kept in `build/fuzz`, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:  # else it would be imported before coverage can be counted
    from tests.fuzz.targets import Group

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
    options = parser.parse_args()
    with contextlib.redirect_stderr(io.StringIO()), _instrumented():  # atheris names each module
        from tests.fuzz.targets import GROUPS, build_group

    if unknown := {*options.groups} - {*GROUPS}:
        parser.error(f"there is no group {', '.join(unknown)}; there are {', '.join(GROUPS)}")
    groups = options.groups or [*GROUPS]
    with tempfile.TemporaryDirectory() as folder:
        readers = {name: len(build_group(name, Path(folder)).readers) for name in groups}
    runs = -(-options.inputs // sum(readers.values()))
    sys.stdout.write(
        f"seed {options.seed}; {runs:,} inputs through each of {sum(readers.values())} readers\n"
    )
    failed, count = 0, 0
    for name, done, seconds, output in _run(groups, runs, options.seed):
        is_failed = done < runs
        failed += is_failed
        count += done * readers[name]
        sys.stdout.write(f"{name:12} {readers[name]:3} readers {done:8,} inputs {seconds:6.0f} s\n")
        if is_failed:
            sys.stdout.write(output)
    sys.stdout.write(f"{count:,} readings, {failed} of {len(groups)} groups failed\n")
    return 1 if failed else 0


def _instrumented() -> contextlib.AbstractContextManager[Any]:
    """While it holds, what is imported of memtool counts its coverage, if atheris is installed."""
    try:
        import atheris  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return contextlib.nullcontext()
    return atheris.instrument_imports(include=["memtool"])


def _run(groups: Sequence[str], runs: int, seed: int) -> Iterator[tuple[str, int, float, str]]:
    """For each group that has ended: inputs read without a failure, its seconds, the end of its output."""
    waiting = [*groups]
    running: dict[int, tuple[str, float, BinaryIO]] = {}
    while waiting or running:
        while waiting and len(running) < (os.cpu_count() or 1):
            name, output = waiting.pop(0), tempfile.TemporaryFile()  # noqa: SIM115  closed below
            sys.stdout.flush()  # else the child would print it again
            if (process := os.fork()) == 0:
                for number in (1, 2):
                    os.dup2(output.fileno(), number)
                raise SystemExit(_fuzz(name, runs, seed))  # as a process ends: then atheris keeps the input
            running[process] = name, time.monotonic(), output
        process, status = os.wait()
        name, begun, output = running.pop(process)
        with output:
            output.seek(0)
            printed = output.read().decode(errors="replace")
        counted = re.search(r"^stat::number_of_executed_units: (\d+)", printed, re.M)
        inputs = runs if status == 0 else int(counted[1]) if counted else 0
        done = min(inputs, runs if status == 0 else runs - 1)
        yield name, done, time.monotonic() - begun, printed[-4_000:]


def _fuzz(name: str, runs: int, seed: int) -> None:
    """Fuzz one group in this process, which atheris ends."""
    from tests.fuzz.targets import build_group

    with tempfile.TemporaryDirectory() as folder:
        group = build_group(name, Path(folder))
        try:
            import atheris
        except ImportError:
            _without_coverage(group, runs, seed)
            return
        KEPT.mkdir(parents=True, exist_ok=True)
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for number, seed_bytes in enumerate(group.seeds):
            (corpus / str(number)).write_bytes(seed_bytes)
        limits = [f"-runs={runs}", f"-seed={seed or 1}", f"-timeout={SECONDS}", f"-rss_limit_mb={MEGABYTES}"]
        kept = ["-max_len=4096", f"-artifact_prefix={KEPT}/{name}-", "-print_final_stats=1"]
        atheris.Setup([sys.argv[0], *limits, *kept, str(corpus)], group.read)
        atheris.Fuzz()


def _without_coverage(group: Group, runs: int, seed: int) -> None:
    from hypothesis import HealthCheck, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    pieces = st.lists(st.sampled_from([*_parts(group.seeds)]) | st.binary(max_size=8), max_size=60)

    @seeded(seed)
    @settings(max_examples=runs, deadline=None, database=None, suppress_health_check=[*HealthCheck])
    @given(pieces.map(b"".join))
    def read(data: bytes) -> None:
        group.read(data)

    read()


def _parts(seeds: Sequence[bytes]) -> Iterator[bytes]:
    """The seeds, and their words and marks."""
    for seed in seeds:
        yield seed
        yield from re.findall(rb"\w+|\W", seed)[:200]


if __name__ == "__main__":
    sys.exit(main())
