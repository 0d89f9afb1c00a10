from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.records.turn import Message, TextPart, ToolResult
from memtool.transcripts.turn_builder import (
    TurnBuilder,
    branch_to,
    id_of,
    parse_time,
    time_of,
    with_id_and_time,
)

NOON = datetime(2025, 1, 15, 12, tzinfo=UTC)


def gathered(messages, **kwargs):
    turns = TurnBuilder("agent", **kwargs)
    return [turn for one in messages for turn in turns.add(one)] + list(turns.finish())


def says(role, *texts):
    return Message(role, tuple(map(TextPart, texts)))


messages = st.lists(
    st.builds(says, st.sampled_from(["user", "assistant", "system", "tool"]), st.sampled_from(["", "a", "b"]))
)


@given(messages, messages)
def test_a_conversation_that_grows_keeps_the_origins_of_its_turns(before, after):
    old, new = gathered(before), gathered(before + after)
    if any(one.role == "user" and one.parts[0].text for one in before):
        assert [turn.origin for turn in new][: len(old)] == [turn.origin for turn in old]


@given(messages)
def test_no_message_is_lost_and_each_turn_has_one_opening(conversation):
    turns = gathered(conversation)
    kept = [one for turn in turns for one in turn.messages]
    spoken = [one for one in conversation if one.parts[0].text]
    assert kept == (spoken if any(one.role != "system" for one in spoken) else [])
    assert all(sum(one.role == "user" for one in turn.messages) == 1 for turn in turns[1:])
    assert len({turn.origin for turn in turns}) == len(turns)


def test_the_same_word_at_another_place_is_another_turn():
    one, two, three = gathered([says("user", "yes"), says("user", "yes"), says("user", "yes")])
    assert len({one.origin.id, two.origin.id, three.origin.id}) == 3
    assert one.origin.session == two.origin.session == three.origin.session


def test_results_of_tools_open_no_turn_even_when_the_user_sends_them():
    result = Message("user", (ToolResult("c", "found"),))
    (turn,) = gathered([says("system", "be kind"), says("user", "look"), result])
    assert [one.role for one in turn.messages] == ["system", "user", "user"]


def test_a_turn_began_when_its_opening_was_said_and_the_first_when_the_conversation_did():
    turns = TurnBuilder("agent", "s", NOON)
    done = [*turns.add(says("user", "one")), *turns.add(says("user", "two"))]
    done += [*turns.add(says("assistant", "yes"), NOON), *turns.finish()]
    assert [turn.at for turn in done] == [NOON, NOON]
    turns = TurnBuilder("agent", "s")
    assert [*turns.add(says("user", "one")), *turns.finish()][0].at is None


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("2025-01-15T12:00:00Z", 0),
        ("2025-01-15T14:00:00.000+02:00", 0),
        ("2025-01-15 12:00:00", 0),
        ("2025-01-15T12:00:00.5", 0.5),
        (NOON.timestamp(), 0),
        (int(NOON.timestamp()) * 1000, 0),
        (int(NOON.timestamp()) * 1_000_000, 0),
        (int(NOON.timestamp()) * 10**9, 0),
        (str(int(NOON.timestamp())), 0),
    ],
)
def test_a_moment_is_read_however_it_is_written(value, seconds):
    assert parse_time(value).timestamp() == NOON.timestamp() + seconds


@pytest.mark.parametrize(
    "value",
    [None, True, 0, -5, "", "soon", "nan", "1", "0001-01-01T00:00:00+14:00", 10**400, [], {}, "²²²²²²²²²"],
)
def test_what_is_no_moment_is_none(value):
    assert parse_time(value) is None


@given(st.floats() | st.integers() | st.text())
def test_moment_never_raises(value):
    found = parse_time(value)
    assert found is None or found.tzinfo is UTC


def test_a_message_keeps_its_id_and_time_once():
    more = {"id": 7, "created": NOON.timestamp(), "at": "junk", "name": "ann", "timestamp": "never"}
    found = with_id_and_time(Message("user", (), more), NOON, "7").more
    assert found == {"name": "ann", "timestamp": "never", "id": "7", "at": "2025-01-15T12:00:00Z"}
    assert with_id_and_time(Message("user", (), {"id": {}, "at": 5}), None, "").more == {}


def test_ids_and_times_are_found_under_the_keys_in_use():
    assert id_of({"id": " a ", "uuid": "b"}, "id", "uuid") == "a"
    assert id_of({"id": 5}, "id") == "5"
    assert id_of({"id": True, "uuid": ""}, "id", "uuid") == ""
    assert time_of({"created_at": "junk", "created": NOON.timestamp()}) == NOON
    assert time_of({}) is None


def test_the_way_to_a_leaf_ends_at_a_root_a_gap_or_a_circle():
    assert branch_to({"a": "", "b": "a", "c": "a"}, "c") == (["a", "c"], "")
    assert branch_to({"b": "a"}, "b") == (["b"], "lacks message a and the messages before it")
    way, why = branch_to({"a": "b", "b": "a"}, "a")
    assert (way, why) == (["b", "a"], "has parent links that form a cycle at message a")
