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
    names = with_capital - without
    return frozenset(name for name in names if not (is_common_word(name) or is_calendar_word(name)))
