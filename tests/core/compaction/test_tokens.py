"""Tokens are estimated: four letters each, or one character of a script without blanks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.compaction.chat_formats import parse_messages
from memtool.core.compaction.tokens import estimate_message_tokens, estimate_tokens
from memtool.core.records.turn import Message, TextPart


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("釉料", 2), ("釉料abcd", 3), ("привет!", 2), ("กขค", 3)],
)
def test_the_estimate_is_the_documented_one(text, tokens):
    assert estimate_tokens(text) == tokens


@given(st.text(), st.text())
def test_more_text_is_not_fewer_tokens(left, right):
    assert (
        max(estimate_tokens(left), estimate_tokens(right))
        <= estimate_tokens(left + right)
        <= estimate_tokens(left) + estimate_tokens(right)
    )


def test_a_message_costs_more_than_its_words():
    assert estimate_message_tokens([Message("user", (TextPart("abcd"),))] * 2) == 10


@pytest.mark.parametrize(
    "image",
    [
        {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 400_000}},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 400_000}},
    ],
)
def test_an_image_costs_as_many_tokens_as_one_whatever_its_size(image):
    asked = {"role": "user", "content": [{"type": "text", "text": "look"}, image]}
    [message] = parse_messages([asked])
    assert 1_600 < estimate_message_tokens([message]) < 1_630
