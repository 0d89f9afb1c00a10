"""Figures of many questions: their means by kind and by conversation, and a table of them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import NamedTuple

ALL = "all"


class FigureRow(NamedTuple):
    """The figures of one question of a kind about one conversation."""

    conversation: str
    kind: str
    question: str
    figures: Mapping[str, float]


class Figures:
    """The figures of questions under one title."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.rows: list[FigureRow] = []

    def add(self, conversation: str, kind: str, question: str, figures: Mapping[str, float]) -> None:
        self.rows.append(FigureRow(conversation, kind, question, figures))

    def means(self, by: str = "kind") -> dict[str, dict[str, float]]:
        """The mean of each figure, and the count of questions, over all and by kind or conversation."""
        groups: dict[str, list[FigureRow]] = {}
        for row in self.rows:
            groups.setdefault(row.conversation if by == "conversation" else row.kind, []).append(row)
        names = list(groups) if by == "conversation" else sorted(groups)
        means = {name: _means(groups[name]) for name in names if len(names) > 1 or by == "conversation"}
        return {ALL: _means(self.rows), **means} if self.rows else {}

    def record(self, *, by_chat: bool) -> dict[str, dict[str, dict[str, float]]]:
        """The means as JSON has them."""
        groups = {"kinds": self.means()}
        if by_chat:
            groups["conversations"] = self.means("conversation")
        return {
            by: {
                row: {name: round(figure, 4) for name, figure in row_of.items()}
                for row, row_of in rows.items()
            }
            for by, rows in groups.items()
        }

    def show(self, *, by_chat: bool) -> None:
        """Print a table of the means: a row for each kind, and with `by_chat` for each conversation."""
        rows = self.means()
        if by_chat:
            rows = {**rows, **self.means("conversation")}
        show_table(self.title, rows)


def show_table(title: str, rows: Mapping[str, Mapping[str, float]]) -> None:
    """Print figures under a title: whole numbers as such, others with three digits."""
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    first = max([len(name) for name in rows] + [8])
    widths = {name: max(len(name), 7) for name in names}
    out = sys.stdout.write
    out(f"\n{title}\n" + " " * first + "".join(f"  {name:>{widths[name]}}" for name in names) + "\n")
    for row, figures in rows.items():
        shown = (_shown(figures.get(name)).rjust(widths[name]) for name in names)
        out(f"{row:<{first}}  " + "  ".join(shown) + "\n")
    sys.stdout.flush()


def _means(rows: list[FigureRow]) -> dict[str, float]:
    names = dict.fromkeys(name for row in rows for name in row.figures)
    found: dict[str, float] = {"count": len(rows)}
    for name in names:
        values = [row.figures[name] for row in rows if name in row.figures]
        found[name] = sum(values) / len(values)
    return found


def _shown(figure: float | None) -> str:
    if figure is None:
        return ""
    if isinstance(figure, int) or figure >= 100:
        return f"{figure:,.0f}"
    return f"{figure:.3f}"
