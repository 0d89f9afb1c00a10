"""What is held becomes memory when it is borne out, in whatever order it was proposed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.facts.promotion import HeldCandidate, SessionEvidence, promote
from memtool.core.facts.support import EvidenceText, SupportCriteria
from memtool.core.text.tokenizer import content_terms
from tests.core.facts.coala import ANN, BOB, fact, rule

GATED, END, REVIEW = "require_repetition", "commit_at_session_end", "hold_for_review"


def ids(promotion):
    return {one.candidate.id for one in promotion.promoted}


def test_a_second_turn_bears_a_fact_out_and_its_own_does_not():
    held = fact("Event:exam", "I am afraid of the exam in May", category="trigger", turn=0)
    own = ((0, "I am afraid of the exam in May"),)
    assert not promote([HeldCandidate(held, END)], SessionEvidence("s1", own)).promoted
    more = (*own, (3, "the exam again, I dream of it"))
    (done,) = promote([HeldCandidate(held, END)], SessionEvidence("s1", more)).promoted
    assert (done.reason, done.timing, done.support) == ("stated in 2 turns", "session_end", 2)


@pytest.mark.parametrize(
    ("text", "supports"),
    [
        ("my homework is late", False),  # `work` is not in `homework`
        ("work was hard", True),
        ("the stress with my boss", True),
        ("nothing of the kind", False),
    ],
)
def test_an_object_counts_as_a_whole_word(text, supports):
    assert (
        SupportCriteria.from_statement(
            fact("work", "my boss gives me stress at work").statement, ("my boss gives me stress at work",)
        ).is_supported_by(EvidenceText(text))
        is supports
    )


def test_two_characters_of_chinese_do_not_bear_out_everything():
    wanted = SupportCriteria.from_statement(fact("狗", "我怕大狗咬我").statement, ("我怕大狗咬我",))
    assert not wanted.is_supported_by(EvidenceText("我喜欢大海"))
    assert wanted.is_supported_by(EvidenceText("昨天那只狗又来了"))


def test_what_needs_repetition_is_not_promoted_by_the_arc_alone():
    held = fact("Concern:failure", "I always fail at interviews", turn=0)
    arc = "Ann spoke about failure at interviews and how she always fails."
    assert not promote([HeldCandidate(held, GATED)], SessionEvidence("s1", episode=arc)).promoted
    assert promote([HeldCandidate(held, END)], SessionEvidence("s1", episode=arc)).promoted
    (done,) = promote(
        [HeldCandidate(held, GATED)],
        SessionEvidence("s1", earlier_episodes=(("s0", "failure in an interview"),)),
    ).promoted
    assert done.timing == "promotion"


def test_one_users_words_never_support_anothers():
    mine, yours = (
        fact("Event:exam", "the exam frightens me"),
        fact("Event:exam", "the exam frightens me", owner=BOB, session="s2"),
    )
    assert mine.owner == ANN
    assert not promote([HeldCandidate(mine, END), HeldCandidate(yours, END)], SessionEvidence("s1")).promoted


def test_a_persons_word_is_not_replaced_by_counting():
    held = [HeldCandidate(rule("x", "don't ask whether I'm safe", turn=turn), REVIEW) for turn in range(5)]
    assert promote(held, SessionEvidence("s1")).waiting == tuple(held)


def test_implied_rules_about_the_same_are_one():
    held = [
        HeldCandidate(
            rule("Give amounts in per cent.", "amounts in per cent are easier for me", turn=1), END
        ),
        HeldCandidate(
            rule("Write glaze amounts in per cent.", "I think of glaze amounts in per cent", turn=4), END
        ),
        HeldCandidate(rule("Be cheerful.", "cheerful people are nice", turn=5), END),
    ]
    (done,) = promote(held, SessionEvidence("s1")).promoted
    assert done.candidate.statement.rule == "Write glaze amounts in per cent."
    assert len(done.candidates) == 2


claims = st.builds(
    lambda name, quote, turn, action: HeldCandidate(fact(f"Person:{name}", quote, turn=turn), action),
    st.sampled_from(["Sarah", "Tom", "狗", "Ali"]),
    st.sampled_from(["Sarah was here", "I fear Tom", "我怕狗", "Ali keldi"]),
    st.integers(0, 4),
    st.sampled_from([GATED, END, REVIEW]),
)
wishes = st.builds(
    lambda text, turn, action: HeldCandidate(rule(text, text, turn=turn), action),
    st.sampled_from(
        ["short replies please me", "short replies in lists", "lists of glaze amounts", "no jokes at night"]
    ),
    st.integers(0, 4),
    st.sampled_from([END, REVIEW]),
)
turns = st.lists(
    st.tuples(st.integers(0, 6), st.sampled_from(["Sarah again", "short lists", "狗", "rain"])), max_size=5
)


def test_the_same_candidate_held_for_two_reasons_is_told_in_one_order():
    people = [fact(f"Person:Sarah {number}", "Sarah was here", turn=0) for number in range(60)]
    held = [HeldCandidate(one, action) for one in people for action in (GATED, END)]
    waiting = promote(held, SessionEvidence("s1")).waiting
    assert [one.action for one in waiting] == [END, GATED] * 60


@given(st.lists(claims | wishes, max_size=8), turns, st.randoms())
def test_the_order_of_proposals_does_not_matter_and_none_is_lost(held, heard, rng):
    first = promote(held, SessionEvidence("s1", tuple(heard)))
    shuffled = list(held)
    rng.shuffle(shuffled)
    assert promote(shuffled, SessionEvidence("s1", tuple(heard))) == first
    told = [one.id for done in first.promoted for one in done.candidates] + [
        one.candidate.id for one in first.waiting
    ]
    assert sorted(told) == sorted(one.candidate.id for one in set(held))


@given(st.lists(claims, max_size=6), turns, st.sampled_from(["Sarah and Tom came", "狗", "nothing"]))
def test_another_turn_never_undoes_a_promotion(held, heard, text):
    before = promote(held, SessionEvidence("s1", tuple(heard)))
    after = promote(held, SessionEvidence("s1", (*heard, (9, text))))
    assert ids(before) <= ids(after)


@given(st.text(max_size=60))
def test_terms_are_the_same_composed_or_not(text):
    import unicodedata

    assert content_terms(unicodedata.normalize("NFC", text)) == content_terms(
        unicodedata.normalize("NFD", text)
    )


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("I'm afraid of the exam", {"afraid", "exam"}),
        ("Men imtihondan qo'rqaman", {"men", "imtihondan", "qo'rqaman"}),
        ("Toshkentda tug‘ilgan o‘g‘lim", {"toshkentda", "tug'ilgan", "o'g'lim"}),
        ("the dog's video's I'd go'", {"dog", "video", "go"}),
        ("Я боюсь экзамена", {"боюсь", "экзамена"}),
        ("我怕考试", {"我怕", "怕考", "考试"}),
        ("試験が怖いです", {"試験", "験が", "が怖", "怖い"}),
        ("ကြောက်", {"ကြောက်"}),
        ("ខ្លាច", {"ខ្លា", "លាច"}),
        ("나는 시험이 무섭다", {"나는", "시험", "험이", "무섭", "섭다"}),
        ("أخاف من الامتحان", {"أخاف", "من", "الامتحان"}),
        ("😀😀", set()),
        ("Bonsen 考试 2025", {"bonsen", "考试", "2025"}),
    ],
)
def test_every_script_has_its_terms(text, terms):
    assert content_terms(text) == terms


@given(st.text(max_size=60))
def test_what_is_said_twice_has_the_same_terms(text):
    assert content_terms(f"{text}\n{text}") == content_terms(text)
