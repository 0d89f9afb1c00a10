"""`memtool recover`."""

from __future__ import annotations

from typing import BinaryIO

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.parse.input_file import InputFile
from memtool.cli.parse.inputs import whole_text
from memtool.cli.session import Session, pass_session
from memtool.core.privacy.recalled import tag_recalled
from memtool.verbs.compaction.recover import record_recovery, recover
from memtool.verbs.turns.append_turn import parse_turn_input


@click.command(
    "recover",
    cls=MemtoolCommand,
    epilog="""
memtool recover < messages.json               text for the next prompt, if needed
echo '{"role": "user", "content": "where were we?"}' | memtool recover
memtool recover --again < messages.json       even if the state was printed before
""",
)
@click.argument("source", metavar="[FILE|-]", type=InputFile(), required=False)
@click.option(
    "--again",
    is_flag=True,
    help="Always print the state [default: only after a compaction, or if the user asks]",
)
@click.option("--group", metavar="GROUP", help="Recover the state of this group [default: MEMTOOL_GROUP]")
@pass_session
def command(session: Session, source: BinaryIO | None, again: bool, group: str | None) -> int:
    """Print the state of the agent's work after a compaction

    Reads the conversation as messages from FILE or stdin. If they show a compaction for which the state has
    not been printed yet, or if the user asks about the state of the work, prints the newest part of the
    working buffer, the session state and today's note. Otherwise prints nothing and exits 1.
    """
    group = session.group(group, writes=True) or None
    messages = parse_turn_input(whole_text(source, None), "user").messages
    now = session.now
    today = now.astimezone(session.zone).date()
    recovery = recover(session.visible_workspace, messages, now=now, today=today, again=again, group=group)
    if session.json:
        for section in recovery.sections:
            output.put_json({"title": section.title, "path": str(section.path), "text": section.text})
    else:
        sections = [f"## {section.title}\n\n{section.text}\n" for section in recovery.sections]
        output.put_raw(tag_recalled("\n".join(sections)) if sections else "")
    output.flush()  # only what the reader received counts as offered
    record_recovery(session.workspace, recovery)
    for notice in (*recovery.notices, *([recovery.reason] if recovery.reason else [])):
        session.notice(notice)
    if session.dry_run and not session.json:
        session.show_plan(recovery.plan)
    return 0 if recovery.sections else 3 if recovery.notices else 1
