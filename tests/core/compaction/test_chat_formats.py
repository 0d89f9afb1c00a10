import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.compaction.chat_formats import (
    InvalidChatMessage,
    arguments_json,
    content_text,
    parse_message,
    parse_messages,
    placeholder,
)
from memtool.core.records.turn import Message, ReasoningPart, TextPart, ToolCall, ToolResult


def only(record):
    (message,) = parse_message(record)
    return message


def parts(record):
    return only(record).parts


def call(call_id="c", name="ls", arguments="{}"):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


@pytest.mark.parametrize(
    ("record", "role", "expected"),
    [
        ({"role": "user", "content": "hi"}, "user", [TextPart("hi")]),
        (
            {"role": " user ", "content": ["hi", {"type": "text", "text": "you"}]},
            "user",
            [TextPart("hi"), TextPart("you")],
        ),
        ({"role": "developer", "content": "be brief"}, "system", [TextPart("be brief")]),
        ({"role": "assistant", "content": None}, "assistant", []),
        (
            {
                "role": "assistant",
                "content": "a",
                "refusal": "no",
                "reasoning_content": "hm",
                "tool_calls": [call()],
            },
            "assistant",
            [ReasoningPart("hm"), TextPart("a"), TextPart("no"), ToolCall("c", "ls", "{}")],
        ),
        ({"role": "assistant", "content": None, "reasoning": "hm"}, "assistant", [ReasoningPart("hm")]),
        (
            {"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]},
            "assistant",
            [TextPart("no")],
        ),
        (
            {"role": "assistant", "content": None, "function_call": {"name": "ls", "arguments": "{}"}},
            "assistant",
            [ToolCall("ls", "ls", "{}")],
        ),
        ({"role": "function", "name": "ls", "content": "a"}, "tool", [ToolResult("ls", "a")]),
        (
            {
                "role": "assistant",
                "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "sh", "input": "ls"}}],
            },
            "assistant",
            [ToolCall("c", "sh", "ls")],
        ),
        ({"role": "tool", "tool_call_id": "c", "content": "a"}, "tool", [ToolResult("c", "a")]),
        (
            {"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "a"}, "b"]},
            "tool",
            [ToolResult("c", "a\nb")],
        ),
        ({"role": "tool", "content": "a"}, "tool", [TextPart("a")]),
        ({"role": "function", "content": "a"}, "tool", [TextPart("a")]),
        (
            {"role": "tool", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "a"}]},
            "tool",
            [ToolResult("t", "a")],
        ),
        (
            {
                "role": "assistant",
                "content": None,
                "audio": {"id": "x", "data": "AAAA", "transcript": "hello"},
            },
            "assistant",
            [TextPart("hello")],
        ),
        (
            {"role": "assistant", "content": None, "audio": {"id": "x", "data": "AAAA"}},
            "assistant",
            [TextPart("[audio: 3 bytes]")],
        ),
    ],
)
def test_openai_messages_are_read(record, role, expected):
    found = only(record)
    assert (found.role, found.parts) == (role, tuple(expected))


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ({"type": "text", "text": "hi"}, TextPart("hi")),
        ({"type": "thinking", "thinking": "hm", "signature": "s"}, ReasoningPart("hm", {"signature": "s"})),
        ({"type": "thinking", "thinking": "hm"}, ReasoningPart("hm")),
        ({"type": "redacted_thinking", "data": "xyz"}, ReasoningPart("", {"redacted_thinking": "xyz"})),
        (
            {"type": "tool_use", "id": "t", "name": "ls", "input": {"ä": [1]}},
            ToolCall("t", "ls", '{"ä": [1]}'),
        ),
        ({"type": "server_tool_use", "id": "t", "name": "web", "input": {}}, ToolCall("t", "web", "{}")),
        ({"type": "tool_use", "id": "t", "name": "ls"}, ToolCall("t", "ls", "{}")),
        (
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}},
            TextPart("[image: image/png, 3 bytes]"),
        ),
        (
            {"type": "image", "source": {"type": "url", "url": "https://a/b"}},
            TextPart("[image: https://a/b]"),
        ),
        ({"type": "image", "source": {"type": "file", "file_id": "f"}}, TextPart("[image: f]")),
        (
            {
                "type": "document",
                "title": "Plan",
                "source": {"type": "text", "media_type": "text/plain", "data": "née"},
            },
            TextPart("[document Plan: text/plain, 4 bytes]"),
        ),
    ],
)
def test_anthropic_blocks_are_read(block, expected):
    assert parts({"role": "assistant", "content": [block]}) == (expected,)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("a", "a"),
        (None, ""),
        ([], ""),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        (
            [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUI="}}],
            "[image: image/png, 2 bytes]",
        ),
        ({"type": "bash_code_execution_result", "stdout": "out", "stderr": "err"}, "out\nerr"),
        (
            {"type": "web_search_tool_result_error", "error_code": "down"},
            "web_search_tool_result_error: down",
        ),
        ([{"type": "web_search_result", "title": "T", "url": "u"}], "[web_search_result T: u]"),
        ({"answer": 42}, '{"answer": 42}'),
        (42, "42"),
    ],
)
def test_the_content_of_a_tool_result_is_one_text(content, text):
    block = {"type": "tool_result", "tool_use_id": "t", "content": content}
    assert only({"role": "user", "content": [block]}) == Message("tool", (ToolResult("t", text),))
    assert content_text(content) == text


def test_results_of_tools_are_told_apart_from_the_words_beside_them():
    result = {"type": "tool_result", "tool_use_id": "t", "content": "a", "is_error": True}
    assert list(parse_message({"role": "user", "content": ["and?", result], "id": "m"})) == [
        Message("tool", (ToolResult("t", "a", is_error=True),), {"id": "m"}),
        Message("user", (TextPart("and?"),), {"id": "m"}),
    ]


def test_tools_that_ran_while_the_model_spoke_keep_their_place():
    use = {"type": "server_tool_use", "id": "t", "name": "web", "input": {}}
    result = {"type": "web_search_tool_result", "tool_use_id": "t", "content": []}
    assert list(parse_message({"role": "assistant", "content": ["before", use, result, "after"]})) == [
        Message("assistant", (TextPart("before"), ToolCall("t", "web", "{}"))),
        Message("tool", (ToolResult("t", ""),)),
        Message("assistant", (TextPart("after"),)),
    ]


def test_a_q15_message_is_kept_as_it_is_with_the_keys_of_its_parts():
    record = {
        "role": "tool",
        "user_temporal": {"zone": "UTC"},
        "parts": [
            {"type": "text", "text": "a", "disposition": "final", "lang": "en"},
            {"type": "reasoning", "text": "hm", "replay": {"x": 1}},
            {"type": "tool_call", "id": "c", "name": "ls", "arguments": {"in": "."}},
            {"type": "tool_result", "tool_call_id": "c", "content": "b", "is_error": True},
            {"type": "image", "url": "u"},
        ],
    }
    assert only(record) == Message(
        "tool",
        (
            TextPart("a", "final", {"lang": "en"}),
            ReasoningPart("hm", {"x": 1}),
            ToolCall("c", "ls", '{"in": "."}'),
            ToolResult("c", "b", is_error=True),
            TextPart("[image: u]"),
        ),
        {"user_temporal": {"zone": "UTC"}},
    )


def test_keys_that_are_not_known_are_kept():
    assert only({"role": "user", "content": "a", "name": "ann", "id": 5}).more == {"name": "ann", "id": 5}


@pytest.mark.parametrize(
    ("block", "text"),
    [
        ({"type": "image_url", "image_url": {"url": "https://a/b.png"}}, "[image: https://a/b.png]"),
        (
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}},
            "[image: image/png, 3 bytes]",
        ),
        ({"type": "input_image", "image_url": "data:image/png;base64,QUJD"}, "[image: image/png, 3 bytes]"),
        ({"type": "input_audio", "input_audio": {"data": "QUI=", "format": "wav"}}, "[audio: wav, 2 bytes]"),
        (
            {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,QQ=="}},
            "[file a.pdf: application/pdf, 1 bytes]",
        ),
        ({"type": "file", "file": {"file_id": "f1"}}, "[file: f1]"),
        ({"type": "video", "mimeType": "video/mp4", "size": 9}, "[video: video/mp4, 9 bytes]"),
        ({"type": "image", "source": None}, "[image]"),
        ({"type": ["odd"]}, "[content]"),
        ({}, "[content]"),
    ],
)
def test_what_is_no_text_leaves_a_placeholder(block, text):
    assert placeholder(block) == text
    assert parts({"role": "user", "content": [block]}) == (TextPart(text),)


@pytest.mark.parametrize(
    ("given", "text"),
    [(None, "{}"), ("", "{}"), ("not json", "not json"), ({}, "{}"), ([1], "[1]"), (0, "0")],
)
def test_arguments_are_json_text(given, text):
    assert arguments_json(given) == text


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (5, "is not an object"),
        ({}, "has no role"),
        ({"role": " "}, "has no role"),
        ({"role": 5}, "has no role"),
        ({"role": "user", "content": 5}, "has a 'content' that is neither text nor a list"),
        ({"role": "user", "content": [5]}, "has a content block that is neither a string nor an object"),
        (
            {"role": "user", "content": [{"type": "text", "text": 5}]},
            "has a field 'text' that is not a string",
        ),
        ({"role": "tool", "tool_call_id": 5}, "has a field 'tool_call_id' that is not a string"),
        ({"role": "assistant", "tool_calls": 5}, "has a field 'tool_calls' that is not a list"),
        ({"role": "assistant", "tool_calls": [5]}, "has a tool call or function that is not an object"),
        (
            {"role": "assistant", "tool_calls": [{"id": 5, "function": {"name": "a"}}]},
            "has a field 'tool_calls.id' that is not a string",
        ),
        ({"role": "user", "parts": 5}, "has a field 'parts' that is not a list"),
        ({"role": "user", "parts": [5]}, "has a part that is not an object"),
        (
            {"role": "user", "parts": [{"type": "reasoning", "replay": 5}]},
            "has a field 'replay' that is not an object",
        ),
    ],
)
def test_what_is_no_message_says_why_and_which(record, why):
    with pytest.raises(InvalidChatMessage) as error:
        list(parse_messages([{"role": "user", "content": "fine"}, record]))
    assert str(error.value) == f"message 2 {why}"


def test_what_is_nested_too_deeply_is_no_message():
    deep = []
    for _ in range(200_000):
        deep = [deep]
    with pytest.raises(InvalidChatMessage):
        arguments_json(deep)
    with pytest.raises(InvalidChatMessage):
        list(parse_message({"role": "tool", "tool_call_id": "c", "content": [deep]}))


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)
KINDS = ["text", "thinking", "redacted_thinking", "tool_use", "tool_result", "image", "document", "refusal"]
KINDS += ["image_url", "input_audio", "file", "reasoning", "tool_call", "web_search_tool_result"]
KEYS = [
    "text",
    "thinking",
    "id",
    "name",
    "input",
    "tool_use_id",
    "content",
    "source",
    "image_url",
    "file",
    "data",
]
KEYS += [
    "replay",
    "arguments",
    "tool_call_id",
    "disposition",
    "stdout",
    "title",
    "size",
    "input_audio",
    "audio",
]
blocks = st.fixed_dictionaries(
    {"type": st.sampled_from(KINDS) | json_values}, optional=dict.fromkeys(KEYS, json_values)
)
lists = st.lists(blocks | json_values, max_size=3)
records = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "function"]) | json_values},
    optional={
        "content": lists | json_values,
        "parts": lists | json_values,
        "tool_calls": st.lists(
            st.fixed_dictionaries({}, optional={"id": json_values, "function": json_values})
        )
        | json_values,
        "tool_call_id": json_values,
        "name": json_values,
        "function_call": blocks | json_values,
        "audio": blocks | json_values,
        "refusal": json_values,
        "reasoning": json_values,
    },
)


@given(st.lists(records | json_values, max_size=3) | json_values)
def test_any_json_is_messages_or_is_told_to_be_none(found):
    try:
        messages = list(parse_messages(found))
    except InvalidChatMessage:
        return
    for message in messages:
        assert message.role == message.role.strip() != ""
        for part in message.parts:
            match part:
                case TextPart(text) | ReasoningPart(text):
                    assert isinstance(text, str)
                case ToolCall(call_id, name, arguments):
                    assert isinstance(call_id + name + arguments, str)
                case ToolResult(call_id, content, is_error):
                    assert isinstance(call_id + content, str)
                    assert isinstance(is_error, bool)
    json.dumps([list(message.more) for message in messages])
