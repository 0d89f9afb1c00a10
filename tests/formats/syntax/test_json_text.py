"""On which line of a JSON text a value stands."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from memtool.formats.syntax.json_text import line_of
from tests.formats.test_turn import JSON


def places(value, path=()):
    yield path, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from places(inner, (*path, number))


@given(JSON, st.sampled_from([None, 2]), st.booleans())
def test_every_value_is_found_on_its_line(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    lines = text.split("\n")
    for path, inner in places(value):
        line = lines[line_of(text, path) - 1]
        start = json.dumps(inner, indent=indent, ensure_ascii=ascii_only).split("\n")[0]
        assert start in line
        if path and isinstance(path[-1], str) and indent:
            assert line.strip().startswith(json.dumps(path[-1], ensure_ascii=ascii_only))


def test_texts_that_look_like_structure_do_not_mislead():
    text = '{"a": "{\\"b\\": [", "b": [\n1,\n{"c": "x]"},\n{"c": "y"}]}'
    assert line_of(text, ["b", 2, "c"]) == 4
    assert line_of(text, ["b", 1, "c"]) == 3
    assert line_of(text, ["b", 7]) == 1
    assert line_of(text, ["nothing"]) == 1
