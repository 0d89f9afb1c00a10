"""Support: whether a text is evidence for a candidate, counted more strictly than CoALA does."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct

from memtool.core.records.candidate import Claim, Instruction
from memtool.core.text.folding import is_continuous
from memtool.core.text.phrases import plain_text
from memtool.core.text.tokenizer import content_terms, words

_MIN_SHARED = 2
_MIN_SHARE = 1 / 3
_TRUNCATED_FROM = 200
"""Characters from which a quote may have been truncated."""


class EvidenceText(Struct, frozen=True, dict=True):
    """A text that may be evidence, with cached forms for comparison."""

    text: str

    @cached_property
    def plain_text(self) -> str:
        """The text as phrases match it."""
        return plain_text(self.text)

    @cached_property
    def terms(self) -> frozenset[str]:
        """Its content terms."""
        return content_terms(self.text)

    def contains_quote(self, quote: str) -> bool:
        """Whether it contains a quote, word for word; a truncated quote may end inside a word."""
        is_truncated = quote.endswith("…")
        normalised = _plain_quote(quote.removesuffix("…"))
        if normalised not in self.plain_text or next(words(normalised), None) is None:
            return False
        return (
            normalised in self.plain_text
            if is_truncated and len(quote) >= _TRUNCATED_FROM
            else _contains_phrase(self.plain_text, normalised)
        )


class SupportCriteria(Struct, frozen=True):
    """What a text must contain to be support: the object, word for word, or enough of the terms."""

    object: str
    terms: frozenset[str]

    @classmethod
    def from_statement(cls, statement: Claim | Instruction, quotes: Sequence[str]) -> SupportCriteria:
        """The criteria for a claim or an instruction with these quotes."""
        if isinstance(statement, Claim):
            return cls(
                plain_text(statement.identifier), content_terms(" ".join((*quotes, statement.identifier)))
            )
        return cls("", content_terms(" ".join((statement.rule, *quotes))))

    def count_shared(self, text: EvidenceText) -> int:
        """How many of the terms a text contains."""
        return len(self.terms & text.terms)

    def names_object(self, text: EvidenceText) -> bool:
        """Whether a text names the object, as whole words; an object without content terms is never named."""
        return bool(content_terms(self.object)) and _contains_phrase(text.plain_text, self.object)

    def is_supported_by(self, text: EvidenceText) -> bool:
        """Whether a text is support: it names the object, or has two of the terms and a third of them."""
        count = self.count_shared(text)
        return self.names_object(text) or (count >= _MIN_SHARED and count >= _MIN_SHARE * len(self.terms))


@functools.lru_cache(maxsize=4096)
def _plain_quote(quote: str) -> str:
    """A quote as phrases match it, cached, because the same ones are searched in many texts."""
    return plain_text(quote)


def _contains_phrase(text: str, phrase: str) -> bool:
    """Whether a plain text contains a phrase as whole words; continuous scripts have no word ends."""
    start = text.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        if _is_word_end(text, start - 1, phrase[0]) and _is_word_end(text, end, phrase[-1]):
            return True
        start = text.find(phrase, start + 1)
    return False


def _is_word_end(text: str, offset: int, edge: str) -> bool:
    """Whether a word ends between the character `edge` and its neighbour at `offset`."""
    if not 0 <= offset < len(text):
        return True
    neighbour = text[offset]
    return not (neighbour.isalnum() or neighbour == "_") or is_continuous(neighbour) or is_continuous(edge)
