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
    """Multiply the salience of each fact by 0.95 (at least 0.01), once a day.

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
