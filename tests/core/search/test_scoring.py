"""One pipeline makes scores of candidates, by the weights of a profile."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from memtool.core.search.lexical import TermPostings
from memtool.core.search.profiles import CONVERSATION, DOCUMENTS, FACTS, NANO, PROFILES
from memtool.core.search.scoring import (
    RankingSignals,
    ScoringCandidates,
    age_weight,
    rank_candidates,
    score_candidates,
    top_scores,
)
from memtool.core.search.weights import FusionWeights

EVERY_PROFILE = pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
COSINES = st.dictionaries(st.integers(0, 9), st.floats(0.01, 1.0))
POSTINGS = st.dictionaries(st.integers(0, 9), st.floats(0.1, 2.0), min_size=1)
TERMS = st.lists(st.builds(TermPostings, st.integers(1, 50), POSTINGS, st.just(1.0)), min_size=1, max_size=4)
FUSION = FusionWeights(lexical=1.0, dense=0.5, context=0.0)


def candidates(terms, **options):
    return ScoringCandidates(terms, 100, lengths=dict.fromkeys(range(10), 9), **options)


def order(scores):
    return sorted(scores, key=lambda key: (-scores[key], key))


def one_term(*keys):
    return [TermPostings(len(keys), dict.fromkeys(keys, 1.0))]


@EVERY_PROFILE
@given(terms=TERMS, cosines=COSINES)
def test_a_dense_weight_of_0_keeps_the_lexical_order(profile, terms, cosines):
    words = score_candidates(profile, candidates(terms)).final
    both = score_candidates(
        profile, candidates(terms, similarities=cosines, fusion=FusionWeights(1.0, 0.0, 0.0))
    ).final
    ranked = [both[key] for key in sorted(words, key=lambda key: -words[key])]
    assert ranked == sorted(ranked, reverse=True)
    assert all(both[key] == 0 for key in both.keys() - words.keys())


@EVERY_PROFILE
@given(terms=TERMS, cosines=COSINES)
def test_only_near_vectors_answer_without_a_word(profile, terms, cosines):
    found = score_candidates(profile, candidates(terms, similarities=cosines, fusion=FUSION)).final
    held = {key for term in terms for key in term.frequencies}
    least = profile.dense.least_beside
    assert found.keys() == held | {key for key, cosine in cosines.items() if cosine >= least}
    alone = score_candidates(profile, candidates([], similarities=cosines, fusion=FUSION)).final
    assert alone.keys() == {key for key, cosine in cosines.items() if cosine >= profile.dense.least_alone}


def test_a_query_of_filters_alone_lists_what_they_admit():
    assert score_candidates(DOCUMENTS, candidates([], listed=[3, 5])).final == {3: 1.0, 5: 1.0}


def test_where_nothing_holds_enough_only_near_vectors_answer():
    terms = [TermPostings(1, {1: 1.0}), *(TermPostings(1, {}) for _ in range(5))]
    found = score_candidates(
        DOCUMENTS, candidates(terms, words=6, similarities={1: 0.2, 2: 0.9}, fusion=FUSION)
    )
    assert found.is_unanswered
    assert found.final.keys() == {2}
    assert score_candidates(DOCUMENTS, candidates(terms, words=0)).final.keys() == {1}
    assert not score_candidates(DOCUMENTS, candidates([], words=4)).is_unanswered


@pytest.mark.parametrize(
    ("signals", "factor"),
    [
        (RankingSignals(), 1.0),
        (RankingSignals(is_speaker=True), CONVERSATION.signals.speaker),
        (RankingSignals(tells_time=True), CONVERSATION.signals.time),
        (RankingSignals(is_dated=True), CONVERSATION.signals.dated),
        (RankingSignals(asks=1.0), 1 - CONVERSATION.signals.question_penalty),
        (RankingSignals(asks=0.5, is_dated=True), 2 * (1 - CONVERSATION.signals.question_penalty / 2)),
    ],
)
def test_signals_raise_and_lower_the_score_of_a_message(signals, factor):
    plain = score_candidates(CONVERSATION, candidates(one_term(1))).final[1]
    found = score_candidates(CONVERSATION, candidates(one_term(1), signals=lambda _: {1: signals})).final
    assert found == {1: pytest.approx(plain * factor)}


def test_a_candidate_without_signals_is_no_hit():
    found = candidates(one_term(1, 2), signals=lambda _: {2: RankingSignals()})
    assert score_candidates(DOCUMENTS, found).final.keys() == {2}


def test_salience_is_no_factor_of_the_score_of_a_fact():
    salience = {1: RankingSignals(salience=3.0), 2: RankingSignals()}
    found = score_candidates(
        FACTS, candidates(one_term(1, 2), fusion=FUSION, signals=lambda _: salience)
    ).final
    assert found == {1: 1.0, 2: 1.0}


def test_bonuses_of_a_snippet_are_added():
    plain = RankingSignals(position=10**9)
    known = {
        1: plain,
        2: replace(plain, is_own=True),
        3: replace(plain, role="daily-note"),
        4: replace(plain, role="core", has_phrase=True),
        5: replace(plain, salience=2.718281828),
    }
    found = score_candidates(NANO, candidates(one_term(*known), signals=lambda _: known)).final
    assert found[1] == pytest.approx(2 + 1 / 9)
    bonuses = [found[key] - found[1] for key in (2, 3, 4, 5)]
    assert bonuses == pytest.approx([0.05, 0.08, 0.35 + 0.18, 0.25], abs=1e-6)


def test_the_first_of_equal_snippets_in_the_order_of_the_tree_comes_first():
    known = {key: RankingSignals(position=key) for key in range(5)}
    found = score_candidates(NANO, candidates(one_term(*known), signals=lambda _: known)).final
    assert order(found) == [0, 1, 2, 3, 4]
    assert max(found.values()) - min(found.values()) <= 0.001


def test_a_note_halves_in_a_month():
    month = DOCUMENTS.signals.half_life_days
    assert age_weight(0, month) == age_weight(-3, month) == 1
    assert age_weight(30, month) == 0.5
    assert age_weight(9, 0) == 1


def test_age_lowers_the_words_and_not_the_vector():
    found = candidates(one_term(1, 2), age={1: 0, 2: 30}.__getitem__)
    assert [key for key, _ in rank_candidates(DOCUMENTS, found, 5)] == [1, 2]
    near = replace(found, similarities={1: 0.4, 2: 0.9}, fusion=FusionWeights(1.0, 1.0, 0.0))
    assert rank_candidates(DOCUMENTS, near, 5) == [(2, 1.5), (1, pytest.approx(1 + 4 / 9))]


@given(
    st.dictionaries(st.integers(0, 30), st.sampled_from([0.5, 1.0, 2.0, 3.0])),
    st.integers(1, 9),
    st.dictionaries(st.integers(0, 30), st.sampled_from([0.25, 0.5, 1.0])),
)
def test_the_best_are_those_of_all_after_their_discount(scores, limit, discounts):
    found = top_scores(scores, limit, lambda key: discounts.get(key, 1.0))
    every = sorted(
        ((key, value * discounts.get(key, 1.0)) for key, value in scores.items()), key=lambda row: -row[1]
    )
    least = every[:limit][-1][1] if every else 0.0
    assert sorted(found) == sorted(row for row in every if row[1] >= least)
    assert [value for _, value in found] == sorted((value for _, value in found), reverse=True)


def test_a_discount_is_asked_for_the_best_alone():
    asked = []
    top_scores({key: 1 / (key + 1) for key in range(1000)}, 3, lambda key: asked.append(key) or 1.0)
    assert len(asked) == 3
