"""append-daily: an exchange, or a plain note, becomes one block of its day's note."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.capture import exchange
from memtool.core.records.entry import Owner
from memtool.core.records.plan import Append, Create, Plan
from memtool.core.secrets.redact import redact
from memtool.errors import DelegateFailed
from memtool.formats import daily_note
from memtool.layouts.seeds import seed_text
from memtool.store.workspace import Workspace
from memtool.verbs.delegates.delegate import Delegate


class Appended(Struct, frozen=True):
    """The note a block went to, the block as it stands there, and what was written.

    `notices` say which side could not be condensed and was clipped instead.
    """

    path: PurePosixPath
    block: str
    plan: Plan
    notices: tuple[str, ...] = ()


def append_daily(
    workspace: Workspace,
    *,
    user: str | None,
    agent: str | None,
    note: str | None,
    at: datetime,
    owner: Owner | None,
    full: bool = False,
    condense: Delegate | None = None,
    group: str | None = None,
) -> Appended:
    """Append one block to the note of the day of `at`, a time in the workspace's zone.

    Appending rewrites nothing, so blocks of many processes stand whole, one after the other. Raises Locked,
    StaleWrite, Unreadable, Unwritable.
    """
    most = workspace.settings["daily.clip"]
    notices: list[str] = []
    if condense is not None and not full:
        user = _condensed(user, most, condense, notices)
        agent = _condensed(agent, most, condense, notices)
    if note is not None:
        entry = exchange.note(note, at.time(), owner, full=full, limit=most)
    else:
        entry = exchange.exchange(user, agent, at.time(), owner, full=full, limit=most)
    block = daily_note.block(entry)
    path = workspace.layout.path("daily-note", group=group, day=at.date())
    with workspace.lock():
        plan: Plan
        if workspace.disk.stat(path) is None:
            plan = (Create(path, seed_text(workspace.layout, "daily-note", day=at.date()) + block),)
        else:
            plan = (Append(path, block),)
        workspace.commit(plan)
    return Appended(path, block, plan, tuple(notices))


def _condensed(text: str | None, most: int, condense: Delegate, notices: list[str]) -> str | None:
    """A side short enough as it is, or the delegate's shorter words for it; a secret never reaches it."""
    if text is None or len(text) <= most:
        return text
    try:
        return condense.run(redact(text))
    except DelegateFailed as error:
        notices.append(f"{error}; the text was clipped instead")
        return text
