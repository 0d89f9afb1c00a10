"""Titles: no name of a file comes of one that a system refuses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.file_names import title_file_name, title_slug


@pytest.mark.parametrize(
    ("title", "named", "slugged"),
    [
        ("CON", "CON_", "con_"),
        ("nul", "nul_", "nul_"),
        ("Aux.tar", "Aux_.tar", "aux-tar"),
        ("COM¹", "COM¹_", "com¹_"),
        (" lpt9. ", "lpt9_", "lpt9_"),
        ("Console", "Console", "console"),
        ("COM10", "COM10", "com10"),
        ("Con brio", "Con brio", "con-brio"),
        ("Mugs. ", "Mugs", "mugs"),
        ("...", "", ""),
        ("what: a/b?", "what a b", "what-a-b"),
    ],
)
def test_a_title_becomes_a_name(title, named, slugged):
    assert (title_file_name(title), title_slug(title)) == (named, slugged)


@given(st.text(st.sampled_from("CONnul1.: /é\u0301")) | st.text())
def test_a_name_of_a_name_is_itself(title):
    name = title_file_name(title)
    assert title_file_name(name) == name
    assert not name.endswith((".", " "))
    assert not name.startswith((".", " "))
