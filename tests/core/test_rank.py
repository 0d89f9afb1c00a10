import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.rank import age_weight, fuse

LISTS = st.lists(st.lists(st.integers(0, 20), unique=True), max_size=4)


@given(LISTS, st.integers(0, 4))
def test_an_empty_list_changes_nothing(lists, at):
    assert fuse([*lists[:at], [], *lists[at:]]) == fuse(lists)


@given(st.lists(st.integers(), unique=True))
def test_one_list_keeps_its_order(items):
    assert [item for item, _ in fuse([items])] == items


@given(LISTS)
def test_every_item_comes_once_and_scores_fall(lists):
    fused = fuse(lists)
    assert sorted(item for item, _ in fused) == sorted({item for items in lists for item in items})
    assert [score for _, score in fused] == sorted((score for _, score in fused), reverse=True)


def test_disjoint_lists_take_turns():
    assert [item for item, _ in fuse(["ace", "bd"])] == ["a", "b", "c", "d", "e"]


def test_the_score_is_reciprocal_rank():
    assert dict(fuse(["ab", "b"])) == {"a": 1 / 61, "b": pytest.approx(1 / 62 + 1 / 61)}


def test_a_note_halves_in_a_month():
    assert age_weight(0) == age_weight(-3) == 1
    assert age_weight(30) == 0.5
