"""`memtool session-end`."""

from __future__ import annotations

from typing import BinaryIO

import click

from memtool.cli.options import MemtoolCommand
from memtool.cli.parse.input_file import InputFile
from memtool.cli.parse.inputs import whole_text
from memtool.cli.render.session_end import show_session_end
from memtool.cli.session import Session, pass_session
from memtool.cli.times import parse_duration
from memtool.verbs.facts.candidates import session_name
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.sessions.session_end import session_end
from memtool.verbs.turns.append_turn import parse_turn_input


@click.command(
    "session-end",
    cls=MemtoolCommand,
    epilog="""
memtool session-end --user ann --session s1 --transcript chat.json
memtool session-end --user ann --session s1               use the recorded turns
memtool session-end --user ann --session s1 --if-idle 30m --reason timeout
memtool session-end --user ann --session s1 --summarizer 'llm -s "Three sentences: what was this about?"'
""",
)
@click.option(
    "--transcript",
    metavar="FILE|-",
    type=InputFile(),
    help="File with the messages of the session [default: turns in the history]",
)
@click.option(
    "--reason",
    type=click.Choice(["end", "timeout", "shutdown", "web", "voice"]),
    default="end",
    help="Reason to record in the summary [default: end]",
)
@click.option(
    "--if-idle",
    metavar="SPAN",
    help="End the session only if it has been idle for SPAN, such as 30m or 1h [default: always end it]",
)
@click.option(
    "--summarizer",
    metavar="CMD",
    help="Command that summarises messages [default: the setting summarizer]",
)
@pass_session
def command(
    session: Session, transcript: BinaryIO | None, reason: str, if_idle: str | None, summarizer: str | None
) -> int:
    """End a session: store confirmed facts and write its summary

    A held candidate (a proposed memory) is stored when another message from the user, or another session,
    confirms it; otherwise it is dropped after 90 days. A session with at least three messages from the user,
    not counting small talk, gets a summary (episode), which is either assembled from sentences in the session
    or written by the summarizer command. Entries in the session state that belong to the user or have no
    owner are moved to the archive; if other sessions are open, entries written since the earliest of those
    sessions began are not moved. A second run changes nothing. Exits 1 when there was nothing to do.
    """
    from memtool.verbs.sessions.running import forget_unless_resumed, running_session
    from memtool.verbs.sessions.session import known_messages, open_sessions
    from memtool.verbs.sessions.session_sweep import idle_time

    workspace, now = session.workspace, session.now
    owners = session.owner_ids
    name = session_name(session.owner, owners.get("session"))
    if if_idle is not None:
        span, key = parse_duration(if_idle, "--if-idle"), (name, session.owner)
        open_session = next(
            (candidate for candidate in open_sessions(workspace) if (candidate.name, candidate.owner) == key),
            None,
        )
        quiet = None if open_session is None else idle_time(workspace, open_session, now)
        if quiet is not None and quiet < span:
            session.notice(
                f"the session was active {int(quiet.total_seconds()) // 60} min ago, so it was not ended"
            )
            return 1
    running = running_session(workspace, name, session.owner)
    if transcript is not None:
        messages = parse_turn_input(whole_text(transcript, None)).messages
    else:
        messages = known_messages(
            workspace, name, session.owner, session=owners.get("session"), user=session.owner
        )
    result = session_end(
        workspace,
        messages,
        load_policy(workspace.settings),
        owner=session.owner,
        session=owners.get("session"),
        now=now,
        today=now.astimezone(session.zone).date(),
        reason=reason,
        is_whole=transcript is None,
        summarizer=None if session.incognito else session.delegate(summarizer, "summarizer"),
    )
    if running is not None:
        forget_unless_resumed(workspace, running)
    if (named := owners.get("session")) and not (messages or result.promoted):
        session.notice(f"session {named!r} has no turns" if result.plan else _unknown(session, named))
    show_session_end(session, result)
    return 0 if result.plan else 1


def _unknown(session: Session, named: str) -> str:
    from memtool.verbs.sessions.known_sessions import is_known, similar_sessions

    visible = session.visible_workspace
    if is_known(visible, named, session.owner):
        return f"session {named!r} has no turns"
    similar = similar_sessions(visible, named, session.owner)
    near = (
        f"did you mean {' or '.join(similar)}?"
        if similar
        else "memtool session status lists open sessions, and memtool episodes lists ended ones"
    )
    return f"there is no session {named!r}; {near}"
