"""What a question may call a fact about people or animals: only what they are to the user now."""

from __future__ import annotations

import pytest

from memtool.core.facts.relation_names import asked_words, relation_names
from memtool.core.records.semantic import FactTriple


def names(object_, predicate="KNOWS"):
    return relation_names(FactTriple("context", "User", predicate, object_)).split()


@pytest.mark.parametrize(
    ("object_", "predicate", "called"),
    [
        ("Person:my wife Nora", "KNOWS", "spouse"),
        ("Person:my little brother Tom", "KNOWS", "sibling"),
        ("Person:my half-sister Ruth", "KNOWS", "sibling"),
        ("Person:my baby sister Lea", "KNOWS", "sibling"),
        ("Person:my hermano mayor Luis", "KNOWS", "sibling"),
        ("Person:my Hund Rex", "KNOWS", "pet"),
        ("Person:my granddaughter Maeve", "KNOWS", "grandchildren"),
        ("Person:mi nieto Pablo", "KNOWS", "nietos"),
        ("Person:meine Enkelin Lea", "KNOWS", "enkelkinder"),
        ("Person:my grandma Vi", "KNOWS", "grandparents"),
        ("Person:meine Schwiegermutter Ute", "KNOWS", "schwiegereltern"),
        ("two cats and a dog", "HAS_FAMILY", "pet"),
        ("a dog named Rex", "HAS_FAMILY", "pet"),
        ("my son's coeliac", "HAS_FAMILY", "child"),
        ("my son can't eat nuts", "HAS_FAMILY", "child"),
    ],
)
def test_people_and_animals_have_the_names_of_what_they_are(object_, predicate, called):
    assert called in names(object_, predicate)


@pytest.mark.parametrize(
    "object_",
    [
        "Person:my ex-wife Nora",
        "Person:my ex wife Nora",
        "Person:my late husband Karl",
        "Person:my former boss Tom",
        "Person:my früherer Chef Paul",
        "Person:my бывшая жена Нора",
        "Person:my ex marido Karl",
        "Person:my mother in law Ruth",
        "Person:my belle-mère Ruth",
        "Person:my step mother Ruth",
        "Person:my dog walker Sam",
        "Person:my wife's sister Ines",
        "Person:my brother's wife Carla",
        "Person:my parents' dog Rex",
    ],
)
def test_who_is_no_longer_so_or_another_is_not_called_so(object_):
    assert names(object_) == []


def test_only_who_a_fact_is_about_gives_it_a_name():
    found = names("my wife is allergic to cats", "HAS_FAMILY")
    assert "spouse" in found
    assert "pet" not in found


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("¿tengo una mascota?", "mascota?"),
        ("tenho animais?", "animais?"),
        ("do I have pets?", "do I have pets?"),
        ("what time do I start work?", "when do I start work?"),
        ("Which city do we live in?", "where do we live in?"),
        ("Which city is it?", "Which city is it?"),
        ("what time zone is it?", "what time zone is it?"),
        ("¿qué tengo?", "¿qué tengo?"),
    ],
)
def test_a_question_asks_with_no_function_word_of_another_language(question, asked):
    assert asked_words(question) == asked


@pytest.mark.parametrize(
    ("predicate", "object_", "quote", "name"),
    [
        ("EATS_NO", "eat shellfish", "I can't eat shellfish, it gives me hives.", "allergic"),
        ("EATS_NO", "eat nuts", "I don't eat nuts, my lips get swollen.", "allergic"),
        ("STATES", "I can't have dairy, my stomach cramps", None, "allergic"),
        ("STATES", "I cycle to work now, an old red Gazelle", None, "commute"),
        ("STATES", "Ich fahre mit dem Rad zur Arbeit", None, "commute"),
        ("STATES", "Je prends le tram pour aller au travail", None, "commute"),
        ("TAKES", "the tram to the office", "I take the tram to the office every day.", "commute"),
        ("DRIVES", "a Skoda to work", "I drive a Skoda to work.", "commute"),
        ("DRIVES", "a Skoda to work", "I drive a Skoda to work.", "vehicle"),
        ("STATES", "Priya is allergic to penicillin", None, "allergy"),
        ("STATES", "Jonas ist stark allergisch gegen Nüsse", None, "allergie"),
    ],
)
def test_intolerances_and_the_way_to_work_have_names(predicate, object_, quote, name):
    assert name in relation_names(FactTriple("context", "User", predicate, object_, quote)).split()


@pytest.mark.parametrize(
    ("predicate", "object_", "quote"),
    [
        ("EATS_NO", "eat meat", "I don't eat meat because I find it cruel."),
        ("EATS_NO", "eat pork", "I can't eat pork, I'm Muslim."),
        ("EATS_NO", "drink coffee", "I can't drink coffee after six."),
        ("STATES", "I can't have visitors in the flat", None),
        ("STATES", "My sister cycles to work, so I have the car", None),
        ("STATES", "I want to get to the airport early", None),
        ("TAKES", "ibuprofen", "I take ibuprofen for my back."),
        ("DRIVES", "a Skoda", "I drive a Skoda to the lake."),
        ("STATES", "Priya is a nurse on the allergy ward", None),
    ],
)
def test_what_is_avoided_for_another_reason_or_leads_elsewhere_has_not(predicate, object_, quote):
    names = relation_names(FactTriple("context", "User", predicate, object_, quote)).split()
    assert not {"allergic", "commute"} & {*names}


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("How do I get to work?", "commute?"),
        ("How do we usually get to the office?", "commute?"),
        ("Wie komme ich zur Arbeit?", "commute?"),
        ("What do I do?", "my job"),
        ("How old am I?", "my age?"),
        ("How do I get a visa?", "How do I get a visa?"),
        ("What do I do on Sundays?", "What do I do on Sundays?"),
        ("How old is my sister?", "How old is my sister?"),
    ],
)
def test_a_phrase_of_common_words_is_asked_by_one(question, asked):
    assert asked_words(question) == asked
