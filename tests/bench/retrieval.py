"""How well search finds what was said: `python -m tests.bench.retrieval DATA [--json FILE] [--mode MODE]...`.

DATA is a file in the format of LoCoMo: conversations in sessions, and questions with the ids of the turns
that answer them. Each conversation becomes the history of a workspace of its own, a turn for a turn, by the
verb of `append-turn`; its questions are asked word for word by what `search --role turn` calls. Printed are
Recall@1/5/10/20 (the share of a question's evidence among so many hits), hit rate at 10 (questions with any
of it), MRR and nDCG@10, over all and by category, and the time of a question. Questions of category 5, which
name the wrong speaker, are counted apart.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from memtool.cli.searching import search_here
from memtool.cli.session import Session
from memtool.core.records.search import SearchArguments
from memtool.core.records.turn import Message, TextPart
from memtool.core.search.evaluation import mean_measures, question_measures
from memtool.verbs.turns.append_turn import TurnDraft, append_turns
from tests.trees import opened

MODES = ("lexical", "hybrid")
WRONG_SPEAKER = 5
DEEPEST = 20
SETTLED = 2.1
"""Seconds after which a file that was indexed need not be read again to know that it is the same."""


class Question(NamedTuple):
    """A question, the ids of the turns that answer it, and its category."""

    text: str
    evidence: tuple[str, ...]
    category: int


def conversations(path: Path) -> Iterator[tuple[list[tuple[str, TurnDraft]], list[Question]]]:
    """Each conversation's turns with their ids, and the questions about it that have evidence in it."""
    for sample in json.loads(path.read_text(encoding="utf-8")):
        said = sample["conversation"]
        turns: list[tuple[str, TurnDraft]] = []
        numbers = sorted(int(key[8:]) for key in said if re.fullmatch(r"session_\d+", key))
        for number in numbers:
            at = _time(said.get(f"session_{number}_date_time", ""), number)
            for minute, turn in enumerate(said[f"session_{number}"]):
                turns.append((turn["dia_id"], _draft(turn, at + timedelta(minutes=minute), number)))
        ids = {name for name, _ in turns}
        questions = []
        for asked in sample["qa"]:
            named = re.findall(r"D(\d+):(\d+)", " ".join(asked.get("evidence") or ()))
            evidence = dict.fromkeys(f"D{int(session)}:{int(turn)}" for session, turn in named)
            found = tuple(one for one in evidence if one in ids)
            if found:
                questions.append(Question(asked["question"], found, int(asked["category"])))
        yield turns, questions


def _draft(turn: dict[str, Any], at: datetime, session: int) -> TurnDraft:
    text = turn.get("text") or ""
    if turn.get("blip_caption"):
        text += f"\n(shared a photo: {turn['blip_caption']})"
    message = Message("user", (TextPart(text or "…"),), {"name": turn["speaker"]})
    return TurnDraft(at, (message,), {"session": f"session-{session}"})


def _time(text: str, number: int) -> datetime:
    """`1:56 pm on 8 May, 2023`, or, where that does not read, a day for each session."""
    for shape in ("%I:%M %p on %d %B, %Y", "%I:%M %p on %d %b, %Y"):
        try:
            return datetime.strptime(text.strip(), shape).replace(tzinfo=UTC)
        except ValueError:
            continue
    return datetime(2023, 1, 1, 9, tzinfo=UTC) + timedelta(days=number)


class Scores:
    """Figures of questions, by category, to be averaged."""

    def __init__(self) -> None:
        self.rows: dict[str, list[dict[str, float]]] = defaultdict(list)

    def add(self, question: Question, hits: list[str]) -> None:
        wanted = set(question.evidence)
        ranks = [rank for rank, hit in enumerate(hits, 1) if hit in wanted]
        for row in (str(question.category), "overall")[: 1 + (question.category != WRONG_SPEAKER)]:
            self.rows[row].append(question_measures(ranks, len(wanted)))

    def means(self) -> dict[str, dict[str, float]]:
        names = ["overall", *sorted(self.rows.keys() - {"overall"})]
        found = {row: mean_measures(self.rows[row]) for row in names if row in self.rows}
        return {row: {name: round(one, 4) for name, one in found[row].items()} for row in found}


def measure(path: Path, modes: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, list[float]], int]:
    """The figures by mode and category, the seconds that each question took by mode, and how many turns."""
    scores = {mode: Scores() for mode in modes}
    spent: dict[str, list[float]] = {mode: [] for mode in modes}
    count = 0
    for turns, questions in conversations(path):
        count += len(turns)
        with tempfile.TemporaryDirectory() as folder:
            workspace = opened(Path(folder), "native")
            written = append_turns(workspace, [draft for _, draft in turns], datetime.now(UTC)).turns
            ids = {str(place): name for (place, _), (name, _) in zip(written, turns, strict=True)}
            session = Session()
            session.adopt_workspace(workspace)
            shelves = session.search_indexes()
            shelves.sync(every=True)
            time.sleep(SETTLED)
            shelves.sync(every=True)
            for mode in modes:
                for question in questions:
                    arguments = SearchArguments(question.text, ("turn",), limit=DEEPEST, mode=mode)
                    begun = time.perf_counter()
                    response = search_here(session, lambda: shelves, arguments)  # noqa: B023
                    spent[mode].append(time.perf_counter() - begun)
                    scores[mode].add(question, [ids[hit.path] for hit in response.hits])
            shelves.close()
    return {mode: scores[mode].means() for mode in modes}, spent, count


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--mode", action="append", choices=MODES)
    given = parser.parse_args()
    found, spent, turns = measure(given.data, tuple(given.mode or MODES))
    out = sys.stdout.write
    out(f"{turns:,} turns\n")
    for mode, rows in found.items():
        times = sorted(spent[mode])
        middle, late = (statistics.quantiles(times, n=20)[at] * 1000 for at in (9, 18))
        out(f"\n{mode}: {len(times):,} questions, {middle:.1f} ms each (p95 {late:.1f})\n")
        names = list(next(iter(rows.values())))
        out(f"{'category':10}" + "".join(f"{name:>13}" for name in names) + "\n")
        for row, found_there in rows.items():
            out(f"{row:10}" + "".join(f"{found_there[name]:13.4f}" for name in names) + "\n")
    if given.json:
        given.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
