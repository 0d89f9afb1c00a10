"""Prepositions and articles at the beginning of a value: two values that can stand in the same place."""

from __future__ import annotations

from memtool.core.text.folding import search_fold
from memtool.core.text.function_words import ENGLISH, is_function_word


def begin_alike(old: str, new: str) -> bool:
    """Whether both values begin with a preposition or an article, or neither does.

    The article of a name may be missing: `the Netherlands` and `Belgium` begin alike.
    """
    names = (old, new), (_without_article(old), _without_article(new))
    return any(_has_particle(first) == _has_particle(second) for first, second in names)


def _has_particle(value: str) -> bool:
    """Whether a value begins with a preposition or an article."""
    word = value.split(" ", 1)[0]
    return word[:1].islower() and is_particle(word)  # unlike May, the month


def _without_article(value: str) -> str:
    rest = value.removeprefix("the ")
    return rest if rest[:1].isupper() else value


def is_particle(word: str) -> bool:
    """Whether a word is a preposition, an article or the like; English."""
    return is_function_word(search_fold(word), ENGLISH)
