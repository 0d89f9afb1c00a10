"""What has one value at a time: when two values are the same, and that lint and memory agree on it."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.facts.contradictions import are_contradictory, exclusive_claims
from memtool.core.facts.one_value import is_contained, is_other_value, value_key, values_of
from memtool.core.facts.reconcile import ActiveFacts, NewFact
from memtool.core.records.semantic import FactTriple, SemanticRecord
from tests.core.facts.coala import ANN, POLICY, fact

SINGLE = POLICY.vocabulary["single"]
SAME = [
    ("12 May 1990", "1990-05-12"),
    ("12 May 1990", "May 12, 1990"),
    ("7:00 am", "07:00"),
    ("5 km", "5 kilometres"),
    ("180 cm", "1.80 m"),
    ("Dr. Smith", "Dr Smith"),
    ("Zürich", "zurich"),
    ("the ferry office", "Ferry Office"),
    ("42 years old", "42 years"),
    ("two cats", "2 cats"),
]
MORE = [
    ("Lisbon", "Lisbon, Portugal"),
    ("Lisbon", "a flat in Lisbon"),
    ("Lisboa", "Lisboa en Portugal"),
    ("1990", "12 May 1990"),
    ("12 May", "1990-05-12"),
    ("7", "7:00 am"),
    ("7:00", "19:00"),
    ("42", "42 years"),
    ("70", "70 kg"),
    ("4 June", "4 June at 10:00"),
]
OTHER = [
    ("12 May 1990", "13 May 1990"),
    ("7 am", "7 pm"),
    ("5 km", "6 km"),
    ("5 km", "5 miles"),
    ("York", "New York"),
    ("manager", "assistant manager"),
    ("row A", "row F"),
    ("row A", "row"),
    ("Lisbon", "not Lisbon"),
    ("office 2", "office 3"),
    ("Python 3.1", "Python 3.10"),
    ("VW", "Volkswagen AG"),
]


@pytest.mark.parametrize(("value", "other"), SAME)
def test_another_spelling_is_the_same_value(value, other):
    assert value_key(value) == value_key(other)
    assert not is_other_value(value, other)


@pytest.mark.parametrize(("value", "other"), MORE)
def test_a_value_that_adds_to_another_one_is_no_other_value(value, other):
    assert is_contained(value, other)
    assert not is_contained(other, value)
    assert not is_other_value(value, other)


@pytest.mark.parametrize(("value", "other"), OTHER)
def test_these_are_other_values(value, other):
    assert is_other_value(value, other)
    assert is_other_value(other, value)


def test_a_birth_has_a_date_and_a_place():
    born = FactTriple("context", "User", "WAS_BORN", "12 May 1990 in Lagos")
    assert values_of(born, SINGLE, POLICY.phrases) == {"date": "1990-05-12", "place": "in lagos"}


@pytest.mark.parametrize(
    ("predicate", "old", "new", "effect"),
    [
        ("WAS_BORN", "12 May 1990", "1990-05-12", "repeated"),
        ("WAS_BORN", "12 May 1990", "1990", "repeated"),
        ("WAS_BORN", "1990", "12 May 1990", "superseded"),
        ("WAS_BORN", "12 May 1990", "Lagos", "beside"),
        ("WAS_BORN", "12 May 1990", "13 May 1990", "superseded"),
        ("WAKES_AT", "7:00 am", "07:00", "repeated"),
        ("WAKES_AT", "7:00 am", "8", "superseded"),
        ("LIVES_IN", "Lisbon, Portugal", "Lisbon", "repeated"),
        ("LIVES_IN", "York", "New York", "superseded"),
        ("TAKES", "5 mg ramipril", "10 mg ramipril", "superseded"),
        ("DOES", "5 km a day", "5 kilometres a day", "repeated"),
        ("DOES", "5 km a day", "8 kilometres a day", "superseded"),
    ],
)
def test_a_new_value_repeats_supersedes_or_stands_beside_the_old_one(predicate, old, new, effect):
    memory = ActiveFacts([], POLICY.phrases, SINGLE)
    for number, value in enumerate((old, new)):
        candidate = fact(value, f"I say {value}", predicate=predicate)
        done = memory.add(candidate, candidate.statement, f"m-{number}", date(2025, 1, 15))
    assert (
        ("superseded" if done.superseded else "beside") if isinstance(done, NewFact) else "repeated"
    ) == effect


def test_a_fact_that_has_ended_is_not_superseded_by_what_holds_now():
    memory = ActiveFacts([], POLICY.phrases, SINGLE)
    stated = (("Oslo", "I used to live in Oslo"), ("Porto", "I live in Porto"))
    for number, (place, words) in enumerate(stated):
        candidate = fact(place, words, predicate="LIVES_IN")
        done = memory.add(candidate, candidate.statement, f"m-{number}", date(2025, 1, 15))
    assert not done.superseded


VALUES = sorted({value for pair in (*SAME, *MORE, *OTHER) for value in pair})
QUOTES = [
    ("I say so", "They agree"),
    ("I say so", "We quit it"),
    ("We quit it", "They agree"),
    ("We quit", "I gave up"),
]
"""No two of them prove the same thing, and none is a correction."""


@given(
    st.sampled_from([*SINGLE, "HAS_FAMILY", "USES"]),
    st.sampled_from(VALUES),
    st.sampled_from(VALUES),
    st.sampled_from(QUOTES),
)
def test_two_facts_contradict_each_other_where_one_would_have_superseded_the_other(
    predicate, old, new, quotes
):
    """A value that adds to the old one supersedes it, too, and contradicts nothing."""
    old_quote, new_quote = quotes
    records = [
        SemanticRecord(FactTriple("relationship", "User", predicate, value, quote, ANN), f"m-{number}")
        for number, (value, quote) in enumerate(((old, old_quote), (new, new_quote)))
    ]
    candidate = fact(new, new_quote, predicate=predicate)
    done = ActiveFacts(records[:1], POLICY.phrases, SINGLE).add(
        candidate, candidate.statement, "m-1", date(2025, 1, 15)
    )
    has_other_state = value_key(old) == value_key(new) and old_quote != new_quote
    supersedes = isinstance(done, NewFact) and bool(done.superseded) and not has_other_state
    claims = [tuple(exclusive_claims(record, POLICY.phrases, SINGLE)) for record in records]
    assert are_contradictory(*claims) == (supersedes and is_other_value(old, new))


@pytest.mark.parametrize(("subject", "is_contradiction"), [("friend", False), ("boss", True)])
def test_two_values_of_what_may_be_two_people_are_no_contradiction(subject, is_contradiction):
    claims = [
        tuple(
            exclusive_claims(
                SemanticRecord(
                    FactTriple(
                        "relationship", f"User's {subject}", "IS", value, f"My {subject} is {value}", ANN
                    ),
                    f"m-{number}",
                ),
                POLICY.phrases,
                POLICY.vocabulary["single"],
            )
        )
        for number, value in enumerate(("a nurse", "a plumber"))
    ]
    assert are_contradictory(*claims) == is_contradiction
