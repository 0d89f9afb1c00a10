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


def test_a_limit_that_passes_in_an_import_waits_for_its_end():
    """What is raised in a callback of importlib's locks is printed as ignored, and lost."""
    code = compile(
        "import signal\nsignal.raise_signal(signal.SIGALRM)\nseen.append(1)", "<frozen importlib._x>", "exec"
    )
    seen: list[int] = []

    def work() -> None:
        exec(code, {"seen": seen})
        work_endlessly()

    with pytest.raises(DeadlineExceeded), TimeLimit(60.0, 60.0):
        work()
    assert seen == [1]
