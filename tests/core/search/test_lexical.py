"""What the terms that a candidate holds say of it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.search.lexical import (
    TermPostings,
    holds_enough,
    lexical_scores,
    rarity,
    required_share,
    saturate,
    term_weights,
)
from memtool.core.search.profiles import CONVERSATION, DOCUMENTS, FACTS, NANO, PROFILES

EVERY_PROFILE = pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
FREQUENCIES = st.floats(0.1, 2.0)
TERMS = st.lists(
    st.builds(
        TermPostings, st.integers(0, 50), st.dictionaries(st.sampled_from("ab"), FREQUENCIES), st.just(1.0)
    ),
    max_size=5,
)


def scores(profile, terms, total=100, **options):
    weights = term_weights(terms, total, profile.terms)
    lengths = dict.fromkeys("ab", 9)
    options = {
        "power": profile.match.sentence_power,
        "pairs": {},
        "lengths": lengths,
        "allowed": None,
    } | options
    return lexical_scores(terms, weights, profile.match, **options)


@EVERY_PROFILE
@given(terms=TERMS, held_by=st.integers(1, 50), frequency=FREQUENCIES)
def test_a_term_more_in_the_query_never_lowers_a_candidate_that_holds_it(profile, terms, held_by, frequency):
    before = scores(profile, terms).get("a", 0.0)
    after = scores(profile, [*terms, TermPostings(held_by, {"a": frequency})])["a"]
    assert after >= before or math.isclose(after, before)


@EVERY_PROFILE
@given(terms=TERMS, held_by=st.integers(1, 50), frequency=FREQUENCIES)
def test_of_two_alike_the_one_that_holds_a_term_more_is_no_worse(profile, terms, held_by, frequency):
    alike = [
        TermPostings(term.held_by, dict.fromkeys("ab", term.frequencies["a"]))
        for term in terms
        if "a" in term.frequencies
    ]
    found = scores(profile, [*alike, TermPostings(held_by, {"b": frequency})])
    assert found["b"] >= found.get("a", 0.0)


@EVERY_PROFILE
@given(held_by=st.integers(0, 500), total=st.integers(0, 400))
def test_a_rarer_term_never_counts_less_and_none_counts_below_0(profile, held_by, total):
    assert rarity(held_by, total, profile.terms) >= rarity(held_by + 1, total, profile.terms) >= 0


def test_the_weight_of_a_term():
    assert rarity(3, 10, DOCUMENTS.terms) == rarity(3, 10, CONVERSATION.terms) == math.log(1 + 7.5 / 3.5)
    assert rarity(3, 10, FACTS.terms) == math.log(1 + 10 / 3)
    assert rarity(3, 10, NANO.terms) == 1.0


def test_frequencies_saturate_and_longer_items_count_less():
    often, seldom = (saturate({"x": n}, 40, DOCUMENTS.terms)["x"] for n in (50, 1))
    assert seldom == pytest.approx(1.0)
    assert 2.0 < often < DOCUMENTS.terms.k1 + 1
    assert saturate({"x": 1}, 80, DOCUMENTS.terms)["x"] < 1.0 < saturate({"x": 1}, 20, DOCUMENTS.terms)["x"]
    assert saturate({"x": 9}, 80, FACTS.terms) == {"x": 1.0}


def test_a_chunk_with_all_words_beats_one_with_half_of_them():
    terms = [TermPostings(5, {"a": 1.0, "b": 2.0}), TermPostings(5, {"a": 1.0})]
    found = scores(DOCUMENTS, terms, power=DOCUMENTS.match.keyword_power)
    assert found["b"] == pytest.approx(found["a"] / 2**4)


def test_a_chunk_without_a_common_word_of_a_sentence_loses_little():
    terms = [TermPostings(2, {"a": 1.0, "b": 1.0}), TermPostings(90, {"a": 1.0})]
    found = scores(DOCUMENTS, terms)
    assert found["a"] > found["b"] > 0.9 * found["a"]


def test_a_fact_scores_the_weight_of_the_terms_that_it_holds():
    terms = [TermPostings(1, {"a": 1.0}), TermPostings(50, {"b": 1.0})]
    rare, common = term_weights(terms, 100, FACTS.terms)
    assert scores(FACTS, terms) == {"a": rare, "b": common}


def test_only_what_is_allowed_has_a_score():
    terms = [TermPostings(2, {"a": 1.0, "b": 1.0})]
    assert scores(DOCUMENTS, terms, allowed={"b"}).keys() == {"b"}
    assert not holds_enough(terms, [1.0], 0.5, allowed=set())


def test_a_long_query_requires_a_smaller_share():
    match = CONVERSATION.match
    whole = match.required_share
    assert [required_share(n, match) for n in (0, 2, 3, match.required_to)] == [0, 0, whole, whole]
    assert 0 < required_share(50, match) < whole / 5
    assert required_share(9, FACTS.match) == required_share(9, NANO.match) == 0
