"""`memtool decay`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.verbs.memory_files.salience import decay


@click.command(
    "decay",
    cls=MemtoolCommand,
    epilog="""
memtool decay                 from cron, once a night
memtool decay --dry-run       what would be written
""",
)
@pass_session
def command(session: Session) -> None:
    """Let facts fade by a night: the salience of each to 0.95 of what it was, never below 0.01.

    Being asked for makes a fact fresh again. Removes expired records, too: of the crisis log and of decisions
    after 90 days, of feedback after 180. Prints how many facts there are.
    """
    count, plan, notices = decay(session.workspace, session.now)
    if session.json:
        output.put_json({"facts": count})
    else:
        output.put(output.plural(count, "fact"))
    for notice in notices:
        session.notice(notice)
    session.show_plan(plan)
