"""Time limits by SIGALRM."""

from __future__ import annotations

import signal

import pytest

from memtool.cli.deadline import TimeLimit
from memtool.errors import DeadlineExceeded


def work_endlessly():
    while True:
        pass


@pytest.mark.parametrize("seconds", [-1.0, 0.0, 0.01])
def test_a_limit_ends_its_block_and_leaves_no_timer_even_if_it_was_over_before(seconds):
    with pytest.raises(DeadlineExceeded), TimeLimit(seconds, 60.0):
        work_endlessly()
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.parametrize("extra", [-1.0, 0.0, 0.00005])
def test_alarms_after_the_first_leave_time_to_end_the_limit(extra):
    with TimeLimit(60.0, extra):
        assert signal.getitimer(signal.ITIMER_REAL)[1] >= 0.04
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
