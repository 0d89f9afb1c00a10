"""Successors of corrected facts: what takes the place of a fact, and which fact of a batch does already."""

from __future__ import annotations

from collections.abc import Container

from memtool.core.records.candidate import SENTENCE
from memtool.core.records.entries import Fact
from memtool.core.records.semantic import FactTriple
from memtool.core.text.phrases import plain_text
from memtool.core.text.stems import content_stems


def stated_successor(fact: FactTriple | Fact, statement: str) -> FactTriple | Fact:
    """A successor with another statement: of a triple a triple, so that it stays in the profile."""
    if isinstance(fact, FactTriple):
        return FactTriple(fact.category, fact.subject, SENTENCE, statement, statement, fact.owner)
    return Fact(fact.category, statement, fact.owner)


def is_successor(fact: FactTriple | Fact, expected: FactTriple | Fact, single: Container[str] = ()) -> bool:
    """Whether a fact of this batch says what a correction makes of an old fact.

    A subject has one object at a time of the predicates in `single`, and may have several of others.
    """
    if isinstance(fact, FactTriple) and isinstance(expected, Fact) and fact.quote:
        return plain_text(fact.quote).rstrip(".! ").endswith(plain_text(expected.detail).rstrip(".! "))
    if not (isinstance(fact, FactTriple) and isinstance(expected, FactTriple)):
        return False
    if expected.predicate == SENTENCE and fact.quote:
        return content_stems(expected.object) <= content_stems(fact.quote)
    if (fact.subject.casefold(), fact.predicate) != (expected.subject.casefold(), expected.predicate):
        return False
    return fact.predicate in single or plain_text(fact.object) == plain_text(expected.object)
