"""session sweep: end the sessions that have been idle for some time."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date, datetime, timedelta
from functools import partial

from msgspec.structs import replace

from memtool.core.facts.policy import WritePolicy
from memtool.core.records.entries import Owner
from memtool.core.records.plan import Plan
from memtool.core.records.scope import sees
from memtool.store.workspace import Workspace
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.sessions.running import RunningSession, forget_running, sessions_without_end
from memtool.verbs.sessions.session import open_sessions, recorded_messages
from memtool.verbs.sessions.session_end import SessionEndReport, session_end
from memtool.verbs.sessions.session_rotation import rotate_session_state
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
    import_rest: Callable[[RunningSession], tuple[Plan, list[str]]],
    report: Callable[[SessionEndReport], None],
) -> list[str]:
    """End every open session that has been idle for so long; return the notices.

    So does a session of an agent whose hooks reported no end, after `import_rest` has imported what no hook
    has. Without `owners`, tags of users, the sessions of all users end. `report` is called with the result of
    each; `summarizer` is that of `session_end`. A session that names no owner stays open, with a notice.
    Raises Locked, StaleWrite, Unwritable.
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
        plan, unread = import_rest(running)
        group, owner = running.source.group, running.owner
        if group is not None:  # groups have no candidates and episodes
            result = SessionEndReport(
                plan=rotate_session_state(workspace, owner, running.name, now, group=group)
            )
        else:
            messages = session_messages(workspace, running.name, owner)
            result = end(messages, owner=owner or Owner("session", running.name), session=running.name)
        forget_running(workspace, running.name, owner)
        report(replace(result, plan=plan + result.plan, notices=(*unread, *result.notices)))
    return notices
