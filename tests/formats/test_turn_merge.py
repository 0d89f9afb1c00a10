"""Merging turn files: machines give the same number to different turns, and none of them is lost."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memtool.core.records.turn import CONCURRENT, Message, TextPart, Turn, turn_id
from memtool.errors import UnreadableFile
from memtool.formats import turn as turn_format
from memtool.formats.three_way import merge_file
from memtool.store.config import schemas


def turn(said, second=0, seq=7, **more):
    messages = tuple(Message("user", (TextPart(text),)) for text in said.split("|"))
    return Turn(turn_id(seq), seq, f"2026-01-02T10:00:{second:02}Z", messages, more)


def file_of(*turns):
    text = ""
    for each in turns:
        text = turn_format.merge("", text, turn_format.render(each)) if text else turn_format.render(each)
    return text


def merge(base, ours, theirs):
    return merge_file("turn", "turn", "7.json", base, ours, theirs)


def said(text):
    """What each turn of a file says, in order."""
    turns = turn_format.turns_of(turn_format.parse(text))
    return ["|".join(message.parts[0].text for message in each.messages) for each in turns]


@pytest.mark.parametrize(
    "others",
    [None, "x", {}, ["x"], [{}], [json.loads(turn_format.render(turn("b"))) | {"concurrent": []}]],
    ids=str,
)
def test_a_file_whose_merged_turns_are_no_turns_is_not_a_turn(others):
    record = json.loads(turn_format.render(turn("a"))) | {"concurrent": others}
    assert schemas.violation("turn", record)
    with pytest.raises(UnreadableFile, match="concurrent"):
        turn_format.parse(json.dumps(record))


TURNS = st.builds(turn, st.sampled_from(["a", "a|b", "b", "a|c"]), st.integers(0, 2))
FILES = st.lists(TURNS, min_size=1, max_size=4).map(lambda turns: file_of(*turns))


@given(FILES, FILES, FILES)
def test_order_and_grouping_do_not_matter(a, b, c):
    assert merge("", a, b) == merge("", b, a)
    assert merge("", merge("", a, b), c) == merge("", a, merge("", b, c))
    assert merge("", merge("", a, b), b) == merge("", a, b)


@given(FILES, FILES, FILES)
def test_what_is_in_both_stays_and_what_either_deleted_goes(base, a, b):
    def continues(turn, other):
        return turn.created_at == other.created_at and turn.messages[: len(other.messages)] == other.messages

    old, left, right = (turn_format.turns_of(turn_format.parse(text)) for text in (base, a, b))
    assume(a != b)
    result = turn_format.turns_of(turn_format.parse(merge(base, a, b)))
    expected = [each for each in left if each in right or each not in old]
    expected += [each for each in right if each in left or each not in old]
    for each in expected:
        assert any(continues(kept, each) for kept in result)
    if expected and base not in (a, b):
        assert all(kept in expected for kept in result)


def test_the_file_has_the_earliest_turn_and_the_others_beside_it():
    text = merge("", file_of(turn("later", 5)), file_of(turn("earlier", 1, model="x")))
    record = turn_format.record(turn_format.parse(text))
    assert (said(text), record["model"], record["seq"]) == (["earlier", "later"], "x", 7)
    assert record[CONCURRENT] == [turn_format.record(turn("later", 5))]


def test_a_turn_that_one_machine_continued_is_one_turn():
    assert said(merge("", file_of(turn("a")), file_of(turn("a|b")))) == ["a|b"]
    grown = merge(file_of(turn("a")), file_of(turn("a|b")), file_of(turn("a|b|c")))
    assert said(grown) == ["a|b|c"]


def test_one_machine_s_change_of_a_merged_turn_holds():
    both = file_of(turn("secret", 1), turn("other", 2))
    assert said(merge(both, file_of(turn("[removed]", 1), turn("other", 2)), both)) == ["[removed]", "other"]
    assert said(merge(both, file_of(turn("other", 2)), file_of(turn("secret", 1), turn("new", 3)))) == ["new"]


@pytest.mark.parametrize("text", ["", "{}", '{"schema_version": 9}', "not JSON"])
def test_a_file_that_is_no_turn_is_not_merged(text):
    assert merge("x", text, file_of(turn("a"))) is None


def test_a_list_that_does_not_hold_turns_is_not_merged():
    text = turn_format.render(turn("a", concurrent=[{"messages": []}]))
    with pytest.raises(UnreadableFile, match="concurrent"):
        turn_format.merge("", text, file_of(turn("b")))
    assert merge("x", text, file_of(turn("b"))) is None
