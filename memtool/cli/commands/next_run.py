"""`memtool next-run`."""

from __future__ import annotations

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.session import Session, pass_session
from memtool.verbs.compaction.next_run import next_run


@click.command(
    "next-run",
    cls=MemtoolCommand,
    epilog="""
memtool next-run --group family               print fresh or continue
memtool next-run --group family --take && agent --new || agent --continue
""",
)
@click.option("--take", is_flag=True, help="If a new conversation should start, also mark it as started")
@click.option("--group", metavar="GROUP", help="Check the next run of this group [default: MEMTOOL_GROUP]")
@pass_session
def command(session: Session, take: bool, group: str | None) -> int:
    """Check whether the next run should start a new conversation

    Prints `fresh` and exits 0 if `memtool compact` kept no messages of the conversation; otherwise prints
    `continue` and exits 1.
    """
    group = session.group(group, writes=take) or None
    upcoming = next_run(session.workspace, take=take, group=group)
    if session.json:
        output.put_json(
            {"next_run": "fresh" if upcoming.is_fresh else "continue", "request": upcoming.request}
        )
    else:
        output.put("fresh" if upcoming.is_fresh else "continue")
    if not session.json:
        session.show_plan(upcoming.plan)
    return 0 if upcoming.is_fresh else 1
