"""Known names: which words of memory are names, and what news of them is taken for."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from memtool.core.capture.known_names import names_in
from memtool.core.capture.message_sentences import split_message


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["Our dog Pieter is a greyhound", "Jonas gilds on Tuesdays"], {"pieter", "jonas"}),
        (["Coffee is in the tin", "no coffee after noon"], set()),
        (["I do my accounts in GnuCash", "My wife is Efua Osei-Bonsu"], {"gnucash", "efua", "osei-bonsu"}),
        (["我和太太住在杭州"], set()),
    ],
)
def test_names_are_words_that_occur_with_a_capital_only(texts, names):
    assert names_in(texts) == names


def test_news_of_a_known_name_is_a_statement_and_of_another_it_is_none():
    message = split_message("Jonas quit yesterday")
    assert message.may_be_news
    assert message.classes == {}
    assert replace(message, known_names=frozenset({"jonas"})).classes == {0: "fact"}
    assert replace(message, known_names=frozenset({"pieter"})).classes == {}


@pytest.mark.parametrize(
    "text", ["Jonas is asleep on the sofa", "Is Jonas ill?", "write to Jonas that I'm late", "hi Jonas"]
)
def test_what_passes_and_what_is_asked_is_no_news(text):
    assert replace(split_message(text), known_names=frozenset({"jonas"})).classes == {}


def test_a_known_name_counts_before_a_question():
    told = replace(split_message("vet took Mochi off the special food, how fast do i switch?"))
    assert told.classes == {}
    assert replace(told, known_names=frozenset({"mochi"})).classes == {0: "fact"}


def test_a_word_is_no_name_without_a_capital():
    assert not split_message("the max value is 300 and the min is 20").may_be_news
