"""Plots for a terminal, drawn by plotext where the extra `plots` is installed."""

from __future__ import annotations

import importlib.util
import shutil

from memtool.cli.output import on_terminal
from memtool.core.history.memory_counts import MemoryCounts, Period, sum_by_period
from memtool.errors import MissingExtra, extra_hint

_HEIGHT = 12
_MOST_COLUMNS = 100
_MOST_LABELS = 6
_ROLES = ("turn", "daily-note", "session-state", "episode")
"""Roles whose entries are dated; the one with the most entries is drawn."""


def growth_plot(counts: MemoryCounts, period: Period, *, wanted: bool | None) -> str:
    """A bar chart of entries by period; empty for fewer than two periods.

    `wanted` forces or suppresses it; None draws it on a terminal if plotext is installed. Raises MissingExtra
    if it is forced and plotext is not installed.
    """
    is_installed = importlib.util.find_spec("plotext") is not None
    if wanted and not is_installed:
        raise MissingExtra(f"a plot needs plotext; {extra_hint('plots')}")
    if wanted is False or not is_installed or not (wanted or on_terminal()):
        return ""
    periods = sum_by_period(counts, period)
    sums = {
        role: sum(
            counts_by_role[role].entries for counts_by_role in periods.values() if role in counts_by_role
        )
        for role in _ROLES
    }
    role = max(sums, key=lambda name: sums[name])
    heights = [
        counts_by_role[role].entries if role in counts_by_role else 0 for counts_by_role in periods.values()
    ]
    if len(heights) < 2 or not sums[role]:
        return ""
    return _bars(list(periods), heights, f"entries by {period}: {role}")


def _bars(names: list[str], heights: list[int], title: str) -> str:
    import plotext

    width = min(_MOST_COLUMNS, shutil.get_terminal_size().columns)
    places = list(range(len(names)))
    step = max(1, -(-len(names) // _MOST_LABELS))
    plotext.clear_figure()
    plotext.theme("clear")
    plotext.plotsize(width, _HEIGHT)
    plotext.bar(places, heights)
    plotext.title(title)
    plotext.xticks(places[::step], names[::step])
    return str(plotext.build()).replace("\x1b[0m", "")
