"""eval: how well search finds what somebody says it should, over the workspace as it is."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from memtool.core.search.evaluation import DEPTHS, figures, means
from memtool.errors import BadUsage

_PLACE = r"(.+?)(?::(\d+)(?:-(\d+))?)?"


class Relevant(Struct, frozen=True):
    """A file that answers, or only some of its lines (from 1, both included)."""

    path: str
    first: int | None = None
    last: int | None = None

    def is_in(self, hit: Mapping[str, Any]) -> bool:
        """Whether a hit shows it, or a part of it."""
        if hit["path"] != self.path:
            return False
        if self.first is None:
            return True
        return bool(hit["line"] <= (self.last or self.first) and hit["end_line"] >= self.first)


class Asked(Struct, frozen=True):
    """A question of a set, and what answers it."""

    query: str
    relevant: tuple[Relevant, ...]


class Evaluated(Struct, frozen=True):
    """The mean figures, the milliseconds of a question (median and 95th percentile), and what was missed."""

    questions: int
    figures: Mapping[str, float]
    milliseconds: tuple[float, float]
    missed: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """The same as JSON values."""
        rounded = {name: round(figure, 4) for name, figure in self.figures.items()}
        middle, late = (round(one, 1) for one in self.milliseconds)
        return {"questions": self.questions, **rounded, "ms": middle, "ms_p95": late}


def questions(text: str) -> tuple[Asked, ...]:
    """The questions in JSON Lines: `{"query": "…", "relevant": ["memory/a.md", "memory/b.md:12-14"]}`.

    Raises BadUsage, with the line.
    """
    found = []
    for number, row in enumerate(text.split("\n"), 1):
        if not row.strip():
            continue
        try:
            value = json.loads(row)
        except (ValueError, RecursionError) as error:
            raise BadUsage(f"line {number} is not JSON ({error})") from error
        query = value.get("query") if isinstance(value, dict) else None
        given = value.get("relevant") if isinstance(value, dict) else None
        places = [given] if isinstance(given, str) else given if isinstance(given, list) else []
        if not isinstance(query, str) or not query.strip() or not _are_texts(places):
            raise BadUsage(f'line {number} needs a "query" and "relevant", a list of paths or path:line')
        found.append(Asked(query, tuple(dict.fromkeys(map(_relevant, places)))))
    if not found:
        raise BadUsage('there are no questions: give JSON Lines with "query" and "relevant"')
    return tuple(found)


def evaluate(
    asked: Iterable[Asked],
    search: Callable[[str, int], Sequence[Mapping[str, Any]]],
    clock: Callable[[], float],
) -> Evaluated:
    """Ask every question of a search, which is given the query and how many hits, and count what it finds.

    `clock` tells seconds.
    """
    rows: list[dict[str, float]] = []
    spent: list[float] = []
    missed: list[str] = []
    for one in asked:
        begun = clock()
        hits = search(one.query, DEPTHS[-1])
        spent.append((clock() - begun) * 1000)
        ranks = [
            rank
            for wanted in one.relevant
            if (rank := next((n for n, hit in enumerate(hits, 1) if wanted.is_in(hit)), None)) is not None
        ]
        rows.append(figures(_distinct(ranks), len(one.relevant)))
        if not ranks:
            missed.append(one.query)
    late = statistics.quantiles(spent, n=20)[-1] if len(spent) > 1 else spent[0]
    return Evaluated(len(rows), means(rows), (statistics.median(spent), late), tuple(missed))


def _distinct(ranks: Sequence[int]) -> list[int]:
    """The ranks; where one hit shows two things the second counts for the next rank."""
    taken: list[int] = []
    for rank in sorted(ranks):
        taken.append(max(rank, taken[-1] + 1) if taken else rank)
    return taken


def _relevant(place: str) -> Relevant:
    place = place.removeprefix("./")
    match = re.fullmatch(_PLACE, place)
    if match is None or match[2] is None:
        return Relevant(place)
    return Relevant(match[1], int(match[2]), int(match[3] or match[2]))


def _are_texts(places: Sequence[object]) -> bool:
    return bool(places) and all(isinstance(one, str) and one for one in places)
