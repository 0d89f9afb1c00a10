"""Which messages give way, and when: never an end, a system message, or half of a call and its result."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.compaction.compact import (
    CompactionStage,
    CompactionThresholds,
    InsertedMessage,
    KeepCounts,
    NextTurnEstimate,
    compaction_id,
    compaction_marker,
    compaction_stage,
    expected_tokens,
    is_marker,
    remaining_messages,
    split_conversation,
)
from memtool.core.compaction.conversation import call_result_pairs
from memtool.formats.conversation import parse
from tests.conversations import records


def items(found):
    return parse(json.dumps(found)).items


@given(records, st.integers(0, 5), st.integers(0, 6))
def test_a_split_loses_nothing_and_parts_no_pair(found, first, last):
    made = items(found)
    cut = split_conversation(made, KeepCounts(first, last))
    assert sorted((*cut.kept, *cut.dropped)) == list(range(len(made)))
    kept = set(cut.kept)
    assert set(range(min(first, len(made)))) <= kept
    assert set(range(len(made) - min(last, len(made) // 2), len(made))) <= kept
    assert all(made[number].role != "system" for number in cut.dropped)
    assert all((call in kept) == (result in kept) for call, result in call_result_pairs(made))
    if len(made) <= 6:
        assert not cut.dropped


@given(records)
def test_nothing_is_kept_that_need_not_be(found):
    made = items(found)
    cut = split_conversation(made)
    if not cut.dropped:
        return
    count = len(made)
    musts = {0, 1, *range(count - min(4, count // 2), count)}
    musts |= {number for number, item in enumerate(made) if item.role == "system"}
    linked = list(call_result_pairs(made))
    for _ in made:
        musts |= {one for pair in linked if musts & set(pair) for one in pair}
    assert set(cut.kept) == musts


def plain(count):
    return items(
        [{"role": "user" if number % 2 else "assistant", "content": str(number)} for number in range(count)]
    )


@pytest.mark.parametrize(("count", "kept"), [(6, 6), (7, 5), (8, 6), (9, 6), (5000, 6)])
def test_at_the_end_never_more_than_half_stays(count, kept):
    assert len(split_conversation(plain(count)).kept) == kept


def test_ids_that_are_used_again_belong_to_the_nearest_call():
    def turn(number):
        return [
            {"role": "user", "content": f"question {number}"},
            {"role": "assistant", "tool_calls": [{"id": "call_0", "function": {"name": "ls"}}]},
            {"role": "tool", "tool_call_id": "call_0", "content": "a"},
            {"role": "assistant", "content": "done"},
        ]

    cut = split_conversation(items([record for number in range(10) for record in turn(number)]))
    assert cut.kept == (0, 1, 2, 36, 37, 38, 39)


def test_the_next_turn_and_what_it_asks_for():
    assert expected_tokens(1000, [100, 300]) == 1200
    assert expected_tokens(1000, []) == 1000
    assert expected_tokens(1000, [100, 300], NextTurnEstimate(factor=1.2)) == 1440
    assert expected_tokens(1000, [100, 300], NextTurnEstimate(replies=0)) == 1000
    assert [compaction_stage(tokens, 1000) for tokens in (599, 600, 699, 700)] == [
        CompactionStage.EASY,
        CompactionStage.FLUSH,
        CompactionStage.FLUSH,
        CompactionStage.COMPACT,
    ]
    assert compaction_stage(500, 1000, CompactionThresholds(0.4, 0.45)) is CompactionStage.COMPACT


def test_nothing_is_kept_at_the_beginning_where_that_is_asked_for():
    assert split_conversation(plain(10), KeepCounts(0, 4)).kept == (6, 7, 8, 9)
    assert split_conversation(plain(10), KeepCounts(0, 0)).kept == ()


def test_the_marker_says_how_many_and_is_known_again():
    said = compaction_marker(12, ["MEMORY.md", "a.md", "b.md"])
    assert said == (
        "[CONTEXT COMPACTION: 12 earlier messages were removed to free context space. Recent conversation "
        "preserved below. Check MEMORY.md, a.md and b.md for important information "
        "from the removed messages.]"
    )
    assert is_marker(said)
    assert not is_marker("What is a [CONTEXT COMPACTION: marker?")


def test_the_same_messages_have_the_same_request():
    assert compaction_id(["a", "b"]) == compaction_id(["a", "b"]) != compaction_id(["ab"])


@pytest.mark.parametrize(
    ("call", "result"),
    [("", ""), (" a ", "a"), ("a", "other")],
    ids=["no ids", "blanks around them", "an id that no call has"],
)
def test_a_result_belongs_to_the_last_call_where_its_id_does_not_tell(call, result):
    found = [{"role": "user", "content": str(number)} for number in range(12)]
    found[7] = {"role": "assistant", "content": [{"type": "tool_use", "id": call, "name": "ls", "input": {}}]}
    found[8] = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": result, "content": "a"}]}
    assert split_conversation(items(found)).kept == (0, 1, 7, 8, 9, 10, 11)


def test_a_system_message_is_one_however_it_is_spelt():
    found = [{"role": "user", "content": str(number)} for number in range(12)]
    found[5] = {"role": "System", "content": "be brief"}
    assert 5 in split_conversation(items(found)).kept


def roles_of(made, order):
    return [made[entry].role if isinstance(entry, int) else entry.role for entry in order]


@given(st.lists(st.booleans(), min_size=3, max_size=9), st.integers(0, 4), st.integers(0, 5), st.booleans())
def test_roles_alternate_after_a_compaction_as_before(with_tools, first, last, has_system):
    found = [{"role": "system", "content": "Be brief."}] * has_system
    for number, with_tool in enumerate(with_tools):
        found.append({"role": "user", "content": f"question {number}"})
        if with_tool:
            call = {"id": f"c{number}", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
            found.append({"role": "assistant", "content": "", "tool_calls": [call]})
            found.append({"role": "tool", "tool_call_id": f"c{number}", "content": "a.txt"})
        found.append({"role": "assistant", "content": f"answer {number}"})
    made = items(found)
    cut = split_conversation(made, KeepCounts(first, last))
    if not cut.dropped:
        return
    order = remaining_messages(made, cut)
    assert tuple(entry for entry in order if isinstance(entry, int)) == cut.kept
    assert order.count(InsertedMessage.MARKER) == 1
    roles = [role for role in roles_of(made, order) if role != "system"]
    assert roles[0] == "user"
    assert all(before != after for before, after in itertools.pairwise(roles))


def test_what_follows_each_other_in_the_conversation_itself_stays_so():
    made = items([{"role": "user", "content": f"line {number}"} for number in range(9)])
    order = remaining_messages(made, split_conversation(made))
    assert order == [
        *(0, 1, InsertedMessage.REPLY, InsertedMessage.MARKER, InsertedMessage.REPLY),
        *(5, 6, 7, 8),
    ]
