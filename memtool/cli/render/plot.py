"""Plots for a terminal, drawn by plotext where the extra `plots` is installed."""

from __future__ import annotations

import importlib.util
import shutil

from memtool.cli.output import on_terminal
from memtool.core.history.count import Counts, Period, by_period
from memtool.errors import MissingExtra

_HEIGHT = 12
_WIDEST = 100
_LABELS = 6
_ROLES = ("turn", "daily-note", "session-state", "episode")
"""Roles that grow by the day; of these the one with the most entries is drawn."""


def drawn(counts: Counts, period: Period, *, wanted: bool | None) -> str:
    """A small plot of what grew; nothing where nobody would see one, and for fewer than two periods.

    `wanted` asks for one, or for none; otherwise there is one on a terminal, where the library is installed.
    Raises MissingExtra where one is asked for and there is no library.
    """
    is_there = importlib.util.find_spec("plotext") is not None
    if wanted and not is_there:
        raise MissingExtra("a plot needs plotext; pip install 'memtool[plots]' brings it")
    if wanted is False or not is_there or not (wanted or on_terminal()):
        return ""
    periods = by_period(counts, period)
    sums = {role: sum(of[role].entries for of in periods.values() if role in of) for role in _ROLES}
    role = max(sums, key=lambda one: sums[one])
    heights = [of[role].entries if role in of else 0 for of in periods.values()]
    if len(heights) < 2 or not sums[role]:
        return ""
    return _bars(list(periods), heights, f"entries by {period}: {role}")


def _bars(names: list[str], heights: list[int], title: str) -> str:
    import plotext

    width = min(_WIDEST, shutil.get_terminal_size().columns)
    places = list(range(len(names)))
    step = max(1, -(-len(names) // _LABELS))
    plotext.clear_figure()
    plotext.theme("clear")
    plotext.plotsize(width, _HEIGHT)
    plotext.bar(places, heights)
    plotext.title(title)
    plotext.xticks(places[::step], names[::step])
    return str(plotext.build()).replace("\x1b[0m", "")
