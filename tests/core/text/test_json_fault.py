"""The fault of a JSON text as messages word it."""

from __future__ import annotations

import json

import pytest

from memtool.core.text.json_fault import json_fault, value_fault
from memtool.formats.syntax import json_text


def fault_of(text):
    with pytest.raises((ValueError, RecursionError)) as raised:
        json.loads(text)
    return raised.value


def test_a_number_that_python_does_not_read_is_reported_without_pythons_advice():
    error = fault_of("[" + "9" * 5000 + "]")
    assert value_fault(error) == "a number has too many digits"
    assert json_fault(error) == "is not JSON (a number has too many digits)"
    with pytest.raises(json_text.InvalidJson, match="is not JSON: a number has too many digits"):
        json_text.loads("9" * 5000)


def test_the_fault_of_a_text_has_its_position():
    assert json_fault(fault_of("{,}")).endswith("at character 2)")
    assert json_fault(RecursionError()) == "is nested too deeply"
