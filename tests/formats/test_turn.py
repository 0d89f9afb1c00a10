"""The turn format: its laws, and that the check by hand says what the schema says."""

from __future__ import annotations

import contextlib
import copy
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtool.core.records.turn import (
    Message,
    ReasoningPart,
    TextPart,
    ToolCall,
    ToolResult,
    Turn,
    canonical_messages,
)
from memtool.errors import NewerVersion, UnreadableFile
from memtool.formats import head, quarantine_record, salience, turn
from memtool.formats.syntax import json_text
from memtool.store.config import schemas

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
WORDS = st.text(st.characters(), max_size=12) | st.sampled_from(
    ["", " ", "\n", " x ", "\ud800", "\x1f", "\u2028"]
)
MORE = st.dictionaries(st.sampled_from(["at", "x-user", "späť"]), JSON, max_size=2)
PARTS = st.one_of(
    st.builds(TextPart, WORDS, st.sampled_from(["", "commentary", "final"]), MORE),
    st.builds(ReasoningPart, WORDS, st.dictionaries(st.text(max_size=4), JSON, max_size=2), MORE),
    st.builds(ToolCall, WORDS, WORDS, WORDS, MORE),
    st.builds(ToolResult, WORDS, WORDS, st.booleans(), MORE),
)
MESSAGES = st.builds(Message, WORDS, st.lists(PARTS, max_size=4).map(tuple), MORE)
TURNS = st.builds(
    lambda id_, seq, at, messages, more: Turn(id_, seq, at, canonical_messages(messages), more),
    WORDS,
    st.integers(0, 2**63 - 1),
    st.datetimes().map(lambda moment: moment.isoformat() + "Z"),
    st.lists(MESSAGES, max_size=4).map(tuple),
    MORE,
)


@given(TURNS)
def test_what_is_written_is_read_back(value):
    text = turn.render(value)
    assert turn.parse(text) == value
    assert turn.parse(text.encode().decode()) == value
    assert text.endswith("}\n")


@given(TURNS)
def test_a_turn_of_ours_keeps_the_schema(value):
    record = json.loads(turn.render(value))
    assert turn.invalid_reason(record) is None
    assert list(schemas.violations("turn", record)) == []


SPOILED = [
    None,
    True,
    False,
    0,
    1,
    2,
    2.0,
    2.5,
    -1,
    2**63,
    "",
    " ",
    "x",
    " x",
    "x\n",
    [],
    [{}],
    {},
    {"a": 1},
    "final",
]


def spoiled(record, chance: random.Random):
    """The record with one value anywhere in it replaced or taken out."""
    record = copy.deepcopy(record)
    places = []

    def walk(value):
        keys = list(value) if isinstance(value, dict) else range(len(value))
        for key in keys:
            places.append((value, key))
            if isinstance(value[key], dict | list):
                walk(value[key])

    walk(record)
    value, key = chance.choice(places)
    if isinstance(value, dict) and chance.random() < 0.3:
        del value[key]
    elif chance.random() < 0.1 and isinstance(value, dict):
        value[chance.choice(["type", "text", "replay", "is_error", "id"])] = chance.choice(SPOILED)
    else:
        value[key] = chance.choice(SPOILED)
    return record


@settings(max_examples=300)
@given(TURNS, st.randoms(use_true_random=True))
def test_the_check_by_hand_and_the_schema_agree(value, chance):
    record = json.loads(turn.render(value))
    for _ in range(12):
        bad = spoiled(record, chance)
        assert (turn.invalid_reason(bad) is None) == (not list(schemas.violations("turn", bad))), bad


@settings(max_examples=200)
@given(JSON)
def test_they_agree_on_any_json(value):
    assert (turn.invalid_reason(value) is None) == (not list(schemas.violations("turn", value)))
    assert (head.invalid_reason(value) is None) == (not list(schemas.violations("head", value)))
    assert (quarantine_record.invalid_reason(value) is None) == (
        not list(schemas.violations("quarantine-record", value))
    )
    assert (salience.invalid_reason(value) is None) == (not list(schemas.violations("salience", value)))


RECORD = {
    "reason": "is empty",
    "sha256": "0" * 64,
    "size": 0,
    "at": "2025-01-15T10:30:00Z",
    "from": "a/b.json",
}
HEAD = {"last_seq": 3, "updated_at": "2025-01-15T10:30:00Z"}


@settings(max_examples=300)
@given(st.randoms(use_true_random=True))
def test_the_small_formats_agree_with_their_schemas_too(chance):
    for module, name, good in ((head, "head", HEAD), (quarantine_record, "quarantine-record", RECORD)):
        assert module.invalid_reason(good) is None
        bad = spoiled(good, chance)
        assert (module.invalid_reason(bad) is None) == (not list(schemas.violations(name, bad))), bad


def test_the_small_formats_are_read_back():
    assert head.parse(head.render(head.HeadFile(3, "2025-01-15T10:30:00Z", {"x": 1}))).more == {"x": 1}
    value = quarantine_record.parse(json.dumps(RECORD))
    assert quarantine_record.parse(quarantine_record.render(value)) == value
    assert json.loads(quarantine_record.render(value)) == RECORD


def test_each_text_of_a_turn_stands_on_a_line_of_its_own():
    value = Turn("t", 1, "2025-01-15T10:30:00Z", (Message("user", (TextPart("a\nb"), TextPart("c"))),))
    assert '          "text": "a\\nb"\n' in turn.render(value)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is empty"),
        (b" \n", "contains only whitespace"),
        (b'{"a": [1, 2', "is truncated"),
        (b'{"a": "bc', "is truncated"),
        (b'{"a": 1} x', "has text after the end of the JSON value"),
        (b'{"a": 1}\0', "contains a NUL"),
        (b"\0\0\0", "contains a NUL"),
        (b"\xff\xfe{\0}\0", "is not UTF-8 text (byte 1)"),
        (b'{"a": NaN}', "invalid value NaN"),
        (b'{"a": 1e999}', "the number 1e999 is too large"),
        (b"[" * 100_000, "nested too deeply"),
        (b"{'a': 1}", "is not JSON"),
        (b"9" * 5000, "is not JSON"),
    ],
)
def test_what_is_no_json_says_why(content, why):
    with pytest.raises(json_text.InvalidJson, match=r".*") as raised:
        json_text.load(content)
    assert why in str(raised.value)


def test_a_byte_order_mark_is_passed_over():
    assert json_text.load(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


def test_a_newer_turn_is_told_from_a_broken_one():
    with pytest.raises(NewerVersion, match="newer version of memtool"):
        turn.parse('{"schema_version": 3}')
    with pytest.raises(UnreadableFile, match="does not have schema_version 2"):
        turn.parse("{}")
    with pytest.raises(UnreadableFile, match=r"message \(number 1\): part 1 has no text"):
        turn.parse(
            '{"schema_version": 2, "id": "", "seq": 1, "created_at": "2025-01-15T10:30:00+05:00",'
            ' "messages": [{"role": "user", "parts": [{"type": "text"}]}]}'
        )


@pytest.mark.parametrize(
    "time",
    [
        *("2025-01-15", "2025-01-15T10:30:00", "2025-02-30T10:30:00Z", "2025-01-15 10:30:00Z", "now"),
        *("2025-01-15T10:30:00z", "2025-01-15T24:00:00Z", "2025-01-15T10:30:60Z", "2025-01-15T10:30Z"),
        *("0000-01-01T00:00:00Z", "0001-01-01T00:00:00+10:00", "2025-01-15T10:30:00Z\n"),
    ],
)
def test_what_is_no_time_is_no_time(time):
    record = {"schema_version": 2, "id": "", "seq": 1, "created_at": time, "messages": []}
    assert turn.invalid_reason(record)
    assert list(schemas.violations("turn", record))


@given(st.text() | JSON.map(json.dumps))
def test_any_text_is_read_or_refused_with_a_reason(text):
    for module in (turn, head, quarantine_record, salience):
        with contextlib.suppress(UnreadableFile, NewerVersion):  # and nothing else
            value = module.parse(text)
            assert module.parse(module.render(value)) == value
