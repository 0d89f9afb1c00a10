"""Known news: what is a statement because memory knows what it is about."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from memtool.core.capture.circumstances import read_circumstances
from memtool.core.capture.message_sentences import split_message


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ("The rent is $1,450 a month", "Landlord just put the rent up to $1,525."),
        ("My exam is on March 14", "They pushed the exam back a week."),
        ("My train leaves at 7:42", "The train's been delayed, leaving 8:10."),
        ("My gym membership costs 35 a month", "Gym's putting prices up to 42."),
        ("My weight is 82 kilos", "Down to 79 kilos this morning!"),
        ("I owe Frank $200", "Paid Frank back this morning."),
        ("We have two cats, Miso and Pepper", "We had to say goodbye to Pepper today."),
        (
            "La reunión con Carmen es el jueves a las 10",
            "Al final la reunión es el viernes a la misma hora.",
        ),
    ],
)
def test_a_change_is_a_statement_only_if_memory_knows_what_changed(known, told):
    message = split_message(told)
    assert message.classes == {}
    assert message.may_be_news
    assert message.news_of(["Our neighbours keep 3 bees"]) == frozenset()
    news = replace(message, known_news=message.news_of([known]))
    assert news.classes == {0: "fact"}
    ((statement, _),) = read_circumstances(news).statements
    assert statement.is_news


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ("The rent is $1,450 a month", "Paid the rent."),
        ("My exam is on March 14", "I took the exam notes home"),
        ("My train leaves at 7:42", "The train was full again"),
        ("My gym membership costs 35 a month", "The gym was packed at 6."),
        ("My weight is 74 kilos", "Lifted 60 kilos today."),
        ("I work 32 hours a week at the library", "Read for 2 hours in the library."),
        ("I owe my cousin Nadia 300 euros", "Had lunch with Nadia."),
        ("We have 12 chickens", "The chickens laid 9 eggs today."),
        ("Our meeting is at 10 on Mondays", "The meeting went on until 12."),
        ("My rent is 900 euros", "The rent is 900 euros now"),
    ],
)
def test_what_happens_with_a_known_thing_is_no_news_of_it(known, told):
    assert split_message(told).news_of([known]) == frozenset()


def test_a_message_whose_odds_are_out_of_reach_does_not_read_memory():
    assert not split_message("Write a function that sorts 12 numbers").may_be_news
    assert not split_message("The chickens laid 9 eggs today.").may_be_news
