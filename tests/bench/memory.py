"""How well an agent remembers: `python -m tests.bench.memory --beam REPOSITORY [--locomo FILE] ...`.

Measured are what `scan` captures, what `search` retrieves, and what `context` injects into the next prompt,
on public conversations that the user has fetched. Beside each figure stands that of twenty lines over SQLite
FTS5. With `--xquad`: search by language. With `--prompts`: the share of prompts without an answer in memory
that are given text. `--only everyday` needs no data: prompts of made-up users, on which one of their
statements bears, or none. With `--by-chat`: each conversation by itself, to validate weights on those left
out.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.bench import retrieval
from tests.bench.captured import measure_captured, sample_entries
from tests.bench.command_line import write_json_lines
from tests.bench.figures import Figures, show_table
from tests.bench.floor import measure_everyday, measure_floor, measure_statements, read_prompts
from tests.bench.injected import BUDGETS, measure_injected
from tests.bench.languages import measure_languages
from tests.bench.prepared import Workspaces, progress
from tests.bench.public_sets import LANGUAGES, Chat, read_beam, read_locomo
from tests.bench.retrieved import measure_retrieved

MEASURES = ("injected", "retrieved", "captured", "languages", "floor", "everyday")
MEMORY_DISK = Path("/dev/shm")


class Run:
    """One run: what was given, the conversations, and the record of what was measured."""

    def __init__(self, given: argparse.Namespace, workspaces: Workspaces) -> None:
        self.given = given
        self.workspaces = workspaces
        self.beam: list[Chat] = list(read_beam(given.beam, given.first, given.last)) if given.beam else []
        self.locomo: list[Chat] = list(read_locomo(given.locomo)) if given.locomo else []
        self.record: dict[str, Any] = {}
        self.rows: list[dict[str, Any]] = []

    def measure(self, name: str) -> None:
        """Measure and print what has this name, as far as its data was given."""
        begun = time.process_time()
        getattr(self, f"_{name}")()
        progress(f"{name}: {time.process_time() - begun:.1f} s of processor time")

    def _show(self, title: str, figures: Figures) -> None:
        if not figures.rows:
            return
        figures.title = title
        figures.show(by_chat=self.given.by_chat)
        self.record[title] = figures.record(by_chat=self.given.by_chat)
        self.rows += [{"measure": title, **row._asdict()} for row in figures.rows]

    def _injected(self) -> None:
        for name, chats, budgets in (("BEAM", self.beam, BUDGETS), ("LoCoMo", self.locomo, BUDGETS[:1])):
            for figures in measure_injected(chats, self.workspaces, budgets) if chats else ():
                self._show(f"{name}: {figures.title}", figures)

    def _retrieved(self) -> None:
        for name, chats in (("BEAM", self.beam), ("LoCoMo", self.locomo)):
            for mode in self.given.mode if chats else ():
                figures = measure_retrieved(chats, self.workspaces, mode)
                self._show(f"{name}: {figures.title}", figures)
        if self.given.locomo:
            modes = tuple(mode for mode in self.given.mode if mode in retrieval.MODES)
            for mode, means in retrieval.measure(self.given.locomo, modes)[0].items():
                title = f"LoCoMo: Retrieved, {mode}, every question, with dates"
                show_table(title, means)
                self.record[title] = {"kinds": means}

    def _captured(self) -> None:
        if not self.beam:
            return
        captured = measure_captured(self.beam, self.workspaces)
        for figures in (captured.recall, captured.shares):
            self._show(f"BEAM: {figures.title}", figures)
        counts = {name: {"entries": count} for name, count in captured.categories.most_common()}
        show_table("BEAM: Captured, entries by category", counts)
        self.record["BEAM: Captured, entries by category"] = dict(captured.categories)
        for entry in sample_entries(captured.durable, self.given.sample, self.given.seed):
            print(entry)

    def _languages(self) -> None:
        if not self.given.xquad:
            return
        for mode in self.given.mode:
            given = self.given
            figures = measure_languages(given.xquad, given.language, self.workspaces, given.step, mode)
            self._show(f"XQuAD-R: {figures.title}", figures)

    def _floor(self) -> None:
        if not self.given.prompts:
            return
        prompts = read_prompts(self.given.prompts)
        for figures in measure_floor(prompts, self.beam, self.workspaces, BUDGETS[0]):
            self._show(figures.title, figures)

    def _everyday(self) -> None:
        for measure in (measure_everyday, measure_statements):
            figures = measure(self.workspaces, BUDGETS[0])
            self._show(figures.title, figures)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.memory", description=__doc__)
    parser.add_argument("--beam", type=Path, metavar="REPOSITORY", help="BEAM: a folder or git directory")
    parser.add_argument("--first", type=int, default=1, metavar="N", help="first chat of BEAM [default: 1]")
    parser.add_argument("--last", type=int, default=10, metavar="N", help="last chat of BEAM [default: 10]")
    parser.add_argument("--locomo", type=Path, metavar="FILE", help="conversations in LoCoMo's format")
    parser.add_argument("--xquad", type=Path, metavar="REPOSITORY", help="XQuAD-R: a folder or git directory")
    parser.add_argument(
        "--language", action="append", choices=LANGUAGES, help="only this one; may be repeated"
    )
    parser.add_argument("--step", type=int, default=3, metavar="N", help="every Nth question [default: 3]")
    parser.add_argument("--prompts", type=Path, metavar="FILE", help="prompts without an answer, JSON Lines")
    parser.add_argument(
        "--only", default=",".join(MEASURES), metavar="NAMES", help="of " + ",".join(MEASURES)
    )
    parser.add_argument("--mode", action="append", choices=("lexical", "semantic", "hybrid"))
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="print N durable entries of scan")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the sample [default: 0]")
    parser.add_argument("--by-chat", action="store_true", help="print each conversation, too")
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="DIR",
        help="keep the workspaces there, for runs without a change of scan or import",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    parser.add_argument("--rows", type=Path, metavar="FILE", help="write each question's figures, JSON Lines")
    given = parser.parse_args(arguments)
    given.only = given.only.split(",")
    if unknown := set(given.only) - {*MEASURES}:
        parser.error(f"--only takes {', '.join(MEASURES)}, not {', '.join(sorted(unknown))}")
    if not (given.beam or given.locomo or given.xquad or given.only == ["everyday"]):
        parser.error(
            "no data: name a repository of BEAM (--beam), a file of LoCoMo (--locomo) or XQuAD-R (--xquad)"
        )
    given.mode = given.mode or ["lexical"]
    given.language = given.language or list(LANGUAGES)
    return given


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what the arguments name, and print a table for each measure."""
    given = _parse(arguments)
    disk = MEMORY_DISK if MEMORY_DISK.is_dir() else None
    with tempfile.TemporaryDirectory(dir=disk, prefix="memtool-bench-") as folder:
        run = Run(given, Workspaces(given.keep or Path(folder)))
        for name in MEASURES:
            if name in given.only:
                run.measure(name)
        if given.json:
            given.json.write_text(json.dumps(run.record, indent=2) + "\n", encoding="utf-8")
        if given.rows:
            write_json_lines(given.rows, run.rows)


if __name__ == "__main__":
    main()
