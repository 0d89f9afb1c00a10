"""`python -m memtool`, and the console script of the same name."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line and exit with its exit code."""
    gc.set_threshold(100_000, 20, 20)  # imports create many long-lived objects and no cycles
    try:
        sys.exit(_run(sys.argv[1:]))
    finally:
        gc.freeze()  # else the end of the process looks for cycles in every object, to free memory


def _run(arguments: list[str]) -> int:
    if "hook" in arguments:  # the fast path: every prompt of an agent waits for it
        from memtool.cli.hooks.fast_path import run_fast

        if (code := run_fast(arguments)) is not None:
            return code
    if arguments[:1] == ["scan"]:
        from memtool.cli.plain_scan import run_plain_scan

        if (code := run_plain_scan(arguments)) is not None:
            return code
    from memtool.cli.main import run

    return run(arguments)


if __name__ == "__main__":
    main()
