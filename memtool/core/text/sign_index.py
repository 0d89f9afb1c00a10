"""Which of many short strings a text contains.

A table has hundreds of patterns, each with strings of which a matching text has at least one. To look for
each of them takes longer than to split the text into parts once and to look at what begins with one. But a
command reads one short message, for which the index of the strings costs more than the search.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

_LENGTH = 3
_SHORT_TEXT = 400
"""Characters of a text in which each string is sought; an index is worth it from about 700 on."""
_FEW = 4
"""Short texts after which the index is worth it all the same."""


def short_parts(text: str) -> frozenset[str]:
    """The parts of a text of one, two and three characters."""
    pairs = map(str.__add__, text, text[1:])
    triples = [text[position : position + _LENGTH] for position in range(len(text) - 2)]
    return frozenset((*text, *pairs, *triples))


class SignIndex:
    """An index of rows by their signs, which are not empty; a row without signs is always found."""

    def __init__(self, rows: Sequence[Collection[str]]) -> None:
        self._rows = rows
        self._unsigned: tuple[int, ...] = ()
        self._signs: dict[str, list[tuple[str, int]]] = {}
        self._searches = 0

    def rows(self, text: str, parts: frozenset[str]) -> list[int]:
        """The numbers of the rows of which a text has a sign, in order; `parts` are those of the text."""
        self._searches += 1
        if not self._signs and self._searches <= _FEW and len(text) <= _SHORT_TEXT:
            has = text.__contains__
            return [number for number, signs in enumerate(self._rows) if not signs or any(map(has, signs))]
        if not self._signs:
            self._add_rows()
        return sorted({*self._unsigned, *self._found(text, parts)})

    def _add_rows(self) -> None:
        self._unsigned = tuple(number for number, signs in enumerate(self._rows) if not signs)
        for number, signs in enumerate(self._rows):
            for sign in signs:
                self._signs.setdefault(sign[:_LENGTH], []).append((sign, number))

    def _found(self, text: str, parts: frozenset[str]) -> Iterator[int]:
        for part in self._signs.keys() & parts:
            for sign, number in self._signs[part]:
                if len(sign) <= _LENGTH or (sign[-_LENGTH:] in parts and sign in text):
                    yield number
