"""Support: whether a text is evidence for a candidate, counted more strictly than CoALA does."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct

from memtool.core.records.candidate import Claim, Instruction
from memtool.core.text.markers import plain
from memtool.core.text.terms import content_terms, words
from memtool.core.text.text import is_continuous

_LEAST = 2
_SHARE = 1 / 3
_CUT = 200
"""Characters from which a quote may have been truncated."""


class Spoken(Struct, frozen=True, dict=True):
    """A text that may be evidence, with cached forms for comparison."""

    text: str

    @cached_property
    def plain(self) -> str:
        """The text as phrases match it."""
        return plain(self.text)

    @cached_property
    def terms(self) -> frozenset[str]:
        """Its content terms."""
        return content_terms(self.text)

    def holds(self, quote: str) -> bool:
        """Whether it contains a quote, word for word; a truncated quote may end inside a word."""
        is_truncated = quote.endswith("…")
        normalised = _bare(quote.removesuffix("…"))
        if normalised not in self.plain or next(words(normalised), None) is None:
            return False
        return (
            normalised in self.plain
            if is_truncated and len(quote) >= _CUT
            else _holds(self.plain, normalised)
        )


class Wanted(Struct, frozen=True):
    """What a text must contain to be support: the object, word for word, or enough of the terms."""

    object: str
    terms: frozenset[str]

    @classmethod
    def of(cls, says: Claim | Instruction, quotes: Sequence[str]) -> Wanted:
        """The criteria for a claim or an instruction with these quotes."""
        if isinstance(says, Claim):
            return cls(plain(says.identifier), content_terms(" ".join((*quotes, says.identifier))))
        return cls("", content_terms(" ".join((says.rule, *quotes))))

    def shared(self, text: Spoken) -> int:
        """How many of the terms a text contains."""
        return len(self.terms & text.terms)

    def names(self, text: Spoken) -> bool:
        """Whether a text names the object, as whole words; an object without content terms is never named."""
        return bool(content_terms(self.object)) and _holds(text.plain, self.object)

    def borne_out(self, text: Spoken) -> bool:
        """Whether a text is support: it names the object, or has two of the terms and a third of them."""
        count = self.shared(text)
        return self.names(text) or (count >= _LEAST and count >= _SHARE * len(self.terms))


@functools.lru_cache(maxsize=4096)
def _bare(quote: str) -> str:
    """A quote as phrases match it, cached, because the same ones are searched in many texts."""
    return plain(quote)


def _holds(text: str, phrase: str) -> bool:
    """Whether a plain text contains a phrase as whole words; continuous scripts have no word ends."""
    start = text.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        if _ends(text, start - 1, phrase[0]) and _ends(text, end, phrase[-1]):
            return True
        start = text.find(phrase, start + 1)
    return False


def _ends(text: str, offset: int, edge: str) -> bool:
    """Whether a word ends between the character `edge` and its neighbour at `offset`."""
    if not 0 <= offset < len(text):
        return True
    neighbour = text[offset]
    return not (neighbour.isalnum() or neighbour == "_") or is_continuous(neighbour) or is_continuous(edge)
