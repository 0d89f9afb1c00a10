"""Duplicates: whether long-term memory already contains a fact.

It does if a line of the same owner has the same text, except for case, spacing and punctuation, or if the two
share nearly all words (token-set Jaccard of 0.85, the threshold of the CoALA memory) and differ in function
words and inflections alone: never in a number, a negation or a content word. A word of an unknown language,
and every character of a script without spaces, counts as content: a repeated line costs less than a lost one.
The category does not matter: a known preference need not be remembered again.
"""

from __future__ import annotations

from collections.abc import Iterable

from memtool.core.records.entries import Fact, Owner, user_of
from memtool.core.text.folding import fold, is_continuous, search_fold
from memtool.core.text.stopwords import is_negation
from memtool.core.text.tokenizer import comparison_set, comparison_tokens, strip_punctuation

_Line = tuple[Owner | None, str]

NEAR_DUPLICATE = 0.85
_INDEX_AFTER = 200_000
"""Comparisons of lines after which an index of them pays."""


class DuplicateIndex:
    """Lines of memory, folded once, with which facts are compared."""

    def __init__(self, lines: Iterable[Fact]) -> None:
        self._lines = [(user_of(line.owner), fold(line.detail)) for line in lines]
        self._exact = set(self._lines)
        self._tokens: dict[str, frozenset[str]] = {}
        self._comparisons = 0
        self._indexed = 0
        self._postings: dict[str, list[int]] = {}

    def contains(self, fact: Fact) -> bool:
        """Whether a line of the fact's owner already contains it."""
        folded = fold(fact.detail)
        user = user_of(fact.owner)
        if (user, folded) in self._exact:
            return True
        tokens = comparison_set(folded)
        required = [token for token in tokens if _is_deciding(token)]
        optional = sorted(tokens.difference(required), key=len, reverse=True)
        spare = len(tokens) * 15 // 100  # a line that shares 0.85 of the tokens lacks no more than this
        for owner, line in self._candidates(required, optional, spare):
            if owner != user:
                continue
            if (
                _may_contain(line, required, 0)
                and _may_contain(line, optional, spare)
                and _is_near(tokens, self._line_tokens(line))
            ):
                return True
        return False

    def _candidates(self, required: list[str], optional: list[str], spare: int) -> Iterable[_Line]:
        """The lines that may be near duplicates: all, or, after many comparisons, those that an index names.

        A near duplicate contains all of `required`, and at least one of any `spare` + 1 tokens.
        """
        self._comparisons += len(self._lines)
        if self._comparisons < _INDEX_AFTER:
            return self._lines
        for number in range(self._indexed, len(self._lines)):
            for token in self._line_tokens(self._lines[number][1]):
                self._postings.setdefault(token, []).append(number)
        self._indexed = len(self._lines)
        by_count = sorted(required or optional, key=lambda token: len(self._postings.get(token, ())))
        rarest = by_count[: 1 if required else spare + 1]
        numbers = {number for token in rarest for number in self._postings.get(token, ())}
        return [self._lines[number] for number in sorted(numbers)]

    def add(self, fact: Fact) -> None:
        """Add a line to compare with."""
        self._lines.append((user_of(fact.owner), fold(fact.detail)))
        self._exact.add(self._lines[-1])

    def _line_tokens(self, line: str) -> frozenset[str]:
        if line not in self._tokens:
            self._tokens[line] = comparison_set(line)
        return self._tokens[line]


def is_near_duplicate(left: str, right: str) -> bool:
    """Whether two texts share nearly all words, and differ in function words and inflections alone."""
    return left == right or _is_near(comparison_set(fold(left)), comparison_set(fold(right)))


def deciding_tokens(text: str) -> frozenset[str]:
    """The numbers and negations of a text; texts that differ in these are never duplicates."""
    return frozenset(token for token in comparison_tokens(fold(text)) if _is_deciding(token))


def comparison_key(text: str) -> str:
    """A key that is equal for texts that differ only in case, spacing and punctuation."""
    folded = fold(text)
    return " ".join(comparison_tokens(folded)) or folded.strip()


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Shared tokens over all tokens, 0 to 1; two empty sets share nothing."""
    union = len(left | right)
    return len(left & right) / union if union else 0.0


def _may_contain(line: str, tokens: list[str], spare: int) -> bool:
    """Whether folded text may contain all but `spare` of the tokens; fast, with no false negatives."""
    stripped = ""
    for token in tokens:
        occurs = token in line
        if not occurs and token[0] in line and is_continuous(token[0]):
            stripped = stripped or strip_punctuation(line)
            occurs = token in stripped
        if not occurs:
            spare -= 1
            if spare < 0:
                return False
    return True


def _is_near(left: frozenset[str], right: frozenset[str]) -> bool:
    small, large = sorted((len(left), len(right)))
    if small < NEAR_DUPLICATE * large or jaccard(left, right) < NEAR_DUPLICATE:
        return False
    if left == right:
        return True
    if any(_is_deciding(token) for token in left ^ right):
        return False
    from memtool.core.text.function_words import query_language  # few lines are as near

    words = left | right
    language = query_language(" ".join(words), map(search_fold, words))
    return _adds_nothing(left - right, right, language) and _adds_nothing(right - left, left, language)


def _adds_nothing(tokens: frozenset[str], others: frozenset[str], language: str) -> bool:
    """Whether each of these tokens is a function word or an inflection of one of the others."""
    from memtool.core.text.function_words import is_function_word
    from memtool.core.text.inflection import is_inflection

    return all(
        is_function_word(search_fold(token), language)
        or any(is_inflection(token, other, language) for other in others)
        for token in tokens
    )


def _is_deciding(token: str) -> bool:
    """Whether the token makes another fact: a number or a negation."""
    return token.lstrip("-")[:1].isdigit() or is_negation(token)
