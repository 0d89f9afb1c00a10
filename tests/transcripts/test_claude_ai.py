from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from memtool.transcripts import claude_ai
from memtool.transcripts.transcript import SkippedRecord, TurnOrigin
from tests.transcripts.in_memory import InMemory, said, skipped, turns
from tests.transcripts.test_json_stream import json_values


def message(uuid, sender, text="", **fields):
    return {
        "uuid": uuid,
        "sender": sender,
        "text": text,
        "created_at": "2025-01-15T12:00:00.000000Z",
        **fields,
    }


def read(*messages, **fields):
    return list(
        claude_ai.read(InMemory([{"uuid": "conv", "name": "n", "chat_messages": list(messages), **fields}]))
    )


def test_a_conversation_is_read_as_its_turns():
    one, two = turns(
        read(message("a", "human", "hello"), message("b", "assistant", "hi"), message("c", "human", "bye"))
    )
    assert said(one) == [("user", "hello"), ("assistant", "hi")]
    assert said(two) == [("user", "bye")]
    assert (one.origin, two.origin) == (
        TurnOrigin("claude-ai", "conv", "a"),
        TurnOrigin("claude-ai", "conv", "c"),
    )
    assert one.at == datetime(2025, 1, 15, 12, tzinfo=UTC)
    assert one.messages[1].more == {"id": "b", "at": "2025-01-15T12:00:00Z"}


def test_blocks_are_read_before_the_text_and_tools_are_paired_without_ids():
    content = [
        {"type": "thinking", "thinking": "look"},
        {"type": "text", "text": "Looking."},
        {"type": "tool_use", "id": None, "name": "web_search", "input": {"q": "x"}},
        {"type": "tool_result", "tool_use_id": None, "name": "web_search", "content": [], "is_error": True},
        {"type": "token_budget"},
        {"type": "text", "text": "Nothing."},
    ]
    (turn,) = turns(read(message("a", "human", "find"), message("b", "assistant", "flat", content=content)))
    assert said(turn)[1:] == [
        ("assistant", ("thought", "look"), "Looking.", ("call", "b:3", "web_search", '{"q": "x"}')),
        ("tool", ("result", "b:3", "", True)),
        ("assistant", "Nothing."),
    ]


def test_the_text_is_read_where_the_blocks_say_nothing():
    (turn,) = turns(read(message("a", "human", "hello", content=[{"type": "flag"}])))
    assert said(turn) == [("user", "hello")]


def test_given_files_keep_their_text_or_leave_a_placeholder():
    notes = {"file_name": "notes.txt", "file_type": "text/plain", "file_size": 4, "extracted_content": "note"}
    files = [{"file_name": "notes.txt"}, {"file_name": "a.png"}]
    (turn,) = turns(read(message("a", "human", "see", attachments=[notes, 5], files=files)))
    assert said(turn) == [
        ("user", "[file notes.txt: text/plain, 4 bytes]\nnote", "[file a.png]", "see"),
    ]


def test_where_a_message_was_answered_twice_the_last_branch_is_read():
    root = "00000000-0000-4000-8000-000000000000"
    tree = [
        message("a", "human", "q", parent_message_uuid=root),
        message("b", "assistant", "old", parent_message_uuid="a"),
        message("c", "assistant", "new", parent_message_uuid="a"),
    ]
    assert said(turns(read(*tree))[0]) == [("user", "q"), ("assistant", "new")]
    assert said(turns(read(*tree, current_leaf_message_uuid="b"))[0]) == [("user", "q"), ("assistant", "old")]


def test_what_is_broken_costs_itself():
    items = read(message("a", "human", "q"), 5, message("b", "nobody", "x"), message("c", "assistant", "y"))
    assert skipped(items) == [
        SkippedRecord(0, "record 1 has an invalid message: message 2 is not an object"),
        SkippedRecord(0, "record 1 has an invalid message: message 3 has no sender"),
    ]
    assert [said(turn) for turn in turns(items)] == [[("user", "q"), ("assistant", "y")]]
    items = list(claude_ai.read(InMemory([5, {"uuid": "x"}])))
    assert skipped(items) == [
        SkippedRecord(0, "record 1 is not an object"),
        SkippedRecord(0, "record 2 is not a conversation: it has no 'chat_messages'"),
    ]


messages = st.fixed_dictionaries(
    {"sender": st.sampled_from(["human", "assistant"])},
    optional={
        key: json_values
        | st.lists(
            st.fixed_dictionaries(
                {},
                optional={
                    "type": st.sampled_from(["text", "tool_use", "tool_result", "thinking"]),
                    "text": json_values,
                    "id": json_values,
                },
            )
        )
        for key in ("uuid", "content", "text", "attachments", "files", "created_at", "parent_message_uuid")
    },
)


@given(st.lists(messages | json_values, max_size=4))
def test_no_conversation_makes_it_raise(found):
    read(*found)
