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
        ("¿qué tengo?", "¿qué tengo?"),
    ],
)
def test_a_question_asks_with_no_function_word_of_another_language(question, asked):
    assert asked_words(question) == asked
