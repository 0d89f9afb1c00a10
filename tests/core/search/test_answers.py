"""Answers: which candidates a reader would call answers."""

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.search.answers import MENTION, PLAIN, SUBJECT, dense_answers, lexical_answers

WEIGHTS = (4.0, 4.0, 1.0)


def answers(held, weights=WEIGHTS, **more):
    scores = {key: sum(weights[term] * terms[term] for term in terms) for key, terms in held.items()}
    return lexical_answers(held, scores, weights, **more)


def test_the_best_for_a_term_answers_and_the_second_best_does_not():
    assert answers({"a": {0: PLAIN, 2: PLAIN}, "b": {2: PLAIN}}) == {"a"}
    assert answers({"a": {0: PLAIN}, "b": {0: PLAIN}}) == {"a", "b"}
    assert answers({"a": {0: PLAIN}, "b": {1: PLAIN}}) == {"a", "b"}


def test_a_name_answers_beside_much_better_ones_and_a_plain_word_does_not():
    weights = (4.0,) * 6
    whole = dict.fromkeys(range(5), PLAIN)
    assert answers({"a": whole, "b": {5: PLAIN}}, weights) == {"a"}
    assert answers({"a": whole, "b": {5: MENTION}}, weights) == {"a", "b"}


def test_what_is_about_a_name_answers_before_what_mentions_it():
    assert answers({"a": {0: SUBJECT}, "b": {0: MENTION}, "c": {0: PLAIN}}) == {"a"}


def test_a_common_name_does_not_answer_alone():
    assert answers({"a": {0: PLAIN, 1: PLAIN}, "b": {2: MENTION}}) == {"a"}


def test_a_small_share_of_the_question_is_no_answer():
    assert answers({"a": {0: PLAIN}}, (4.0,) * 3) == {"a"}
    assert answers({"a": {0: PLAIN}}, (4.0,) * 4) == set()
    assert answers({"a": {0: MENTION}}, (4.0,) * 4) == {"a"}


def test_a_word_that_nothing_holds_weighs_no_more_than_those_that_are_held():
    assert answers({"a": {0: PLAIN, 1: PLAIN}}, (1.0, 1.0, 9.0)) == {"a"}


def test_a_part_of_a_question_is_no_answer_where_the_vector_is_far():
    held = {"a": {0: PLAIN}}
    assert answers(held, (4.0, 4.0), is_far=lambda _: True) == set()
    assert answers(held, (4.0,), is_far=lambda _: True) == {"a"}
    assert answers({"a": {0: MENTION}}, (4.0, 4.0), is_far=lambda _: True) == {"a"}


def test_vectors_answer_where_words_do_not():
    similarities = {"a": 0.9, "b": 0.8, "c": 0.5, "d": 0.2}
    assert dense_answers(similarities, (), (), 0.0, 0.35) == {"a", "b"}
    assert dense_answers({"d": 0.2}, (), (), 0.0, 0.35) == set()
    assert dense_answers(similarities, {"b"}, {"b"}, 0.4, 0.35) == {"a"}
    assert dense_answers(similarities, {"b"}, {"b"}, 1.0, 0.35) == set()
    assert dense_answers(similarities, {"a", "b"}, {"b"}, 0.4, 0.35) == set()


held_terms = st.dictionaries(
    st.integers(0, 5),
    st.dictionaries(st.integers(0, 3), st.sampled_from((PLAIN, MENTION, SUBJECT)), min_size=1),
    min_size=1,
)


@given(held_terms, st.lists(st.floats(0.5, 5), min_size=4, max_size=4))
def test_the_best_answers_where_anything_does_and_what_holds_all_always(held, weights):
    found = answers(held, weights)
    scores = {key: sum(weights[term] * terms[term] for term in terms) for key, terms in held.items()}
    assert found <= held.keys()
    whole = [key for key in held if held[key].keys() == {0, 1, 2, 3}]
    if whole:
        assert max(scores, key=scores.__getitem__) in found
