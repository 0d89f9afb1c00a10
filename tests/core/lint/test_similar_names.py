"""Tests of `memtool.core.lint.similar_names`."""

from __future__ import annotations

import pytest

from memtool.core.lint.similar_names import SimilarNames

NAMES = SimilarNames({"boat": "Boat.md", "note1": "Note 1.md", "ash": "Ash.md"})


@pytest.mark.parametrize("name", ["boat", "boatt", "bota", "boet", "oboat"])
def test_a_name_with_one_typing_error_is_found(name):
    assert NAMES.find(name) == "Boat.md"


@pytest.mark.parametrize("name", ["note2", "note11", "as", "ashe", "goats", "zebra"])
def test_other_digits_short_names_and_two_errors_are_other_names(name):
    assert NAMES.find(name) is None
