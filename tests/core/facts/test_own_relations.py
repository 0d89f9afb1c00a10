"""Sentences of the user about home and work, and others with the same words."""

from __future__ import annotations

import pytest

from memtool.core.facts.own_relations import own_relations


@pytest.mark.parametrize(
    "sentence",
    [
        "I live on Agricola Street in Halifax, in the north end",
        "We live in a flat above the pharmacy",
        "I've got my own flat in Sheffield",
        "Ich wohne seit Mai in Bremen",
        "Vivo en Cádiz",
        "J'habite à Lyon",
    ],
)
def test_a_sentence_says_where_the_user_lives(sentence):
    assert own_relations(sentence) == ("LIVES_IN",)


@pytest.mark.parametrize(
    "sentence",
    [
        "I was a ship's engineer for thirty-four years",
        "I used to be a nurse",
        "I run a small bakery",
        "I drove the number 11 tram for 20 years and retired",
        "I fix clocks for a living",
        "I teach physics at a sixth-form college",
        "I retired in 2019",
        "Ich war dreißig Jahre lang Busfahrer",
        "Fui enfermera durante diez años",
        "J'ai travaillé comme infirmière",
        "I do dispatch for a bus company here in Pittsburgh",
        "I've just been made chief pharmacist",
    ],
)
def test_a_sentence_says_what_the_user_does_or_did_for_a_living(sentence):
    assert own_relations(sentence) == ("WORKS_AS",)


def test_a_sentence_may_say_both():
    assert own_relations("I translate contracts from home in Leeds") == ("LIVES_IN", "WORKS_AS")


@pytest.mark.parametrize(
    "sentence",
    [
        "I live on coffee",
        "We live in hope",
        "I live with two cats",
        "My sister lives in Leeds and I visit her",
        "I was a smoker for ten years",
        "I used to be a vegetarian",
        "I was a bit later than usual",
        "I was a teenager in 1980",
        "I run a half marathon every May",
        "I do yoga at a studio",
        "I was made redundant",
        "I order groceries from home on Fridays",
        "I teach my daughter chess",
        "I work out at the gym",
        "Ich bin müde",
        "Fui a Madrid por trabajo",
    ],
)
def test_another_sentence_says_neither(sentence):
    assert own_relations(sentence) == ()
