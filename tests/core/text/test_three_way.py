"""A three-way merge applies two changes of one text together, or says that they conflict."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.three_way import merge_lines

lines = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=10)


@given(lines, lines)
def test_a_change_against_none_is_the_change(base, changed):
    assert merge_lines(base, changed, base) == changed
    assert merge_lines(base, base, changed) == changed


@given(st.lists(st.integers(), unique=True, max_size=12), st.data())
def test_every_removed_line_is_gone_and_every_added_line_is_there(numbers, data):
    base = [f"base {number}" for number in numbers]
    kept = [data.draw(st.sampled_from(["both", "ours", "theirs"])) for _ in base]
    ours = [line for line, side in zip(base, kept, strict=True) if side != "theirs"]
    theirs = [line for line, side in zip(base, kept, strict=True) if side != "ours"]
    place, other_place = data.draw(st.integers(0, len(ours))), data.draw(st.integers(0, len(theirs)))
    ours.insert(place, "ours")
    theirs.insert(other_place, "theirs")
    merged = merge_lines(base, ours, theirs)
    if merged is not None:
        wanted = [line for line, side in zip(base, kept, strict=True) if side == "both"]
        assert [line for line in merged if line.startswith("base")] == wanted
        assert sorted(line for line in merged if not line.startswith("base")) == ["ours", "theirs"]


def test_neighbouring_lines_do_not_conflict_and_a_line_that_both_changed_does():
    base = ["one", "two", "three"]
    assert merge_lines(base, ["one", "three"], ["one", "two", "3"]) == ["one", "3"]
    assert merge_lines(base, ["one", "2", "three"], ["one", "zwei", "three"]) is None
    assert merge_lines(base, ["three"], ["one", "new", "two", "three"]) is None
    assert merge_lines(base, [*base, "ours"], [*base, "theirs"]) == [*base, "ours", "theirs"]
