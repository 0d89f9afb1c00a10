"""Which of many short strings a text contains, found by their first three characters.

A table has hundreds of patterns, each with strings of which a matching text has at least one. To look for
each of them takes longer than to split the text into parts once and to look at what begins with one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

_LENGTH = 3


def short_parts(text: str) -> frozenset[str]:
    """The parts of a text of one, two and three characters."""
    pairs = map(str.__add__, text, text[1:])
    triples = [text[position : position + _LENGTH] for position in range(len(text) - 2)]
    return frozenset((*text, *pairs, *triples))


class SignIndex:
    """An index of rows by their signs, which are not empty; a row without signs is always found."""

    def __init__(self, rows: Sequence[Collection[str]]) -> None:
        self._unsigned = frozenset(number for number, signs in enumerate(rows) if not signs)
        self._signs: dict[str, list[tuple[str, int]]] = {}
        for number, signs in enumerate(rows):
            for sign in signs:
                self._signs.setdefault(sign[:_LENGTH], []).append((sign, number))

    def rows(self, text: str, parts: frozenset[str]) -> list[int]:
        """The numbers of the rows of which a text has a sign, in order; `parts` are those of the text."""
        return sorted({*self._unsigned, *self._found(text, parts)})

    def _found(self, text: str, parts: frozenset[str]) -> Iterator[int]:
        for part in self._signs.keys() & parts:
            for sign, number in self._signs[part]:
                if len(sign) <= _LENGTH or (sign[-_LENGTH:] in parts and sign in text):
                    yield number
