"""`python -m memtool`, and the console script of the same name."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    gc.set_threshold(100_000, 20, 20)  # importing a command makes much that lives to the end, and no cycles
    arguments = sys.argv[1:]
    if "hook" in arguments:  # every prompt of an agent waits for it
        from memtool.cli.hooks.quick import quickly

        if (code := quickly(arguments)) is not None:
            sys.exit(code)
    from memtool.cli.main import run

    sys.exit(run(arguments))


if __name__ == "__main__":
    main()
