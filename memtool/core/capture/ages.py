"""Ages: whether two texts say how old somebody is: `Rolo is five`, `Rolo is four years old`."""

from __future__ import annotations

from collections.abc import Sequence

from memtool.core.capture.languages.compared_words import AGE_WORDS, COPULAS, HAVING, OTHER_NUMBERS
from memtool.core.text.dates import NUMBER_WORDS

_SUBJECT_AND_VERB = 2


def is_before_age(words: Sequence[str]) -> bool:
    """Whether two words are a name and a verb that may stand before an age."""
    return len(words) == _SUBJECT_AND_VERB and words[1] in COPULAS | HAVING


def are_ages(before: Sequence[str], after: Sequence[str], *values: Sequence[str]) -> bool:
    """Whether a name and `is` stand before two numbers, and nothing but units of age behind.

    In a language in which people have years, more words may stand before the verb: `mi hija Ana tiene`.
    """
    is_of_age = bool(after) and AGE_WORDS.issuperset(after)
    has_verb = is_before_age(before) or (is_of_age and before[-1:] != before[:1] and before[-1] in HAVING)
    has_verb = has_verb and (before[-1] in COPULAS or is_of_age)
    return has_verb and (is_of_age or not after) and all(map(_is_age, values))


def _is_age(value: Sequence[str]) -> bool:
    first, *rest = value
    is_number = first.isdigit() or first in NUMBER_WORDS or first in OTHER_NUMBERS
    return is_number and AGE_WORDS.issuperset(rest)
