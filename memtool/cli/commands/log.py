"""`memtool log`."""

from __future__ import annotations

from datetime import datetime, time

import click
from click.core import ParameterSource

from memtool.cli import output
from memtool.cli.options import MemtoolCommand, limit_option
from memtool.cli.session import Session, pass_session
from memtool.cli.times import parse_day
from memtool.core.history.file_effects import FileEffect
from memtool.core.records.scope import Scope
from memtool.core.records.turn import format_moment
from memtool.verbs.journal.log import LogEntry, LogRequest, log

_MOST_FILES = 3
"""The most files listed on the line of an entry."""


@click.command(
    "log",
    cls=MemtoolCommand,
    session_note="each entry names its user or session in parentheses",
    epilog="""
memtool log                              the last 20 changes
memtool log --since 2d --role semantic   changes to facts in the last two days
memtool log --path MEMORY.md --diff      changes to a file, with the changed lines
memtool log --json -n 1                  the last change as JSON
""",
)
@limit_option(20)
@click.option(
    "--since",
    metavar="DAY",
    help="List only changes since DAY, such as 2025-01-15, 30d or yesterday [default: all]",
)
@click.option("--path", metavar="GLOB", help="List only changes to paths that match GLOB [default: all]")
@click.option("--role", metavar="ROLE", help="List only changes to files of this role [default: all]")
@click.option("--diff", is_flag=True, help="Also print the removed and added lines")
@click.option(
    "--all", "marks", is_flag=True, help="Also list changes that affect only access counts or internal state"
)
@click.option(
    "--group", metavar="GROUP", help="List only changes in the folder of this group [default: MEMTOOL_GROUP]"
)
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
    """List the changes that commands made, newest first

    Reads the workspace's journal. Prints a line for each entry: id, time (UTC), command, the first few
    statements that the command changed in memory, and each file with the numbers of added and removed lines.
    To see all changed lines, use --diff. The journal does not store the arguments of commands. Exits 1 when
    no entry matches.
    """
    scope = session.decide_scope(group)
    day = parse_day(since, session.now.astimezone(session.zone).date(), "--since") if since else None
    start = datetime.combine(day, time(), session.zone) if day else None
    is_default = click.get_current_context().get_parameter_source("limit") is ParameterSource.DEFAULT
    most = limit + 1 if is_default and not session.json else limit
    request = LogRequest(most, start, path, role, scope.group or "", marks, scope)
    entries = log(session.workspace, request, diff=diff)
    for logged in entries[:limit]:
        _show(session, logged, diff=diff)
    if len(entries) > limit:
        session.notice(f"only the newest {limit} changes are listed; to list more, use -n 1000, for example")
    if entries:
        return 0
    if not session.workspace.settings["journal.days"]:
        return session.nothing("no journal in this workspace: journal.days is 0")
    if not (since or path or role):
        return session.nothing("no changes recorded yet")
    return session.nothing("no change matches" + (_why_not(session, path, scope) if path else ""))


def _why_not(session: Session, path: str, scope: Scope) -> str:
    """What may explain that no recorded change matches a path, as the end of a sentence."""
    from memtool.verbs.search.unmatched import unmatched_path

    unmatched = unmatched_path(session.visible_workspace.seen_by(scope.owners), path)
    return "; " + (unmatched or f"a file matches the path {path!r}, but no matching change to it is recorded")


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
        text += f" and {len(files) - _MOST_FILES} more"
    if words := logged.statements.text:
        text = f"{words}; {text}"
    if entry.undoes:
        text = f"undid {', '.join(entry.undoes)}{': ' if text else ''}{text}"
    marks = ["undone"] if entry.undone else []
    marks += [] if entry.done else ["possibly incomplete"]
    line = f"{text} [{', '.join(marks)}]" if marks else text
    time = format_moment(entry.records[0].at.replace(microsecond=0))
    output.put_row(entry.id, time, f"{author.command}{owner}", line)
    for row in logged.diff:
        output.put(f"  {output.printable_line(row)}".rstrip())


def change_summary(effect: FileEffect) -> str:
    """The change of a file in a few words: its path before and after, and the lines added and removed."""
    words = [f"{effect.before} -> {effect.after}" if effect.is_moved else effect.path]
    words += [f"+{effect.added_lines}"] if effect.added_lines else []
    words += [f"-{effect.removed_lines}"] if effect.removed_lines else []
    words += [f"(mode {effect.mode[0]:04o} to {effect.mode[1]:04o})"] if effect.mode else []
    return " ".join(words)
