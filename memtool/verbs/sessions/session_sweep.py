"""session sweep: end the sessions that have been idle for some time."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date, datetime, timedelta
from functools import partial

from memtool.core.facts.policy import WritePolicy
from memtool.core.records.entries import Owner
from memtool.core.records.scope import sees
from memtool.store.workspace import Workspace
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.sessions.running import forget_running, sessions_without_end
from memtool.verbs.sessions.session import open_sessions, recorded_messages
from memtool.verbs.sessions.session_end import SessionEndReport, session_end
from memtool.verbs.turns.replay import session_messages


def sweep_sessions(
    workspace: Workspace,
    owners: Collection[str],
    policy: WritePolicy,
    *,
    idle: timedelta,
    now: datetime,
    today: date,
    summarizer: Delegate | None,
    report: Callable[[SessionEndReport], None],
) -> list[str]:
    """End every open session that has been idle for so long; return the notices.

    So does a session of an agent whose hooks reported no end. Without `owners`, tags of users, the sessions
    of all users end. `report` is called with the result of each; `summarizer` is that of `session_end`. A
    session that names no owner stays open, with a notice. Raises Locked, StaleWrite, Unwritable.
    """
    notices: list[str] = []
    end = partial(
        session_end,
        workspace,
        policy=policy,
        now=now,
        today=today,
        reason="timeout",
        is_whole=True,
        summarizer=summarizer,
    )
    for open_session in open_sessions(workspace.seen_by(owners)):
        quiet = open_session.idle_time(now)
        if quiet is not None and quiet < idle:
            continue
        if open_session.owner is None:
            notices.append(
                f"the session {open_session.name} has no owner and was not ended; end it with memtool "
                "session-end"
            )
            continue
        messages = recorded_messages(workspace, open_session.name, open_session.owner)
        report(end(messages, owner=open_session.owner, session=open_session.name))
    for running in sessions_without_end(workspace, idle, now):
        if not sees(owners, str(running.owner or "")):
            continue
        messages = session_messages(workspace, running.name, running.owner)
        owner = running.owner or Owner("session", running.name)
        result = end(messages, owner=owner, session=running.name)
        forget_running(workspace, running.name, running.owner)
        report(result)
    return notices
