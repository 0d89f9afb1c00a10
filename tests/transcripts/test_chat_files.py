import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.transcripts import anthropic, chatgpt, claude_ai, openai
from memtool.transcripts.transcript import SkippedRecord, TurnOrigin
from tests.transcripts.in_memory import InMemory, as_lines, said, skipped, turns
from tests.transcripts.test_json_stream import json_values

OPENAI = [
    {"role": "system", "content": "be brief"},
    {"role": "user", "content": "what is here?", "id": "m1", "created_at": "2025-01-15T12:00:00+02:00"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "ls", "arguments": '{"in": "."}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "a b"},
    {"role": "assistant", "content": "two files"},
    {"role": "user", "content": "thanks"},
    {"role": "assistant", "content": ""},
]
ANTHROPIC = [
    {"role": "user", "content": [{"type": "text", "text": "what is here?"}]},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "look", "signature": "s"},
            {"type": "tool_use", "id": "t1", "name": "ls", "input": {"in": "."}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "a b"}]}
        ],
    },
    {"role": "assistant", "content": "two files"},
    {"role": "user", "content": "thanks"},
]
PLAIN = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]
CLAUDE_CODE = {"type": "user", "uuid": "u", "message": {"role": "user", "content": "hello"}, "cwd": "/"}
CODEX = {"type": "response_item", "payload": {"type": "message", "role": "user", "content": []}}
OPENCLAW = [{"type": "session", "version": 3, "id": "s"}, {"type": "message", "message": {"role": "user"}}]
EXPORT = [{"title": "t", "mapping": {}, "current_node": None}]
CLAUDE_AI = [{"uuid": "c", "chat_messages": []}]
STORED_TURN = {"schema_version": 2, "id": "turn-1", "messages": [{"role": "user", "content": "x"}]}
IMPORTERS = [openai, anthropic, chatgpt, claude_ai]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (InMemory(OPENAI), "openai"),
        (as_lines(*OPENAI), "openai"),
        (InMemory({"model": "m", "messages": OPENAI}), "openai"),
        (InMemory(json.dumps({"messages": OPENAI}, indent=2).encode()), "openai"),
        (as_lines({"messages": PLAIN}, {"messages": PLAIN}), "openai"),
        (InMemory([{"messages": PLAIN}, {"messages": PLAIN}]), "openai"),
        (InMemory(PLAIN), "openai"),
        (as_lines(PLAIN, PLAIN), "openai"),
        (InMemory(ANTHROPIC), "anthropic"),
        (as_lines(*ANTHROPIC), "anthropic"),
        (InMemory({"system": "be brief", "messages": PLAIN}), "anthropic"),
        (as_lines({"messages": ANTHROPIC}), "anthropic"),
        (
            InMemory(
                [{"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "u"}}]}]
            ),
            "anthropic",
        ),
        (InMemory(EXPORT), "chatgpt"),
        (InMemory(EXPORT[0]), "chatgpt"),
        (InMemory(CLAUDE_AI), "claude-ai"),
        (as_lines(CLAUDE_CODE, CLAUDE_CODE), None),
        (as_lines(CODEX, CODEX), None),
        (as_lines(*OPENCLAW), None),
        (
            as_lines({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]}),
            None,
        ),
        (as_lines(STORED_TURN), None),
        (InMemory([]), None),
        (InMemory({"role": "admin", "name": "x"}), None),
        (InMemory({"messages": [{"id": 1}]}), None),
        (InMemory([1, "two", None, {"role": ["user"], "content": {}}]), None),
        (InMemory(b"\xff\xfe\x00"), None),
        (InMemory(b"# Notes\n\n- one\n"), None),
        (InMemory(b""), None),
    ],
)
def test_a_file_is_claimed_by_one_importer_or_by_none(source, name):
    assert [one.NAME for one in IMPORTERS if one.recognises(source)] == ([name] if name else [])


def test_a_large_beginning_without_a_whole_record_is_recognised():
    image = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "A" * 2_000_000},
    }
    content = [{"role": "user", "content": [{"type": "text", "text": "look"}, image]}]
    assert anthropic.recognises(InMemory(content, block=1 << 18))
    pasted = [{"role": "user", "content": "long " * 400_000}]
    assert openai.recognises(InMemory(pasted, block=1 << 18))
    assert openai.recognises(InMemory({"messages": pasted}, block=1 << 18))


def test_an_openai_chat_is_read_as_its_turns():
    first, second = turns(openai.read(InMemory(OPENAI)))
    assert said(first) == [
        ("system", "be brief"),
        ("user", "what is here?"),
        ("assistant", ("call", "c1", "ls", '{"in": "."}')),
        ("tool", ("result", "c1", "a b", False)),
        ("assistant", "two files"),
    ]
    assert said(second) == [("user", "thanks")]
    assert first.at == datetime(2025, 1, 15, 10, tzinfo=UTC)
    assert first.messages[1].more == {"id": "m1", "at": "2025-01-15T10:00:00Z"}
    assert second.at is None
    assert first.origin.agent == "openai"
    assert first.origin.session == second.origin.session == first.origin.id != second.origin.id


def test_an_anthropic_request_is_read_as_its_turns():
    first, second = turns(
        anthropic.read(InMemory({"system": [{"type": "text", "text": "be brief"}], "messages": ANTHROPIC}))
    )
    assert said(first) == [
        ("system", "be brief"),
        ("user", "what is here?"),
        ("assistant", ("thought", "look"), ("call", "t1", "ls", '{"in": "."}')),
        ("tool", ("result", "t1", "a b", False)),
        ("assistant", "two files"),
    ]
    assert said(second) == [("user", "thanks")]


@pytest.mark.parametrize(
    "shape", [InMemory, lambda chat: as_lines(*chat), lambda chat: InMemory({"messages": chat})]
)
@pytest.mark.parametrize("importer", [openai, anthropic])
def test_origins_do_not_depend_on_the_file_s_name_shape_or_length(importer, shape):
    whole = turns(importer.read(InMemory(PLAIN * 3, name="a.json")))
    assert [turn.origin for turn in turns(importer.read(shape(PLAIN * 3)))] == [turn.origin for turn in whole]
    short = turns(importer.read(InMemory(PLAIN + PLAIN[:1], name="b.json")))
    assert [turn.origin for turn in short] == [turn.origin for turn in whole[:2]]
    assert len({turn.origin for turn in whole}) == 3


def test_each_conversation_of_a_file_is_one_of_its_own():
    other = [{"role": "user", "content": "goodbye"}]
    items = list(openai.read(as_lines({"messages": PLAIN}, {"id": "own", "messages": other}, other + PLAIN)))
    one, two, three, four = turns(items)
    assert (one.origin.session, two.origin.session) != ("own", one.origin.session)
    assert two.origin.session == "own"
    assert three.origin.session == four.origin.session == three.origin.id == two.origin.id


def test_a_bad_record_costs_that_record():
    items = list(openai.read(as_lines(PLAIN[0], {"role": 5}, "text", PLAIN[1], {"messages": 5})))
    assert skipped(items) == [
        SkippedRecord(2, "the record has no role"),
        SkippedRecord(3, "the record is not an object"),
        SkippedRecord(5, "the record has a field 'messages' that is not a list"),
    ]
    (turn,) = turns(items)
    assert said(turn) == [("user", "hello"), ("assistant", "hi")]


def test_a_bad_message_in_a_conversation_is_told_by_its_number():
    items = list(openai.read(InMemory([{"messages": [PLAIN[0], {"content": "x"}, PLAIN[1]]}])))
    assert skipped(items) == [SkippedRecord(0, "message 2 of record 1 has no role")]
    assert len(turns(items)) == 1


def test_an_array_that_breaks_off_gives_the_turns_before():
    items = list(openai.read(InMemory(json.dumps(PLAIN).encode()[:-1] + b", {oops}]")))
    assert [said(turn) for turn in turns(items)] == [[("user", "hello"), ("assistant", "hi")]]
    assert skipped(items)[0].reason.startswith("record 3 and all later records cannot be read: ")


def test_a_conversation_without_a_user_is_kept_and_one_of_the_system_alone_says_nothing():
    (turn,) = turns(openai.read(InMemory([PLAIN[1]])))
    assert turn.origin == TurnOrigin("openai", turn.origin.id, turn.origin.id)
    assert list(openai.read(InMemory([{"role": "system", "content": "x"}]))) == []


def test_turns_are_given_as_they_are_read():
    class Endless(InMemory):
        def blocks(self):
            yield b"["
            while True:
                yield json.dumps(PLAIN).encode()[1:-1] + b","

    found = openai.read(Endless(b""))
    assert len({next(found).origin for _ in range(50)}) == 50


chatty = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from(["user", "assistant", "tool"]) | json_values,
        "content": json_values,
        "messages": json_values,
        "mapping": st.dictionaries(st.sampled_from("abc"), json_values, max_size=3) | json_values,
        "current_node": st.sampled_from("abc") | json_values,
        "chat_messages": json_values,
        "id": json_values,
        "create_time": json_values,
    },
)


@given(st.lists(chatty | json_values, max_size=4) | chatty | json_values, st.booleans())
def test_no_json_makes_an_importer_raise(content, in_lines):
    source = as_lines(content, content) if in_lines else InMemory(content)
    for importer in IMPORTERS:
        importer.recognises(source)
        list(importer.read(source))


@given(st.binary(max_size=40))
def test_no_bytes_make_an_importer_raise(content):
    for importer in IMPORTERS:
        importer.recognises(InMemory(content))
        list(importer.read(InMemory(content)))
