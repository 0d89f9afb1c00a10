"""candidates: decide on proposed memories: commit, hold or drop each; list and settle held ones (CoALA)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from memtool.core.facts.policy import Policy, policy_of
from memtool.core.facts.promote import Held
from memtool.core.facts.support import Spoken
from memtool.core.privacy.recalled import without_recalled
from memtool.core.records.candidate import Candidate, Decision
from memtool.core.records.entry import Owner
from memtool.core.records.plan import Plan, Remove, Replace
from memtool.core.records.turn import spell
from memtool.errors import BadUsage, NoOwner
from memtool.formats import candidate_line
from memtool.formats.candidate_line import NotACandidate
from memtool.layouts.policy import policy_tables
from memtool.store.config.settings import Settings
from memtool.store.workspace import Workspace
from memtool.verbs.memory.audit import APPROVED, DROPPED, audit_line, dropped_by_hand, recorded
from memtool.verbs.memory.editable_file import appended
from memtool.verbs.memory.memory import Memory

_DROPPED = Decision("drop", DROPPED, "a person dropped it")
_NEVER = "safety"
"""The rule of the policy that a person's approval does not override."""


class Done(Struct, frozen=True):
    """A candidate, the policy's decision, and the effect: written, bumped, superseded, held, dropped.

    `problem` says why a record is no candidate; the other fields are then empty.
    """

    candidate: Candidate | None
    decision: Decision | None
    effect: str = "none"
    path: PurePosixPath | None = None
    problem: str = ""

    def record(self) -> dict[str, Any]:
        """The record that --json prints."""
        if self.candidate is None or self.decision is None:
            return {"effect": "refused", "reason": self.problem}
        return {
            "id": self.candidate.id,
            "lane": self.candidate.lane,
            "action": self.decision.action,
            "rule": self.decision.rule,
            "reason": self.decision.reason,
            "effect": self.effect,
            "path": None if self.path is None else str(self.path),
        }


class Waiting(Struct, frozen=True):
    """A held candidate, its file, since when it is held, and why."""

    held: Held
    path: PurePosixPath
    at: str
    reason: str


def policy(settings: Settings) -> Policy:
    """The shipped policy with the markers of the settings. Raises BadUsage."""
    return policy_of(policy_tables(), settings["candidates.markers"])


def session_of(owner: Owner | None, session: str | None) -> str:
    """The session's name: the given one, else one derived from the owner. Raises NoOwner."""
    if owner is None:
        raise NoOwner("whose memory is it? name a user or a session with --user or --session")
    return session or f"of-{owner.id}"


def decide(records: Sequence[Any], by: Policy, owner: Owner | None, session: str | None) -> Iterator[Done]:
    """The policy's decision on each proposal, in order; nothing is read or written."""
    candidate_owner = owner or Owner("session", "nobody")
    name = session_of(owner, session) if owner else session or ""
    for record in records:
        try:
            candidate = candidate_line.parse(record, candidate_owner, name, by.vocabulary)
        except NotACandidate as error:
            yield Done(None, None, problem=str(error))
        else:
            yield Done(candidate, by.decide(candidate, said=_is_said(candidate)))


def add(
    workspace: Workspace,
    records: Sequence[Any],
    by: Policy,
    owner: Owner | None,
    session: str | None,
    now: datetime,
) -> tuple[tuple[Done, ...], Plan]:
    """Decide on proposals, then commit or hold them; the batch is one plan.

    Memory is written before the buffers. Ids follow from the proposals, so the same batch again, after a
    crash or in a second run, changes nothing. What a person has dropped stays dropped. Raises NoOwner,
    Locked, StaleWrite, Unwritable.
    """
    name = session_of(owner, session)
    proposals = list(decide(records, by, owner, name))
    with workspace.lock():
        memory = Memory(workspace, by, now)
        pending = {waiting.held.candidate.id for waiting in held(workspace, by)}
        dropped = dropped_by_hand(workspace)
        lines: dict[PurePosixPath, list[str]] = {}
        audit: list[str] = []
        results: list[Done] = []
        for proposal in proposals:
            candidate, decision = proposal.candidate, proposal.decision
            if candidate is None or decision is None:
                results.append(proposal)
            elif candidate.id in dropped:
                results.append(Done(candidate, _DROPPED, "dropped"))
            else:
                results.append(_apply(workspace, candidate, decision, memory, pending, lines, now))
                audit.append(audit_line(candidate, decision, now))
        plan = memory.plan()
        for path, rows in lines.items():
            plan += appended(workspace, path, "".join(rows))
        plan += recorded(workspace, audit, now)
        workspace.commit(plan)
    return tuple(results), plan


def _apply(
    workspace: Workspace,
    candidate: Candidate,
    decision: Decision,
    memory: Memory,
    pending: set[str],
    lines: dict[PurePosixPath, list[str]],
    now: datetime,
) -> Done:
    """Commit, drop or hold one candidate; the buffers' new lines go into `lines`."""
    if decision.action == "commit_now":
        effect = memory.commit(candidate)
        return Done(candidate, decision, effect.effect, effect.path)
    if decision.action == "drop":
        return Done(candidate, decision, "dropped")
    path = workspace.layout.path("session-buffer", name=candidate.session)
    if candidate.id in pending:
        return Done(candidate, decision, "none", path)
    pending.add(candidate.id)
    lines.setdefault(path, []).append(candidate_line.line(candidate, decision, spell(now)))
    return Done(candidate, decision, "held", path)


def held(workspace: Workspace, by: Policy, notices: list[str] | None = None) -> list[Waiting]:
    """All held candidates: those in the sessions' buffers, then those in the pending file."""
    waiting: dict[str, Waiting] = {}
    for path in (*buffers(workspace), workspace.layout.path("pending")):
        document = workspace.read(path)
        for number, row, value in candidate_line.held(document.text, by.vocabulary) if document else ():
            if row is None:
                if notices is not None:
                    notices.append(f"{path} has a line {number} that does not read; it was passed over")
                continue
            since, reason = str(value.get("at", "")), str(value.get("reason", ""))
            waiting[row.candidate.id] = Waiting(row, path, since, reason)
    return list(waiting.values())


def buffers(workspace: Workspace) -> list[PurePosixPath]:
    """The paths of the sessions' buffers."""
    layout = workspace.layout
    folder = workspace.disk.folder(layout.path("session-buffer", name="x").parent.parent)
    paths = [layout.path("session-buffer", name=name) for name in folder.folders] if folder else []
    return [path for path in paths if workspace.disk.stat(path) is not None]


def approve(
    workspace: Workspace, names: Sequence[str], by: Policy, owner: Owner | None, now: datetime
) -> tuple[tuple[Done, ...], Plan]:
    """Commit held candidates that a person approved, of one owner if one is given.

    A candidate that the policy drops for safety is refused. Raises BadUsage for an unknown id.
    """
    with workspace.lock():
        chosen = _chosen(workspace, names, by, owner)
        memory = Memory(workspace, by, now)
        approval = Decision("commit_now", APPROVED, "a person approved of it")
        results = []
        for waiting in chosen:
            candidate = waiting.held.candidate
            guard = by.decide(candidate)
            if guard.rule == _NEVER:
                results.append(Done(candidate, guard, "refused"))
                continue
            effect = memory.commit(candidate, by_hand=True)
            results.append(Done(candidate, approval, effect.effect, effect.path))
        settled = [result for result in results if result.effect != "refused"]
        plan = (*memory.plan(), *_settle_plan(workspace, settled, by, now))
        workspace.commit(plan)
    return tuple(results), plan


def drop(
    workspace: Workspace, names: Sequence[str], by: Policy, owner: Owner | None, now: datetime
) -> tuple[tuple[Done, ...], Plan]:
    """Drop held candidates, of one owner if one is given. Raises BadUsage for an unknown id."""
    with workspace.lock():
        chosen = _chosen(workspace, names, by, owner)
        results = [Done(waiting.held.candidate, _DROPPED, "dropped", waiting.path) for waiting in chosen]
        plan = _settle_plan(workspace, results, by, now)
        workspace.commit(plan)
    return tuple(results), plan


def _settle_plan(workspace: Workspace, results: Sequence[Done], by: Policy, now: datetime) -> Plan:
    """The plan that records a person's decisions, then takes the candidates from where they are held."""
    decided = [
        (result.candidate, result.decision) for result in results if result.candidate and result.decision
    ]
    audit = [audit_line(candidate, decision, now) for candidate, decision in decided]
    ids = {candidate.id for candidate, _ in decided}
    return (*recorded(workspace, audit, now), *without(workspace, ids, by))


def without(workspace: Workspace, names: set[str], by: Policy) -> Plan:
    """The plan that removes candidates from the buffers and the pending file; unreadable lines stay."""
    plan: Plan = ()
    for path in (*buffers(workspace), workspace.layout.path("pending")):
        document = workspace.read(path)
        if document is None:
            continue
        rows = document.text.split("\n")
        removed = {
            number
            for number, row, _ in candidate_line.held(document.text, by.vocabulary)
            if row is not None and row.candidate.id in names
        }
        left = "\n".join(row for number, row in enumerate(rows, 1) if number not in removed)
        if removed:
            plan += (Replace(path, left, document.etag),) if left.strip() else (Remove(path, document.etag),)
    return plan


def _chosen(workspace: Workspace, names: Sequence[str], by: Policy, owner: Owner | None) -> list[Waiting]:
    """The held candidates with these ids, each once. Raises BadUsage for an unknown id."""
    pairs = ((waiting.held.candidate, waiting) for waiting in held(workspace, by))
    by_id = {candidate.id: waiting for candidate, waiting in pairs if owner in {None, candidate.owner}}
    for name in names:
        if name not in by_id:
            raise BadUsage(f"nothing waits under the id {name!r}; memtool candidates list says what does")
    return [by_id[name] for name in dict.fromkeys(names)]


def _is_said(candidate: Candidate) -> bool | None:
    """Whether the user's message holds all quotes, recalled memory aside; None without a message."""
    if not candidate.message:
        return None
    message = Spoken(without_recalled(candidate.message))
    return all(message.holds(quote) for quote in candidate.quotes)


def moved_to_pending(waiting: Sequence[Held], until: str, now: datetime, session: str) -> str:
    """The lines of the pending file for candidates that are still unsupported when their session ends."""
    reason = f"not borne out in session {session}"
    return "".join(
        candidate_line.line(held.candidate, Decision(held.action, "not-borne-out", reason), spell(now), until)
        for held in waiting
    )


def record_of(one: Waiting) -> dict[str, Any]:
    """The JSON record of a held candidate: the candidate, its action, the reason, since when, and where."""
    record = candidate_line.record(one.held.candidate)
    if "rule" in record:
        record["rule_text"] = record.pop("rule")
    return {**record, "action": one.held.action, "reason": one.reason, "at": one.at, "path": str(one.path)}
