"""Tokens are estimated: four letters each, or one character of a script without blanks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.compaction.tokens import estimate, estimate_messages
from memtool.core.records.turn import Message, Text


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("釉料", 2), ("釉料abcd", 3), ("привет!", 2), ("กขค", 3)],
)
def test_the_estimate_is_the_documented_one(text, tokens):
    assert estimate(text) == tokens


@given(st.text(), st.text())
def test_more_text_is_not_fewer_tokens(left, right):
    assert max(estimate(left), estimate(right)) <= estimate(left + right) <= estimate(left) + estimate(right)


def test_a_message_costs_more_than_its_words():
    assert estimate_messages([Message("user", (Text("abcd"),))] * 2) == 10
