"""Captured memory: instructions and statements of a message as candidates, decided on and committed at once.

An instruction becomes a rule of conduct and a statement a fact, by the policy for what an extractor proposes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec import Struct

from memtool.core.records.candidate import Candidate, Claim, Instruction, candidate_id, stand_in_session
from memtool.core.records.entries import Fact

if TYPE_CHECKING:  # few messages need it
    from memtool.core.facts.policy import WritePolicy
    from memtool.core.facts.rules import ConductRule
    from memtool.core.records.candidate import PolicyDecision
    from memtool.core.records.entries import Owner
    from memtool.core.records.plan import Plan
    from memtool.core.records.semantic import FactTriple
    from memtool.store.workspace import Workspace
    from memtool.verbs.memory_files.memory_writer import MemoryWriter
    from memtool.verbs.memory_files.said_times import SaidTimes


class FactCorrection(Struct, frozen=True):
    """A sentence that corrects facts: the new value, which texts it makes wrong, and a fact put right.

    `corrected` returns None where a value cannot be put in place of another.
    """

    sentence: str
    value: str
    is_wrong: Callable[[str], bool]
    corrected: Callable[[FactTriple | Fact], FactTriple | Fact | None]
    statement: str = ""
    """What the sentence says in full, if it does; else the sentence itself stands for a corrected text."""
    only_one: bool = False
    """Whether it corrects nothing where it could correct several facts."""


class CapturedMemory(Struct, frozen=True):
    """The plan, the effect of each candidate, and how many facts each correction, denial and ending ended."""

    plan: Plan
    effects: tuple[str, ...] = ()
    corrected: tuple[int, ...] = ()
    denied: tuple[int, ...] = ()
    ended: tuple[int, ...] = ()
    outdated: Mapping[str, str] = {}
    """The quotes of statements that something said later superseded, each with that of its successor."""
    superseded: Mapping[str, str] = {}
    """The quotes of earlier facts that were superseded, each with that of its successor, or nothing."""


class CaptureSource(Struct, frozen=True):
    """Whose message it is, in which session, when it came, and its redacted text.

    `said_times` are those of memory, for a message of the past.
    """

    owner: Owner | None
    session: str | None
    at: datetime
    message: str
    said_times: SaidTimes | None = None

    @property
    def session_name(self) -> str:
        """The name of the session, or of the one that stands for it."""
        return self.session or stand_in_session(self.owner)

    def candidate(
        self, statement: Claim | Instruction, quote: str, *, sensitivity: str = "", durability: str = ""
    ) -> Candidate:
        """A candidate of the message. The id of an instruction is the same in every session."""
        is_instruction = isinstance(statement, Instruction)
        origin = "" if is_instruction else self.session_name
        name = candidate_id(self.owner, origin, None, statement, (quote,))
        return Candidate(
            name,
            self.owner,
            self.session_name,
            statement,
            (quote,),
            message=self.message,
            explicit=is_instruction,
            durability=durability,
            sensitivity=sensitivity,
        )


def captured_memory(
    workspace: Workspace,
    source: CaptureSource,
    candidates: Sequence[Candidate],
    corrections: Sequence[FactCorrection],
    policy: WritePolicy,
    *,
    denials: Sequence[Candidate] = (),
    endings: Sequence[FactCorrection] = (),
    retired: Sequence[tuple[ConductRule, str, str]] = (),
    is_new: bool = True,
) -> CapturedMemory:
    """Decide on candidates, and apply corrections, `denials`, candidates of what is denied, and `endings`.

    The plan writes memory, then what is held, then the audit. `retired` are rules to archive, each with the
    reason and its text put right, or an empty one.

    `is_new` says that the user has just said it, so that what was archived or deleted before holds again.
    The effects are those of `candidates`: written, bumped, superseded, held, dropped, none, refused. Call it
    under the lock. Raises UnreadableFile.
    """
    if not candidates and not corrections and not denials and not endings and not retired:
        return CapturedMemory(())
    from memtool.core.facts.reconcile import told_besides
    from memtool.verbs.memory_files.audit import audit_line, audit_plan, ids_dropped_by_hand
    from memtool.verbs.memory_files.editable_file import append_plan
    from memtool.verbs.memory_files.memory_writer import MemoryWriter

    memory = MemoryWriter(workspace, policy, source.at, source.said_times)
    dropped = ids_dropped_by_hand(workspace)
    held: dict[PurePosixPath, list[str]] = {}
    effects: list[str] = []
    audit: list[str] = []
    for rule, why, text in retired:
        memory.retire_rule(rule, why, text)
    for proposed in candidates:
        candidate = told_besides(proposed, _without_wrong(memory.active_facts(), proposed, corrections))
        decision = policy.decide(candidate)
        if candidate.id in dropped:
            effects.append("dropped")
            continue
        if decision.action == "commit_now":
            effects.append(memory.commit(candidate, is_new=is_new).effect)
        elif decision.action == "drop":
            effects.append("dropped")
        else:
            effects.append(_hold(workspace, source, candidate, decision, policy, held))
        audit.append(audit_line(candidate, decision, source.at))
    corrected = tuple(_correct(memory, source, correction) for correction in corrections)
    denied = tuple(
        memory.deny(denial.statement, denial) if isinstance(denial.statement, Claim) else 0
        for denial in denials
    )
    ended = tuple(_correct(memory, source, ending) for ending in endings)
    plan = memory.plan()
    for path, rows in held.items():
        plan += append_plan(workspace, path, "".join(rows))
    plan += audit_plan(workspace, audit, source.at)
    return CapturedMemory(
        plan,
        tuple(effects),
        corrected,
        denied,
        ended,
        _superseded_quotes(memory, new=True),
        _superseded_quotes(memory, new=False),
    )


def _without_wrong(
    facts: Iterable[Fact | FactTriple], candidate: Candidate, corrections: Sequence[FactCorrection]
) -> Iterable[Fact | FactTriple]:
    """Facts without those that the sentence of a candidate puts right: it tells nothing besides them."""
    correcting = [found for found in corrections if found.sentence in candidate.quotes]
    if not correcting:
        return facts
    from memtool.core.facts.identity import comparison_text

    return [fact for fact in facts if not any(found.is_wrong(comparison_text(fact)) for found in correcting)]


def _superseded_quotes(memory: MemoryWriter, *, new: bool) -> dict[str, str]:
    """The quotes of superseded facts that no active fact has, each with that of the successor, or nothing."""
    kept = {"", *map(_quote, memory.active_facts())}
    quotes = {
        _quote(old.fact): _quote(by.fact) if by else "" for old, by in memory.superseded(new=new).items()
    }
    return {old: by for old, by in quotes.items() if old not in kept}


def _quote(fact: FactTriple | Fact) -> str:
    return "" if isinstance(fact, Fact) else fact.quote or ""


def _hold(
    workspace: Workspace,
    source: CaptureSource,
    candidate: Candidate,
    decision: PolicyDecision,
    policy: WritePolicy,
    held: dict[PurePosixPath, list[str]],
) -> str:
    """Add a candidate to those of its session; without a session it is pending until it expires."""
    from memtool.core.records.turn import format_moment
    from memtool.formats import candidate_line
    from memtool.verbs.facts.candidates import pending_candidates

    if candidate.id in {waiting.held.candidate.id for waiting in pending_candidates(workspace, policy)}:
        return "none"
    at, until = format_moment(source.at), ""
    path = workspace.layout.path("session-buffer", name=candidate.session)
    is_of_past = source.said_times is not None  # its session may have ended
    if source.owner is None and (source.session is None or is_of_past):
        path = workspace.layout.path("pending")
        until = format_moment(source.at + timedelta(days=workspace.settings["candidates.pending_days"]))
    held.setdefault(path, []).append(candidate_line.render_line(candidate, decision, at, until))
    return "held"


def _correct(memory: MemoryWriter, source: CaptureSource, correction: FactCorrection) -> int:
    claim = Claim("context", "User", "IS", correction.value)
    evidence = source.candidate(claim, correction.sentence)
    return memory.correct(
        correction.is_wrong,
        correction.corrected,
        correction.statement or correction.sentence,
        evidence,
        only_one=correction.only_one,
    )
