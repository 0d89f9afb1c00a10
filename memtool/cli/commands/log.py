"""`memtool log`."""

from __future__ import annotations

from datetime import datetime, time

import click

from memtool.cli import output
from memtool.cli.options import LimitType, MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.cli.times import parse_day
from memtool.core.history.file_effects import FileEffect
from memtool.core.records.turn import format_moment
from memtool.verbs.journal.log import LogEntry, LogRequest, log

_MOST_FILES = 3
"""The most files listed on the line of an entry."""


@click.command(
    "log",
    cls=MemtoolCommand,
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
    type=LimitType(min=1),
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
    scope = session.decide_scope(group)
    day = parse_day(since, session.now.astimezone(session.zone).date(), "--since") if since else None
    start = datetime.combine(day, time(), session.zone) if day else None
    request = LogRequest(limit, start, path, role, scope.group or "", marks, scope)
    entries = log(session.workspace, request, diff=diff)
    for logged in entries:
        _show(session, logged, diff=diff)
    if not entries and not session.workspace.settings["journal.days"]:
        session.notice("no journal in this workspace: journal.days is 0")
    return 0 if entries else 1


def _show(session: Session, logged: LogEntry, *, diff: bool) -> None:
    if session.json:
        output.put_json({**logged.as_json(), **({"diff": list(logged.diff)} if diff else {})})
        return
    entry = logged.entry
    author = entry.records[0].author
    owner = f" ({author.user or author.session})" if author.user or author.session else ""
    files = logged.effects
    text = ", ".join(change_summary(effect) for effect in files[:_MOST_FILES])
    if len(files) > _MOST_FILES:
        text += f", and {len(files) - _MOST_FILES} more"
    if entry.undoes:
        text = f"undid {', '.join(entry.undoes)}{': ' if text else ''}{text}"
    marks = ["undone"] if entry.undone else []
    marks += [] if entry.done else ["possibly incomplete"]
    line = f"{text} [{', '.join(marks)}]" if marks else text
    time = format_moment(entry.records[0].at.replace(microsecond=0))
    output.put_row(entry.id, time, f"{author.command}{owner}", line)
    for row in logged.diff:
        output.put(f"  {output.printable(row)}".rstrip())


def change_summary(effect: FileEffect) -> str:
    """The change of a file in a few words: its path before and after, and the lines added and removed."""
    words = [f"{effect.before} -> {effect.after}" if effect.is_moved else effect.path]
    words += [f"+{effect.added_lines}"] if effect.added_lines else []
    words += [f"-{effect.removed_lines}"] if effect.removed_lines else []
    words += [f"(mode {effect.mode[0]:04o} to {effect.mode[1]:04o})"] if effect.mode else []
    return " ".join(words)
