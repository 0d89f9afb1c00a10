"""What becomes of turn records of every age and in every state."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtool.core.history.upgrade import NewerTurn, UnreadableTurn, UpgradedTurn, upgrade_turn
from memtool.core.records.turn import Message, ReasoningPart, TextPart, ToolCall, ToolResult, UnknownPart
from memtool.formats import turn
from tests.examples import examples
from tests.formats.test_turn import JSON, TURNS

TOP = {"id": "turn-1", "seq": 1, "created_at": "2025-01-15T10:30:00Z"}


def upgraded(*messages, **more):
    outcome = upgrade_turn({**TOP, **more, "messages": list(messages)})
    assert isinstance(outcome, UpgradedTurn), outcome
    assert turn.invalid_reason(turn.record(outcome.turn)) is None
    return outcome.turn


def parts(*messages, **more):
    return [part for one in upgraded(*messages, **more).messages for part in one.parts]


def test_version_1_becomes_parts_in_their_order():
    found = upgraded(
        {"role": "user", "content": "  list it \n"},
        {
            "role": "assistant",
            "content": "let me look",
            "phase": "commentary",
            "tool_calls": [{"id": " c1 ", "name": " ls ", "arguments": ""}, {"id": "c2", "name": " "}],
            "provider_raw": {"reasoning_content": " hm "},
        },
        {"role": "tool", "tool_call_id": "c1", "content": " a b "},
        {"role": "assistant", "content": "done", "phase": "final_answer"},
        channel="telegram",
    )
    assert found.messages == (
        Message("user", (TextPart("  list it \n"),)),
        Message(
            "assistant",
            (
                ReasoningPart(" hm "),
                TextPart("let me look", "commentary"),
                ToolCall("c1", "ls", "{}"),
                UnknownPart({"id": "c2", "name": " "}),
            ),
        ),
        Message("tool", (ToolResult("c1", " a b "),)),
        Message("assistant", (TextPart("done", "final"),)),
    )
    assert found.more == {"channel": "telegram"}


def test_capitalised_keys_are_the_same_keys():
    assert parts(
        {
            "Role": "assistant",
            "Content": "x",
            "Phase": "final",
            "ToolCalls": [{"ID": "c", "Name": "ls", "Arguments": '{"a": 1}'}],
            "ToolCallID": "",
            "ProviderRaw": {"reasoning_content": "y"},
        }
    ) == [ReasoningPart("y"), TextPart("x", "final"), ToolCall("c", "ls", '{"a": 1}')]
    assert parts({"Role": "tool", "ToolCallID": "c", "Content": "out"}) == [ToolResult("c", "out")]
    assert parts({"role": "", "Role": "user", "content": "", "Content": "x"}) == [TextPart("x")]


@pytest.mark.parametrize("raw", [None, "text", 5, [], [{}], True, {}, {"content": ["x"], "tool_calls": "no"}])
def test_a_provider_s_answer_that_says_nothing_known_changes_nothing(raw):
    assert parts({"role": "assistant", "content": "x", "provider_raw": raw}) == [TextPart("x")]


def test_what_is_missing_is_taken_from_the_provider_s_answer():
    raw = {
        "content": "from raw",
        "phase": "commentary",
        "tool_calls": [
            {"id": "c", "function": {"name": "ls", "arguments": ""}},
            {"id": "d", "function": {"name": "", "arguments": "{}"}},
            {"id": "e", "function": {"name": "cat", "arguments": {"path": "ü"}}},
            "no call",
        ],
    }
    assert parts({"role": "assistant", "content": " ", "provider_raw": raw}) == [
        TextPart("from raw", "commentary"),
        ToolCall("c", "ls", "{}"),
        ToolCall("e", "cat", '{"path": "ü"}'),
    ]
    own = {
        "role": "assistant",
        "content": "own",
        "phase": "final",
        "tool_calls": [{"id": "x", "name": "own"}],
    }
    assert parts({**own, "provider_raw": raw}) == [TextPart("own", "final"), ToolCall("x", "own", "{}")]


def test_messages_that_hold_nothing_are_dropped():
    assert parts(
        {"role": "user", "content": " "},
        {"role": "assistant", "content": None, "tool_calls": None, "phase": ""},
        {"role": "narrator", "content": "kept"},
    ) == [TextPart("kept")]


def test_what_has_no_place_in_the_new_version_stays():
    result = {"role": "tool", "content": "whose?"}
    calls = {"role": "user", "content": "x", "Content": "y", "tool_calls": [{"id": "c", "name": "ls"}]}
    raw = {"content": "x", "usage": {"tokens": 5}, "tool_calls": [{"type": "function"}]}
    found = upgraded(
        result,
        {"role": "user", "name": "Ann"},
        calls,
        {"role": "assistant", "content": "x", "phase": "draft", "provider_raw": raw},
        {"role": "assistant", "content": "x", "parts": ["y"]},
    )
    assert found.messages == (
        Message("tool", (UnknownPart(result),)),
        Message("user", (UnknownPart({"role": "user", "name": "Ann"}),)),
        Message("user", (TextPart("x"),), {"Content": "y", "tool_calls": calls["tool_calls"]}),
        Message("assistant", (TextPart("x"),), {"phase": "draft", "provider_raw": {"usage": {"tokens": 5}}}),
        Message("assistant", (TextPart("x"), UnknownPart({"parts": ["y"]}))),
    )


def test_version_0_is_version_1():
    assert upgrade_turn({**TOP, "schema_version": 0, "messages": []}).version == 1
    assert upgrade_turn({**TOP, "messages": []}).version == 1


def test_version_2_is_brought_into_form():
    assert parts(
        {
            "role": "assistant",
            "parts": [
                {"type": "text", "text": " "},
                {"type": "text", "text": " kept ", "disposition": "strange", "x": 1},
                {"type": "reasoning", "text": "", "replay": {}},
                {"type": "reasoning", "replay": {"signature": "s"}},
                {"type": "image", "data_url": "…"},
                {"text": "no type"},
                None,
                {"type": "tool_call", "id": " c ", "name": " n ", "arguments": " "},
                {"type": "tool_result", "content": "whose?"},
            ],
        },
        {"role": "user", "parts": []},
        {"role": "user"},
        schema_version=2,
    ) == [
        TextPart(" kept ", "", {"x": 1, "unknown_disposition": "strange"}),
        ReasoningPart("", {"signature": "s"}),
        UnknownPart({"type": "image", "data_url": "…"}),
        UnknownPart({"text": "no type"}),
        ToolCall("c", "n", "{}"),
        UnknownPart({"type": "tool_result", "content": "whose?"}),
    ]


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (None, "is null, not a JSON object"),
        ([], "is a list"),
        ("x", "is a string, not a JSON object"),
        ({}, "has no valid seq"),
        ({**TOP}, "has no list of messages"),
        ({**TOP, "messages": None}, "has no list of messages"),
        ({**TOP, "messages": [], "id": None}, "has no id"),
        ({**TOP, "messages": [], "id": 5}, "has a field 'id' that is a number"),
        ({**TOP, "messages": [], "seq": "1"}, "has no valid seq"),
        ({**TOP, "messages": [], "seq": -1}, "has no valid seq"),
        ({**TOP, "messages": [], "seq": True}, "has no valid seq"),
        (
            {**TOP, "messages": [], "created_at": "yesterday"},
            "has an invalid created_at (RFC 3339 time expected): 'yesterday'",
        ),
        ({**TOP, "messages": ["x"]}, "has an invalid message: message 1 is a string"),
        ({**TOP, "messages": [{"content": "x"}]}, "has an invalid message: message 1 has no role"),
        ({**TOP, "messages": [{"role": "user", "content": 5}]}, "has a field 'content' that is a number"),
        (
            {**TOP, "messages": [{"role": "user", "tool_calls": {}}]},
            "has a field 'tool_calls' that is not a list",
        ),
        (
            {**TOP, "schema_version": 2, "messages": [{"role": "user", "parts": {}}]},
            "has a field 'parts' that is not a list",
        ),
        (
            {**TOP, "schema_version": 2, "messages": [{"role": "u", "parts": ["x"]}]},
            "a part that is a string",
        ),
        *(
            ({**TOP, "schema_version": version, "messages": []}, "has an unknown schema_version")
            for version in (1, -1, 1.5, "2", True, False, [])
        ),
    ],
)
def test_what_is_no_turn_says_why(record, why):
    outcome = upgrade_turn(record)
    assert isinstance(outcome, UnreadableTurn)
    assert why in outcome.reason


def test_newer_versions_are_told_apart_and_not_looked_into():
    assert upgrade_turn({"schema_version": 3}) == NewerTurn(3)
    assert upgrade_turn({"schema_version": 10**30, "messages": 5}) == NewerTurn(10**30)


OLD = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "system"])},
    optional={
        "content": JSON, "phase": JSON, "tool_calls": JSON, "tool_call_id": JSON, "provider_raw": JSON,
        "Content": JSON, "ToolCalls": JSON, "ProviderRaw": JSON, "parts": JSON,
    },
)  # fmt: skip


@settings(max_examples=examples(300))
@given(st.lists(OLD | JSON, max_size=3), st.sampled_from([None, 0, 2]))
def test_every_record_has_an_outcome_and_upgrading_is_done_once(messages, version):
    record = {**TOP, "messages": messages, **({} if version is None else {"schema_version": version})}
    outcome = upgrade_turn(record)
    if isinstance(outcome, UpgradedTurn):
        written = turn.render(outcome.turn)
        assert turn.parse(written) == outcome.turn
        assert turn.render(turn.parse(written)) == written


TYPES = ["text", "reasoning", "tool_call", "tool_result", "unknown"]
PARTS = st.lists(
    st.none()
    | st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from([*TYPES, "image"]) | JSON,
            "text": st.text(), "disposition": st.text(max_size=3), "id": st.text(), "name": st.text(),
            "arguments": st.text(), "tool_call_id": st.text(), "content": st.text(), "value": JSON, "x": JSON,
        },
    ),
    max_size=4,
)  # fmt: skip
CALLS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "id": st.text(), "ID": st.text(), "name": st.text(), "arguments": st.text(), "x": JSON,
            "function": st.dictionaries(st.sampled_from(["id", "name", "arguments", "x"]), st.text()) | JSON,
        },
    ),
    max_size=3,
)  # fmt: skip
ODD = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "narrator"])},
    optional={
        "content": st.text(), "Content": st.text(), "phase": st.text() | st.just("final"), "name": JSON,
        "tool_calls": CALLS, "ToolCalls": CALLS, "tool_call_id": st.text(), "parts": PARTS,
        "provider_raw": st.dictionaries(
            st.sampled_from(["content", "phase", "reasoning_content", "usage"]), st.text() | JSON
        ) | st.builds(lambda calls: {"tool_calls": calls}, CALLS) | JSON,
    },
)  # fmt: skip


def contents(value, name=""):
    """The texts and numbers in a JSON value, without the words that name kinds of things."""
    if isinstance(value, dict):
        return [text for key, inner in value.items() for text in contents(inner, key)]
    if isinstance(value, list):
        return [text for inner in value for text in contents(inner)]
    if isinstance(value, str):
        text = value.strip()
        return [text] if text and not (name in {"phase", "type", "role"} and text in KINDS) else []
    return [] if value is None or isinstance(value, bool) else [repr(value)]


KINDS = {"final", "user", "assistant", "tool", "narrator", "text", "reasoning", "tool_call", "tool_result"}
KINDS |= {"function", "unknown"}


@settings(max_examples=examples(200))
@given(st.lists(ODD, max_size=3), st.sampled_from([None, 0, 2]))
def test_no_text_and_no_number_is_lost_whatever_the_shape(messages, version):
    record = {**TOP, "messages": messages, **({} if version is None else {"schema_version": version})}
    outcome = upgrade_turn(record)
    if isinstance(outcome, UpgradedTurn):
        stored = contents(turn.record(outcome.turn)["messages"])
        own = [{key: value for key, value in one.items() if key != "provider_raw"} for one in messages]
        assert not Counter(contents(own)) - Counter(stored)
        assert not set(contents(messages)) - set(stored)  # of a copy of a text one is enough


@given(TURNS)
def test_a_turn_in_form_is_left_as_it_is(value):
    outcome = upgrade_turn(turn.record(value))
    assert isinstance(outcome, UpgradedTurn)
    assert outcome.turn == value
