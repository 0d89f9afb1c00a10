"""Support: whether texts bear a candidate out, counted with more care than CoALA's own counting."""

from __future__ import annotations

import functools
import itertools
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from memtool.core.records.candidate import Claim, Instruction
from memtool.core.text.markers import plain
from memtool.core.text.stopwords import GRAMMAR
from memtool.core.text.text import fold, is_continuous, words

_ENGLISH = frozenset({"s", "m", "d", "t", "re", "ve", "ll"})
"""What stands behind an apostrophe in English; no part of the word."""
_LEAST = 2
_SHARE = 1 / 3
_CUT = 200
"""Characters from which a quote may have been cut short."""


def meaningful(text: str) -> frozenset[str]:
    """The terms of a text that say something: no stop words, no single letters; CJK and the like by pairs.

    One character of a script without spaces is a term only where it stands alone.
    """
    found: set[str] = set()
    folded = fold(text)
    run: list[str] = []  # characters of a script without spaces that stand together, each with its marks
    after = -1
    for token, start, end in _joined(folded):
        if run and start != after:
            found |= _pairs(run)
            run = []
        if is_continuous(token[0]):
            after = _behind_marks(folded, end)
            run.append(folded[start:after])
        elif len(token) > 1 and token not in GRAMMAR:
            found.add(token)
    found |= _pairs(run)
    return frozenset(found)


def _pairs(run: Sequence[str]) -> set[str]:
    """The pairs of neighbours in a run, or the one character; two of hiragana alone are no word."""
    if len(run) == 1:
        return {run[0]}
    pairs = (one + other for one, other in itertools.pairwise(run))
    return {pair for pair in pairs if not all("\u3041" <= character <= "\u309f" for character in pair)}


def _behind_marks(folded: str, end: int) -> int:
    """Where the marks end that belong to the character before `end`."""
    while end < len(folded) and unicodedata.category(folded[end])[0] == "M":
        end += 1
    return end


def _joined(folded: str) -> Iterator[tuple[str, int, int]]:
    """The words of folded text; one with the Uzbek letters `o'` and `g'` in it is one word."""
    before: tuple[str, int, int] | None = None
    for token, start, end in words(folded):
        near = before is not None and before[0][-1] in "og" and folded[before[2] : start] == "'"
        if before is not None and near and token not in _ENGLISH:
            before = (f"{before[0]}'{token}", before[1], end)
            continue
        if before is not None:
            yield before
        before = (token, start, end)
    if before is not None:
        yield before


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
        return meaningful(self.text)

    def holds(self, quote: str) -> bool:
        """Whether it holds a quote, word for word; a quote that was cut may end within a word."""
        cut = quote.endswith("…")
        bare = _bare(quote.removesuffix("…"))
        if bare not in self.plain or not any(True for _ in words(bare)):
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
            return cls(plain(says.identifier), meaningful(" ".join((*quotes, says.identifier))))
        return cls("", meaningful(" ".join((says.rule, *quotes))))

    def shared(self, text: Spoken) -> int:
        """How many of the terms a text holds."""
        return len(self.terms & text.terms)

    def names(self, text: Spoken) -> bool:
        """Whether a text names the object, as whole words; an object that says nothing is never named."""
        return bool(meaningful(self.object)) and _holds(text.plain, self.object)

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
