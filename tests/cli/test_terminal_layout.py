"""Text laid out for a terminal: every line fits, no word is cut, and wide characters count twice."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.cli.terminal import display_width, table, wrap

TEXTS = st.text("abéñ漢字́ ", max_size=120).map("w{}".format)


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("漢字", 4), ("e\u0301", 1), ("\x1b[1;31mred\x1b[0m", 3), ("ﬁ…", 2)]
)
def test_width_is_counted_in_terminal_columns(text, width):
    assert display_width(text) == width


@given(TEXTS, st.integers(20, 120), st.integers(0, 60))
def test_a_wrapped_text_keeps_its_words_and_fits(text, columns, indent):
    lines = wrap("path.md:7: ", text, columns, indent).split("\n")
    assert " ".join(" ".join(lines).split()) == f"path.md:7: {' '.join(text.split())}"
    for line in lines:
        assert display_width(line) <= columns or len(line.split()) <= 2  # one word, after the prefix
    assert all(re.match(" +[^ ]", line) for line in lines[1:]) or indent == 0


def test_a_table_is_aligned_where_it_fits_and_keeps_its_cells_where_not():
    rows = [["a", "one", "first of them all"], ["path/to/b", "eleven", "second"]]
    assert table(rows, 60) == ["a          one     first of them all", "path/to/b  eleven  second"]
    assert table(rows, 30) == ["a  one  first of them all", "path/to/b  eleven  second"]
    assert table([["a", "漢字", "x"], ["b", "cc", "y"]], 80) == ["a  漢字  x", "b  cc    y"]


def test_a_cell_without_room_begins_on_the_next_line():
    row = ["memory/episodic/2025-01-14-celadon.md", "spring line, glazes"]
    assert table([row], 40) == [row[0], f"    {row[1]}"]
