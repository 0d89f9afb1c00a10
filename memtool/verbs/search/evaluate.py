"""eval: measure search against queries with known answers, over the workspace as it is."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from memtool.core.records.health import count_noun
from memtool.core.records.hit import Hit
from memtool.core.search.evaluation import DEPTHS, mean_measures, question_measures
from memtool.core.text.json_fault import json_fault
from memtool.errors import BadUsage, MemtoolError
from memtool.store.workspace import Workspace

_PLACE = r"(.+?)(?::(\d+)(?:-(\d+))?)?"
_EXPECTED = 'expected lines such as {"query": "…", "relevant": ["MEMORY.md:7", "memory/notes/a.md"]}'


class RelevantPlace(Struct, frozen=True):
    """A file that answers a query, or only some of its lines (from 1, both included)."""

    path: str
    first: int | None = None
    last: int | None = None

    def __str__(self) -> str:
        if self.first is None:
            return self.path
        return f"{self.path}:{self.first}" + (f"-{self.last}" if self.last != self.first else "")

    def overlaps(self, hit: Hit) -> bool:
        """Whether a hit shows the place, or a part of it."""
        if hit.path != self.path:
            return False
        if self.first is None:
            return True
        return hit.line <= (self.last or self.first) and hit.end_line >= self.first


class EvaluationQuery(Struct, frozen=True):
    """A query, and the places that answer it."""

    text: str
    relevant: tuple[RelevantPlace, ...]


class Evaluation(Struct, frozen=True):
    """The means of the figures, the milliseconds of a query (median and 95th percentile), and the queries
    without a relevant hit.
    """

    queries: int
    figures: Mapping[str, float]
    milliseconds: tuple[float, float]
    missed: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """The same as JSON values."""
        rounded = {name: round(figure, 4) for name, figure in self.figures.items()}
        median, percentile = (round(number, 1) for number in self.milliseconds)
        return {"questions": self.queries, **rounded, "ms": median, "ms_p95": percentile}


def parse_queries(text: str) -> tuple[EvaluationQuery, ...]:
    """The queries in JSON Lines: `{"query": "…", "relevant": ["memory/a.md", "memory/b.md:12-14"]}`.

    Raises BadUsage, with the line.
    """
    queries = []
    for number, row in enumerate(text.split("\n"), 1):
        if not row.strip():
            continue
        try:
            value = json.loads(row)
        except (ValueError, RecursionError) as error:
            raise BadUsage(f"line {number} {json_fault(error)}; {_EXPECTED}") from error
        query = value.get("query") if isinstance(value, dict) else None
        relevant = value.get("relevant") if isinstance(value, dict) else None
        places = [relevant] if isinstance(relevant, str) else relevant if isinstance(relevant, list) else []
        if not isinstance(query, str) or not query.strip() or not _are_texts(places):
            raise BadUsage(f"line {number} is not a question; {_EXPECTED}")
        queries.append(EvaluationQuery(query, tuple(dict.fromkeys(map(_parse_place, places)))))
    if not queries:
        raise BadUsage(f"the input contains no questions; {_EXPECTED}")
    return tuple(queries)


def unfindable_places(workspace: Workspace, queries: Sequence[EvaluationQuery]) -> Iterator[str]:
    """A sentence for each place that no search can find, such as one in a missing file."""
    for place in dict.fromkeys(place for query in queries for place in query.relevant):
        if fault := _place_fault(workspace, place):
            yield f"no search can find {place}, which is listed as relevant: {fault}"


def _place_fault(workspace: Workspace, place: RelevantPlace) -> str | None:
    path = PurePosixPath(place.path)
    try:
        document = workspace.read(path)
    except MemtoolError as error:
        return str(error)
    if document is None:
        return "there is no such file"
    if workspace.role_of(place.path) is None:
        return "it is not a memory file"
    lines = len(document.text.splitlines())
    if place.first is not None and place.first > lines:
        return f"the file has only {count_noun(lines, 'line')}"
    return None


def evaluate(
    queries: Iterable[EvaluationQuery],
    search: Callable[[str, int], Sequence[Hit]],
    clock: Callable[[], float],
) -> Evaluation:
    """Run each query through `search`, which takes its text and a limit, and measure the hits.

    `clock` returns seconds.
    """
    rows: list[dict[str, float]] = []
    times: list[float] = []
    missed: list[str] = []
    for query in queries:
        start = clock()
        hits = search(query.text, DEPTHS[-1])
        times.append((clock() - start) * 1000)
        ranks = [
            rank
            for place in query.relevant
            if (rank := next((n for n, hit in enumerate(hits, 1) if place.overlaps(hit)), None)) is not None
        ]
        rows.append(question_measures(_distinct(ranks), len(query.relevant)))
        if not ranks:
            missed.append(query.text)
    percentile = statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    return Evaluation(len(rows), mean_measures(rows), (statistics.median(times), percentile), tuple(missed))


def _distinct(ranks: Sequence[int]) -> list[int]:
    """The ranks; where one hit shows two places the second counts for the next rank."""
    distinct: list[int] = []
    for rank in sorted(ranks):
        distinct.append(max(rank, distinct[-1] + 1) if distinct else rank)
    return distinct


def _parse_place(text: str) -> RelevantPlace:
    text = text.removeprefix("./")
    match = re.fullmatch(_PLACE, text)
    if match is None or match[2] is None:
        return RelevantPlace(text)
    return RelevantPlace(match[1], int(match[2]), int(match[3] or match[2]))


def _are_texts(values: Sequence[object]) -> bool:
    return bool(values) and all(isinstance(value, str) and value for value in values)
