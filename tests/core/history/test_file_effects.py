"""Effects: what steps come to, file by file."""

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.history.file_effects import FileEffect, net_effects
from memtool.core.history.journal import (
    Appended,
    Created,
    Moved,
    Permitted,
    Removed,
    Replaced,
)

REPLACED = Replaced("b", "x", "y", 0, 1, b"q", (2, 3))


def test_a_file_that_waited_on_its_way_is_told_by_where_it_was_and_is():
    steps = [Moved("a", "w/a", "x"), Moved("w/a", "b", "x"), REPLACED]
    assert net_effects(steps) == (FileEffect("a", "b", 2, 3, None, (0, 1, 2)),)
    assert net_effects(steps)[0].is_moved
    assert net_effects(steps)[0].paths == ("a", "b")


def test_what_came_and_went_is_not_told():
    steps = [Created("w/to", "x", 1), Created("a", "x", 4), Removed("w/to", "x", b"", 1)]
    assert net_effects(steps) == (FileEffect(None, "a", 0, 4, None, (1,)),)


def test_what_was_made_and_moved_is_new_where_it_is():
    assert net_effects([Created("w/a", "x", 4), Moved("w/a", "a", "x")]) == (
        FileEffect(None, "a", 0, 4, None, (0, 1)),
    )


def test_what_was_edited_and_came_or_went_counts_whole():
    appended = Appended("b", 0, 2, "x", 1)
    assert net_effects([Created("b", "x", 8), REPLACED, appended]) == (
        FileEffect(None, "b", 0, 10, None, (0, 1, 2)),
    )
    assert net_effects([REPLACED, Removed("b", "y", b"", 9)]) == (FileEffect("b", None, 8, 0, None, (0, 1)),)


def test_what_was_removed_and_made_anew_was_changed():
    steps = [Removed("a", "x", b"", 2), Created("a", "y", 5)]
    assert net_effects(steps) == (FileEffect("a", "a", 2, 5, None, (0, 1)),)


def test_modes_are_the_first_and_the_last_and_their_file_is_told_once():
    steps = [
        Appended("a", 0, 2, "x", 1),
        Permitted("a", 0o644, 0o640),
        Permitted("a", 0o640, 0o600),
        Permitted(".", 0o755, 0o700),
    ]
    assert net_effects(steps) == (
        FileEffect("a", "a", 0, 1, (0o644, 0o600), (0, 1, 2)),
        FileEffect(".", ".", 0, 0, (0o755, 0o700), (3,)),
    )


def test_many_changes_of_one_file_are_one_effect():
    (effect,) = net_effects([Appended("a", 0, 2, "x", 1)] * 1_000)
    assert (effect.added_lines, len(effect.step_indexes)) == (1_000, 1_000)


NAMES = st.sampled_from("abc")


@given(st.lists(st.tuples(NAMES, NAMES), max_size=12), st.sets(NAMES))
def test_moves_of_any_kind_say_where_each_file_was_and_is(moves, there):
    tree = {name: name for name in there}
    steps = []
    for path, target in moves:
        if path in tree and target not in tree:
            tree[target] = tree.pop(path)
            steps.append(Moved(path, target, "x"))
    told = {one.after: one.before for one in net_effects(steps)}
    assert told == {now: was for now, was in tree.items() if now in told}
    assert all(now == was for now, was in tree.items() if now not in told)
