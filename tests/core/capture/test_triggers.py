import pytest

from memtool.core.capture.triggers import (
    CATEGORIES,
    DEFAULT_TRIGGERS,
    TRIGGERS,
    EntryDestination,
    build_triggers,
)
from memtool.errors import BadUsage


def test_every_category_has_its_triggers_and_no_other_has():
    assert {trigger.category for trigger in TRIGGERS} == set(CATEGORIES)


def test_an_instruction_becomes_a_rule_and_three_categories_reach_long_term_memory():
    by_destination = {
        destination: [name for name in CATEGORIES if CATEGORIES[name] is destination]
        for destination in EntryDestination
    }
    assert by_destination[EntryDestination.LONG_TERM] == ["proper_noun", "preference", "remember"]
    assert by_destination[EntryDestination.RULE] == ["instruction"]


def test_every_row_compiles_and_none_matches_the_empty_text():
    assert not [trigger for trigger in TRIGGERS if trigger.pattern().search("")]


def test_a_users_phrases_come_after_the_table():
    table = build_triggers({"decision": ["We agreed on"]}, {"remember": [r"ticket-\d+"]})
    assert table.rows[: len(TRIGGERS)] == TRIGGERS == DEFAULT_TRIGGERS.rows
    assert [row.category for row in table.rows[len(TRIGGERS) :]] == ["decision", "remember"]


@pytest.mark.parametrize(
    ("phrases", "patterns", "said"),
    [
        ({"mood": ["I feel"]}, {}, "'mood' is no category"),
        ({"remember": ["  "]}, {}, "no letter or digit"),
        ({"remember": ["!!"]}, {}, "no letter or digit"),
        ({}, {"mood": ["x"]}, "'mood' is no category"),
        ({}, {"remember": ["("]}, "not a regular expression"),
        ({}, {"remember": ["x*"]}, "matches the empty text"),
    ],
)
def test_a_trigger_that_cannot_be_is_refused_with_a_sentence(phrases, patterns, said):
    with pytest.raises(BadUsage, match=said) as refused:
        build_triggers(phrases, patterns)
    assert str(refused.value)[-1] not in ".!"
