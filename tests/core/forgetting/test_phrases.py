"""Phrases and texts that somebody said, found in other texts."""

import unicodedata

import pytest

from memtool.core.forgetting.phrases import Phrases, SaidTexts


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("Ann", "ask ANN's sister"),
        ("ann", "[user:ann] likes tea"),
        ("Project Lark", "about **Project**\n> Lark, again"),
        ("Café Zoë", unicodedata.normalize("NFD", "we met at CAFÉ ZOË.")),
        ("李明", "我见过李明先生"),
        ("c++", "She writes C++ at work"),
        ("ann@x.org", "mail ann@x.org today"),
    ],
)
def test_a_phrase_is_found_as_whole_words_in_any_spelling(phrase, text):
    assert Phrases([phrase]).are_in(text)


@pytest.mark.parametrize(
    ("phrase", "text"),
    [("Ann", "Anna and the annual plan"), ("Project Lark", "a lark, a project"), ("...", "...")],
)
def test_parts_of_words_are_no_phrase(phrase, text):
    assert not Phrases([phrase]).are_in(text)


def test_what_somebody_said_is_recognised_whole_and_in_part_and_small_talk_is_not():
    said = SaidTexts()
    assert said.add("Yes, please. I keep three grey donkeys behind the old barn!")
    assert not said.add("I keep three grey donkeys behind the old barn")
    assert said.are_repeated_in("user: I keep three grey donkeys behind the old barn; fine")
    assert said.are_repeated_in("three grey donkeys behind the old barn")
    assert not said.are_repeated_in("Yes, please.")
    assert not said.are_repeated_in("three grey cats behind the old barn")
