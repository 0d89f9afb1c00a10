"""Support: whether texts bear a candidate out, counted with more care than CoALA's own counting."""

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
"""Characters from which a quote may have been cut short."""


class Spoken(Struct, frozen=True, dict=True):
    """A text that may bear something out; what it is compared by is computed once."""

    text: str

    @cached_property
    def plain(self) -> str:
        """The text as markers see it."""
        return plain(self.text)

    @cached_property
    def terms(self) -> frozenset[str]:
        """Its terms that say something."""
        return content_terms(self.text)

    def holds(self, quote: str) -> bool:
        """Whether it holds a quote, word for word; a quote that was cut may end within a word."""
        cut = quote.endswith("…")
        bare = _bare(quote.removesuffix("…"))
        if bare not in self.plain or next(words(bare), None) is None:
            return False
        return bare in self.plain if cut and len(quote) >= _CUT else _holds(self.plain, bare)


class Wanted(Struct, frozen=True):
    """What a text must hold to bear something out: its object, word for word, or enough of its terms."""

    object: str
    terms: frozenset[str]

    @classmethod
    def of(cls, says: Claim | Instruction, quotes: Sequence[str]) -> Wanted:
        """What bears out a claim or an instruction with these quotes."""
        if isinstance(says, Claim):
            return cls(plain(says.identifier), content_terms(" ".join((*quotes, says.identifier))))
        return cls("", content_terms(" ".join((says.rule, *quotes))))

    def shared(self, text: Spoken) -> int:
        """How many of the terms a text holds."""
        return len(self.terms & text.terms)

    def names(self, text: Spoken) -> bool:
        """Whether a text names the object, as whole words; an object that says nothing is never named."""
        return bool(content_terms(self.object)) and _holds(text.plain, self.object)

    def borne_out(self, text: Spoken) -> bool:
        """Whether a text supports it: it names the object, or holds two of the terms and a third of them."""
        count = self.shared(text)
        return self.names(text) or (count >= _LEAST and count >= _SHARE * len(self.terms))


@functools.lru_cache(maxsize=4096)
def _bare(quote: str) -> str:
    """A quote as markers see it; the same ones are looked for in many texts."""
    return plain(quote)


def _holds(text: str, phrase: str) -> bool:
    """Whether a plain text holds a phrase as whole words; scripts without spaces have no word ends."""
    start = text.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        if _ends(text, start - 1, phrase[0]) and _ends(text, end, phrase[-1]):
            return True
        start = text.find(phrase, start + 1)
    return False


def _ends(text: str, at: int, edge: str) -> bool:
    if not 0 <= at < len(text):
        return True
    beyond = text[at]
    return not (beyond.isalnum() or beyond == "_") or is_continuous(beyond) or is_continuous(edge)
