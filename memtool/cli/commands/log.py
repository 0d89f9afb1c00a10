"""`memtool log`."""

from __future__ import annotations

from datetime import datetime, time

import click

from memtool.cli import output
from memtool.cli.options import Command, Count
from memtool.cli.session import Session, pass_session
from memtool.cli.times import parse_day
from memtool.core.history.effect import Effect
from memtool.core.records.turn import spell
from memtool.verbs.journal.log import Asked, Logged, log

_SHOWN = 3
"""Files of an entry that stand on its line."""


@click.command(
    "log",
    cls=Command,
    epilog="""
memtool log                              the last commands that changed something
memtool log --since 2d --role semantic   of two days, to the facts
memtool log --path MEMORY.md --diff      what they did to a file
memtool log --json -n 1                  the last one as JSON
""",
)
@click.option(
    "-n",
    "--limit",
    metavar="N",
    type=Count(min=1),
    default=20,
    help="Entries at most. [default: 20]",
)
@click.option("--since", metavar="DAY", help="Not before this day: 2025-01-15, or 30d, 2w, yesterday.")
@click.option("--path", metavar="GLOB", help="Only what touched a path that fits.")
@click.option("--role", metavar="ROLE", help="Only what touched a file of this role.")
@click.option("--diff", is_flag=True, help="With the lines that went and came.")
@click.option("--all", "marks", is_flag=True, help="Also what only counted an access, or set a mark.")
@click.option("--group", metavar="GROUP", help="Only what lies in the folder of this group.")
@pass_session
def command(
    session: Session,
    limit: int,
    since: str | None,
    path: str | None,
    role: str | None,
    diff: bool,
    marks: bool,
    group: str | None,
) -> int:
    """List what commands changed, the last one first, from the workspace's journal.

    A line an entry: its id, when it was (UTC), the command, and each file with how many lines came and went.
    What a command was given is not in the journal. Exits 1 when there is no such entry.
    """
    group = session.group(group) or ""
    day = parse_day(since, session.now.astimezone(session.zone).date(), "--since") if since else None
    start = datetime.combine(day, time(), session.zone) if day else None
    asked = Asked(limit, start, path, role, group, marks)
    found = log(session.workspace, asked, diff=diff)
    for one in found:
        _show(session, one, diff=diff)
    if not found and not session.workspace.settings["journal.days"]:
        session.notice("no journal is kept here: journal.days is 0")
    return 0 if found else 1


def _show(session: Session, one: Logged, *, diff: bool) -> None:
    if session.json:
        output.put_json({**one.as_json(), **({"diff": list(one.diff)} if diff else {})})
        return
    entry = one.entry
    author = entry.records[0].author
    whose = f" ({author.user or author.session})" if author.user or author.session else ""
    files = entry.effects
    what = ", ".join(said(one) for one in files[:_SHOWN])
    if len(files) > _SHOWN:
        what += f", and {len(files) - _SHOWN} more"
    if entry.undoes:
        what = f"took back {', '.join(entry.undoes)}{': ' if what else ''}{what}"
    notes = ["undone"] if entry.undone else []
    notes += [] if entry.done else ["not known to have finished"]
    line = f"{what} [{', '.join(notes)}]" if notes else what
    columns = (entry.id, spell(entry.records[0].at.replace(microsecond=0)), f"{author.command}{whose}", line)
    output.put("\t".join(map(output.printable, columns)))
    for row in one.diff:
        output.put(f"  {output.printable(row)}".rstrip())


def said(one: Effect) -> str:
    """What became of a file in a few words: where it was and is, and how many lines came and went."""
    words = [f"{one.before} -> {one.after}" if one.is_moved else one.path]
    words += [f"+{one.new}"] if one.new else []
    words += [f"-{one.gone}"] if one.gone else []
    words += [f"(mode {one.mode[0]:04o} to {one.mode[1]:04o})"] if one.mode else []
    return " ".join(words)
