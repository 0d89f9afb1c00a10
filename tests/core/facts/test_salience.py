"""Salience: the formulas of the five-layer memory, and what they promise."""

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.facts.salience import (
    MAX_BOOST,
    MIN_DECAY,
    SALIENCE_BAND,
    Salience,
    add_access,
    boost,
    decay_once,
    order_by_salience,
    salience_factor,
)

NOW = datetime(2025, 1, 15, 10, 30, tzinfo=UTC)
counts = st.integers(0, 10_000)
days = st.floats(-10, 4000)
decays = st.floats(MIN_DECAY, 1)


def used(accesses, since, decay=1.0):
    return Salience(accesses, NOW - timedelta(days=since), decay)


@pytest.mark.parametrize(
    ("accesses", "since", "wanted"),
    [
        (0, 0, 1.0),
        (1, 0, 1 + math.log(2)),
        (4, 10, 1 + math.log(5) * 0.5),
        (4, 18, 1 + math.log(5) * 0.1),
        (4, 400, 1 + math.log(5) * 0.1),
        (10**9, 0, MAX_BOOST),
    ],
)
def test_the_boost_is_that_of_the_formula(accesses, since, wanted):
    assert boost(used(accesses, since), NOW) == pytest.approx(wanted)


def test_a_fact_nobody_asked_for_counts_as_it_is():
    assert salience_factor(Salience(), NOW) == 1


@given(counts, counts, days)
def test_more_accesses_never_boost_less(one, other, since):
    low, high = sorted((one, other))
    assert boost(used(low, since), NOW) <= boost(used(high, since), NOW)


@given(counts, days, days)
def test_a_later_access_never_boosts_less(accesses, one, other):
    late, early = sorted((one, other))
    assert boost(used(accesses, early), NOW) <= boost(used(accesses, late), NOW)


@given(counts, days, decays)
def test_salience_keeps_its_bounds(accesses, since, decay):
    one = used(accesses, since, decay)
    assert 1 <= boost(one, NOW) <= MAX_BOOST
    assert 0 < salience_factor(one, NOW) <= MAX_BOOST


@given(counts, days, decays)
def test_a_night_takes_a_twentieth_and_stops_at_the_floor(accesses, since, decay):
    one = used(accesses, since, decay)
    night = decay_once(one, NOW)
    assert night.decay == pytest.approx(max(MIN_DECAY, decay * 0.95), abs=1e-8)
    assert (night.accesses, night.last_accessed) == (one.accesses, one.last_accessed)
    assert decay_once(night, NOW).decay == pytest.approx(max(MIN_DECAY, decay * 0.9025), abs=1e-8)


def test_nights_without_end_end_at_the_floor():
    one = Salience()
    for _ in range(200):
        one = decay_once(one, NOW)
    assert one.decay == MIN_DECAY


@given(counts, days, decays)
def test_an_access_makes_a_fact_fresh_again(accesses, since, decay):
    one = used(accesses, since, decay)
    again = add_access(one, NOW)
    assert again == Salience(accesses + 1, NOW, 1.0)
    assert salience_factor(again, NOW) >= salience_factor(one, NOW)


scored = st.lists(st.floats(0.001, 10), min_size=1, max_size=8).map(lambda scores: [*enumerate(scores)])
saliences = st.lists(st.tuples(st.floats(0.01, MAX_BOOST)), min_size=8, max_size=8).map(
    lambda values: dict(enumerate(values))
)


@given(scored, saliences)
def test_salience_orders_only_what_scores_about_equal(items, salience):
    ordered = order_by_salience(items, salience)
    assert sorted(ordered) == sorted(items)
    assert all(
        later[1] <= earlier[1] / (1 - SALIENCE_BAND) * (1 + 1e-9)
        for number, earlier in enumerate(ordered)
        for later in ordered[number:]
    )


@given(scored, saliences, saliences)
def test_accesses_never_change_the_first_of_scores_that_differ(items, before, after):
    first, *others = sorted((score for _, score in items), reverse=True)
    if not others or others[0] < first * (1 - SALIENCE_BAND):
        assert order_by_salience(items, before)[0] == order_by_salience(items, after)[0]


def test_of_about_equal_scores_the_most_salient_is_first():
    items = [("a", 1.0), ("b", 0.97), ("c", 0.5)]
    salience = {"a": (1.0,), "b": (2.0,), "c": (10.0,)}
    assert [item for item, _ in order_by_salience(items, salience)] == ["b", "a", "c"]
