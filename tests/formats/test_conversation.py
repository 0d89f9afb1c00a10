"""A conversation is read from a list, an object or lines, and written back byte for byte."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.formats.conversation import (
    InvalidConversation,
    item_value,
    new_item,
    parse,
    render,
    render_lines,
)
from tests.conversations import texts

USER = '{"role": "user", "content": "hi"}'


@given(texts())
def test_what_is_read_is_written_back(made):
    found, text = made
    conversation = parse(text)
    assert render(conversation, conversation.items) == text
    assert [item_value(item) for item in conversation.items] == found


@given(texts(), st.data())
def test_some_of_it_is_a_conversation_again(made, data):
    conversation = parse(made[1])
    kept = [item for item in conversation.items if data.draw(st.booleans())]
    again = parse(text) if (text := render(conversation, kept)).strip() else None
    assert [item.raw for item in again.items] == [item.raw for item in kept] if again else not kept


@given(texts())
def test_what_a_command_is_given_is_one_message_a_line(made):
    messages = [message for item in parse(made[1]).items for message in item.messages]
    for line in render_lines(messages).splitlines():
        record = json.loads(line)
        assert record["role"]
        assert isinstance(record["content"], str)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the input is empty"),
        (f"[{USER}", "the conversation is truncated: it ends on line 1, inside a value"),
        ("hello", "the conversation is not JSON: expecting value on line 1, column 1"),
        ("[1]", "message 1 is not an object"),
        (f'[{USER}, {{"content": "x"}}]', "message 2 has no role"),
        (f"{USER}\n{{", "the message on line 2 is truncated: it ends on line 2, inside a value"),
        (f"{USER}\n\nNaN", "the message on line 3 is not JSON: invalid value NaN"),
        ("[" * 100_000, "the conversation is nested too deeply"),
        (f"[{USER}] tail", "the conversation has text after the end of the JSON value: 'tail' on line 1"),
    ],
)
def test_what_is_no_conversation_is_told(text, why):
    with pytest.raises(InvalidConversation) as told:
        parse(text)
    assert str(told.value) == why


def test_a_new_message_has_the_shape_of_the_others():
    q15 = parse('[{"role": "user", "parts": [{"type": "text", "text": "hi"}]}]')
    assert json.loads(new_item(q15, "user", "a", "").raw) == {
        "role": "user",
        "parts": [{"type": "text", "text": "a"}],
    }
    assert json.loads(new_item(parse(USER), "user", "a", "").raw) == {"role": "user", "content": "a"}
