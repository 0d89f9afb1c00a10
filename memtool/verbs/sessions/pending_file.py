"""The pending file: candidates that no session has supported yet, each until its day of expiry (CoALA)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from memtool.core.facts.policy import WritePolicy
from memtool.core.facts.promotion import HeldCandidate
from memtool.core.records.plan import Create, Plan, Remove, Replace
from memtool.formats import candidate_line
from memtool.store.commit.retry import retry_when_stale
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.editable_file import EditableFile, open_role_file


class PendingFile(Struct, frozen=True):
    """The pending file, and its lines that have not expired; None for a line that cannot be read."""

    file: EditableFile
    lines: list[tuple[HeldCandidate | None, str]]
    expired: int
    """The number of candidates that have expired."""

    @property
    def held(self) -> list[HeldCandidate]:
        """The candidates of all owners."""
        return [held for held, _ in self.lines if held is not None]

    def text_without(self, ids: Collection[str]) -> str:
        """The lines without these candidates; unreadable lines stay."""
        return "".join(line for held, line in self.lines if held is None or held.candidate.id not in ids)

    def rewrite_plan(self, text: str) -> Plan:
        """The plan that gives the file this text; an empty file is removed."""
        file = self.file
        if text == file.text or (file.etag is None and not text):
            return ()
        if file.etag is None:
            return (Create(file.path, text),)
        return (Replace(file.path, text, file.etag) if text else Remove(file.path, file.etag),)


def read_pending(workspace: Workspace, policy: WritePolicy, now: datetime, notices: list[str]) -> PendingFile:
    """The pending file without its expired candidates."""
    file = open_role_file(workspace, "pending")
    rows = file.text.split("\n")
    lines: list[tuple[HeldCandidate | None, str]] = []
    expired = 0
    for number, held, value in candidate_line.parse_held_lines(file.text, policy.vocabulary):
        if held is None:
            notices.append(f"{file.path}:{number}: the line is not a valid candidate and was not changed")
        if held is None or _expiry(value) > now:
            lines.append((held, rows[number - 1] + "\n"))
        else:
            expired += 1
    return PendingFile(file, lines, expired)


@retry_when_stale
def expire_candidates(
    workspace: Workspace, policy: WritePolicy, now: datetime
) -> tuple[int, Plan, list[str]]:
    """Remove expired candidates from the pending file; return their number, the plan and the notices.

    The end of a session does so, too. Raises Locked, StaleWrite, Unwritable.
    """
    notices: list[str] = []
    with workspace.lock():
        pending = read_pending(workspace, policy, now, notices)
        plan = pending.rewrite_plan(pending.text_without(())) if pending.expired else ()
        workspace.commit(plan)
    return pending.expired, plan, notices


def _expiry(value: dict[str, Any]) -> datetime:
    """When a line of the pending file expires; a line without a date never does."""
    try:
        moment = datetime.fromisoformat(str(value.get("until", "")).replace("Z", "+00:00"))
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    except ValueError:
        return datetime.max.replace(tzinfo=UTC)
