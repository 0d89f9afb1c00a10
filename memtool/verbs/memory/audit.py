"""The audit log: every decision of the write policy, without the words, for as long as it is kept (CoALA)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any

from memtool.core.records.candidate import Candidate, Decision
from memtool.core.records.plan import Plan, Replace
from memtool.core.records.turn import spell
from memtool.formats.syntax import json_text
from memtool.store.workspace import Workspace
from memtool.verbs.memory.memory import appended

DROPPED, APPROVED = "by-hand", "approved"
"""The rules by which a person's word stands on record."""
_ON_RECORD = timedelta(days=90)
"""How long decisions of the write policy stay on record (CoALA)."""
_FIRST = 10
"""Lines at the log's beginning that tell how old it is; a crash may have cut one of them short."""


def audit_line(candidate: Candidate, decision: Decision, now: datetime) -> str:
    """The line that keeps which rule fired, and a hash of the words, never the words."""
    text = "\n".join(candidate.quotes).encode("utf-8", "surrogatepass")
    told: Mapping[str, Any] = {
        "at": spell(now),
        "id": candidate.id,
        "action": decision.action,
        "rule": decision.rule,
        "text": blake2b(text, digest_size=8).hexdigest(),
    }
    return json_text.line(told)


def recorded(workspace: Workspace, lines: Sequence[str], now: datetime) -> Plan:
    """The plan that puts decisions on record, and takes those off that are older than is kept.

    The log is rewritten only when its oldest line is too old by a tenth of the time that it is kept, so that
    most commands append. Use it under the lock.
    """
    path, text = workspace.layout.path("audit"), "".join(lines)
    document = workspace.read(path) if text else None
    oldest = document.text.split("\n", _FIRST)[:_FIRST] if document else ()
    if document is None or not any(_is_older(row, now - _ON_RECORD * 1.1) for row in oldest):
        return appended(workspace, path, text)
    rows = document.text.splitlines(keepends=True)
    left = "".join(row for row in rows if not _is_older(row, now - _ON_RECORD))
    return (Replace(path, left + text, document.etag),)


def dropped_by_hand(workspace: Workspace) -> set[str]:
    """The candidates that a person has dropped and not approved since."""
    document = workspace.read(workspace.layout.path("audit"))
    found: set[str] = set()
    for row in document.text.split("\n") if document else ():
        if f'"{DROPPED}"' in row or f'"{APPROVED}"' in row:
            value = _read(row) or {}
            (found.add if value.get("rule") == DROPPED else found.discard)(str(value.get("id", "")))
    return found


def decisions(workspace: Workspace, names: Sequence[str]) -> list[dict[str, Any]]:
    """The decisions on record about these candidates, the oldest first."""
    document = workspace.read(workspace.layout.path("audit"))
    rows = document.text.split("\n") if document else ()
    read = (_read(row) for row in rows if any(name in row for name in names))
    return [value for value in read if value is not None and value.get("id") in names]


def _read(row: str) -> dict[str, Any] | None:
    try:
        value = json_text.loads(row)[0]
    except json_text.NotJson:
        return None
    return value if isinstance(value, dict) else None


def _is_older(row: str, than: datetime) -> bool:
    """Whether a line says that it is older; one that does not read is kept."""
    value = _read(row)
    try:
        at = datetime.fromisoformat(str((value or {}).get("at", "")).replace("Z", "+00:00"))
    except ValueError:
        return False
    return (at if at.tzinfo else at.replace(tzinfo=UTC)) < than
