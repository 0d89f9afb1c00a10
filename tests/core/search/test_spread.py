"""One file takes at most half of the hits (issue 18, item 11)."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.search.spread import has_dominant, spread

paths = st.lists(st.sampled_from("abcd"), max_size=40)
limits = st.integers(1, 12)


@given(paths, limits)
def test_no_file_has_more_than_half_unless_the_others_have_no_more_hits(of_hits, limit):
    chosen = [of_hits[rank] for rank in spread(of_hits, limit)]
    assert len(chosen) == min(limit, len(of_hits))
    half = max(1, limit // 2)
    if any(count > half for count in Counter(chosen).values()):
        assert all(Counter(chosen)[path] >= min(half, count) for path, count in Counter(of_hits).items())


@given(paths, limits)
def test_hits_keep_their_order_and_stay_as_they_are_where_no_file_has_more_than_half(of_hits, limit):
    chosen = spread(of_hits, limit)
    assert chosen == sorted(chosen)
    if not has_dominant(of_hits[:limit]) and len(of_hits) >= limit:
        assert chosen == [*range(limit)]
