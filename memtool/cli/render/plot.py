"""Plots for a terminal, drawn by plotext where the `plots` extra is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from memtool.cli.output import on_terminal, wrapped
from memtool.cli.terminal import terminal_columns
from memtool.core.history.memory_counts import MemoryCounts, Period, period_name, sum_by_period
from memtool.errors import MissingExtra, extra_hint

_HEIGHT = 11
_LEAST_COLUMNS = 40
_MOST_COLUMNS = 100
_MOST_BAR_COLUMNS = 14
_MOST_LABELS = 6
_AXIS = 10
"""Columns for the axis and the numbers beside it."""
_BAR_WIDTH = 0.7
"""The share of the space for a bar that the bar fills."""
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
    sums = {
        role: sum(count.entries for (name, _), count in counts.items() if name == role) for role in _ROLES
    }
    role = max(sums, key=lambda name: sums[name])
    drawn = {
        key: count for key, count in counts.items() if key[0] == role and key[1] is not None and count.entries
    }
    by_period = sum_by_period(drawn, period)
    if len(by_period) < 2:
        return ""
    heights = {
        name: by_period[name][role].entries if name in by_period else 0
        for name in _all_periods([day for _, day in drawn if day is not None], period)
    }
    width = min(_MOST_COLUMNS, terminal_columns())
    newest = dict([*heights.items()][-(width - _AXIS) :])
    title = f"entries by {period}: {role}"
    if len(newest) < len(heights):
        title += f", the last {len(newest)} {period}s"
    few_bars = max(_LEAST_COLUMNS, _AXIS + len(newest) * _MOST_BAR_COLUMNS)
    return f"{wrapped('', title)}\n{_bars(newest, min(width, few_bars))}"


def _all_periods(days: Sequence[date], period: Period) -> Iterator[str]:
    """The names of all periods from the first of some days to the last."""
    ordinals = range(min(days).toordinal(), max(days).toordinal() + 1)
    yield from dict.fromkeys(period_name(date.fromordinal(ordinal), period) for ordinal in ordinals)


def _bars(heights: Mapping[str, int], width: int) -> str:
    import plotext

    names, places = [*heights], [*range(len(heights))]
    labels = max(1, min(_MOST_LABELS, (width - _AXIS) // (len(names[0]) + 4)))
    step = -(-len(names) // labels)
    highest = max(heights.values())
    plotext.clear_figure()
    plotext.theme("clear")
    plotext.plotsize(width, _HEIGHT)
    plotext.bar(places, [*heights.values()], width=_BAR_WIDTH)
    plotext.xticks(places[::step], names[::step])
    plotext.ylim(0, highest)
    plotext.yticks(sorted({0, highest // 2, highest}))
    lines = str(plotext.build()).replace("\x1b[0m", "").splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)
