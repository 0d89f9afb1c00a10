"""Contradictions: what a fact claims that another one cannot claim as well, as long as both are current."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from memtool.core.facts.duplicates import comparison_key, deciding_tokens
from memtool.core.facts.identity import fact_sentence
from memtool.core.facts.reconcile import fact_slot, has_ended, object_key
from memtool.core.facts.recount import counted_things
from memtool.core.records.candidate import entity_kind
from memtool.core.records.semantic import ExclusiveClaim, FactTriple, SemanticRecord
from memtool.core.text.health_words import affects_advice
from memtool.core.text.phrases import PhraseLists
from memtool.core.text.stems import stem

_ARTICLES = frozenset({"a", "an", "the"})
_SEVERAL_OF_A_PERSON = frozenset({"IS"})
"""Predicates of which a thing has one object at a time, and a person several: a teacher, a vegetarian."""
_OF_PEOPLE = "relationship"
"""The category of facts about people whom the user knows."""


def exclusive_claims(
    record: SemanticRecord, phrases: PhraseLists, single: Container[str]
) -> Iterator[ExclusiveClaim]:
    """Yield what an active fact claims exclusively: the value of its key, of its predicate, or a number.

    These are the claims for which a new fact supersedes an old one when memtool writes it: `save` does for
    a key, `ActiveFacts` for a predicate in `single`, except conditions and diets, and for a recount. A fact
    that says that it has ended claims nothing, and neither does what a person is, because people are several
    things.
    """
    if record.superseded is not None:
        return
    if record.id is not None and record.id.startswith("k-"):
        yield ExclusiveClaim(record.id, f"the key {record.id}", fact_sentence(record.fact))
    fact = record.fact
    if not isinstance(fact, FactTriple) or has_ended(fact.quote, phrases):
        return
    slot = "\n".join(str(part or "") for part in fact_slot(fact))
    about = f"{fact.subject} {fact.predicate}"
    if fact.predicate in single:
        is_several = fact.predicate in _SEVERAL_OF_A_PERSON and _is_about_person(fact)
        if not is_several and not affects_advice(fact.object):
            yield ExclusiveClaim(slot, about, object_key(fact.object))
    elif (count := counted_things(fact.object)) is not None:
        yield ExclusiveClaim("\n".join((slot, *count[1])), about, str(count[0]))


def are_contradictory(claims: Iterable[ExclusiveClaim], others: Iterable[ExclusiveClaim]) -> bool:
    """Whether two facts, given by their claims, contradict each other."""
    other_values = {claim.subject: claim.value for claim in others}
    return any(
        claim.subject in other_values and is_other_value(claim.value, other_values[claim.subject])
        for claim in claims
    )


def is_other_value(value: str, other: str) -> bool:
    """Whether two values differ; a value that only says more of the other (`Lisbon, Portugal`) does not."""
    if deciding_tokens(value) != deciding_tokens(other):
        return True
    words, other_words = _stems(value), _stems(other)
    return not (words <= other_words or other_words <= words)


def _stems(text: str) -> frozenset[str]:
    """The stems of all words but articles: a single letter can be the value."""
    return frozenset(map(stem, comparison_key(text).split())) - _ARTICLES


def _is_about_person(fact: FactTriple) -> bool:
    return (
        fact.category == _OF_PEOPLE
        or fact.subject.casefold() == "user"
        or entity_kind(fact.subject) == "Person"
    )
