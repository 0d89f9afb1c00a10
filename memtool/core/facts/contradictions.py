"""Contradictions: what a fact claims that another one cannot claim as well, as long as both are current."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from memtool.core.facts.circumstance import case_of
from memtool.core.facts.identity import fact_sentence
from memtool.core.facts.one_value import is_other_value, may_be_another, values_of
from memtool.core.facts.reconcile import fact_slot
from memtool.core.records.semantic import ExclusiveClaim, FactTriple, SemanticRecord
from memtool.core.text.phrases import PhraseLists


def exclusive_claims(
    record: SemanticRecord, phrases: PhraseLists, single: Container[str]
) -> Iterator[ExclusiveClaim]:
    """Yield what an active fact claims exclusively: the value of its key, of its predicate, or a number.

    These are the claims for which a new fact supersedes an old one when memtool writes it: `save` does for
    a key, `ActiveFacts` for what has one value at a time (`values_of`), except of one of several people.
    """
    if record.superseded is not None:
        return
    if record.id is not None and record.id.startswith("k-"):
        yield ExclusiveClaim(record.id, f"the key {record.id}", fact_sentence(record.fact))
    fact = record.fact
    if not isinstance(fact, FactTriple) or may_be_another(fact, phrases):
        return
    slot = "\n".join(str(part or "") for part in fact_slot(fact))
    about = f"{fact.subject} {fact.predicate}"
    for name, value in values_of(fact, single, phrases).items():
        yield ExclusiveClaim("\n".join((slot, name, case_of(fact))), about, value)


def are_contradictory(claims: Iterable[ExclusiveClaim], others: Iterable[ExclusiveClaim]) -> bool:
    """Whether two facts, given by their claims, contradict each other."""
    other_values = {claim.subject: claim.value for claim in others}
    return any(
        claim.subject in other_values and is_other_value(claim.value, other_values[claim.subject])
        for claim in claims
    )
