"""Second person: a question about a person, rewritten as it is put to that person."""

from __future__ import annotations

import re
from collections.abc import Collection

from memtool.core.text.folding import search_fold
from memtool.core.text.regex import regex
from memtool.core.text.stopwords import ENGLISH_ONLY_WORDS, is_stop_word
from memtool.core.text.tokenizer import POSSESSIVE_WORD


def to_second_person(text: str, names: Collection[str]) -> str:
    """Replace the names in `names` (folded words) in a question by the second person.

    What people say seldom contains their own name, and often that of the person they talk to. So the vector
    of "What did Ann buy?" is near every "Hello, Ann", and that of "What did you buy?" near what Ann says
    about it. Only English questions change.
    """

    def second_person(match: re.Match[str]) -> str:
        if search_fold(match[1]) not in names:
            return match[0]
        return "your" if match[2] else "you"

    return regex(POSSESSIVE_WORD).sub(second_person, text) if names and _is_english(text) else text


def _is_english(text: str) -> bool:
    """Whether a question has a word that only English has."""
    return any(search_fold(match[1]) in ENGLISH_ONLY_WORDS for match in regex(POSSESSIVE_WORD).finditer(text))


def capitalised_words(text: str) -> frozenset[str]:
    """The folded words that begin with a capital and are not stop words."""
    words = (match[1] for match in regex(POSSESSIVE_WORD).finditer(text) if match[1][0].isupper())
    return frozenset(word for word in map(search_fold, words) if not is_stop_word(word))
