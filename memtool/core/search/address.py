"""Address: a question about somebody, as one puts it to that somebody."""

from __future__ import annotations

import re
from collections.abc import Collection

from memtool.core.text.pattern import compiled
from memtool.core.text.stopwords import ENGLISH_ALONE, is_stop_word
from memtool.core.text.terms import POSSESSIVE
from memtool.core.text.text import search_fold


def addressed(text: str, called: Collection[str]) -> str:
    """A question with each name of who is called in it, a folded word, in the second person.

    What people say seldom holds their own name, and often that of whom they speak to: by its meaning "What
    did Ann buy?" is near to every "Hello, Ann", and "What did you buy?" to what Ann says of it. Only what is
    asked in English is put otherwise.
    """

    def put(found: re.Match[str]) -> str:
        if search_fold(found[1]) not in called:
            return found[0]
        return "your" if found[2] else "you"

    return compiled(POSSESSIVE).sub(put, text) if called and _is_english(text) else text


def _is_english(text: str) -> bool:
    """Whether a question has one of the words that only English ones have: no other language is mixed."""
    return any(search_fold(found[1]) in ENGLISH_ALONE for found in compiled(POSSESSIVE).finditer(text))


def capitalised(text: str) -> frozenset[str]:
    """The words, folded, that are written as names are: with a capital, and no stop words."""
    words = (found[1] for found in compiled(POSSESSIVE).finditer(text) if found[1][0].isupper())
    return frozenset(word for word in map(search_fold, words) if not is_stop_word(word))
