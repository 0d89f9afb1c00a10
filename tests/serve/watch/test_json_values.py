"""JSON by the C half of the standard module is what the module itself gives."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.serve.watch.json_values import decode_json, encode_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda values: st.lists(values) | st.dictionaries(st.text(), values),
)
INVALID = ["", " ", "nul", "{", '{"a": 1} 2', "[1,]", '"a\nb"', "\ufeff{}", "01", "'a'", "\u00a0{}", "{1: 2}"]


@given(VALUES)
def test_values_are_written_and_read_as_json_does(value):
    text = json.dumps(value)
    assert encode_json(value) == text
    assert decode_json(f" \r\n\t{text}\n") == value


@given(st.text(st.sampled_from('{}[]",:\\ \n0123e.-+truefalsNI\u00e9'), max_size=12))
def test_what_json_refuses_is_refused(text):
    try:
        expected = repr(json.loads(text))
    except ValueError:
        with pytest.raises(ValueError):
            decode_json(text)
    else:
        assert repr(decode_json(text)) == expected


@pytest.mark.parametrize("text", INVALID)
def test_invalid_json_is_a_value_error(text):
    with pytest.raises(ValueError):
        decode_json(text)


def test_deep_nesting_is_a_recursion_error():
    with pytest.raises(RecursionError):
        decode_json("[" * 200_000)


def test_what_is_no_json_is_a_value_error_where_json_itself_is_not_imported():
    code = """
import sys
from memtool.serve.watch.json_values import decode_json
for text in ("{bad", "[1", '"a', "nul", '{"a": 1'):
    sys.modules.pop("json.decoder", None)
    try:
        decode_json(text)
    except ValueError:
        continue
    sys.exit(text)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
