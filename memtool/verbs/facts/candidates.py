"""candidates: decide on proposed memories: commit, hold or drop each; list and settle held ones (CoALA)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from memtool.core.facts.policy import WritePolicy
from memtool.core.facts.promotion import HeldCandidate
from memtool.core.facts.support import EvidenceText
from memtool.core.privacy.recalled import without_recalled
from memtool.core.records.candidate import Candidate, Claim, Instruction, PolicyDecision, stand_in_session
from memtool.core.records.entries import Owner
from memtool.core.records.plan import Plan, Remove, Replace
from memtool.core.records.scope import sees
from memtool.core.records.turn import format_moment
from memtool.core.records.unknown_id import id_hint
from memtool.errors import NoOwner, NotFound
from memtool.formats import candidate_line
from memtool.formats.candidate_line import InvalidCandidate
from memtool.layouts import policy as policy_data
from memtool.store.commit.retry import retry_when_stale
from memtool.store.config import schemas
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.audit import (
    APPROVED_BY_HAND,
    DECISIONS_BY_HAND,
    DROPPED_BY_HAND,
    audit_line,
    audit_plan,
    ids_dropped_by_hand,
)
from memtool.verbs.memory_files.editable_file import append_plan
from memtool.verbs.memory_files.forgotten import load_forgotten

if TYPE_CHECKING:  # few messages need it
    from memtool.verbs.memory_files.memory_writer import MemoryWriter

_DROPPED = PolicyDecision("drop", DROPPED_BY_HAND, DECISIONS_BY_HAND[DROPPED_BY_HAND])
_FORGOTTEN = PolicyDecision("drop", "forgotten", "it was forgotten")
_SAFETY_RULE = "safety"
"""The rule of the policy that a person's approval does not override."""


class CandidateResult(Struct, frozen=True):
    """A candidate, the policy's decision, and the effect: written, bumped, superseded, held, dropped.

    `problem` says why a record is no candidate; the other fields are then empty.
    """

    candidate: Candidate | None
    decision: PolicyDecision | None
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
            **_statement_fields(self.candidate),
            "action": self.decision.action,
            "rule": self.decision.rule,
            "reason": self.decision.reason,
            "effect": self.effect,
            "path": None if self.path is None else str(self.path),
        }


class PendingCandidate(Struct, frozen=True):
    """A held candidate, its file, since when it is held, and why."""

    held: HeldCandidate
    path: PurePosixPath
    held_since: str
    reason: str


def extractor_prompt() -> str:
    """The prompt with which a model makes proposals of the messages that follow it."""
    return policy_data.extractor_prompt()


def session_name(owner: Owner | None, session: str | None) -> str:
    """The session's name: the given one, else one derived from the owner. Raises NoOwner."""
    if owner is None:
        raise NoOwner(
            "no owner given: use --user NAME or --session ID, or set MEMTOOL_USER or MEMTOOL_SESSION"
        )
    return session or stand_in_session(owner)


def decide_proposals(
    records: Sequence[Any], policy: WritePolicy, owner: Owner | None, session: str | None
) -> Iterator[CandidateResult]:
    """The policy's decision on each proposal, in order; nothing is read or written."""
    candidate_owner = owner or Owner("session", "nobody")
    name = session_name(owner, session) if owner else session or ""
    for record in records:
        try:
            candidate = candidate_line.parse(record, candidate_owner, name, policy.vocabulary)
            if fault := schemas.invalid_reason("proposal", record):
                raise InvalidCandidate(fault)
        except InvalidCandidate as error:
            yield CandidateResult(None, None, problem=str(error))
        else:
            yield CandidateResult(candidate, policy.decide(candidate, is_quoted=_is_said(candidate)))


@retry_when_stale
def add_proposals(
    workspace: Workspace,
    records: Sequence[Any],
    policy: WritePolicy,
    owner: Owner | None,
    session: str | None,
    now: datetime,
) -> tuple[tuple[CandidateResult, ...], Plan]:
    """Decide on proposals, then commit or hold them; the batch is one plan.

    Memory is written before the buffers. Ids follow from the proposals, so the same batch again, after a
    crash or in a second run, changes nothing. What a person has dropped stays dropped. Raises NoOwner,
    Locked, StaleWrite, Unwritable.
    """
    from memtool.verbs.memory_files.memory_writer import MemoryWriter

    name = session_name(owner, session)
    proposals = list(decide_proposals(records, policy, owner, name))
    with workspace.lock():
        memory = MemoryWriter(workspace, policy, now)
        forgotten = load_forgotten(workspace)
        pending = {waiting.held.candidate.id for waiting in pending_candidates(workspace, policy)}
        dropped = ids_dropped_by_hand(workspace)
        lines: dict[PurePosixPath, list[str]] = {}
        audit: list[str] = []
        results: list[CandidateResult] = []
        for proposal in proposals:
            candidate, decision = proposal.candidate, proposal.decision
            if candidate is None or decision is None:
                results.append(proposal)
            elif candidate.id in dropped:
                results.append(CandidateResult(candidate, _DROPPED, "dropped"))
            elif forgotten and any(forgotten.has_text(text, owner) for text in _texts_of(candidate)):
                results.append(CandidateResult(candidate, _FORGOTTEN, "dropped"))
            else:
                results.append(_apply(workspace, candidate, decision, memory, pending, lines, now))
                audit.append(audit_line(candidate, decision, now))
        plan = memory.plan()
        for path, rows in lines.items():
            plan += append_plan(workspace, path, "".join(rows))
        plan += audit_plan(workspace, audit, now)
        workspace.commit(plan)
    return tuple(results), plan


def _texts_of(candidate: Candidate) -> tuple[str, ...]:
    """What a candidate would store, the message that it is from, and that as one text."""
    match candidate.statement:
        case Claim(_, subject, predicate, said):
            texts: tuple[str, ...] = (said, f"{subject} {predicate} {said}")
        case Instruction(said):
            texts = (said,)
    return tuple(text for text in (*texts, *candidate.quotes, candidate.message) if text)


def _apply(
    workspace: Workspace,
    candidate: Candidate,
    decision: PolicyDecision,
    memory: MemoryWriter,
    pending: set[str],
    lines: dict[PurePosixPath, list[str]],
    now: datetime,
) -> CandidateResult:
    """Commit, drop or hold one candidate; the buffers' new lines go into `lines`."""
    if decision.action == "commit_now":
        effect = memory.commit(candidate)
        return CandidateResult(candidate, decision, effect.effect, effect.path)
    if decision.action == "drop":
        return CandidateResult(candidate, decision, "dropped")
    path = workspace.layout.path("session-buffer", name=candidate.session)
    if candidate.id in pending:
        return CandidateResult(candidate, decision, "none", path)
    pending.add(candidate.id)
    lines.setdefault(path, []).append(candidate_line.render_line(candidate, decision, format_moment(now)))
    return CandidateResult(candidate, decision, "held", path)


def pending_candidates(
    workspace: Workspace, policy: WritePolicy, notices: list[str] | None = None
) -> list[PendingCandidate]:
    """All held candidates: those in the sessions' buffers, then those in the pending file."""
    waiting: dict[str, PendingCandidate] = {}
    for path in (*session_buffers(workspace), workspace.layout.path("pending")):
        document = workspace.read(path)
        for number, row, value in (
            candidate_line.parse_held_lines(document.text, policy.vocabulary) if document else ()
        ):
            if row is None:
                if notices is not None:
                    notices.append(f"{path}:{number}: the line is not a valid candidate and was skipped")
                continue
            since, reason = str(value.get("at", "")), str(value.get("reason", ""))
            waiting[row.candidate.id] = PendingCandidate(row, path, since, reason)
    return list(waiting.values())


def session_buffers(workspace: Workspace) -> list[PurePosixPath]:
    """The paths of the sessions' buffers."""
    layout = workspace.layout
    folder = workspace.disk.list_folder(layout.path("session-buffer", name="x").parent.parent)
    paths = [layout.path("session-buffer", name=name) for name in folder.folders] if folder else []
    return [path for path in paths if workspace.disk.stat(path) is not None]


@retry_when_stale
def approve_candidates(
    workspace: Workspace, ids: Sequence[str], policy: WritePolicy, owners: Collection[str], now: datetime
) -> tuple[tuple[CandidateResult, ...], Plan]:
    """Commit held candidates that a person approved, of those that a caller with the tags `owners` sees.

    A candidate that the policy drops for safety is refused. Raises NotFound for an unknown id.
    """
    from memtool.verbs.memory_files.memory_writer import MemoryWriter

    with workspace.lock():
        chosen = _chosen(workspace, ids, policy, owners)
        memory = MemoryWriter(workspace, policy, now)
        approval = PolicyDecision("commit_now", APPROVED_BY_HAND, DECISIONS_BY_HAND[APPROVED_BY_HAND])
        results = []
        for waiting in chosen:
            candidate = waiting.held.candidate
            guard = policy.decide(candidate)
            if guard.rule == _SAFETY_RULE:
                results.append(CandidateResult(candidate, guard, "refused"))
                continue
            effect = memory.commit(candidate, by_hand=True)
            results.append(CandidateResult(candidate, approval, effect.effect, effect.path))
        settled = [result for result in results if result.effect != "refused"]
        plan = (*memory.plan(), *_settle_plan(workspace, settled, policy, now))
        workspace.commit(plan)
    return tuple(results), plan


@retry_when_stale
def drop_candidates(
    workspace: Workspace, ids: Sequence[str], policy: WritePolicy, owners: Collection[str], now: datetime
) -> tuple[tuple[CandidateResult, ...], Plan]:
    """Drop held candidates that a caller with these tags sees. Raises NotFound for an unknown id."""
    with workspace.lock():
        chosen = _chosen(workspace, ids, policy, owners)
        results = [
            CandidateResult(waiting.held.candidate, _DROPPED, "dropped", waiting.path) for waiting in chosen
        ]
        plan = _settle_plan(workspace, results, policy, now)
        workspace.commit(plan)
    return tuple(results), plan


def _settle_plan(
    workspace: Workspace, results: Sequence[CandidateResult], policy: WritePolicy, now: datetime
) -> Plan:
    """The plan that records a person's decisions, then takes the candidates from where they are held."""
    decided = [
        (result.candidate, result.decision) for result in results if result.candidate and result.decision
    ]
    audit = [audit_line(candidate, decision, now) for candidate, decision in decided]
    ids = {candidate.id for candidate, _ in decided}
    return (*audit_plan(workspace, audit, now), *removal_plan(workspace, ids, policy))


def removal_plan(workspace: Workspace, ids: set[str], policy: WritePolicy) -> Plan:
    """The plan that removes candidates from the buffers and the pending file; unreadable lines stay."""
    plan: Plan = ()
    for path in (*session_buffers(workspace), workspace.layout.path("pending")):
        document = workspace.read(path)
        if document is None:
            continue
        rows = document.text.split("\n")
        removed = {
            number
            for number, row, _ in candidate_line.parse_held_lines(document.text, policy.vocabulary)
            if row is not None and row.candidate.id in ids
        }
        left = "\n".join(row for number, row in enumerate(rows, 1) if number not in removed)
        if removed:
            plan += (Replace(path, left, document.etag),) if left.strip() else (Remove(path, document.etag),)
    return plan


def _chosen(
    workspace: Workspace, ids: Sequence[str], policy: WritePolicy, owners: Collection[str]
) -> list[PendingCandidate]:
    """The held candidates with these ids, each once. Raises NotFound for an unknown id."""
    pairs = ((waiting.held.candidate, waiting) for waiting in pending_candidates(workspace, policy))
    by_id = {
        candidate.id: waiting for candidate, waiting in pairs if sees(owners, str(candidate.owner or ""))
    }
    for name in ids:
        if name not in by_id:
            raise NotFound(unknown_candidate(name, [*by_id.values()]))
    return [by_id[name] for name in dict.fromkeys(ids)]


def unknown_candidate(name: str, waiting: Sequence[PendingCandidate]) -> str:
    """What to say of an id that none of these held candidates has."""
    candidates = [entry.held.candidate for entry in waiting]
    texts = {held.id: " ".join((*_statement_fields(held).values(), *held.quotes)) for held in candidates}
    return f"no candidate with the id {name!r} is waiting{id_hint(name, texts, 'memtool candidates list')}"


def _is_said(candidate: Candidate) -> bool | None:
    """Whether the user's message holds all quotes, recalled memory aside; None without a message."""
    if not candidate.message:
        return None
    message = EvidenceText(without_recalled(candidate.message))
    return all(message.contains_quote(quote) for quote in candidate.quotes)


def pending_lines(unsupported: Sequence[HeldCandidate], until: str, now: datetime, session: str) -> str:
    """The lines of the pending file for candidates that are still unsupported when their session ends."""
    reason = f"not confirmed in session {session}"
    return "".join(
        candidate_line.render_line(
            held.candidate,
            PolicyDecision(held.action, "not-confirmed", reason),
            format_moment(held.candidate.held_since or now),
            until,
        )
        for held in unsupported
    )


def pending_record(pending: PendingCandidate) -> dict[str, Any]:
    """The JSON record of a held candidate: the candidate, its action, the reason, since when, and where."""
    record = candidate_line.record(pending.held.candidate)
    record.pop("rule", None)
    return {
        **record,
        **_statement_fields(pending.held.candidate),
        "action": pending.held.action,
        "reason": pending.reason,
        "at": pending.held_since,
        "path": str(pending.path),
    }


def _statement_fields(candidate: Candidate) -> dict[str, str]:
    """What a candidate states, for --json: a triple and its category, or the text of a rule."""
    says = candidate.statement
    if isinstance(says, Claim):
        return {
            "category": says.category,
            "subject": says.subject,
            "predicate": says.predicate,
            "object": says.object,
        }
    return {"rule_text": says.rule}
