"""`memtool session`."""

from __future__ import annotations

import shlex
from datetime import timedelta
from typing import TYPE_CHECKING, BinaryIO

import click

from memtool.cli import output
from memtool.cli.actions import ActionGroup
from memtool.cli.options import MemtoolCommand, idle_option
from memtool.cli.parse.input_file import InputFile
from memtool.cli.parse.inputs import whole_text
from memtool.cli.render.session_end import show_session_end
from memtool.cli.session import Session, pass_session
from memtool.cli.times import parse_duration
from memtool.core.records.plan import Plan
from memtool.core.records.scope import sees
from memtool.core.text.enumeration import enumeration
from memtool.store.commit.partly import after_steps
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.sessions.running import running_sessions
from memtool.verbs.sessions.session import (
    OpenSession,
    open_sessions,
    record_messages,
    start_session,
)
from memtool.verbs.sessions.session_sweep import sweep_sessions
from memtool.verbs.turns.append_turn import parse_turn_input

if TYPE_CHECKING:
    from memtool.verbs.sessions.session_end import SessionEndReport

_MOST_NAMED = 5
"""The most sessions that are named that hooks or `append-turn` record."""


@click.command(
    "start",
    cls=MemtoolCommand,
    epilog="""
memtool session start --user ann --session s1
memtool session start --user ann
""",
)
@pass_session
def _start(session: Session) -> int:
    """Start a session, and print its id

    Exits 16 if neither a user nor a session is given.
    """
    session_id = session.owner_ids.get("session")
    name, plan = start_session(session.workspace, session.owner, session_id, session.now)
    return _conclude(session, name, plan)


@click.command(
    "turn",
    cls=MemtoolCommand,
    epilog="""
memtool session turn --user ann --session s1 < messages.json
memtool session turn --user ann --session s1 messages.json
""",
)
@click.argument("source", metavar="[FILE|-]", type=InputFile(), required=False)
@pass_session
def _turn(session: Session, source: BinaryIO | None) -> int:
    """Record messages in an open session

    Reads messages as JSON from FILE or stdin. Stores the messages until the session ends, as evidence for the
    candidates (proposed memories) of the session. Exits 16 if neither a user nor a session is given.
    """
    messages = parse_turn_input(whole_text(source, None)).messages
    session_id = session.owner_ids.get("session")
    name, plan = record_messages(session.workspace, messages, session.owner, session_id, session.now)
    return _conclude(session, name, plan)


@click.command(
    "sweep",
    cls=MemtoolCommand,
    epilog="""
memtool session sweep
memtool session sweep --idle 1h --dry-run
""",
)
@idle_option
@pass_session
def _sweep(session: Session, idle: str) -> int:
    """End all idle sessions

    Ends each idle session as `memtool session-end` does, and prints what was stored. Run this command from
    cron. Exits 0 even if no session is idle.

    Idle sessions that `memtool append-turn` recorded are ended, too. If hooks recorded a session and the
    agent did not report its end, imports the rest of its transcript, then ends the session. Because hooks do
    not record the time of every prompt, a session that they recorded may count as idle up to 30 minutes later
    than --idle specifies.
    """
    from memtool.verbs.hooks.unended_session import import_rest

    now, ended = session.now, 0

    def show(result: SessionEndReport) -> None:
        nonlocal ended
        ended += session.workspace.writes
        show_session_end(session, result)

    with after_steps(lambda: f"sessions ended: {ended}" if ended else ""):
        notices = sweep_sessions(
            session.workspace,
            session.owner_tags,
            load_policy(session.workspace.settings),
            idle=parse_duration(idle, "--idle"),
            now=now,
            today=now.astimezone(session.zone).date(),
            summarizer=None if session.incognito else session.delegate(None, "summarizer"),
            import_rest=lambda unended: import_rest(session.workspace, unended, session.zone),
            report=show,
        )
    for notice in notices:
        session.notice(notice)
    return 0


@click.command(
    "status",
    cls=MemtoolCommand,
    epilog="""
memtool session status
memtool session status --json --user ann
""",
)
@pass_session
def _status(session: Session) -> int:
    """Print open sessions, with turn counts, candidate counts and idle times

    On stderr, names open sessions that hooks or `append-turn` recorded. Exits 1 if no session recorded by
    `memtool session` is open.
    """
    listed = open_sessions(session.visible_workspace)
    for open_session in listed:
        _show(session, open_session)
    names = {open_session.name for open_session in listed}
    others = [running for running in running_sessions(session.visible_workspace) if running.name not in names]
    others = [running for running in others if sees(session.owner_tags, str(running.owner or ""))]
    if others:
        newest = sorted(others, key=lambda running: running.last, reverse=True)
        more = len(newest) - _MOST_NAMED
        shown = [running.name for running in newest[:_MOST_NAMED]] + ([f"{more} more"] if more > 0 else [])
        session.notice(
            f"also open, recorded by hooks or append-turn: {enumeration(shown)}; "
            f"to end one, run, for example, memtool session-end --session {shlex.quote(newest[0].name)}"
        )
    if listed:
        return 0
    return session.nothing(
        "no open sessions recorded by memtool session; "
        "memtool episodes lists the summaries of sessions that have ended"
    )


command = ActionGroup(
    "session",
    [_start, _turn, _sweep, _status],
    help="""Record sessions, list open ones, and end idle ones

These actions are for agents without a long-running process: the agent records messages with `turn` as they
arrive, and cron runs `sweep` to end idle sessions. `memtool session-end` ends one session at once. Of
sessions that hooks or `append-turn` record, `status` prints only the names, and `sweep` ends them, too.
`memtool episodes` lists the summaries of sessions that have ended.""",
    epilog="""
memtool session start --user ann --session s1
memtool session turn --user ann --session s1 < messages.json
memtool session status
memtool session sweep --idle 20m
""",
)


def _conclude(session: Session, name: str, plan: Plan) -> int:
    _show_name(session, name)
    session.show_plan(plan)
    return 0


def _show_name(session: Session, name: str) -> None:
    if session.json:
        output.put_json({"session": name})
    else:
        session.report(name)


def _show(session: Session, open_session: OpenSession) -> None:
    quiet, owner = open_session.idle_time(session.now), open_session.owner
    seconds = None if quiet is None else int(quiet / timedelta(seconds=1))
    if session.json:
        record = {"session": open_session.name, "owner": str(owner) if owner else None, "idle": seconds}
        output.put_json({**record, "turns": open_session.turns, "held": open_session.held})
    else:
        idle = "idle time unknown" if seconds is None else f"idle for {seconds // 60} min"
        turns = output.plural(open_session.turns, "turn")
        output.put_row(open_session.name, str(owner), turns, f"{open_session.held} held", idle)
