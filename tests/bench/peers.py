"""memtool beside other programs on the same tree: `make bench-peers`, or `make bench-peers FILES=10000`.

Each program is run as its users type it, with a home folder of its own. A program that is not installed, or
that fails (one may need a model or a key), has a line instead of a row. Figures are multiples of C, the
processor time of `python -c "import click"`.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench import plain_fts5
from tests.bench.corpus import large
from tests.bench.scale import CLICK, rare_words, run_timed
from tests.trees import clean_environment

ROUNDS = 9
FILES = 1_000


@dataclass(frozen=True, slots=True)
class Program:
    """A program: what to type to index a tree and to search it, and how to install it."""

    name: str
    command: str
    install: str
    search: list[str]
    index: list[str] | None = None
    is_ranked: bool = True
    workspace: str | None = None
    """Where in the home folder the program expects the tree; else it runs in the tree."""


class ProgramFailed(Exception):
    """A program ended with an error, or found nothing."""


@dataclass(frozen=True, slots=True)
class Row:
    """Seconds as multiples of C: elapsed time of the first index, processor and elapsed time of a search."""

    name: str
    is_ranked: bool
    index: float | None
    busy: float
    elapsed: float


def programs(words: list[str]) -> list[Program]:
    """memtool first, then the others."""
    text, fts5 = " ".join(words), [sys.executable, plain_fts5.__file__]
    memtool = [sys.executable, "-m", "memtool"]
    return [
        Program(
            "memtool search", sys.executable, "",
            [*memtool, "search", text], [*memtool, "-q", "reindex"],
        ),
        Program(
            "memtool search --exact", sys.executable, "",
            [*memtool, "search", "--exact", "--role", "all", words[0]], is_ranked=False,
        ),
        Program(
            "ripgrep", "rg", "apt install ripgrep", ["rg", "-i", words[0], "."], is_ranked=False,
        ),
        Program(
            "SQLite FTS5", sys.executable, "", [*fts5, text], [*fts5, "--index", "."],
        ),
        Program(
            "qmd search", "qmd", "npm install -g @tobilu/qmd bun", ["qmd", "search", text],
            ["qmd", "collection", "add", ".", "--name", "tree"],
        ),
        Program(
            "openclaw memory search", "openclaw", "npm install -g openclaw (on Node 22)",
            ["openclaw", "memory", "search", text], ["openclaw", "memory", "index"],
            workspace=".openclaw/workspace",
        ),
        Program(
            "memsearch search", "memsearch", "pip install memsearch (needs a key or a model)",
            ["memsearch", "search", text], ["memsearch", "index", "."],
        ),
    ]  # fmt: skip


def measured(program: Program, words: list[str], tree: Path, home: Path) -> Row | str:
    """The row of a program, or the sentence that says why it has none."""
    if shutil.which(program.command) is None:
        return f"{program.name}: not installed; {program.install}"
    root = tree
    if program.workspace:
        root = home / program.workspace
        shutil.copytree(tree, root, ignore=shutil.ignore_patterns(".memtool", "*.db"))
    environment, index = clean_environment(home), None
    unit = statistics.median(run_timed(CLICK, root, environment)[0] for _ in range(ROUNDS))
    try:
        if program.index:
            index = _run_once(program.index, root, environment) / unit
        _run_once(program.search, root, environment, words)
    except ProgramFailed as error:
        return f"{program.name}: no row, {error}"
    spent = [run_timed(program.search, root, environment) for _ in range(ROUNDS)]
    busy, elapsed = (statistics.median(column) / unit for column in zip(*spent, strict=True))
    return Row(program.name, program.is_ranked, index, busy, elapsed)


def _run_once(
    command: list[str], root: Path, environment: dict[str, str], words: Sequence[str] = ()
) -> float:
    """Elapsed seconds of a command; a search has to print one of the words, and warms the disk cache."""
    begun = time.perf_counter()
    result = subprocess.run(command, cwd=root, env=environment, capture_output=True, check=False)
    elapsed = time.perf_counter() - begun
    printed = result.stdout.decode(errors="replace").lower()
    if result.returncode or (words and not any(word in printed for word in words)):
        lines = result.stderr.decode(errors="replace").strip().splitlines()
        raise ProgramFailed(lines[-1] if lines else f"`{' '.join(command[:3])}` found nothing")
    return elapsed


def show(rows: list[Row]) -> None:
    """Print the table, and for each other program whether memtool is slower."""
    print(f"{'':<24}{'first index':>14}{'search, processor':>20}{'elapsed':>12}")
    for row in rows:
        index = "-" if row.index is None else f"{row.index:,.1f} C"
        print(f"{row.name:<24}{index:>14}{row.busy:>18,.2f} C{row.elapsed:>10,.2f} C")
    own = {row.is_ranked: row for row in rows if row.name.startswith("memtool")}
    print()
    for row in rows:
        mine = own.get(row.is_ranked)
        if mine is None or row is mine:
            continue
        word = "slower" if mine.elapsed > row.elapsed else "faster"
        factor = max(mine.elapsed, row.elapsed) / min(mine.elapsed, row.elapsed)
        line = f"{mine.name} is {factor:.1f} times {word} than {row.name}"
        if row.index and mine.index:
            word = "slower" if mine.index > row.index else "faster"
            factor = max(mine.index, row.index) / min(mine.index, row.index)
            line += f", its first index {factor:.1f} times {word}"
        print(line)


def main(arguments: list[str]) -> None:
    """Measure each program on a tree of so many files, and print the table."""
    files = int(arguments[0]) if arguments else FILES
    with tempfile.TemporaryDirectory() as folder:
        tree, text = Path(folder) / "tree", ""
        home = Path(folder)
        init = [sys.executable, "-m", "memtool", "init", str(tree)]
        run_timed(init, home, clean_environment(home))
        for path, text in large(files):
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_text(text)
        rows, words = [], rare_words(text)
        for program in programs(words):
            found = measured(program, words, tree, home)
            if isinstance(found, Row):
                rows.append(found)
            else:
                print(found, flush=True)
        print(f"\n{files:,} files of 4 KB; medians of {ROUNDS} rounds, the first index once\n")
        show(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
