"""The rest of a session whose agent reported no end: the turns that no hook of it has imported."""

from __future__ import annotations

from datetime import tzinfo

from memtool.core.digest import blake2b
from memtool.core.hooks.hook_event import HookEvent, SessionEnded
from memtool.core.records.plan import Plan
from memtool.errors import MemtoolError
from memtool.store.external.transcript_files import path_exists, resolved_path
from memtool.store.workspace import Workspace
from memtool.verbs.hooks.hook_call import TRANSIENT, HookCall, HookOutcome
from memtool.verbs.hooks.hook_queue import QueuedEvent, late_call
from memtool.verbs.hooks.hook_turns import import_turns
from memtool.verbs.sessions.running import RunningSession


def import_rest(workspace: Workspace, session: RunningSession, zone: tzinfo) -> tuple[Plan, list[str]]:
    """Import the new turns of a session's transcript, as the hook of its end would; the plan and notices.

    A transcript that cannot be read is a notice, and the session is what the history has of it. Raises
    Locked, StaleWrite, UnfinishedCommit, Unwritable.
    """
    source, path = session.source, session.source.transcript
    notices: list[str] = []
    if path and resolved_path(path) != path:
        notices.append(f"the transcript {path} was not read, because its path now contains a symbolic link")
    elif path and not path_exists(path):
        notices.append(f"the transcript {path} no longer exists")
    if not source.agent:
        return (), notices
    reply = HookOutcome()
    with reply.step("history", "turns of the session may be missing"):
        call = _call(workspace, session, "" if notices else path, zone)
        import_turns(call, reply, SessionEnded())
    for failure in reply.failures:
        for error in (failure, failure.__cause__):
            if isinstance(error, TRANSIENT) and isinstance(error, MemtoolError):
                raise error
    plan = tuple(change for written in reply.plans for change in written)
    return plan, [f"session {session.name}: {notice}" for notice in (*notices, *reply.errors)]


def _call(workspace: Workspace, session: RunningSession, path: str, zone: tzinfo) -> HookCall:
    """The call of the hook that the agent did not make. Raises OutsideWorkspace, BadUsage."""
    source, owner = session.source, session.owner
    user = {"user": owner.id} if owner is not None and owner.kind == "user" else {}
    key = f"{session.name}\n{session.last.isoformat()}".encode("utf-8", "surrogatepass")
    event = HookEvent(source.agent, "sweep", session.name, "", path, SessionEnded())
    missed = QueuedEvent(
        workspace.root,
        (0, 0),
        blake2b(key, digest_size=16).hexdigest(),
        event,
        session.last.astimezone(zone),
        owner,
        {"session": session.name, **user},
        source.group,
        source.acts_for_group,
    )
    return late_call(workspace, missed)
