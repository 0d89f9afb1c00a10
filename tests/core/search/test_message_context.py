"""Messages are scored with the messages around them, by the profile of a conversation."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from memtool.core.search.lexical import holds_enough
from memtool.core.search.message_context import (
    MessageCandidate,
    MessageContext,
    message_postings,
    session_scores,
    spread_scores,
)
from memtool.core.search.profiles import CONVERSATION
from memtool.core.search.scoring import ScoringCandidates, score_candidates

COUNTS = (2, 6)
"""Messages that hold each of two terms, of 40: the first is rarer."""
TOTAL = 40


def message(key, states=(0, 0), asks=(0, 0), length=10, adjacent=()):
    return MessageCandidate(key, states, asks, length, adjacent)


def line(count, sessions=None):
    """So many messages one after the other, with the sessions of some."""

    def neighbour(key, away):
        return key + away if 0 <= key + away < count else None

    return lambda asked: MessageContext(neighbour, lambda key: (sessions or {}).get(key, "s"), asked)


def candidates(messages, count=10, **options):
    terms, asked = message_postings(messages, COUNTS, CONVERSATION.terms)
    adjacent = {one.key: one.adjacent for one in messages if one.adjacent}
    return ScoringCandidates(terms, TOTAL, context=line(count)(asked), adjacent=adjacent, **options)


def scores(messages, **options):
    return score_candidates(CONVERSATION, candidates(messages, **options)).final


def order(messages):
    found = scores(messages)
    return sorted(found, key=lambda key: -found[key])


def test_an_answer_is_found_though_it_holds_no_word_of_the_question():
    assert order([message(3, asks=(1, 1))])[:2] == [3, 4]
    asked, stated = (scores([message(3, **{how: (1, 1)})]) for how in ("asks", "states"))
    assert asked[4] > stated[4] > stated[2] > stated.get(6, 0.0) == 0.0


def test_a_share_of_the_context_weights_spreads_as_much_less():
    context = line(10)([])
    whole, half, none = (
        spread_scores({3: 1.0}, context, CONVERSATION.context, share) for share in (1.0, 0.5, 0.0)
    )
    assert whole[3] == half[3] == none[3] == 1.0
    assert {key: value for key, value in none.items() if value} == {3: 1.0}
    assert all(half[key] == value / 2 for key, value in whole.items() if key != 3)
    assert whole[4] > whole[2] > 0.0


def test_more_of_the_question_and_the_rarer_word_win():
    found = order([message(1, (1, 0)), message(5, (0, 1)), message(8, (1, 1))])
    assert [key for key in found if key in {1, 5, 8}] == [8, 1, 5]


def test_words_side_by_side_and_a_shorter_message_win():
    assert order([message(1, (1, 1)), message(8, (1, 1), adjacent=(0,))])[0] == 8
    assert order([message(1, (1, 1), length=80), message(8, (1, 1), length=8)])[0] == 8


def test_neighbours_on_either_side_hold_a_question_together():
    weights = (2.0, 1.0)

    def hold(messages, share):
        terms, asked = message_postings(messages, COUNTS, CONVERSATION.terms)
        return holds_enough(terms, weights, share, around=line(10)(asked).adjacent_messages)

    assert hold([message(1, (1, 0)), message(2, (0, 1))], 1.0)
    assert hold([message(1, (1, 0)), message(4, (0, 1))], 2 / 3)
    assert not hold([message(1, (1, 0)), message(4, (0, 1))], 0.7)
    assert not hold([], 0.1)


def test_a_session_that_holds_more_of_the_terms_is_better():
    terms, asked = message_postings(
        [message(1, (1, 0)), message(2, (1, 0)), message(3, (0, 1))], COUNTS, CONVERSATION.terms
    )
    found = session_scores(terms, line(10, {1: "a", 2: "b", 3: "b"})(asked), CONVERSATION.terms)
    assert found["b"] == 1.0 > found["a"]


def test_a_list_of_keywords_is_answered_by_messages_that_hold_one():
    found = scores([message(3, (1, 1))], is_sentence=False)
    assert [*found] == [3]


def test_without_context_weights_messages_are_scored_by_themselves():
    alone = replace(
        CONVERSATION,
        context=replace(CONVERSATION.context, before=0.0, after=0.0, answer=0.0, session=0.0, reach=0),
    )
    found = score_candidates(alone, candidates([message(3, (1, 1), asks=(0, 1)), message(6, (0, 1))])).final
    assert {key for key, value in found.items() if value} == {3, 6}


@given(
    st.lists(
        st.builds(
            message,
            st.integers(0, 9),
            st.tuples(st.integers(0, 3), st.integers(0, 3)),
            length=st.integers(0, 50),
        ),
        unique_by=lambda one: one.key,
    ),
    st.randoms(),
)
def test_the_order_in_which_messages_are_found_does_not_matter(messages, rng):
    shuffled = [*messages]
    rng.shuffle(shuffled)
    before, after = (
        score_candidates(CONVERSATION, candidates(found, words=3)) for found in (messages, shuffled)
    )
    assert before.is_unanswered == after.is_unanswered
    assert {key: round(value, 9) for key, value in before.final.items()} == {
        key: round(value, 9) for key, value in after.final.items()
    }
