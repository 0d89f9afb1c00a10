"""`memtool stats`."""

from __future__ import annotations

from typing import get_args

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.progress import progress_bar
from memtool.cli.session import Session, pass_session
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
    epilog="""
memtool stats                        how much of everything there is
memtool stats --by month             and how it grew
memtool stats --by week --since 90d  in the last three months
memtool stats --by day --json        for a program: a line a role and day
""",
)
@click.option("--by", "period", type=click.Choice(get_args(Period)), help="Also by day, week or month.")
@click.option(
    "--since", "first", metavar="DAY", help="Only what is of this day or later: 2025-01-15, 30d, 12w."
)
@click.option("--plot/--no-plot", default=None, help="Draw it, or never. [default: on a terminal, if it can]")
@pass_session
def command(session: Session, period: Period | None, first: str | None, plot: bool | None) -> int:
    """Count what the memory holds, role by role, and show how it grew.

    Entries are messages of turns, exchanges of daily notes, facts, rules, logged lines; tokens are estimated.
    A file is of the day that its path names, an entry of its own, in the workspace's zone; what has no day is
    in the sums alone. Exits 3 when something could not be read.
    """
    from memtool.cli.render.plot import growth_plot
    from memtool.cli.times import parse_day
    from memtool.verbs.health.stats import stats

    today = session.now.astimezone(session.zone).date()
    start = parse_day(first, today, "--since") if first else None
    quiet = session.given.get("quiet")
    progress = None if quiet else progress_bar("counting turns")
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
    """Print a line for each period: the entries of each role that has dated ones, and the bytes of all."""
    periods = sum_by_period(counts, period)
    roles = [
        role
        for role in sum_by_role(counts)
        if any(by_role_in_period.get(role, MemoryCount()).entries for by_role_in_period in periods.values())
    ]
    rows = [
        (
            name,
            *(_cell(by_role_in_period.get(role, MemoryCount()).entries) for role in roles),
            str(total(by_role_in_period.values()).bytes),
        )
        for name, by_role_in_period in periods.items()
    ]
    output.put("")
    _print_table([(period, *roles, "bytes"), *rows])


def _cells(count: MemoryCount) -> list[str]:
    return [_cell(getattr(count, column)) for column in _COLUMNS]


def _cell(number: int) -> str:
    return str(number) if number else "-"


def _print_table(rows: list[tuple[str, ...]]) -> None:
    """Print a table: the first column aligned to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for first, *cells in rows:
        right = "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True))
        output.put(f"{first:<{widths[0]}}{right}")


def _default_period(counts: MemoryCounts) -> Period:
    """The shortest period that does not give too many lines for the span of days."""
    days = [day for _, day in counts if day is not None]
    span = (max(days) - min(days)).days if days else 0
    return "day" if span <= 62 else "week" if span <= 400 else "month"
