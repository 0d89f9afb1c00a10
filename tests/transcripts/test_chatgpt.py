from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.transcripts import chatgpt
from memtool.transcripts.transcript import ImportedFact, SkippedRecord, TurnOrigin
from tests.transcripts.in_memory import InMemory, as_lines, facts, said, skipped, turns
from tests.transcripts.test_json_stream import json_values

START = 1736942400.0
AT = datetime(2025, 1, 15, 12, tzinfo=UTC)


def message(role, *parts, kind="text", at=START, **fields):
    author = {"role": role, "name": fields.pop("name", None)}
    content = fields.pop("content", {"parts": list(parts)})
    return {
        "id": "unused",
        "author": author,
        "create_time": at,
        "content": {"content_type": kind, **content},
        "weight": 1.0,
        "recipient": "all",
        "metadata": {},
        **fields,
    }


def conversation(*messages, branches=(), **fields):
    """A conversation of messages n1, n2, … each the parent of the next, and branches."""
    mapping = {"root": {"id": "root", "parent": None, "message": None, "children": ["n1"]}}
    for number, one in enumerate(messages, 1):
        parent = f"n{number - 1}" if number > 1 else "root"
        mapping[f"n{number}"] = {"id": f"n{number}", "parent": parent, "message": one, "children": []}
    for key, parent, one in branches:
        mapping[key] = {"id": key, "parent": parent, "message": one, "children": []}
    current = f"n{len(messages)}"
    return {
        "title": "t",
        "conversation_id": "conv",
        "create_time": START,
        "mapping": mapping,
        "current_node": current,
        **fields,
    }


def read(*conversations):
    return list(chatgpt.read(InMemory(list(conversations))))


def one_turn(*messages):
    (turn,) = turns(read(conversation(message("user", "go"), *messages)))
    return said(turn)[1:]


def test_the_branch_that_was_open_last_is_read_in_its_order():
    (one, two) = turns(
        read(
            conversation(
                message("system", ""),
                message("user", "first"),
                message("assistant", "answer", at=START + 1, metadata={"model_slug": "m-1"}),
                message("user", "second", at=None),
                message("assistant", "end"),
                branches=[("dead", "n2", message("assistant", "dropped", at=START + 999))],
            )
        )
    )
    assert said(one) == [("user", "first"), ("assistant", "answer")]
    assert said(two) == [("user", "second"), ("assistant", "end")]
    assert (one.origin, two.origin) == (
        TurnOrigin("chatgpt", "conv", "n2"),
        TurnOrigin("chatgpt", "conv", "n4"),
    )
    assert (one.at, two.at) == (AT, AT)
    assert one.messages[1].more == {"id": "n3", "at": "2025-01-15T12:00:01Z", "model": "m-1"}
    assert two.messages[0].more == {"id": "n4"}


@pytest.mark.parametrize("current", [None, "gone", 5, {}])
def test_without_a_last_open_message_the_newest_leaf_is_taken(current):
    found = conversation(
        message("user", "q"),
        message("assistant", "old"),
        branches=[("new", "n1", message("assistant", "new", at=START + 5))],
        current_node=current,
    )
    (turn,) = turns(read(found))
    assert said(turn) == [("user", "q"), ("assistant", "new")]


def test_one_conversation_by_itself_and_one_a_line_are_read_too():
    found = conversation(message("user", "q"))
    assert len(turns(chatgpt.read(InMemory(found)))) == 1
    assert len(turns(chatgpt.read(as_lines(found, found)))) == 2


def test_hidden_messages_and_what_the_system_says_are_left_out():
    hidden = {"is_visually_hidden_from_conversation": True}
    assert one_turn(
        message("assistant", "hidden", metadata=hidden),
        message("assistant", "weightless", weight=0.0),
        message("system", "rules"),
        message("assistant", ""),
        message("assistant", "seen"),
    ) == [("assistant", "seen")]


def test_what_the_model_put_down_is_a_fact_and_leaves_the_turn():
    items = read(
        conversation(
            message("user", "I live in Ulm"),
            message("assistant", "Lives in Ulm.", recipient="bio", at=START + 1),
            message("tool", "Model set context updated.", name="bio"),
            message("assistant", "Noted.", at=START + 2),
        )
    )
    assert facts(items) == [ImportedFact("Lives in Ulm.", datetime(2025, 1, 15, 12, 0, 1, tzinfo=UTC))]
    assert [said(turn) for turn in turns(items)] == [[("user", "I live in Ulm"), ("assistant", "Noted.")]]


def test_calls_of_tools_are_paired_with_what_came_back():
    output = {"text": "2"}
    failed = {"aggregate_result": {"status": "failed_with_in_kernel_exception"}}
    assert one_turn(
        message("assistant", kind="code", content={"language": "python", "text": "1+1"}, recipient="python"),
        message("tool", kind="execution_output", content=output, name="python"),
        message("assistant", '{"q": "x"}', recipient="browser.search"),
        message("tool", kind="execution_output", content={"text": "boom"}, name="python", metadata=failed),
        message(
            "tool", kind="tether_quote", content={"title": "T", "url": "u", "text": "quote"}, name="browser"
        ),
        message("tool", kind="system_error", content={"name": "Oops", "text": "no"}, name="browser.search"),
    ) == [
        ("assistant", ("call", "n2", "python", "1+1")),
        ("tool", ("result", "n2", "2", False)),
        ("assistant", ("call", "n4", "browser.search", '{"q": "x"}')),
        ("tool", ("result", "n2", "boom", True)),
        ("tool", ("result", "n4", "T\nu\nquote", False)),
        ("tool", ("result", "n4", "Oops\nno", True)),
    ]


def test_what_a_tool_says_without_a_call_is_kept_as_its_words():
    assert one_turn(message("tool", "found", name="file_search")) == [("tool", "found")]


@pytest.mark.parametrize(
    ("kind", "content", "expected"),
    [
        ("text", {"parts": ["a", "", "b"]}, ("a", "b")),
        ("code", {"language": "unknown", "text": "x = 1"}, ("x = 1",)),
        (
            "thoughts",
            {"thoughts": [{"summary": "Plan", "content": "do it"}, {"summary": "", "content": "then"}, 5]},
            (("thought", "Plan\ndo it"), ("thought", "then")),
        ),
        ("reasoning_recap", {"content": "Thought for 5s"}, (("thought", "Thought for 5s"),)),
        ("tether_browsing_display", {"result": "page", "summary": None}, ("page",)),
        (
            "multimodal_text",
            {
                "parts": [
                    {
                        "content_type": "image_asset_pointer",
                        "asset_pointer": "file-service://f",
                        "size_bytes": 5120,
                    },
                    {"content_type": "audio_transcription", "text": "hello"},
                    {"content_type": "audio_asset_pointer", "format": "wav", "size_bytes": 9},
                    {
                        "content_type": "real_time_user_audio_video_asset_pointer",
                        "audio_asset_pointer": {
                            "format": "wav",
                            "size_bytes": 7,
                            "asset_pointer": "sediment://s",
                        },
                    },
                    "look",
                    None,
                ]
            },
            (
                "[image: 5120 bytes, file-service://f]",
                "hello",
                "[audio: wav, 9 bytes]",
                "[real_time_user_audio_video: wav, 7 bytes, sediment://s]",
                "look",
            ),
        ),
        ("new_kind", {"text": "words"}, ("words",)),
        ("new_kind", {"blob": 1}, ("[new_kind]",)),
    ],
)
def test_each_type_of_content_is_read(kind, content, expected):
    assert one_turn(message("assistant", kind=kind, content=content)) == [("assistant", *expected)]


def test_what_the_user_set_for_all_conversations_opens_no_turn():
    context = message("user", kind="user_editable_context", content={"user_profile": "I am Ann"})
    (turn,) = turns(read(conversation(context, message("user", "hi"))))
    assert said(turn) == [("system", "I am Ann"), ("user", "hi")]
    assert turn.origin.id == "n2"


def test_files_given_with_a_message_are_named_once():
    shown = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-1", "size_bytes": 3}
    attachments = [
        {"id": "file-1", "name": "a.png", "mimeType": "image/png", "size": 3},
        {"id": "file-2", "name": "b.pdf", "mime_type": "application/pdf", "size": 4},
    ]
    given_files = message("user", shown, kind="multimodal_text", metadata={"attachments": attachments})
    (turn,) = turns(read(conversation(given_files)))
    assert said(turn) == [
        ("user", "[image: 3 bytes, file-service://file-1]", "[file b.pdf: application/pdf, 4 bytes]")
    ]


def test_a_record_that_is_no_conversation_costs_that_record():
    good = conversation(message("user", "q"))
    items = read(5, {"title": "no mapping"}, {"mapping": []}, good, {"mapping": {}})
    assert skipped(items) == [
        SkippedRecord(0, "record 1 is not an object"),
        SkippedRecord(0, "record 2 is not a conversation: it has no 'mapping'"),
        SkippedRecord(0, "record 3 is not a conversation: it has no 'mapping'"),
    ]
    assert len(turns(items)) == 1


def test_circles_gaps_and_broken_messages_are_told_and_the_rest_is_read():
    circle = conversation(message("user", "a"), message("assistant", "b"))
    circle["mapping"]["n1"]["parent"] = "n2"
    gap = conversation(message("user", "a"), message("user", "b"))
    del gap["mapping"]["n1"]
    broken = conversation(message("user", "a"), "text", message("assistant", "c"))
    items = read(circle, gap, broken)
    assert skipped(items) == [
        SkippedRecord(0, "record 1 has parent links that form a cycle at message n2"),
        SkippedRecord(0, "record 2 lacks message n1 and the messages before it"),
        SkippedRecord(0, "record 3 has a message that is not an object: n2"),
    ]
    assert [said(turn) for turn in turns(items)] == [
        [("user", "a"), ("assistant", "b")],
        [("user", "b")],
        [("user", "a"), ("assistant", "c")],
    ]


def test_a_conversation_without_an_id_is_known_by_its_opening():
    unnamed = conversation(message("user", "a"), conversation_id=None)
    grown = conversation(message("user", "a"), message("user", "b"), conversation_id=None)
    (before,) = turns(read(unnamed))
    after = turns(read(grown))
    assert before.origin == after[0].origin
    assert before.origin.session
    assert after[1].origin.session == before.origin.session


def test_a_conversation_that_grows_or_is_answered_anew_keeps_its_turns():
    short = conversation(message("user", "a"), message("assistant", "b"))
    grown = conversation(
        message("user", "a"), message("assistant", "B"), message("user", "c"), title="renamed"
    )
    assert [turn.origin for turn in turns(read(grown))][:1] == [turn.origin for turn in turns(read(short))]


nodes = st.fixed_dictionaries(
    {"parent": st.sampled_from(["", "a", "b", "c"]) | json_values},
    optional={
        "message": json_values
        | st.fixed_dictionaries(
            {
                "author": st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "tool"])})
                | json_values
            },
            optional={
                "content": json_values
                | st.fixed_dictionaries(
                    {
                        "content_type": json_values
                        | st.sampled_from(
                            ["text", "multimodal_text", "code", "thoughts", "tether_quote", "system_error"]
                        )
                    },
                    optional={"parts": json_values, "text": json_values, "thoughts": json_values},
                ),
                "metadata": json_values | st.fixed_dictionaries({"attachments": st.lists(json_values)}),
                "recipient": st.sampled_from(["all", "bio", "python"]) | json_values,
                "create_time": json_values,
                "weight": json_values,
                "channel": json_values,
            },
        )
    },
)


@given(st.dictionaries(st.sampled_from("abc"), nodes), st.sampled_from("abcd") | json_values)
def test_no_tree_makes_it_raise_or_run_for_ever(mapping, current):
    found = read({"mapping": mapping, "current_node": current})
    assert len(turns(found)) <= len(mapping)
