"""Canvases: which cards are files or texts, and that nothing else of one changes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.edits import apply_edits
from memtool.formats.canvas import cards, edits, may_contain
from memtool.formats.syntax.json_text import InvalidJson

BOARD = (
    '\ufeff{\r\n\t"nodes":[\r\n\t\t{"id":"a","type":"file","file":"a\\/n.md","subpath":"#H","x":-1e2},\r\n'
    '\t\t{"id":"b","type":"text","file":"no","text":"see [[n]]"},7,\r\n'
    '\t\t{"id":"c","type":"link","url":"a/n.md"},{"file":"a/n.md"},{"type":"file","file":3}\r\n'
    '\t],\r\n\t"edges":[{"id":"a/n.md"}],"nodes2":0}'
)


def rewritten(text, changes):
    return apply_edits(text, edits(text, changes)).text


def test_cards_are_files_and_texts():
    assert [(one.number, one.file, one.subpath, one.text) for one in cards(BOARD)] == [
        (0, "a/n.md", "#H", ""),
        (1, "", "", "see [[n]]"),
    ]


@pytest.mark.parametrize("text", ["", "\ufeff \n", "{}", "[]", "7", '{"nodes":{}}', '{"nodes":[[],null,{}]}'])
def test_a_canvas_may_hold_nothing(text):
    assert cards(text) == ()


@pytest.mark.parametrize(
    "text", ["{", '{"nodes":[', "{'nodes':[]}", '{"nodes":[],}', "\0", "[" * 100_000, "x"]
)
def test_what_is_no_json_is_no_canvas(text):
    with pytest.raises(InvalidJson):
        cards(text)


def test_nothing_but_the_texts_changes():
    made = rewritten(BOARD, {(0, "file"): 'b/"ü".md', (1, "text"): "see\n[[m]]"})
    assert made == BOARD.replace('"a\\/n.md"', '"b/\\"ü\\".md"').replace('"see [[n]]"', '"see\\n[[m]]"')


def test_what_was_spelled_in_ascii_stays_so():
    assert rewritten('{"nodes":[{"file":"\\u00fc"}]}', {(0, "file"): "ö"}) == '{"nodes":[{"file":"\\u00f6"}]}'


@pytest.mark.parametrize(
    ("key", "fault"),
    [("x", "is not a string"), ("none", "is not a string"), ("subpath", "contains an unpaired surrogate")],
)
def test_only_texts_that_are_there_can_change(key, fault):
    with pytest.raises(InvalidJson, match=fault):
        rewritten('{"nodes":[{"x":1,"subpath":"#h"}]}', {(0, key): "\ud800" if key == "subpath" else "y"})


def test_of_two_equal_keys_the_one_that_readers_take_changes():
    assert rewritten('{"nodes":[{"file":"a","file":"a"}]}', {(0, "file"): "b"}) == (
        '{"nodes":[{"file":"a","file":"b"}]}'
    )


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))), st.booleans(), st.sampled_from([None, 1]))
def test_what_is_written_is_read(texts, ascii_only, indent):
    nodes = [{"type": "text", "text": text, "id": number} for number, text in enumerate(texts)]
    board = json.dumps({"nodes": nodes}, ensure_ascii=ascii_only, indent=indent)
    made = rewritten(board, {(number, "text"): text[::-1] for number, text in enumerate(texts)})
    assert json.loads(made) == {"nodes": [{**node, "text": node["text"][::-1]} for node in nodes]}


@pytest.mark.parametrize(("text", "found"), [('{"ü/N.md', True), ('"\\u00FC/n', True), ("{m", False)])
def test_a_broken_one_may_name_a_file(text, found):
    assert may_contain(text, "ü/n") == found
