"""`memtool session-end`."""

from __future__ import annotations

from typing import BinaryIO

import click

from memtool.cli import output
from memtool.cli.inputs import whole_text
from memtool.cli.options import Command
from memtool.cli.session import Session, pass_session
from memtool.verbs.append_turn import given
from memtool.verbs.candidates import policy
from memtool.verbs.session_end import session_end


@click.command(
    "session-end",
    cls=Command,
    epilog="""
memtool session-end --user ann --session s1 --transcript chat.json
memtool session-end --session s1 --reason timeout         with what the history holds of the session
""",
)
@click.option(
    "--transcript",
    metavar="FILE|-",
    type=click.File("rb"),
    help="The session's messages; else the history's turns.",
)
@click.option(
    "--reason",
    type=click.Choice(["end", "timeout", "shutdown", "web", "voice"]),
    default="end",
    help="Why the session ends.",
)
@pass_session
def command(session: Session, transcript: BinaryIO | None, reason: str) -> int:
    """Let a session end: what was held becomes memory where it is borne out, and its arc is put down.

    A held candidate is promoted when another turn of the user's bears it out, or another session; what is not
    waits for 90 days. A session of some substance leaves one arc. Doing it twice changes nothing. Exits 1
    when there was nothing to do.
    """
    from memtool.verbs.session_turns import turns_of

    workspace, now = session.workspace, session.now
    owners = session.owners
    if transcript is not None:
        messages = given(whole_text(transcript, None)).messages
    else:
        messages = turns_of(workspace, owners.get("session"))
    done = session_end(
        workspace,
        messages,
        policy(workspace.settings),
        owner=session.owner,
        session=owners.get("session"),
        now=now,
        today=now.astimezone(session.zone).date(),
        reason=reason,
    )
    for name, effect, why, path in done.promoted:
        if session.json:
            output.put_json({"id": name, "effect": effect, "reason": why, "path": str(path)})
        else:
            output.put(f"{name}\t{effect}\t{why}\t{path}")
    if session.json:
        record = {"promoted": len(done.promoted), "waiting": done.waiting}
        output.put_json({**record, "episode": None if done.episode is None else str(done.episode)})
    for notice in done.notices:
        session.notice(notice)
    if done.plan:
        arc = f"; its arc is {done.episode}" if done.episode else ""
        session.notice(f"{len(done.promoted)} promoted, {done.waiting} go on waiting{arc}")
    else:
        session.notice("there was nothing to do")
    session.show_plan(done.plan)
    return 0 if done.plan else 1
