"""What an editor shows of facts, rules and candidates: their provenance and salience."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.facts.contradictions import are_contradictory, exclusive_claims
from memtool.core.facts.policy import WritePolicy
from memtool.core.facts.rules import ConductRule, contrary_pairs
from memtool.core.records.document import Document
from memtool.core.records.scope import sees
from memtool.core.records.semantic import ExclusiveClaim
from memtool.formats import rules as rules_format
from memtool.store.workspace import Workspace
from memtool.verbs.facts.candidates import PendingCandidate, pending_candidates
from memtool.verbs.facts.facts import ListedFact, list_facts
from memtool.verbs.facts.rules import active_rules
from memtool.verbs.facts.write_policy import load_policy
from memtool.verbs.journal.trace_origin import TraceStep, load_evidence
from memtool.verbs.memory_files.semantic_files import StoredFact, all_facts, facts_of


class RecordDetails(Struct, frozen=True):
    """A fact with its salience or a rule, its evidence, the facts that it superseded, and its successor."""

    name: str
    fact: ListedFact | None
    evidence: tuple[TraceStep, ...]
    superseded: tuple[ListedFact, ...] = ()
    successor: ListedFact | None = None
    rule: ConductRule | None = None


def record_details(
    workspace: Workspace,
    name: str,
    now: datetime,
    turns_with: Callable[[Sequence[str]], Iterable[TraceStep]],
    place: tuple[str, int] | None = None,
) -> RecordDetails | None:
    """The details of a fact or rule with an id; None if nothing is known of it.

    If several facts have it, that on the line (path and number) of `place`.

    Evidence without a turn is looked up in the history: `turns_with` returns the turns that contain one of
    these texts.
    """
    listed = list_facts(workspace, now, [], include_superseded=True)
    named = [entry for entry in listed if entry.fact.name == name]
    on_line = [entry for entry in named if (str(entry.fact.path), entry.fact.line) == place]
    fact = next(iter([*on_line, *named]), None)
    found = list(load_evidence(workspace).of(name))
    evidence = tuple(step for step, _ in found)
    if fact is not None and not any(step.about.get("turn") for step in evidence):
        quotes = [quote for _, texts in found for quote in texts]
        texts = dict.fromkeys(filter(None, [*quotes, fact.fact.quote or fact.fact.text]))
        evidence += tuple(turns_with(tuple(texts)))
    earlier = tuple(
        entry
        for entry in listed
        if (superseded := entry.fact.record.superseded) is not None and superseded.by == name
    )
    by = fact.fact.record.superseded.by if fact and fact.fact.record.superseded else None
    successor = next((entry for entry in listed if by and entry.fact.name == by), None)
    rules = active_rules(workspace) if fact is None and workspace.layout.has_role("rules") else ()
    rule = next((entry for entry in rules if entry.id == name), None)
    if not (fact or rule or evidence or earlier):
        return None
    return RecordDetails(name, fact, evidence, earlier, successor, rule)


def facts_in(workspace: Workspace, path: str, text: str) -> list[StoredFact]:
    """The facts of a document in order; empty for one that is not a semantic file."""
    located = workspace.layout.locate(path)
    if located is None or located.role != "semantic":
        return []
    return list(facts_of(Document(PurePosixPath(path), text, "")))


def contradicting_facts(workspace: Workspace, fact: StoredFact) -> list[StoredFact]:
    """The active facts that contradict a fact (lint code M219), in the order of the files."""
    policy = load_policy(workspace.settings)

    def claims(stored: StoredFact) -> tuple[ExclusiveClaim, ...]:
        return tuple(exclusive_claims(stored.record, policy.phrases, policy.vocabulary["single"]))

    own = claims(fact)
    if not own:
        return []
    return [other for other in all_facts(workspace, []) if are_contradictory(own, claims(other))]


def rules_in(workspace: Workspace, path: str, text: str) -> list[tuple[int, ConductRule]]:
    """The rules of a document with their lines (from 1); empty for one that is no file of rules."""
    located = workspace.layout.locate(path)
    if located is None or located.role != "rules":
        return []
    lines = enumerate(rules_format.parse(text).lines, 1)
    return [(number, line.rule) for number, line in lines if line.rule is not None]


def contrary_rules(workspace: Workspace, path: str, text: str, line: int) -> tuple[ConductRule, ...]:
    """The rule on a line of a document and the rules that are contrary to it (lint code M219), it first.

    Empty for a line without a rule, a rule that none is contrary to, and a document that is no file of rules.
    """
    rules = rules_in(workspace, path, text)
    pairs = contrary_pairs(rules, load_policy(workspace.settings).phrases)
    others = [number for pair in pairs if line in pair for number in pair if number != line]
    by_line = dict(rules)
    return tuple(by_line[number] for number in (line, *others)) if others else ()


def candidates_in(
    workspace: Workspace, path: str, text: str, policy: WritePolicy, owners: Collection[str]
) -> dict[int, PendingCandidate]:
    """The held candidates of a document that is a buffer of candidates, by line (from 1)."""
    located = workspace.layout.locate(path)
    if located is None or located.role not in {"pending", "session-buffer"}:
        return {}
    by_id = {
        pending.held.candidate.id: pending
        for pending in pending_candidates(workspace, policy)
        if sees(owners, str(pending.held.candidate.owner or ""))
    }
    lines: dict[int, PendingCandidate] = {}
    for number, line in enumerate(text.split("\n"), 1):
        for name, pending in by_id.items():
            if f'"{name}"' in line:
                lines[number] = pending
    return lines
