"""Courtesies: what is one, in each of the languages, and what only begins like one."""

from __future__ import annotations

import pytest

from memtool.core.text.courtesies import is_courtesy

COURTESIES = [
    "Thank you.",
    "Thanks a lot for the quick answer!",
    "ok",
    "Good morning!",
    "Sounds good.",
    "Danke schön",
    "Vielen Dank für die schnelle Antwort",
    "merci beaucoup",
    "Muchas gracias por la ayuda",
    "Muito obrigado pela ajuda",
    "Большое спасибо!",
    "Çok teşekkür ederim",
    "Katta rahmat",
    "谢谢你",
    "ありがとうございます。",
]
OTHERS = [
    "Thanks to Efua we won",
    "Thanks, now fix my bike",
    "Thank you card for Efua",
    "Is that good?",
    "My job is great",
    "Great Ormond Street",
    "Danke, und wie heißt mein Zahnarzt",
    "Merci mais je préfère le thé",
    "Bonne idée pour Leeds",
    "no thanks, I'm vegan",
    "谢谢你的蛋糕",
    "Yes, Thursday",
    "and the dentist",
    "",
]


@pytest.mark.parametrize("text", COURTESIES)
def test_thanks_greetings_and_assent_are_courtesies(text):
    assert is_courtesy(text)


@pytest.mark.parametrize("text", OTHERS)
def test_a_text_that_says_or_asks_something_is_no_courtesy(text):
    assert not is_courtesy(text)
