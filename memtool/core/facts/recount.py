"""Counts: the number and the things of an object such as `two kids`, which another fact may count anew."""

from __future__ import annotations

from memtool.core.text.phrases import plain_text
from memtool.core.text.stems import stem
from memtool.core.text.values import quantity_of, spell_values

_ONE = frozenset({"a", "an"})
_PLURALS = {"children": "child", "grandchildren": "grandchild", "puppies": "puppy", "babies": "baby"}


def counted_things(text: str) -> tuple[float, tuple[str, ...]] | None:
    """The number that a text begins with, and what it counts: a unit, and the stems of the words."""
    first, *rest = spell_values(plain_text(text)).split()[:6] or [""]
    quantity = quantity_of(first)
    if quantity is not None:
        return quantity[0], (quantity[1], *map(_singular, rest))
    if not rest:
        return None
    if first in _ONE:
        number = 1
    elif first.isascii() and first.isdigit() and len(first) < 4:
        number = int(first)
    else:
        return None
    return number, tuple(map(_singular, rest))


def _singular(word: str) -> str:
    return stem(_PLURALS.get(word, word))
