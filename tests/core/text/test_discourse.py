"""Discourse markers: what is no part of a statement before or after which it stands."""

from __future__ import annotations

import pytest

from memtool.core.text.discourse import closing_start, without_opening


@pytest.mark.parametrize(
    ("sentence", "rest"),
    [
        ("Actually, my sister is a vet", "My sister is a vet"),
        ("Oh, and I work in Graz", "I work in Graz"),
        ("By the way I live alone", "I live alone"),
        ("Just so you know, my dog bites", "My dog bites"),
        ("Please note that I'm vegan", "I'm vegan"),
        ("Update: my rent is 900", "My rent is 900"),
        ("Übrigens, ich wohne in Graz", "Ich wohne in Graz"),
        ("Por cierto, vivo en Lima", "Vivo en Lima"),
        ("D’ailleurs, j’habite à Lyon", "J’habite à Lyon"),
        ("Кстати, я живу в Риге", "Я живу в Риге"),
        ("对了，我住在北京", "我住在北京"),
    ],
)
def test_what_leads_to_a_statement_is_left_out(sentence, rest):
    assert without_opening(sentence) == rest


@pytest.mark.parametrize(
    "sentence",
    [
        "No pork for me please",
        "No sugar, my doctor says",
        "So far I like it",
        "Well water is bad for us",
        "Right-handed people annoy me",
        "Also sprach Zarathustra is my favourite",
        "No, thanks",
        "Ben, my brother, is a chef",
        "Ha, our cat, is 12",
        "Update my CV, I live in Rome",
        "Right my wrongs is a song",
        "",
    ],
)
def test_what_belongs_to_a_statement_stays(sentence):
    assert without_opening(sentence) == sentence


def test_a_greeting_with_more_words_leads_to_a_statement():
    assert without_opening("Hi there, I'm Marta") == "I'm Marta"
    assert without_opening("Good morning! I live in Ghent") == "I live in Ghent"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("penicillin by the way", "penicillin"),
        ("shellfish, just so you know, and my son to nuts", "shellfish"),
        ("cats, though.", "cats"),
        ("Polish, haha", "Polish"),
        ("latex I think and my son is too", "latex"),
        ("Nüsse, wie du weißt", "Nüsse"),
        ("las nueces por cierto", "las nueces"),
        ("noix, au fait", "noix"),
        ("Love Actually", "Love Actually"),
        ("the actually existing world", "the actually existing world"),
    ],
)
def test_a_value_ends_before_what_only_ends_its_sentence(text, value):
    assert text[: closing_start(text, 0, len(text))] == value
