"""Hits: lines that answer a query, with their context and score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from msgspec import Struct


class Hit(Struct, frozen=True):
    """One line that answers a query.

    `line` is the line that matches best, `end_line` the last line of its chunk (from 1); `text` is the chunk;
    `snippet` is that line, shortened, `spans` are its matching parts. `source` is `document`,
    `transcript` or `fact`. `score` compares hits of one answer, larger is better. `before`
    and `after` are the numbered lines around it, if requested. Of a transcript, `speaker` is who
    said it, `seq` the number of the turn, and `at` when the turn began; of a fact, `id` is what `facts`
    calls it by.
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

    def record(self) -> dict[str, Any]:
        """The hit as it is printed with --json and sent over the watcher's socket."""
        turn = (
            {"speaker": self.speaker, "seq": self.seq, "at": self.at} if self.source == "transcript" else {}
        )
        identity = {"id": self.id} if self.source == "fact" else {}
        context = (
            {"context": {"before": self.before, "after": self.after}} if self.before or self.after else {}
        )
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
            **turn,
            **identity,
            **context,
        }


def fair_shares(wanted: Mapping[str, int], most: int) -> dict[str, int]:
    """Divide `most` places between tiers as evenly as their demands allow.

    The sum is the smaller of `most` and the total demand; earlier tiers get an odd place first.
    """
    shares = dict.fromkeys(wanted, 0)
    left = most
    while left > 0 and (unmet := [tier for tier in wanted if shares[tier] < wanted[tier]]):
        each = max(1, left // len(unmet))
        for tier in unmet:
            granted = min(each, wanted[tier] - shares[tier], left)
            shares[tier] += granted
            left -= granted
    return shares


def numbered(lines: Sequence[str], first: int, last: int) -> tuple[tuple[int, str], ...]:
    """Lines `first` to `last` of a file, as far as they exist, each with its number (from 1)."""
    first, last = max(1, first), min(len(lines) - (lines[-1] == ""), last)
    return tuple((number, lines[number - 1].rstrip("\r")) for number in range(first, last + 1))
