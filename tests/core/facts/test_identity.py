"""Facts: their ids, and which two are one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.facts.identity import (
    comparison_text,
    fact_id,
    fact_id_of_key,
    fact_sentence,
    is_same_fact,
    normalise_category,
    record_id,
    shown_sentence,
)
from memtool.core.records.entries import Fact, Owner
from memtool.core.records.semantic import FactTriple, SemanticRecord
from memtool.formats.semantic import SemanticLine

ANN = Owner("user", "ann")
TIMUR = FactTriple("relationship", "User", "WORRIES_ABOUT", "Person:Timur", "Timur is late")


@given(st.text(min_size=1), st.sampled_from([None, ANN]))
def test_every_id_is_one_that_a_line_can_have(text, owner):
    assert SemanticRecord(Fact("context", "x"), fact_id(text, owner))
    if text.strip():
        try:
            name = fact_id_of_key(text, owner)
        except ValueError:
            return
        assert SemanticRecord(Fact("context", "x"), name)


def test_case_and_spacing_make_no_other_fact_and_an_owner_does():
    assert fact_id("I like  Tea.", None) == fact_id("i like tea", None)
    assert fact_id("I like tea", None) != fact_id("I like tea", ANN)


def test_a_key_is_its_slug_and_what_a_slug_loses_is_told_apart():
    assert fact_id_of_key("Home City", None) == "k-home-city"
    assert fact_id_of_key("город", None) != fact_id_of_key("страна", None)
    assert fact_id_of_key("city", ANN).startswith("k-city-")
    assert fact_id_of_key("c++", None) != fact_id_of_key("c", None)
    with pytest.raises(ValueError):
        fact_id_of_key("  ", None)


def test_a_line_without_an_id_has_the_one_it_would_be_saved_under():
    assert record_id(SemanticRecord(Fact("context", "I like tea", ANN))) == fact_id("I like tea", ANN)
    assert record_id(SemanticRecord(TIMUR, "m-1")) == "m-1"


def test_a_triple_is_a_sentence_for_people_and_plain_words_for_vectors():
    assert fact_sentence(TIMUR) == 'User WORRIES_ABOUT Person:Timur — "Timur is late"'
    assert comparison_text(TIMUR) == "User worries about Person Timur. Timur is late"


@pytest.mark.parametrize(
    ("given", "spelled"), [("Goal", "goal"), ("Long-term plan", "long_term_plan"), (" x1 ", "x1")]
)
def test_a_category_is_spelled_as_files_spell_it(given, spelled):
    assert normalise_category(given) == spelled


@pytest.mark.parametrize("given", ["", "!?", "1st", "a", "x" * 65, "цель"])
def test_what_cannot_be_a_category_is_none(given):
    with pytest.raises(ValueError):
        normalise_category(given)


@pytest.mark.parametrize(
    ("known", "new", "similarity"),
    [
        ("I like tea.", "i like tea", 0.0),
        ("My cat's name is Whiskerino", "The name of my cat is Whiskerino", 0.95),
        ("I drink coffee in the morning", "In the mornings I drink coffee", 0.95),
    ],
)
def test_the_same_in_other_words_is_one_fact(known, new, similarity):
    assert is_same_fact(known, new, similarity)


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("The order is for 48 mugs", "The order is for 40 mugs"),
        ("The deploy script must run as root", "The deploy script must not run as root"),
        ("Timur sends the parcels", "Aziz sends the parcels"),
        ("He has two kilns", "He has three kilns"),
        ("My favourite tea is green tea", "My favourite tea is black tea"),
        ("I like tea", "I like tea and coffee"),
        ("The meeting is on Monday morning", "The meeting is on Tuesday morning"),
    ],
)
def test_what_decides_makes_two_facts_however_near_their_vectors(known, new):
    assert not is_same_fact(known, new, 0.99)


def test_nearness_below_the_threshold_is_not_enough():
    assert not is_same_fact("My cat's name is Whiskerino", "The name of my cat is Whiskerino", 0.92)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("我每天早上七点钟起床", "我每天早上八点钟起床"),
        ("ฉันชอบดื่มชาเขียวตอนเช้าทุกวัน", "ฉันชอบดื่มชาดำตอนเช้าทุกวัน"),
        (
            "Мама просила купить в большом магазине у дома соль и чай",
            "Мама просила купить в большом магазине у дома соль и кофе",
        ),
        (
            "The meeting about the new garden fence will happen in the red room near the old harbour house",
            "The meeting about the new garden fence will happen in the blue room near the old harbour house",
        ),
    ],
)
def test_one_word_more_is_another_fact_in_every_script(one, other):
    assert not is_same_fact(one, other, 0.99)
    assert not is_same_fact(other, one, 0.99)
    assert is_same_fact(one, one, 0.99)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("User KNOWS Person:my partner Joris", "User knows their partner Joris"),
        ('User ALLERGIC_TO my cat — "my cat"', 'User is allergic to their cat — "my cat"'),
        ("User LIVES_IN our parents' house", "User lives in their parents' house"),
        ('User STATES my dog limps — "No, the dog"', 'my dog limps — "No, the dog"'),
        ("User WANTS My own kiln", "User wants their own kiln"),
        ("User WANTS to see My Fair Lady", "User wants to see My Fair Lady"),
        ("User USES My Fitness Tracker", "User uses My Fitness Tracker"),
    ],
)
def test_a_sentence_about_the_user_has_no_possessive_of_the_first_person(line, shown):
    assert shown_sentence(SemanticLine(f"- [context] {line} ^m-677ca82dfa22").record.fact) == shown
