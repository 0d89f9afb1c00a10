"""Rotation of the session state: the entries of sessions that have ended move to the archive."""

from __future__ import annotations

from datetime import datetime, timedelta

from memtool.core.records.entries import Owner, WalEntry
from memtool.core.records.plan import Plan
from memtool.errors import OutsideWorkspace, UnreadableFile
from memtool.formats import session_state
from memtool.layouts.seeds import seed_text
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.editable_file import append_plan, open_role_file
from memtool.verbs.sessions.running import running_sessions
from memtool.verbs.sessions.session import open_sessions

_LIVE = timedelta(days=1)
"""A session that is open and had no entry for so long keeps no entries of the session state."""


@retry_when_stale
def rotate_session_state(
    workspace: Workspace, owner: Owner | None, session: str, now: datetime, *, group: str | None = None
) -> Plan:
    """Move the entries of an ended session to the archive, and return the plan. Raises Locked, StaleWrite."""
    with workspace.lock():
        plan = rotation_plan(workspace, owner, session, now, [], group=group)
        workspace.commit(plan)
    return plan


def rotation_plan(
    workspace: Workspace,
    owner: Owner | None,
    session: str,
    now: datetime,
    notices: list[str],
    *,
    group: str | None = None,
) -> Plan:
    """The plan that moves entries of an owner's ended session to the archive, which search reads.

    An entry does not name its session. Those of other users stay, and so do those written since another
    session began that is still open. All others are from the session that ends, or from one that ended
    before without its end being reported. Nothing is archived twice where an earlier run was interrupted
    between the two files. Where a file cannot be read, nothing moves, and `notices` says so.
    """
    if not (workspace.has("session-state") and workspace.has("session-state-archive")):
        return ()
    try:
        state = open_role_file(workspace, "session-state", group=group)
        others = _starts_of_others(workspace, owner, session, now)

        def has_ended(entry: WalEntry) -> bool:
            is_own = entry.owner is None or entry.owner == owner
            starts = [at for other, at in others if entry.owner is None or entry.owner == other]
            return is_own and all(entry.at < at for at in starts)

        remaining, ended = session_state.split_entries(state.text, has_ended)
        if not ended:
            return ()
        archive = open_role_file(workspace, "session-state-archive", group=group)
    except (OutsideWorkspace, UnreadableFile) as error:
        notices.append(f"the session state cannot be archived: {error}")
        return ()
    archived_lines = set(archive.text.split("\n"))
    new = [entry for entry in ended if entry.partition("\n")[0] not in archived_lines]
    gap = "" if archive.text.endswith("\n") else "\n"
    seed = seed_text(workspace.layout, "session-state-archive")
    text = gap + "".join(new) if new else ""
    plan = append_plan(workspace, archive.path, text, seed)
    noun = "entry" if len(ended) == 1 else "entries"
    moved = "moved" if workspace.writes else "would be moved"
    notices.append(f"{len(ended)} {noun} of {state.path} {moved} to {archive.path}")
    return (*plan, *state.rewrite_plan(remaining))


def _starts_of_others(
    workspace: Workspace, owner: Owner | None, session: str, now: datetime
) -> list[tuple[Owner | None, datetime]]:
    """The owners and starts of the other sessions that are open, and of those that prompt their agents."""
    prompting = [
        (other.full_name[1], other.started)
        for other in running_sessions(workspace)
        if (other.name != session or other.owner not in {None, owner}) and now - other.last < _LIVE
    ]
    return prompting + [
        (other.owner, other.started)
        for other in open_sessions(workspace)
        if (other.name, other.owner) != (session, owner)
        and other.started is not None
        and (idle := other.idle_time(now)) is not None
        and idle < _LIVE
    ]
