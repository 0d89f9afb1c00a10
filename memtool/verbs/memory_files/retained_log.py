"""Logs of JSON Lines whose records expire: decisions, crises and feedback (CoALA)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from memtool.core.records.plan import Plan, Remove, Replace
from memtool.formats.syntax import json_text
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.editable_file import append_plan

RETENTION = {"audit": timedelta(days=90), "crisis": timedelta(days=90), "feedback": timedelta(days=180)}
"""How long the records of each role are kept."""
_OLDEST_LINES = 10
"""Lines at a log's beginning that tell its age; a crash may have cut one of them short."""
_SLACK = 1.1
"""The age, in retentions, from which adding a record removes expired ones, so that most only append."""


def retained_append_plan(workspace: Workspace, role: str, text: str, now: datetime) -> Plan:
    """The plan that adds lines to a log, and removes expired ones where the oldest is a tenth past its time.

    Call it under the lock.
    """
    path = workspace.layout.path(role)
    document = workspace.read(path) if text else None
    oldest = document.text.split("\n", _OLDEST_LINES)[:_OLDEST_LINES] if document else ()
    if document is None or not any(_is_older(row, now - RETENTION[role] * _SLACK) for row in oldest):
        return append_plan(workspace, path, text)
    return (Replace(path, _kept(document.text, now - RETENTION[role]) + text, document.etag),)


def expiry_plan(workspace: Workspace, now: datetime) -> Plan:
    """The plan that removes the expired records of every log. Call it under the lock."""
    plan: Plan = ()
    for role, retention in RETENTION.items():
        path = workspace.layout.path(role)
        document = workspace.read(path)
        if document is None:
            continue
        kept = _kept(document.text, now - retention)
        if kept != document.text:
            plan += (Replace(path, kept, document.etag),) if kept else (Remove(path, document.etag),)
    return plan


def _kept(text: str, since: datetime) -> str:
    return "".join(row for row in text.splitlines(keepends=True) if not _is_older(row, since))


def _is_older(row: str, than: datetime) -> bool:
    """Whether a line's time is before `than`; False for a line that cannot be read."""
    try:
        record = json_text.loads(row)[0]
        at = datetime.fromisoformat(str(record["at"]).replace("Z", "+00:00"))
    except (json_text.InvalidJson, ValueError, TypeError, KeyError):
        return False
    return (at if at.tzinfo else at.replace(tzinfo=UTC)) < than
