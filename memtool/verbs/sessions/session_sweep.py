"""session sweep: end the sessions that have been idle for some time."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date, datetime, timedelta
from functools import partial

from msgspec.structs import replace

from memtool.core.facts.policy import WritePolicy
from memtool.core.records.entries import Owner, user_of
from memtool.core.records.plan import Plan
from memtool.core.records.scope import sees
from memtool.store.workspace import Workspace
from memtool.verbs.delegates.delegate import Delegate
from memtool.verbs.sessions.running import (
    RunningSession,
    end_future_times,
    forget_unless_resumed,
    record_turn,
    running_session,
    running_sessions,
)
from memtool.verbs.sessions.session import OpenSession, known_messages, open_sessions
from memtool.verbs.sessions.session_end import SessionEndReport, session_end
from memtool.verbs.sessions.session_rotation import rotate_session_state


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

    So does a session that hooks or `append-turn` recorded and whose end was not reported, after `import_rest`
    has imported what no hook has; a session that is also open ends when it is idle as both. Without `owners`,
    tags of users, the sessions of all users end. `report` is called with the result of each; `summarizer` is
    that of `session_end`. A session that names no owner stays open, with a notice.
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
    end_future_times(workspace, now)
    visible = open_sessions(workspace.seen_by(owners))
    quiet_times = [idle_time(workspace, open_session, now) for open_session in visible]
    running = {one.full_name for one in running_sessions(workspace) if one.source.group is None}
    busy: set[tuple[str, Owner]] = set()
    for open_session, quiet in zip(visible, quiet_times, strict=True):
        name, owner = open_session.name, open_session.owner
        if owner is not None and quiet is not None and quiet < idle:
            busy.add((name, owner))
        elif owner is None and (quiet is None or quiet >= idle):
            notices.append(
                f"the session {name} has no owner and was not ended; to end it, run "
                f"memtool session-end --session {name}"
            )
        elif owner is not None and (name, owner) not in running:
            messages = known_messages(workspace, name, owner, session=name, user=user_of(owner))
            report(end(messages, owner=owner, session=name))
    for found in [*running_sessions(workspace)]:
        if found.full_name in busy or not sees(owners, str(found.owner or "")):
            continue
        if not any(found == one and one.is_idle(idle, now) for one in running_sessions(workspace)):
            continue  # it is not idle, or was resumed or ended while others ended
        plan, unread = import_rest(found)
        group, (name, owner) = found.source.group, found.full_name
        if group is not None:  # groups have no candidates and episodes
            result = SessionEndReport(
                plan=rotate_session_state(workspace, found.owner, name, now, group=group)
            )
        else:
            messages = known_messages(workspace, name, owner, session=name, user=found.owner)
            result = end(messages, owner=owner, session=name)
        forget_unless_resumed(workspace, found)
        report(replace(result, plan=plan + result.plan, notices=(*unread, *result.notices)))
    return notices


def idle_time(workspace: Workspace, session: OpenSession, now: datetime) -> timedelta | None:
    """The time since an open session's last entry; None where no entry has a time.

    For an entry with a time in the future, the time counts since such a session was first noticed, which is
    recorded. Raises Locked.
    """
    quiet = session.idle_time(now)
    if session.owner is None or not session.is_ahead(now):
        return quiet
    noticed = running_session(workspace, session.name, session.owner)
    if noticed is None:
        record_turn(workspace, session.name, session.owner, None, now)
    since = timedelta() if noticed is None else max(now - noticed.last, timedelta())
    return since if quiet is None else min(since, quiet)
