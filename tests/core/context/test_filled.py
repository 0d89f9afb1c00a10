"""What nobody has filled in is left out, and everything that somebody has written stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.context.filled import filled_text

SEED = "# User\n\nName, language, time zone.\n\n## Habits\n\n## Plans\n"


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        (SEED, ""),
        (SEED.replace("\n", "\r\n"), ""),
        ("# User\n\nMarta.\n\n## Habits\n\n## Plans\n", "# User\n\nMarta.\n"),
        (SEED + "\n- the fair\n", "# User\n\n## Plans\n\n- the fair\n"),
        ("# User\n\nName, language, time zone.\n\nMarta.\n", "# User\n\nMarta.\n"),
        ("# Marta\n\n## Own\n", "# Marta\n\n## Own\n"),
        ("", ""),
    ],
)
def test_a_seed_is_left_out_line_by_line(text, filled):
    assert filled_text(text, SEED).rstrip("\n") == filled.rstrip("\n")


lines = st.lists(st.sampled_from([*SEED.split("\n"), "own", "## Own", "- item"]), max_size=20)


@given(lines)
def test_every_line_of_ones_own_stays_in_its_order(rows):
    own = [row for row in rows if row in {"own", "## Own", "- item"}]
    filled = filled_text("\n".join(rows), SEED).split("\n")
    assert [row for row in filled if row in {"own", "## Own", "- item"}] == own
    assert "Name, language, time zone." not in filled
