"""`memtool stats`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.output import on_terminal, paint, use_colours
from memtool.cli.session import Session, pass_session
from memtool.cli.terminal import terminal_columns
from memtool.core.history.memory_counts import (
    MemoryCount,
    MemoryCounts,
    Period,
    since,
    sum_by_period,
    sum_by_role,
    total,
)

_COLUMNS = ("files", "bytes", "entries", "tokens")


@click.command(
    "stats",
    cls=MemtoolCommand,
    session_note="entries of all sessions are counted",
    epilog="""
memtool stats                        totals by role
memtool stats --by month             also by month
memtool stats --by week --since 90d  the last three months by week
memtool stats --by day --json        one JSON record per role and day
""",
)
@click.option(
    "--by",
    "period",
    type=click.Choice(get_args(Period)),
    help="Also count by day, week or month [default: totals only]",
)
@click.option(
    "--since",
    "first",
    metavar="DAY",
    help="Count only entries since DAY, such as 2025-01-15, 30d or 12w [default: all]",
)
@click.option(
    "--plot/--no-plot", default=None, help="Draw charts [default: on a terminal, if plotext is installed]"
)
@pass_session
def command(session: Session, period: Period | None, first: str | None, plot: bool | None) -> int:
    """Count memory entries, and show their growth over time

    Counts the files of each role and the entries in them, such as facts, rules, log lines, messages in turns,
    and exchanges in daily notes. Tokens are estimated. Files are dated by their paths and entries by their
    own dates, in the workspace's time zone; undated entries are counted only in the totals. Exits 3 when
    something could not be read.
    """
    from memtool.cli.render.plot import growth_plot
    from memtool.cli.times import parse_day
    from memtool.verbs.health.stats import stats

    if plot and session.json:
        raise click.UsageError("--plot and --json cannot be combined")
    today = session.now.astimezone(session.zone).date()
    start = parse_day(first, today, "--since") if first else None
    progress = session.progress("counting turns")
    counted = stats(session.search_indexes().turns, session.zone, progress, session.owner_scope)
    counts = counted.counts if start is None else since(counted.counts, start)
    if session.json:
        _print_json(counts, period)
    else:
        _print_sums(counts)
        if period is not None and any(day is not None for _, day in counts):
            _print_growth(counts, period)
        elif period is not None:
            session.notice(f"no dated entries; nothing to group by {period}")
        drawing = growth_plot(counts, period or _default_period(counts), wanted=plot)
        if drawing:
            output.put_raw(f"\n{drawing}")
    for sentence in counted.unread:
        output.print_message(sentence)
    return 3 if counted.unread else 0


def _print_json(counts: MemoryCounts, period: Period | None) -> None:
    for role, count in sum_by_role(counts).items():
        output.put_json({"role": role, "period": None, **_record(count)})
    for name, roles in sum_by_period(counts, period).items() if period else ():
        for role, count in roles.items():
            output.put_json({"role": role, "period": name, **_record(count)})


def _record(count: MemoryCount) -> dict[str, int]:
    return {column: getattr(count, column) for column in _COLUMNS}


def _print_sums(counts: MemoryCounts) -> None:
    sums = sum_by_role(counts)
    rows = [(role, *_cells(count)) for role, count in sums.items()]
    _print_table([("role", *_COLUMNS), *rows, ("all", *_cells(total(sums.values())))])


def _print_growth(counts: MemoryCounts, period: Period) -> None:
    """Print a line for each period: the entries of each role that has dated ones, and the bytes of all.

    On a terminal, the roles with the most entries have a column as far as they fit; `other` sums up the rest.
    """
    periods = sum_by_period(counts, period)
    entries = {
        role: [roles.get(role, MemoryCount()).entries for roles in periods.values()]
        for role in sum_by_role(counts)
    }
    columns = {role: [*map(_cell, numbers)] for role, numbers in entries.items() if any(numbers)}
    sizes = [_cell(total(roles.values()).bytes) for roles in periods.values()]
    if on_terminal():
        room = terminal_columns() - _width([period, *periods]) - _width(["bytes", *sizes]) - 2
        columns = _fitting(columns, entries, room)
    table = {period: [*periods], **columns, "bytes": sizes}
    output.put("")
    _print_table([tuple(table), *zip(*table.values(), strict=True)])


def _fitting(columns: dict[str, list[str]], entries: dict[str, list[int]], room: int) -> dict[str, list[str]]:
    """The columns of the roles with the most entries that fit into `room`, and the sum of the others."""
    widths = {role: _width([role, *cells]) + 2 for role, cells in columns.items()}
    shown = sorted(columns, key=lambda role: -sum(entries[role]))
    rest: list[str] = []
    other: list[str] = []
    while shown and sum(widths[role] for role in shown) + (_width(["other", *other]) + 2) * bool(rest) > room:
        rest.append(shown.pop())
        other = [_cell(sum(numbers)) for numbers in zip(*(entries[role] for role in rest), strict=True)]
    fitting = {role: cells for role, cells in columns.items() if role in shown}
    return {**fitting, "other": other} if rest else fitting


def _width(cells: Iterable[str]) -> int:
    return max(map(len, cells))


def _cells(count: MemoryCount) -> list[str]:
    return [_cell(getattr(count, column)) for column in _COLUMNS]


def _cell(number: int) -> str:
    """A number as a cell; on a terminal with its thousands separated."""
    return (f"{number:,}" if on_terminal() else str(number)) if number else "-"


def _print_table(rows: list[tuple[str, ...]]) -> None:
    """Print a table: the first column aligned to the left, the others to the right."""
    widths = [_width(column) for column in zip(*rows, strict=True)]
    colours = use_colours()
    for number, (first, *cells) in enumerate(rows):
        right = "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True))
        line = f"{first:<{widths[0]}}{right}"
        output.put(paint(line, "head") if colours and number == 0 else line)


def _default_period(counts: MemoryCounts) -> Period:
    """The shortest period that does not give too many lines for the span of days."""
    days = [day for _, day in counts if day is not None]
    span = (max(days) - min(days)).days if days else 0
    return "day" if span <= 62 else "week" if span <= 400 else "month"
