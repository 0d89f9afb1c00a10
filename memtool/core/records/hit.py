"""Hits: lines that match a query, with their context and score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple


class Hit(NamedTuple):
    """One line that matches a query.

    `line` is the line that matches best, `end_line` the last line of its chunk (from 1); `text` is the chunk;
    `snippet` is the part of the line around the matches, `spans` its matching parts. `source` is `document`,
    `transcript` or `fact`. `score` compares hits of one response, larger is better. `before` and `after` are
    the numbered lines around it, if requested. Of a transcript, `speaker` is the role of the
    message, `seq` the number of the turn, and `at` when the turn began; of a fact, `id` is its id in `facts`.
    In a search of the fleet, `tree` is the tree that the file is in, and `etag` the hash of the file; if it
    is another tree, `as_of` is when its file was last known to have this content.
    """

    path: str
    line: int
    end_line: int
    role: str
    source: str
    score: float
    snippet: str
    spans: tuple[tuple[int, int], ...]
    text: str
    title: str = ""
    date: date | None = None
    group: str | None = None
    before: tuple[tuple[int, str], ...] = ()
    after: tuple[tuple[int, str], ...] = ()
    speaker: str | None = None
    seq: int | None = None
    at: str | None = None
    id: str | None = None
    tree: str | None = None
    etag: str | None = None
    as_of: str | None = None

    @property
    def shown_path(self) -> str:
        """The path as it is printed: in another tree, after its name and a colon."""
        return self.path if self.as_of is None else f"{self.tree}:{self.path}"

    def to_record(self) -> dict[str, Any]:
        """The hit as it is printed with --json."""
        transcript = (
            {"speaker": self.speaker, "seq": self.seq, "at": self.at} if self.source == "transcript" else {}
        )
        fact = {"id": self.id} if self.source == "fact" else {}
        context = (
            {"context": {"before": self.before, "after": self.after}} if self.before or self.after else {}
        )
        origin = {"tree": self.tree, "etag": self.etag, "as_of": self.as_of} if self.tree else {}
        return {
            "path": self.path,
            "line": self.line,
            "end_line": self.end_line,
            "role": self.role,
            "source": self.source,
            "score": round(self.score, 6),
            "snippet": self.snippet,
            "spans": [list(span) for span in self.spans],
            "text": self.text,
            "title": self.title,
            "date": None if self.date is None else self.date.isoformat(),
            "group": self.group,
            **transcript,
            **fact,
            **context,
            **origin,
        }


def read_hit(values: list[Any]) -> Hit:
    """A hit from its JSON values, an array of its fields."""
    hit = Hit(*values)
    day: Any = hit.date
    return hit._replace(
        date=day and date.fromisoformat(day),
        spans=tuple((start, end) for start, end in hit.spans),
        before=tuple((number, line) for number, line in hit.before),
        after=tuple((number, line) for number, line in hit.after),
    )


def divide_places(demands: Mapping[str, int], limit: int) -> dict[str, int]:
    """Divide `limit` places between tiers equal shares, and what a tier does not need to the others.

    The sum is the smaller of `limit` and all demands; earlier tiers get an odd place first.
    """
    shares = dict.fromkeys(demands, 0)
    free = limit
    while free > 0 and (short := [tier for tier in demands if shares[tier] < demands[tier]]):
        each = max(1, free // len(short))
        for tier in short:
            added = min(each, demands[tier] - shares[tier], free)
            shares[tier] += added
            free -= added
    return shares


def numbered_lines(lines: Sequence[str], first: int, last: int) -> tuple[tuple[int, str], ...]:
    """Lines `first` to `last` of a file, as far as they exist, each with its number (from 1)."""
    first, last = max(1, first), min(len(lines) - (lines[-1] == ""), last)
    return tuple((number, lines[number - 1].rstrip("\r")) for number in range(first, last + 1))
