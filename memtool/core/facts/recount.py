"""Recounts: whether a fact counts the same things as another one, with another number."""

from __future__ import annotations

from memtool.core.text.dates import NUMBER_WORDS
from memtool.core.text.phrases import plain_text
from memtool.core.text.stems import stem

_ONE = frozenset({"a", "an"})
_PLURALS = {"children": "child", "grandchildren": "grandchild", "puppies": "puppy", "babies": "baby"}


def is_recount(old: str, new: str) -> bool:
    """Whether two objects differ only in the number that they begin with: `two kids`, `3 kids`."""
    before, after = counted_things(old), counted_things(new)
    return before is not None and after is not None and before[0] != after[0] and before[1] == after[1]


def counted_things(text: str) -> tuple[int, tuple[str, ...]] | None:
    """The number that a text begins with, and the stems of what it counts."""
    first, *rest = plain_text(text).split()[:6] or [""]
    if not rest:
        return None
    if first in _ONE:
        number = 1
    elif first in NUMBER_WORDS:
        number = NUMBER_WORDS.index(first) + 1
    elif first.isascii() and first.isdigit() and len(first) < 4:
        number = int(first)
    else:
        return None
    return number, tuple(stem(_PLURALS.get(word, word)) for word in rest)
