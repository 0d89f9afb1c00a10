"""What an extractor answers is read with patience, and what is no fact is counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.formats.extractor_output import ExtractedFact, parse


@pytest.mark.parametrize(
    ("text", "facts", "bad"),
    [
        (
            '{"text": "a"}\n{"fact": "b", "category": "Home & Garden"}',
            [("fact", "a"), ("home_garden", "b")],
            0,
        ),
        ('[{"text": "a"}, "b"]', [("fact", "a"), ("fact", "b")], 0),
        ('```json\n{"text": "a"}\n```', [("fact", "a")], 0),
        ("[]", [], 0),
        ('{"text": "\u200b"}', [], 1),
        ('{"text": ""}\nnonsense\n{"text": 5}\n5', [], 4),
        ('{"text": "a", "category": 5}', [("fact", "a")], 0),
        ('[{"key": "tea", "value": "green", "category": "preference"}]', [("preference", "tea: green")], 0),
        ('{"key": "", "value": "v"}\n{"key": "k"}\n{"value": "v"}\n{"key": "k", "value": 5}', [], 4),
    ],
)
def test_facts(text, facts, bad):
    found, wrong, rows = parse(text)
    assert [(one.category, one.text) for one in found] == facts
    assert wrong == bad
    assert rows == len(facts) + bad


def test_a_fact_is_one_line_with_its_evidence_and_no_secret():
    made = ExtractedFact("home", "User has\na fig\ttree", 'said "so": password: hunter2hunter2').to_fact(None)
    assert made.detail == 'User has a fig tree — "said "so": password: [REDACTED:password]"'


@given(st.text(max_size=200))
def test_any_answer_is_read(text):
    parse(text)
