"""`memtool session`."""

from __future__ import annotations

from datetime import timedelta
from typing import BinaryIO

import click

from memtool.cli import output
from memtool.cli.options import Command
from memtool.cli.parse.inputs import whole_text
from memtool.cli.render.ended import show_end
from memtool.cli.session import Session, pass_session
from memtool.cli.times import parse_span
from memtool.verbs.facts.candidates import policy
from memtool.verbs.sessions.session import Open, open_sessions, said_in, start, turn
from memtool.verbs.sessions.session_end import session_end
from memtool.verbs.turns.append_turn import given


@click.command(
    "session",
    cls=Command,
    epilog="""
memtool session start --user ann --session s1
memtool session turn --user ann --session s1 < messages.json     what was said, for the session's end
memtool session status                                           what is open, and how long it has been quiet
memtool session sweep --idle 20m                                 for cron: end what is quiet
""",
)
@click.argument("action", type=click.Choice(["start", "turn", "sweep", "status"]))
@click.argument("source", metavar="[FILE|-]", type=click.File("rb"), required=False)
@click.option(
    "--idle", metavar="SPAN", default="20m", help="For sweep: quiet for so long: 20m, 1h, 90s. [default: 20m]"
)
@pass_session
def command(session: Session, action: str, source: BinaryIO | None, idle: str) -> int:
    """Follow a session while it is open: start, turn, sweep or status.

    What is said in it is put down until it ends, and bears out what its candidates claim. Sweep ends every
    session that has been quiet for longer than --idle. Exits 1 when there was nothing to do.
    """
    workspace, now = session.workspace, session.now
    named = session.owners.get("session")
    if action == "start":
        name, plan = start(workspace, session.owner, named, now)
        _named(session, name)
        session.show_plan(plan)
        return 0
    if action == "turn":
        name, plan = turn(workspace, given(whole_text(source, None)).messages, session.owner, named, now)
        _named(session, name)
        session.show_plan(plan)
        return 0
    found = open_sessions(workspace)
    if action == "status":
        for one in found:
            _show(session, one)
        return 0 if found else 1
    span = parse_span(idle, "--idle")
    ended = 0
    for one in found:
        quiet = one.idle(now)
        if quiet is not None and quiet < span:
            continue
        if one.owner is None:
            session.notice(f"{one.name} names no owner in any line; nobody can end it but a person")
            continue
        today = now.astimezone(session.zone).date()
        by, said = policy(workspace.settings), said_in(workspace, one.name, one.owner)
        done = session_end(
            workspace,
            said,
            by,
            owner=one.owner,
            session=one.name,
            now=now,
            today=today,
            reason="timeout",
            is_whole=True,
            summarizer=None if session.incognito else session.delegate(None, "summarizer"),
        )
        show_end(session, done)
        ended += bool(done.plan)
    return 0 if ended else 1


def _named(session: Session, name: str) -> None:
    if session.json:
        output.put_json({"session": name})
    else:
        output.put(name)


def _show(session: Session, one: Open) -> None:
    quiet = one.idle(session.now)
    seconds = None if quiet is None else int(quiet / timedelta(seconds=1))
    if session.json:
        record = {"session": one.name, "owner": str(one.owner) if one.owner else None, "idle": seconds}
        output.put_json({**record, "turns": one.turns, "held": one.held})
    else:
        said = "quiet for an unknown time" if seconds is None else f"quiet for {seconds // 60} min"
        output.put(f"{one.name}\t{one.owner}\t{one.turns} turns\t{one.held} held\t{said}")
