from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.search.fusion import limit_by_path, reciprocal_rank_fusion, weighted_sum

LISTS = st.lists(st.lists(st.integers(0, 20), unique=True), max_size=4)
SCORES = st.dictionaries(st.integers(0, 20), st.floats(0.001, 1000), min_size=1)


@given(LISTS, st.integers(0, 4))
def test_an_empty_list_changes_nothing(lists, at):
    assert reciprocal_rank_fusion([*lists[:at], [], *lists[at:]]) == reciprocal_rank_fusion(lists)


@given(st.lists(st.integers(), unique=True))
def test_one_list_keeps_its_order(items):
    assert [item for item, _ in reciprocal_rank_fusion([items])] == items


@given(LISTS)
def test_every_item_comes_once_and_scores_fall(lists):
    fused = reciprocal_rank_fusion(lists)
    assert sorted(item for item, _ in fused) == sorted({item for items in lists for item in items})
    assert [score for _, score in fused] == sorted((score for _, score in fused), reverse=True)


def test_disjoint_lists_take_turns():
    assert [item for item, _ in reciprocal_rank_fusion(["ace", "bd"])] == ["a", "b", "c", "d", "e"]


def test_the_score_is_reciprocal_rank():
    assert dict(reciprocal_rank_fusion(["ab", "b"])) == {"a": 1 / 61, "b": pytest.approx(1 / 62 + 1 / 61)}


def test_a_weighted_sum_divides_each_side_by_its_greatest():
    found = weighted_sum({"a": 20.0, "b": 5.0}, {"b": 0.5, "c": 0.25}, 0.3, 0.7)
    assert found == pytest.approx({"a": 0.3, "b": 0.3 / 4 + 0.7, "c": 0.35})


@given(SCORES, SCORES)
def test_a_dense_weight_of_0_keeps_the_lexical_order(lexical, dense):
    found = weighted_sum(lexical, dense, 1.0, 0.0)
    order = sorted(lexical, key=lambda item: -lexical[item])
    assert sorted(lexical, key=lambda item: -found[item]) == order
    assert all(found[item] == 0 for item in dense if item not in lexical)


@given(SCORES)
def test_without_dense_scores_the_lexical_ones_count_whole(lexical):
    found = weighted_sum(lexical, {}, 0.3, 0.7)
    assert max(found.values()) == 1.0
    assert found == weighted_sum(lexical, dict.fromkeys(lexical, 0.0), 0.3, 0.7)


class InFile(NamedTuple):
    path: str
    number: int


@pytest.mark.parametrize(
    ("paths", "limit", "limited"),
    [
        ("aaaaaaabca", 4, "aabc"),
        ("aaaaaaaaab", 8, "aaaab"),
        ("abababab", 3, "aba"),
        ("aaaa", 3, "aaa"),
        ("ba", 1, "b"),
        ("", 3, ""),
    ],
)
def test_one_file_has_at_most_half_of_the_hits_unless_no_other_has_any(paths, limit, limited):
    hits = [InFile(path, number) for number, path in enumerate(paths)]
    result = limit_by_path(hits, limit)
    assert "".join(hit.path for hit in result) == limited
    assert result == sorted(result, key=lambda hit: hit.number)
