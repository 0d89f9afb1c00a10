"""Room divided between queues: any beginning of the order is fair, and no room is wasted for it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.context.fair_share import fair_order

queues = st.lists(st.lists(st.integers(1, 20), max_size=12), max_size=4)


@given(queues, st.integers(0, 200))
def test_each_queue_is_served_in_its_order_until_something_does_not_fit(sizes, room):
    order = list(fair_order(sizes, room))
    left = room - sum(sizes[queue][place] for queue, place in order)
    assert left >= 0
    for number, queue in enumerate(sizes):
        places = [place for served, place in order if served == number]
        assert places == list(range(len(places)))
        assert len(places) == len(queue) or queue[len(places)] > left


@given(st.lists(st.integers(1, 20), min_size=12, max_size=12), st.lists(st.integers(1, 20), min_size=12))
def test_a_queue_gets_about_as_much_as_another_that_needs_more(first, second):
    order = list(fair_order([first, second], 100))
    used = [sum((first, second)[served][place] for served, place in order if served == n) for n in (0, 1)]
    wanted = min(sum(first), 50), min(sum(second), 50)
    assert all(got > least - 20 for got, least in zip(used, wanted, strict=True))


def test_the_first_of_each_queue_comes_before_all_others():
    assert list(fair_order([[9, 1], [1, 1], []], 100)) == [(0, 0), (1, 0), (1, 1), (0, 1)]
