"""candidates: what an extractor proposes is decided: memory now, held, or dropped, and why (CoALA)."""

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
"""The row of the policy that not even a person's approval passes."""


class Done(Struct, frozen=True):
    """A proposal, what policy says of it, and what came of it: written, bumped, superseded, held, dropped.

    `problem` says why a line is no candidate; then there is nothing else.
    """

    candidate: Candidate | None
    decision: Decision | None
    effect: str = "none"
    path: PurePosixPath | None = None
    problem: str = ""

    def record(self) -> dict[str, Any]:
        """As it is printed with --json."""
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
    """A candidate that is held, in which file, and since when."""

    held: Held
    path: PurePosixPath
    at: str
    reason: str


def policy(settings: Settings) -> Policy:
    """The policy that ships, with the markers that settings add. Raises BadUsage."""
    return policy_of(policy_tables(), settings["candidates.markers"])


def session_of(owner: Owner | None, session: str | None) -> str:
    """The session of candidates: the one that is named, else one of the owner's. Raises NoOwner."""
    if owner is None:
        raise NoOwner("whose memory is it? name a user or a session with --user or --session")
    return session or f"of-{owner.id}"


def decide(records: Sequence[Any], by: Policy, owner: Owner | None, session: str | None) -> Iterator[Done]:
    """What policy says of each proposal, in order; nothing is read or written."""
    someone = owner or Owner("session", "nobody")
    where = session_of(owner, session) if owner else session or ""
    for record in records:
        try:
            candidate = candidate_line.parse(record, someone, where, by.vocabulary)
        except NotACandidate as error:
            yield Done(None, None, problem=str(error))
        else:
            yield Done(candidate, by.decide(candidate, said=_said(candidate)))


def add(
    workspace: Workspace,
    records: Sequence[Any],
    by: Policy,
    owner: Owner | None,
    session: str | None,
    now: datetime,
) -> tuple[tuple[Done, ...], Plan]:
    """Decide about proposals, commit what may be committed, and hold what waits; the batch as one plan.

    Memory is written before what is held, each by an id that follows from the proposal: made again, after a
    crash or by a second run, a batch changes nothing. What a person has dropped stays so. Raises NoOwner,
    Locked, StaleWrite, Unwritable.
    """
    where = session_of(owner, session)
    decided = list(decide(records, by, owner, where))
    with workspace.lock():
        memory = Memory(workspace, by, now)
        waiting = {one.held.candidate.id for one in held(workspace, by)}
        refused = dropped_by_hand(workspace)
        lines: dict[PurePosixPath, list[str]] = {}
        audit: list[str] = []
        done: list[Done] = []
        for one in decided:
            made = one
            if one.candidate is not None and one.decision is not None:
                if one.candidate.id in refused:
                    done.append(Done(one.candidate, _DROPPED, "dropped"))
                    continue
                made = _settled(workspace, one.candidate, one.decision, memory, waiting, lines, now)
                audit.append(audit_line(one.candidate, one.decision, now))
            done.append(made)
        plan = memory.plan()
        for path, rows in lines.items():
            plan += appended(workspace, path, "".join(rows))
        plan += recorded(workspace, audit, now)
        workspace.commit(plan)
    return tuple(done), plan


def _settled(
    workspace: Workspace,
    candidate: Candidate,
    decision: Decision,
    memory: Memory,
    waiting: set[str],
    lines: dict[PurePosixPath, list[str]],
    now: datetime,
) -> Done:
    if decision.action == "commit_now":
        effect = memory.commit(candidate)
        return Done(candidate, decision, effect.effect, effect.path)
    if decision.action == "drop":
        return Done(candidate, decision, "dropped")
    path = workspace.layout.path("session-buffer", name=candidate.session)
    if candidate.id in waiting:
        return Done(candidate, decision, "none", path)
    waiting.add(candidate.id)
    lines.setdefault(path, []).append(candidate_line.line(candidate, decision, spell(now)))
    return Done(candidate, decision, "held", path)


def held(workspace: Workspace, by: Policy, notices: list[str] | None = None) -> list[Waiting]:
    """Everything that waits, in the buffers of all sessions and among what outlived its session."""
    found: dict[str, Waiting] = {}
    for path in (*buffers(workspace), workspace.layout.path("pending")):
        document = workspace.read(path)
        for number, one, value in candidate_line.held(document.text, by.vocabulary) if document else ():
            if one is None:
                if notices is not None:
                    notices.append(f"{path} has a line {number} that does not read; it was passed over")
                continue
            at, reason = str(value.get("at", "")), str(value.get("reason", ""))
            found[one.candidate.id] = Waiting(one, path, at, reason)
    return list(found.values())


def buffers(workspace: Workspace) -> list[PurePosixPath]:
    """The buffers of the sessions that have one."""
    folder = workspace.layout.path("session-buffer", name="x").parent.parent
    found = workspace.disk.folder(folder)
    paths = [workspace.layout.path("session-buffer", name=name) for name in found.folders] if found else []
    return [path for path in paths if workspace.disk.stat(path) is not None]


def approve(
    workspace: Workspace, names: Sequence[str], by: Policy, owner: Owner | None, now: datetime
) -> tuple[tuple[Done, ...], Plan]:
    """A person's word: what waits under these ids becomes memory; of one owner, if one is named.

    What asks to be spared a safety check is refused all the same. Raises BadUsage for an id that none has.
    """
    with workspace.lock():
        chosen = _chosen(workspace, names, by, owner)
        memory = Memory(workspace, by, now)
        word = Decision("commit_now", APPROVED, "a person approved of it")
        done = []
        for one in chosen:
            guard = by.decide(one.held.candidate)
            if guard.rule == _NEVER:
                done.append(Done(one.held.candidate, guard, "refused"))
                continue
            effect = memory.commit(one.held.candidate, by_hand=True)
            done.append(Done(one.held.candidate, word, effect.effect, effect.path))
        settled = [one for one in done if one.effect != "refused"]
        plan = (*memory.plan(), *_settled_by_hand(workspace, settled, by, now))
        workspace.commit(plan)
    return tuple(done), plan


def drop(
    workspace: Workspace, names: Sequence[str], by: Policy, owner: Owner | None, now: datetime
) -> tuple[tuple[Done, ...], Plan]:
    """What waits under these ids waits no longer. Raises BadUsage for an id that none has."""
    with workspace.lock():
        chosen = _chosen(workspace, names, by, owner)
        done = [Done(one.held.candidate, _DROPPED, "dropped", one.path) for one in chosen]
        plan = _settled_by_hand(workspace, done, by, now)
        workspace.commit(plan)
    return tuple(done), plan


def _settled_by_hand(workspace: Workspace, done: Sequence[Done], by: Policy, now: datetime) -> Plan:
    """The decisions put on record, then what they settle taken from where it waits."""
    known = [(one.candidate, one.decision) for one in done if one.candidate and one.decision]
    said = [audit_line(candidate, decision, now) for candidate, decision in known]
    gone = {candidate.id for candidate, _ in known}
    return (*recorded(workspace, said, now), *without(workspace, gone, by))


def without(workspace: Workspace, names: set[str], by: Policy) -> Plan:
    """The plan that takes candidates out of wherever they wait; lines that do not read stay."""
    plan: Plan = ()
    for path in (*buffers(workspace), workspace.layout.path("pending")):
        document = workspace.read(path)
        if document is None:
            continue
        rows = document.text.split("\n")
        gone = {
            number
            for number, one, _ in candidate_line.held(document.text, by.vocabulary)
            if one is not None and one.candidate.id in names
        }
        kept = "\n".join(row for number, row in enumerate(rows, 1) if number not in gone)
        if gone:
            plan += (Replace(path, kept, document.etag),) if kept.strip() else (Remove(path, document.etag),)
    return plan


def _chosen(workspace: Workspace, names: Sequence[str], by: Policy, owner: Owner | None) -> list[Waiting]:
    found = ((one.held.candidate, one) for one in held(workspace, by))
    waiting = {candidate.id: one for candidate, one in found if owner in {None, candidate.owner}}
    for name in names:
        if name not in waiting:
            raise BadUsage(f"nothing waits under the id {name!r}; memtool candidates list says what does")
    return [waiting[name] for name in dict.fromkeys(names)]


def _said(candidate: Candidate) -> bool | None:
    """Whether the user said the quotes; None where that is not known. Memory's words do not count."""
    if not candidate.message:
        return None
    heard = Spoken(without_recalled(candidate.message))
    return all(heard.holds(quote) for quote in candidate.quotes)


def moved_to_pending(waiting: Sequence[Held], until: str, now: datetime, session: str) -> str:
    """The lines of the ledger for what outlives its session."""
    why = f"not borne out in session {session}"
    return "".join(
        candidate_line.line(one.candidate, Decision(one.action, "not-borne-out", why), spell(now), until)
        for one in waiting
    )


def record_of(one: Waiting) -> dict[str, Any]:
    """What waits, as JSON values: the candidate, the action it waits for, since when, and where."""
    made = candidate_line.record(one.held.candidate)
    if "rule" in made:
        made["rule_text"] = made.pop("rule")
    return {**made, "action": one.held.action, "reason": one.reason, "at": one.at, "path": str(one.path)}
