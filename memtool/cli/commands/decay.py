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
memtool decay                 once a night, from cron
memtool decay --dry-run       show what would be written
""",
)
@pass_session
def command(session: Session) -> None:
    """Reduce every fact's salience by 5%, at most once a day

    Salience measures how prominent a fact is. It rises when the fact is used, and never falls below 0.01.
    Only the first run of each day reduces salience. Also deletes old records: ratings after 180 days;
    decisions about proposed memories, and log entries about messages that mentioned a crisis (such as
    self-harm), after 90 days. Prints the number of active facts.
    """
    count, plan, notices = decay(session.workspace, session.now)
    if session.json:
        output.put_json({"facts": count})
    else:
        session.report(output.plural(count, "fact"))
    for notice in notices:
        session.notice(notice)
    session.show_plan(plan)
