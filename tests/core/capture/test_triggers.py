from time import process_time

import pytest

from memtool.core.capture.languages.tables import (
    LANGUAGES,
    language_signs,
    language_table,
)
from memtool.core.capture.triggers import ANY_LANGUAGE, CATEGORIES, EntryDestination, build_triggers
from memtool.core.text.folding import fold_in_place
from memtool.errors import BadUsage

OTHERS = {"english", "russian", "uzbek_cyrillic", "chinese", "japanese"}
LATIN = [name for name in LANGUAGES if name not in OTHERS]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_triggers_of_every_category_but_values(language):
    assert {trigger.category for trigger in language_table(language).triggers} | {"specific_value"} == set(
        CATEGORIES
    )


def test_dates_numbers_and_links_depend_on_no_language():
    assert {trigger.category for trigger in ANY_LANGUAGE} == {"specific_value"}


def test_an_instruction_becomes_a_rule_and_three_categories_reach_long_term_memory():
    by_destination = {
        destination: [name for name in CATEGORIES if CATEGORIES[name] is destination]
        for destination in EntryDestination
    }
    assert by_destination[EntryDestination.LONG_TERM] == ["proper_noun", "preference", "remember"]
    assert by_destination[EntryDestination.RULE] == ["instruction"]


def test_every_row_compiles_and_none_matches_the_empty_text():
    rows = [*ANY_LANGUAGE, *(row for name in LANGUAGES for row in language_table(name).triggers)]
    assert not [row for row in rows if row.pattern().search("")]


@pytest.mark.parametrize("language", LATIN)
def test_a_text_that_a_trigger_can_match_has_a_sign_of_its_language(language):
    signs = language_signs(language)
    for trigger in language_table(language).triggers:
        assert trigger.signs
        assert not [sign for sign in trigger.signs if not any(part in sign for part in signs)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_signs_are_in_the_form_of_the_text_that_they_are_sought_in(language):
    for trigger in language_table(language).triggers:
        assert [fold_in_place(sign) for sign in trigger.signs] == [*trigger.signs]


def test_folding_moves_no_offset():
    text = "İstanbul ÇAĞRI ı ß Ёлка Ünal ﬁ 漢字 ひらがな"
    assert len(fold_in_place(text)) == len(text)
    assert fold_in_place("Élève ÇAĞRI Ёж") == "eleve cagri еж"


def test_a_users_triggers_are_one_row_each():
    table = build_triggers({"decision": ["We agreed on"]}, {"remember": [r"ticket-\d+"]})
    assert [row.category for row in table.rows] == ["decision", "remember"]


@pytest.mark.parametrize(
    ("phrases", "patterns", "said"),
    [
        ({"mood": ["I feel"]}, {}, "unknown category 'mood'"),
        ({"remember": ["  "]}, {}, "no letter or digit"),
        ({"remember": ["!!"]}, {}, "no letter or digit"),
        ({}, {"mood": ["x"]}, "unknown category 'mood'"),
        ({}, {"remember": ["("]}, "not a regular expression"),
        ({}, {"remember": ["x*"]}, "matches the empty string"),
    ],
)
def test_a_trigger_that_cannot_be_is_refused_with_a_sentence(phrases, patterns, said):
    with pytest.raises(BadUsage, match=said) as refused:
        build_triggers(phrases, patterns)
    assert str(refused.value)[-1] not in ".!"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_row_is_slow_on_a_long_word_or_on_many_short_ones(language):
    rows = language_table(language).triggers
    for text in ("a" * 20_000, "a " * 10_000):
        start = process_time()
        for row in rows:
            assert not any(row.pattern().finditer(text))
        assert process_time() - start < 10
