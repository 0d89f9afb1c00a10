"""Places shared fairly between tiers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.records.hit import divide_places, numbered_lines


@given(st.dictionaries(st.sampled_from("abcde"), st.integers(0, 80)), st.integers(0, 100))
def test_shares_are_fair_and_fill_what_there_is(wanted, most):
    shares = divide_places(wanted, most)
    assert sum(shares.values()) == min(most, sum(wanted.values()))
    for tier, share in shares.items():
        assert share <= wanted[tier]
        if share < wanted[tier]:  # who wants more has at most one less than any other
            assert all(other <= share + 1 for other in shares.values())


def test_lines_are_numbered_as_far_as_there_are_any():
    assert numbered_lines(["a", "b\r", ""], -1, 9) == ((1, "a"), (2, "b"))
