"""append-turn: whatever is handed in becomes messages in form, or a sentence on why not."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume
from hypothesis import given as generated
from hypothesis import strategies as st

from memtool.core.records.turn import Message, ReasoningPart, TextPart, ToolCall, ToolResult, Turn
from memtool.errors import BadUsage
from memtool.formats import turn as turn_format
from memtool.verbs.turns.append_turn import parse_turn_input, redact_messages
from tests.formats.test_turn import JSON, TURNS, WORDS

BLOCKS = st.dictionaries(st.sampled_from(["type", "text", "id", "input"]), JSON)
RECORDS = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from(["user", "assistant", "tool", "system", "developer", "", "x"]) | JSON,
        "content": WORDS | JSON | st.lists(BLOCKS, max_size=2),
        **dict.fromkeys(["parts", "tool_calls", "tool_call_id", "messages", "system", "created_at"], JSON),
    },
)


@generated(st.lists(RECORDS | JSON, max_size=3) | RECORDS | JSON | st.text())
def test_any_input_is_messages_in_form_or_a_sentence(value):
    text = value if isinstance(value, str) else json.dumps(value)
    try:
        found = parse_turn_input(text)
    except BadUsage as error:
        sentence = str(error)
    else:
        sentence = ""
        whole = Turn("t", 1, "2025-01-15T10:30:00Z", found.messages)
        assert turn_format.invalid_reason(json.loads(turn_format.render(whole))) is None
        assert turn_format.parse(turn_format.render(whole)) == whole
    assert "\n" not in sentence


@generated(TURNS)
def test_what_a_turn_file_says_goes_in_as_it_is(value):
    assume(all(one.role.strip() == one.role != "" and one.role != "developer" for one in value.messages))
    found = parse_turn_input(turn_format.render(value))
    assert [(one.role, one.parts) for one in found.messages] == [
        (one.role, one.parts) for one in value.messages
    ]


def test_the_shapes_are_those_in_use():
    lines = '{"role": "user", "content": "a"}\n\n{"role": "assistant", "content": "b"}\n'
    assert parse_turn_input(lines).messages == (
        Message("user", (TextPart("a"),)),
        Message("assistant", (TextPart("b"),)),
    )
    body = {
        "system": "s",
        "created_at": "2025-01-15T10:30:00Z",
        "messages": [{"role": "user", "content": "a"}],
    }
    found = parse_turn_input(json.dumps(body))
    assert [one.role for one in found.messages] == ["system", "user"]
    assert found.at is not None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"role": "user", "content": "a"}\n{"role": "us', "line 2 ends before its JSON is complete"),
        ('{"role": "user", "content": "a"\n', "line 1 ends before its JSON is complete"),
        ('[{"role": "user",\n"content": "a"}\n', "line 2 ends before its JSON is complete"),
        ('{"role": "user", "text": "a"}', "message 1 has no 'content'"),
        ('{"role": "user", "content": "a"}\n{"role": "user"}', "line 2 has no 'content'"),
        ('{"messages": "hello"}', "'messages' is not a list"),
        (
            '{"role": "user", "content": {"a": 1}}',
            "message 1 has a 'content' that is neither text nor a list",
        ),
    ],
)
def test_input_that_is_no_message_is_refused_with_its_fault(text, reason):
    with pytest.raises(BadUsage) as refused:
        parse_turn_input(text)
    assert str(refused.value).startswith(f"{reason}; nothing was written")


def test_plain_text_gets_the_hint_of_the_command():
    with pytest.raises(BadUsage, match=r'; give messages such as \{"role": "user", "content": "hello"\}$'):
        parse_turn_input("hello")
    with pytest.raises(BadUsage, match=r"; use --user-text$"):
        parse_turn_input("hello", hint="use --user-text")


def test_a_message_with_a_tool_call_needs_no_content():
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    parsed = parse_turn_input(json.dumps({"role": "assistant", "tool_calls": [call]}))
    assert len(parsed.messages) == 1


def test_what_a_provider_needs_to_replay_reasoning_without_secrets_stays():
    reasoning = ReasoningPart("the glaze is celadon", {"signature": "EqQBCkYIBxgCKkA"})
    [message] = redact_messages([Message("assistant", (reasoning,))])
    assert message.parts == (reasoning,)


def test_secrets_are_replaced_in_every_part():
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    messages = (
        Message(
            "x",
            (
                TextPart(secret, None, {"citations": [secret]}),
                ToolCall(secret, f"use_{secret}", json.dumps({"k": secret})),
                ToolResult(secret, secret),
                ReasoningPart(f"it is {secret}", {"signature": "s"}),
                ReasoningPart("", {"details": [{"text": secret}]}),
            ),
            {"id": secret},
        ),
    )
    assert secret not in turn_format.render(Turn("t", 1, "2025-01-15T10:30:00Z", redact_messages(messages)))
