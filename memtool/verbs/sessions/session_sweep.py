"""session sweep: end the sessions that have been idle for some time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta

from memtool.core.facts.policy import WritePolicy
from memtool.store.workspace import Workspace
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.sessions.session import open_sessions, recorded_messages
from memtool.verbs.sessions.session_end import SessionEndReport, session_end


def sweep_sessions(
    workspace: Workspace,
    visible: Workspace,
    policy: WritePolicy,
    *,
    idle: timedelta,
    now: datetime,
    today: date,
    summarizer: Delegate | None,
    report: Callable[[SessionEndReport], None],
) -> list[str]:
    """End every open session in `visible` that has been idle for so long; return the notices.

    `report` is called with the result of each; `summarizer` is that of `session_end`. A session that names
    no owner stays open, with a notice. Raises Locked, StaleWrite, Unwritable.
    """
    notices: list[str] = []
    for open_session in open_sessions(visible):
        quiet = open_session.idle_time(now)
        if quiet is not None and quiet < idle:
            continue
        if open_session.owner is None:
            notices.append(
                f"the session {open_session.name} has no owner and was not ended; end it with memtool "
                "session-end"
            )
            continue
        result = session_end(
            workspace,
            recorded_messages(workspace, open_session.name, open_session.owner),
            policy,
            owner=open_session.owner,
            session=open_session.name,
            now=now,
            today=today,
            reason="timeout",
            is_whole=True,
            summarizer=summarizer,
        )
        report(result)
    return notices
