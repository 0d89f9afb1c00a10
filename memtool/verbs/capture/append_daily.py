"""append-daily: append an exchange or a plain note as one block to the daily note."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec import Struct

from memtool.core.capture import exchange
from memtool.core.capture.withheld import withhold_exchange
from memtool.core.records.entries import Owner
from memtool.core.records.plan import Append, Create, Plan
from memtool.core.secrets.redact import redact
from memtool.errors import DelegateFailed
from memtool.formats import daily_note
from memtool.layouts.seeds import seed_text
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.forgotten import remembered_sides

if TYPE_CHECKING:  # it imports subprocess
    from memtool.verbs.delegates.delegate import Delegate


class AppendDailyReport(Struct, frozen=True):
    """The daily note, the block appended to it, empty for an exchange that was forgotten, and the plan.

    `notices` name the sides that could not be condensed and were clipped instead.
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
    redacts: bool = True,
) -> AppendDailyReport:
    """Append one block to the daily note of `at`, a time in the workspace's zone, with secrets redacted.

    What the user asks not to keep is left out, unless `redacts` is false. Blocks of concurrent processes are
    never interleaved. A side of an exchange that was forgotten is left out; a note is a new statement, and is
    not. Raises Locked, StaleWrite, UnreadableFile, Unwritable.
    """
    limit = workspace.settings["daily.clip"]
    path = workspace.layout.path("daily-note", group=group, day=at.date())
    if redacts:
        user, agent = withhold_exchange(user, agent)
    sides = remembered_sides(workspace, user, agent, owner)
    if (user or agent) and not any(sides):
        return AppendDailyReport(path, "", ())
    user, agent = sides
    notices: list[str] = []
    if condense is not None and not full:
        user = _condense(user, limit, condense, notices)
        agent = _condense(agent, limit, condense, notices)
    if note is not None:
        entry = exchange.build_note(note, at.time(), owner, full=full, limit=limit, redacts=redacts)
    else:
        entry = exchange.build_exchange(
            user, agent, at.time(), owner, full=full, limit=limit, redacts=redacts
        )
    block = daily_note.render_block(entry)
    plan = _append_block(workspace, path, block, at.date())
    return AppendDailyReport(path, block, plan, tuple(notices))


@retry_when_stale
def _append_block(workspace: Workspace, path: PurePosixPath, block: str, day: date) -> Plan:
    with workspace.lock():
        plan: Plan
        if workspace.disk.stat(path) is None:
            plan = (Create(path, seed_text(workspace.layout, "daily-note", day=day) + block),)
        else:
            plan = (Append(path, block),)
        workspace.commit(plan)
    return plan


def _condense(text: str | None, limit: int, command: Delegate, notices: list[str]) -> str | None:
    """The text if it is within the limit, else what the user's command makes of it, redacted."""
    if text is None or len(text) <= limit:
        return text
    try:
        return command.run(redact(text))
    except DelegateFailed as error:
        notices.append(f"{error}; the text was truncated instead of summarised")
        return text
