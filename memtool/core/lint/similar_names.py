"""Names at most one letter apart, found without comparing a name with all others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

_MIN_LETTERS = 4
"""Letters of a name below which one letter more or less makes another name."""


class SimilarNames:
    """The values of names, by the names' letters and digits.

    The index of near names holds each name with one letter left out (as SymSpell does), so that looking one
    up takes as many steps as the name has letters. It is built on first use.
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values

    def find(self, name: str) -> str | None:
        """The value of a name, else of one with a letter more, less, replaced or swapped; None without one.

        The digits must be the same: `note1` and `note2` are different names.
        """
        if (value := self._values.get(name)) is not None or len(name) < _MIN_LETTERS:
            return value
        for shortened in _with_one_left_out(name):
            for other in self._near.get(shortened, ()):
                if _digits(other) == _digits(name):
                    return self._values[other]
        return None

    @cached_property
    def _near(self) -> dict[str, list[str]]:
        near: dict[str, list[str]] = {}
        for name in self._values:
            if len(name) >= _MIN_LETTERS:
                for shortened in _with_one_left_out(name):
                    near.setdefault(shortened, []).append(name)
        return near


def _with_one_left_out(name: str) -> Iterator[str]:
    """The name itself, then without each of its letters."""
    yield name
    for position in range(len(name)):
        yield name[:position] + name[position + 1 :]


def _digits(name: str) -> str:
    return "".join(filter(str.isdigit, name))
