"""Edits of settings: what is meant changes, and not a byte besides."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.formats.syntax import json_edit
from memtool.formats.syntax.json_text import InvalidJson

COMMENTED = """\
{
  // mine
  "model": "opus", // keep
  "hooks": {
    "Stop": [
      { "command": "say done" } // bell
    ]
  }
}
"""


def test_an_item_joins_a_list_and_comments_stay():
    changed = json_edit.set_value(COMMENTED, ["hooks", "Stop", 1], {"command": "x"})
    assert changed == COMMENTED.replace(
        '{ "command": "say done" } // bell\n',
        '{ "command": "say done" }, // bell\n      {\n        "command": "x"\n      }\n',
    )
    assert json_edit.remove_value(changed, ["hooks", "Stop", 1]) == COMMENTED


def test_a_member_joins_an_object_and_goes_again():
    changed = json_edit.set_value(COMMENTED, ["hooks", "End"], [1])
    assert json_edit.load(changed)["hooks"] == {"Stop": [{"command": "say done"}], "End": [1]}
    assert json_edit.remove_value(changed, ["hooks", "End"]) == COMMENTED


def test_a_value_is_replaced_in_its_place():
    assert json_edit.set_value(COMMENTED, ["model"], "haiku") == COMMENTED.replace('"opus"', '"haiku"')


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", '{\n  "a": {\n    "b": 1\n  }\n}'),
        ("{\n}\n", '{\n  "a": {\n    "b": 1\n  }\n}\n'),
        ('{"x": 1}', '{"x": 1, "a": {"b": 1}}'),
        ('{"x": {"y": 1,},}', '{"x": {"y": 1,}, "a": {"b": 1},}'),
        ('{\n\t"x": 1\n}\n', '{\n\t"x": 1,\n\t"a": {\n\t\t"b": 1\n\t}\n}\n'),
        ('{\n    "x": 1,\n}\n', '{\n    "x": 1,\n    "a": {\n        "b": 1\n    },\n}\n'),
        ('\ufeff{\r\n  "x": 1\r\n}\r\n', '\ufeff{\r\n  "x": 1,\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}\r\n'),
        ("{x: 'it\\'s', /* } */ y: 0x1F\n}", "{x: 'it\\'s', /* } */ y: 0x1F,\n"),
    ],
)
def test_whatever_the_style_it_is_kept(text, expected):
    changed = json_edit.set_value(text, ["a", "b"], 1)
    assert changed.startswith(expected)
    assert json_edit.load(json_edit.remove_value(changed, ["a"])) == json_edit.load(text)


@pytest.mark.parametrize("start", ["{", "{ ", "{\n  ", "{\r\n\t"])
@pytest.mark.parametrize("members", ["a: {enabled: true}", '"a": 1, b: 2', "b: 2, // x\n  a: [1, ]"])
@pytest.mark.parametrize("end", ["}", " }\n", "\n}\n", ",}", ", }\r\n", " , }", ",\n}", " // y\n}"])
def test_what_was_added_goes_without_a_trace(start, members, end):
    newline = "\r\n" if "\r" in start else "\n"
    text = f"{start}{members}{end}".replace("\r", "").replace("\n", newline)
    for path in (["hooks"], ["hooks", "x"]):
        changed = json_edit.set_value(text, path, {"y": [1]})
        assert json_edit.remove_value(changed, ["hooks"]) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty"),
        (" \n", "contains only whitespace"),
        ("{", "is truncated"),
        ('{"a": 1}}', "has text after the end of the JSON value, on line 1"),
        ('{\n"a" 1}', "a colon is missing after a key on line 2"),
        ("[1 2]", "a comma is missing"),
        ('{"a":}', "a value is missing"),
        ('{"a": "x', "an unclosed string or comment"),
        ("/* x", "an unclosed string or comment"),
        ("[" * 5000, "is nested too deeply"),
    ],
)
def test_what_is_broken_is_refused_with_the_reason(text, why):
    with pytest.raises(InvalidJson, match=why):
        json_edit.load(text)


@pytest.mark.parametrize("text", ["{a: 1}", "{'a': 1}", '{"a": nope}', "{\"a\": 'x'}"])
def test_what_only_json5_knows_is_refused_where_that_is_not_spoken(text):
    assert json_edit.load(text)
    with pytest.raises(InvalidJson):
        json_edit.load(text, json5=False)


def test_something_else_on_the_way_is_refused():
    with pytest.raises(InvalidJson, match="a value of an unexpected type at hooks"):
        json_edit.set_value('{"hooks": [1]}', ["hooks", "Stop"], 1)
    with pytest.raises(InvalidJson, match="has no value at hooks"):
        json_edit.remove_value("{}", ["hooks"])


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


@given(
    st.dictionaries(st.text(max_size=4), plain, max_size=4),
    st.text(max_size=4),
    plain,
    st.sampled_from([None, 2, "\t"]),
)
def test_a_member_that_is_put_is_there_and_all_else_is_as_it_was(before, key, what, indent):
    text = json.dumps(before, indent=indent)
    changed = json_edit.set_value(text, [key], what)
    assert json.loads(changed) == {**before, key: what}
    without = {name: one for name, one in before.items() if name != key}
    assert json.loads(json_edit.remove_value(changed, [key])) == without
    if key not in before:
        assert json_edit.load(changed) == {**before, key: what}
        assert list(json.loads(changed)) == [*before, key]
