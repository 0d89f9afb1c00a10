"""Statements: what a conversation has already, however it is written."""

from __future__ import annotations

import pytest

from memtool.core.context.statements import is_known, known_with_rest, statements, without_known


def test_a_line_that_introduces_others_goes_with_them():
    known = statements("Where does Sarah live?\nMy sister lives in Graz.")
    text = "Requests:\nuser: Where does Sarah live?\nOther statements:\nuser: My sister lives in Graz."
    assert without_known(text, known) == ""
    rest = "Open:\nuser: Who paid for the tea?"
    assert without_known(f"{text}\n{rest}", known) == rest


def test_a_number_beside_a_known_statement_is_news():
    known = statements("The launch of the shop moves to autumn")
    assert is_known("The launch of the shop moves to autumn. Ok!", known)
    assert not is_known("The launch of the shop moves to autumn. 12.10", known)


@pytest.mark.parametrize(
    ("statement", "others"),
    [
        ("My dentist is Dr. Kim on Elm Street", "My dentist is Dr. Lee on Elm Street"),
        ("We moved. The new flat is in Lisbon", "We moved. The new flat is in Porto"),
        ("I drive a van", "I drive a bus"),
    ],
)
def test_a_fact_in_the_users_words_is_known_with_them_however_many_sentences_they_have(statement, others):
    fact = f'Facts: - [context] User STATES {statement} — "{statement}" ^m-0123456789ab'
    assert is_known(fact, statements(f"- {statement}"))
    assert not is_known(fact, statements(f"- {others}"))


def test_a_fact_that_was_corrected_since_is_not_known_by_the_old_words():
    old = "My dentist is Dr. Kim. She works on Elm Street"
    fact = f'- [context] User STATES My dentist is Dr. Lee. She works on Elm Street — "{old}" ^m-0123456789ab'
    assert not is_known(fact, statements(f"- {old}"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# Tom\n\nTom has an appointment.\nIt is on 5 May.\n", "Tom has an appointment.\nIt is on 5 May."),
        (
            "- Tom has an appointment.\n  It is on 5 May.\n- Ann is well.",
            "- Tom has an appointment.\n  It is on 5 May.",
        ),
        (
            "Ann is well today.\n\nTom has an appointment. It is on 5 May.",
            "Tom has an appointment. It is on 5 May.",
        ),
        ("- Tom has an appointment.\n- It rains on 5 May.", ""),
        ("Tom has an appointment.\n\nIt rains on 5 May.", ""),
    ],
)
def test_a_known_line_is_shown_with_the_line_that_continues_it(text, shown):
    assert known_with_rest(text, statements("Tom has an appointment.")) == shown
