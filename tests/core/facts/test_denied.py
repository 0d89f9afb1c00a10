"""Denied facts: what is left of a fact is worded as it was."""

from __future__ import annotations

import pytest

from memtool.core.facts.denied import fact_after_denial
from memtool.core.records.semantic import FactTriple


@pytest.mark.parametrize(
    ("object_", "left", "quote", "said"),
    [
        (
            "nuts and shellfish",
            "shellfish",
            "I'm allergic to nuts and shellfish.",
            "I'm allergic to shellfish.",
        ),
        ("nuts and eggs", "eggs", "Nuts and eggs make me ill", "eggs make me ill"),
        ("nuts and eggs", "eggs", "Anna Groß says: nuts and eggs, never", "Anna Groß says: eggs, never"),
        ("nuts and eggs", "eggs", "İpek: nuts and eggs, never", "İpek: eggs, never"),
        ("nuts and eggs", "eggs", "I can't eat them", None),
    ],
)
def test_what_a_denial_leaves_keeps_the_words_around_it(object_, left, quote, said):
    fact = FactTriple("context", "User", "ALLERGIC_TO", object_, quote, None)
    assert fact_after_denial(fact, left) == FactTriple("context", "User", "ALLERGIC_TO", left, said, None)
