"""Undo by lines: what a step wrote is found wherever it is, and other lines stay as they are."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.history.journal import Replaced
from memtool.core.history.line_undo import LineConflict, without_step
from memtool.core.records.document import etag_of
from memtool.core.records.plan import Replace
from memtool.store.commit.simulation import PlanSimulation


class OneFile:
    """A disk with one file, as far as a simulation asks."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def check(self, path: PurePosixPath, etag: str) -> bytes:
        """Return the content."""
        return self.content


def replaced(before: bytes, after: bytes) -> Replaced:
    simulation = PlanSimulation(OneFile(before), 1_000_000)
    (step,) = simulation.steps(Replace(PurePosixPath("a.md"), after.decode(), etag_of(before)))
    return step


def text(lines):
    return "".join(f"- {line}\n" for line in lines).encode()


numbers = st.lists(st.integers(0, 12), unique=True, max_size=9)


@given(numbers, st.data())
def test_undo_by_lines_restores_the_change_and_nothing_else(before, data):
    kept = [line for line in before if data.draw(st.booleans())]
    after = list(kept)
    for line in data.draw(st.lists(st.integers(20, 29), unique=True, max_size=3)):
        after.insert(data.draw(st.integers(0, len(after))), line)
    edited = {line for line in kept if data.draw(st.booleans())}

    def by_hand(lines):
        return text(f"{line} by hand" if line in edited else line for line in lines)

    step = replaced(text(before), text(after))
    try:
        undone = without_step(step, by_hand(after))
    except LineConflict:
        assert edited or before == after
    else:
        assert undone == by_hand(before)


@given(st.lists(st.sampled_from("abc"), max_size=6), st.lists(st.sampled_from("abcd"), max_size=6), st.data())
def test_no_line_is_lost_or_made_up_where_lines_are_equal(before, after, data):
    now = list(after)
    for _ in range(data.draw(st.integers(0, 2))):
        now.insert(data.draw(st.integers(0, len(now))), "x")
    step = replaced(text(before), text(after))
    try:
        undone = without_step(step, text(now))
    except LineConflict:
        return
    assert undone.count(b"- x\n") == now.count("x")


def test_a_changed_line_is_known_by_its_id():
    step = replaced(b"- a\n", b"- a\n- the ox is red ^m-0123ab\n")
    with pytest.raises(LineConflict) as conflict:
        without_step(step, b"# Facts\n- by hand\n- a\n- b\n- the ox is brown ^m-0123ab\n")
    assert conflict.value.line == 5


def test_a_blank_line_at_the_end_stays_where_new_lines_stand_before_it():
    step = replaced(b"# Facts\n", b"# Facts\n\n- a\n\n")
    assert without_step(step, b"# Facts\n\n- a\n- b\n\n") == b"# Facts\n\n- b\n\n"
    assert without_step(step, b"# Facts\n\n- b\n- a\n") == b"# Facts\n\n- b\n"
