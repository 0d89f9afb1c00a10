"""A table of measurements, each beside what is promised."""

from __future__ import annotations

import sys


class Table:
    """Rows of measure, figure and promise."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str]] = []
        self.missed = 0

    def add(self, what: str, figure: float, promise: float | None, unit: str = "") -> None:
        """A row whose figure is to be at most the promise."""
        shown = f"{figure:.0f}{unit}" if unit else f"{figure:.2f}"
        verdict = "" if promise is None else f"<= {promise:g}{unit} {self._verdict(figure <= promise)}"
        self.rows.append((what, shown, verdict))

    def least(self, what: str, figure: float, promise: float, unit: str) -> None:
        """A row whose figure is to be at least the promise."""
        verdict = f">= {promise:,.0f}{unit} {self._verdict(figure >= promise)}"
        self.rows.append((what, f"{figure:,.0f}{unit}", verdict))

    def _verdict(self, is_kept: bool) -> str:
        self.missed += not is_kept
        return "kept" if is_kept else "MISSED"

    def show(self) -> None:
        widths = [max(len(row[column]) for row in self.rows) for column in range(2)]
        for what, figure, verdict in self.rows:
            sys.stdout.write(f"{what:<{widths[0]}}  {figure:>{widths[1]}}  {verdict}\n".rstrip(" "))
