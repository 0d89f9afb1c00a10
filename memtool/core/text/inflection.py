"""Inflections: whether two words are forms of one word of a language.

Snowball's stemmers take off more than inflections: `manager` and `management` have one stem, and so have
`hermano` and `hermana`. So two words with one stem count as forms of one word only if they differ in endings
of the language's inflection, and not in endings of gender, which make another person of a noun.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from memtool.core.text.folding import search_fold
from memtool.core.text.function_words import ENGLISH
from memtool.core.text.stems import base_form, russian_stem, stem

_ENDINGS = {
    ENGLISH: " s es 's ed d ing e y ies ied",
    "de": " e en n er es em s st t te ten tet et ern",
    "es": " s es o as a amos an é ó aba aban ar er ir ado ando",
    "fr": " s x e es ent ez er é ée és ées ait aient ons",
    "it": " e i o a are ere ire ato ando",
    "pt": " s es o as a amos am ou ei ava avam ar er ir ado ando",
}
"""The endings in which forms of one word differ after the letters that they share.

None are needed for Russian and Turkish, whose stemmers take off inflections alone.
"""
_RUSSIAN = "ru"
_GENDERS = {
    "es": ({"o", "a"}, {"", "a"}),
    "fr": ({"", "e"},),
    "it": ({"o", "a"},),
    "pt": ({"o", "a"}, {"", "a"}, {"", "o"}),
    _RUSSIAN: ({"", "а"},),
}
"""The endings, but for the `s` of the plural, in which words for a man and a woman may differ."""
_SNOWBALL = {
    "de": "german",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "pt": "portuguese",
    "tr": "turkish",
}


def is_inflection(word: str, other: str, language: str) -> bool:
    """Whether two folded words are forms of one word, in a language of `query_language`.

    Words in Russian letters are compared as Russian, words of an unknown language only with themselves.
    """
    if word == other:
        return True
    if "\u0400" <= word[0] <= "\u04ff":
        language = _RUSSIAN
    stem_of = _stemmer(language)
    if stem_of is None or stem_of(word) != stem_of(other):
        return False
    if language == ENGLISH and (base_form(word) != word or base_form(other) != other):
        return True
    differs = (i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b)
    shared = next(differs, min(len(word), len(other)))
    ends = {word[shared:], other[shared:]}
    if {end.removesuffix("s") for end in ends} in _GENDERS.get(language, ()):
        return False
    return language not in _ENDINGS or ends.issubset(_ENDINGS[language].split(" "))


@functools.cache
def _stemmer(language: str) -> Callable[[str], str] | None:
    """The stemmer of a language; None for one that has none."""
    if language == _RUSSIAN:
        return lambda word: russian_stem(search_fold(word))
    if language == ENGLISH:
        return stem
    if language not in _SNOWBALL:
        return None
    import snowballstemmer

    stem_word: Callable[[str], str] = snowballstemmer.stemmer(_SNOWBALL[language]).stemWord
    return stem_word
