"""The audit log: every decision of the write policy, without the words, for 90 days (CoALA)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from memtool.core.digest import blake2b
from memtool.core.records.candidate import Candidate, PolicyDecision
from memtool.core.records.plan import Plan
from memtool.core.records.turn import format_moment
from memtool.formats import json_lines
from memtool.formats.syntax import json_text
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.retained_log import retained_append_plan

DROPPED_BY_HAND, APPROVED_BY_HAND = "by-hand", "approved"
"""The rules of decisions that a person makes."""
DECISIONS_BY_HAND = {DROPPED_BY_HAND: "dropped manually", APPROVED_BY_HAND: "approved manually"}
"""These decisions in words."""


def audit_line(candidate: Candidate, decision: PolicyDecision, now: datetime) -> str:
    """The line that records which rule fired, and a hash of the quotes in place of the words."""
    quotes = "\n".join(candidate.quotes).encode("utf-8", "surrogatepass")
    record: Mapping[str, Any] = {
        "at": format_moment(now),
        "id": candidate.id,
        "action": decision.action,
        "rule": decision.rule,
        "text": blake2b(quotes, digest_size=8).hexdigest(),
    }
    return json_text.dump_line(record)


def audit_plan(workspace: Workspace, lines: Sequence[str], now: datetime) -> Plan:
    """The plan that adds decisions to the log and removes expired ones. Call it under the lock."""
    return retained_append_plan(workspace, "audit", "".join(lines), now)


def ids_dropped_by_hand(workspace: Workspace) -> set[str]:
    """The ids of candidates that a person has dropped and not approved since."""
    ids: set[str] = set()
    for _, record in recorded_decisions(workspace, (f'"{DROPPED_BY_HAND}"', f'"{APPROVED_BY_HAND}"')):
        (ids.add if record.get("rule") == DROPPED_BY_HAND else ids.discard)(str(record.get("id", "")))
    return ids


def decisions_about(workspace: Workspace, ids: Sequence[str]) -> list[dict[str, Any]]:
    """The recorded decisions about these candidates, oldest first."""
    return [record for _, record in recorded_decisions(workspace, ids) if record.get("id") in ids]


def recorded_decisions(workspace: Workspace, words: Collection[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The decisions on lines that contain one of the words, oldest first, with the numbers of the lines."""
    document = workspace.read(workspace.layout.path("audit"))
    for number, line in enumerate(document.text.split("\n") if document else (), 1):
        if any(word in line for word in words):
            for _, record in json_lines.rows(line):
                yield number, record
