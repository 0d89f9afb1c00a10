"""Messages are heard with what was said around them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.irregular import base
from memtool.core.talk import FLOOR, SHORT, Told, floor, heard, sessions, spread, weights

IDF = (2.0, 1.0)


def message(place, states=(0, 0), asks=(0, 0), session="s", length=10, beside=()):
    return Told((place, 0), session, states, asks, length, beside)


def line(count):
    """So many messages one behind the other."""

    def step(place, away):
        other = place[0] + away
        return (other, 0) if 0 <= other < count else None

    return step


def order(told, count=10):
    scores = heard(told, IDF, line(count)).scores
    return [place[0] for place in sorted(scores, key=lambda place: -scores[place])]


def test_what_answers_a_question_is_heard_though_it_holds_none_of_its_words():
    asked = order([message(3, asks=(1, 1))])
    assert asked[:2] == [3, 4]
    asked, told = (heard([message(3, **{how: (1, 1)})], IDF, line(10)).scores for how in ("asks", "states"))
    assert asked[4, 0] > told[4, 0] > told[2, 0] > told.get((6, 0), 0.0) == 0.0


def test_one_hears_as_little_of_the_neighbours_as_one_wants():
    whole, half, none = (spread({(3, 0): 1.0}, line(10), around) for around in (1.0, 0.5, 0.0))
    assert whole[3, 0] == half[3, 0] == none[3, 0] == 1.0
    assert {place: score for place, score in none.items() if score} == {(3, 0): 1.0}
    assert all(half[place] == score / 2 for place, score in whole.items() if place != (3, 0))
    assert whole[4, 0] > whole[2, 0] > 0.0


def test_more_of_the_question_and_the_rarer_word_win():
    found = order([message(1, (1, 0)), message(5, (0, 1)), message(8, (1, 1))])
    assert [place for place in found if place in {1, 5, 8}] == [8, 1, 5]


def test_words_side_by_side_and_a_shorter_message_win():
    assert order([message(1, (1, 1)), message(8, (1, 1), beside=(0,))])[0] == 8
    assert order([message(1, (1, 1), length=80), message(8, (1, 1), length=8)])[0] == 8


def test_what_is_covered_counts_the_neighbours_on_either_side():
    assert heard([message(1, (1, 0)), message(2, (0, 1))], IDF, line(10)).covered == 1.0
    assert heard([message(1, (1, 0)), message(4, (0, 1))], IDF, line(10)).covered == 2 / 3
    assert heard([], IDF, line(3)).covered == 0.0


def test_a_session_that_holds_more_of_the_terms_is_better():
    told = [message(1, (1, 0), session="a"), message(2, (1, 0), session="b"), message(3, (0, 1), session="b")]
    scores = sessions(told, 2)
    assert scores["b"] == 1.0 > scores["a"]


def test_a_long_question_asks_for_a_smaller_share():
    assert [floor(n) for n in (1, 2, 3, SHORT)] == [0, 0, FLOOR, FLOOR]
    assert 0 < floor(50) < FLOOR / 5


@given(st.lists(st.integers(0, 500), min_size=1), st.integers(0, 400))
def test_weights_fall_with_how_many_hold_a_term_and_are_never_negative(counts, total):
    found = weights(counts, total)
    assert all(weight >= 0 for weight in found)
    assert weights([1], 1000) > weights([900], 1000)


@given(
    st.lists(
        st.builds(
            message,
            st.integers(0, 9),
            st.tuples(st.integers(0, 3), st.integers(0, 3)),
            length=st.integers(0, 50),
        ),
        unique_by=lambda one: one.place,
    ),
    st.randoms(),
)
def test_the_order_in_which_messages_are_found_does_not_matter(told, rng):
    shuffled = [*told]
    rng.shuffle(shuffled)
    before, after = heard(told, IDF, line(10)), heard(shuffled, IDF, line(10))
    assert before.covered == after.covered
    assert {place: round(score, 9) for place, score in before.scores.items()} == {
        place: round(score, 9) for place, score in after.scores.items()
    }


def test_irregular_forms_have_their_word():
    assert [base(word) for word in ("bought", "children", "went", "kiln")] == ["buy", "child", "go", "kiln"]
