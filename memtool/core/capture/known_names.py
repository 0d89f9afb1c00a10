"""Known names: the people, animals and things that memory names, so that news of them is the user's own.

"Jonas quit yesterday" may be about anybody; of somebody whom the user has told about, it is worth keeping.
"""

from __future__ import annotations

from collections.abc import Iterable

from memtool.core.text.dates import is_calendar_word
from memtool.core.text.folding import search_fold
from memtool.core.text.function_words import is_common_word
from memtool.core.text.regex import regex

_WORD = r"[^\W\d_][\w-]+"


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """The words, folded, that the texts have with a capital only: names, and a few nouns at a beginning."""
    with_capital: set[str] = set()
    without: set[str] = set()
    for text in texts:
        for word in regex(_WORD).findall(text):
            (with_capital if word[0].isupper() else without).add(search_fold(word))
    return _uncommon(with_capital - without)


def possible_names(sentence: str) -> frozenset[str]:
    """The words of a sentence, folded, that may be names in a message without capitals."""
    return _uncommon(map(search_fold, regex(_WORD).findall(sentence)))


def _uncommon(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word for word in words if not (is_common_word(word) or is_calendar_word(word)))
