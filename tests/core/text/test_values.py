"""Values: dates, times of day and quantities have one spelling, and leave open what they leave open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtool.core.text.values import canonical_token, says_all_of, spell_values


@pytest.mark.parametrize(
    ("spelled", "texts"),
    [
        ("1990-05-12", ["12 May 1990", "May 12, 1990", "12th of May, 1990", "1990/5/12", "12.05.1990"]),
        ("1990-05-12", ["12. Mai 1990", "12 mai 1990", "12 de mayo de 1990", "12 мая 1990", "1990年5月12日"]),
        ("1990-05-13", ["13/5/1990", "5/13/1990", "5-13-1990"]),
        ("05/06/2024", ["5/6/2024", "05-06-2024"]),
        ("0000-05-12", ["12 May", "May 12th"]),
        ("1990-05", ["May 1990", "май 1990", "maio de 1990"]),
        ("07:00", ["7 am", "7:00 a.m.", "07:00:00", "7 in the morning"]),
        ("19:30", ["7:30 pm", "19:30", "7:30 in the evening"]),
        ("7:00", ["7 o'clock", "7 Uhr", "7:00"]),
        ("12:00", ["noon", "12 pm"]),
        ("5km", ["5 km", "5 kilometres", "five kilometers", "5-kilometre", "5.0 km"]),
        ("1500km", ["1,500 km", "1500 kilometres"]),
        ("1.8m", ["1.80 m", "1,80 m", "1.8 metres"]),
        ("71inch", ["5'11\"", "5 ft 11 in", "5′11″"]),
        ("42year", ["42 years", "42 years old", "42-year-old"]),
        ("5usd", ["$5", "5 dollars", "5 USD"]),
        ("utc +01:00", ["UTC+1", "gmt +01:00"]),
        ("2 cats", ["two cats", "2 cats"]),
        ("1000 books", ["1,000 books"]),
    ],
)
def test_a_value_has_one_spelling(spelled, texts):
    assert {text: spell_values(text) for text in texts} == dict.fromkeys(texts, spelled)


@pytest.mark.parametrize(
    "text", ["python 3.10", "v2.0.4", "30 x", "13 pm", "3:16", "row 5", "the blue one", "a/b/1990"]
)
def test_what_is_no_value_stays_as_it_is(text):
    assert spell_values(text) == text


@pytest.mark.parametrize(
    ("token", "other"),
    [
        ("1990-05-12", "1990"),
        ("1990-05-12", "1990-05"),
        ("1990-05-12", "0000-05-12"),
        ("2024-06-05", "05/06/2024"),
        ("19:00", "7:00"),
        ("07:00", "7"),
        ("7:00", "7"),
        ("70kg", "70"),
        ("42year", "42"),
    ],
)
def test_a_value_says_all_of_one_that_leaves_more_open(token, other):
    assert says_all_of(token, other)
    assert token == "2024-06-05" or not says_all_of(other, token)


@pytest.mark.parametrize(
    ("token", "other"),
    [
        ("1990-05-12", "1991"),
        ("1990-05-12", "0000-05-13"),
        ("2024-07-05", "05/06/2024"),
        ("19:00", "07:00"),
        ("7:00", "07:00"),
        ("7:30", "7"),
        ("70kg", "71"),
        ("70kg", "70lb"),
        ("2020", "20"),
    ],
)
def test_other_values_do_not_say_each_other(token, other):
    assert not says_all_of(token, other)


def test_units_of_one_base_are_converted():
    assert canonical_token("180cm") == canonical_token("1.8m")
    assert canonical_token("18month") == canonical_token("1.5year")
    assert canonical_token("5km") != canonical_token("5mile")


@given(st.text() | st.from_regex(r"[0-9:/., -]{1,12}(?: ?(?:am|pm|May|km|h|Uhr|years old))?", fullmatch=True))
def test_a_spelled_text_stays_as_it_is(text):
    spelled = spell_values(text)
    assert spell_values(spelled) == spelled
