"""`python -m memtool`, and the console script of the same name."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    from memtool.cli.main import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
