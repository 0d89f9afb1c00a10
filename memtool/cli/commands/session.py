"""`memtool session`."""

from __future__ import annotations

from datetime import timedelta
from typing import BinaryIO

import click

from memtool.cli import output
from memtool.cli.options import MemtoolCommand
from memtool.cli.parse.inputs import whole_text
from memtool.cli.render.session_end import show_session_end
from memtool.cli.session import Session, pass_session
from memtool.cli.times import parse_duration
from memtool.verbs.facts.candidates import load_policy
from memtool.verbs.sessions.session import (
    OpenSession,
    open_sessions,
    record_messages,
    recorded_messages,
    start_session,
)
from memtool.verbs.sessions.session_end import session_end
from memtool.verbs.turns.append_turn import parse_turn_input


@click.command(
    "session",
    cls=MemtoolCommand,
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
    """Manage open sessions: start, turn, sweep or status.

    The messages of a session are stored until it ends, as evidence for its candidates. `sweep` ends every
    session without activity for longer than --idle. `status` exits 1 where no session is open.
    """
    workspace, now = session.workspace, session.now
    session_id = session.owner_ids.get("session")
    match action:
        case "start":
            name, plan = start_session(workspace, session.owner, session_id, now)
        case "turn":
            messages = parse_turn_input(whole_text(source, None)).messages
            name, plan = record_messages(workspace, messages, session.owner, session_id, now)
        case "status":
            return _status(session)
        case _:
            return _sweep(session, idle)
    _show_name(session, name)
    session.show_plan(plan)
    return 0


def _status(session: Session) -> int:
    listed = open_sessions(session.visible_workspace)
    for open_session in listed:
        _show(session, open_session)
    return 0 if listed else 1


def _sweep(session: Session, idle: str) -> int:
    """End every session that has been idle for so long."""
    workspace, now = session.workspace, session.now
    listed = open_sessions(session.visible_workspace)
    least = parse_duration(idle, "--idle")
    for open_session in listed:
        quiet = open_session.idle_time(now)
        if quiet is not None and quiet < least:
            continue
        if open_session.owner is None:
            session.notice(f"{open_session.name} skipped: no owner recorded")
            continue
        today = now.astimezone(session.zone).date()
        result = session_end(
            workspace,
            recorded_messages(workspace, open_session.name, open_session.owner),
            load_policy(workspace.settings),
            owner=open_session.owner,
            session=open_session.name,
            now=now,
            today=today,
            reason="timeout",
            is_whole=True,
            summarizer=None if session.incognito else session.delegate(None, "summarizer"),
        )
        show_session_end(session, result)
    return 0


def _show_name(session: Session, name: str) -> None:
    if session.json:
        output.put_json({"session": name})
    else:
        output.put(name)


def _show(session: Session, open_session: OpenSession) -> None:
    quiet, owner = open_session.idle_time(session.now), open_session.owner
    seconds = None if quiet is None else int(quiet / timedelta(seconds=1))
    if session.json:
        record = {"session": open_session.name, "owner": str(owner) if owner else None, "idle": seconds}
        output.put_json({**record, "turns": open_session.turns, "held": open_session.held})
    else:
        idle = "idle time unknown" if seconds is None else f"idle for {seconds // 60} min"
        counts = f"{output.plural(open_session.turns, 'turn')}\t{open_session.held} held"
        output.put(f"{open_session.name}\t{owner}\t{counts}\t{idle}")
