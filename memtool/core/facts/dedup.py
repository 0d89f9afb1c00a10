"""Whether long-term memory already says a fact.

It does when a line of the same owner says the same, case, spacing and punctuation aside, or when the two
share nearly all of their words (token-set Jaccard of 0.85, the threshold of the CoALA memory) and differ in
no number and no negation. The category does not matter: a known preference need not be remembered again.
"""

from __future__ import annotations

from collections.abc import Iterable

from memtool.core.records.entry import Fact, Owner
from memtool.core.text.stopwords import is_negation
from memtool.core.text.terms import comparison_set, comparison_tokens, strip_punctuation
from memtool.core.text.text import fold, is_continuous

_Line = tuple[Owner | None, str]

NEAR = 0.85
_MANY = 200_000
"""Lines looked at one by one before an index of them pays."""


class Said:
    """What lines of memory say, folded once and compared with one fact after the other."""

    def __init__(self, lines: Iterable[Fact]) -> None:
        self._lines = [(line.owner, fold(line.detail)) for line in lines]
        self._exact = set(self._lines)
        self._tokens: dict[str, frozenset[str]] = {}
        self._looked = 0
        self._indexed = 0
        self._holding: dict[str, list[int]] = {}

    def says(self, fact: Fact) -> bool:
        """Whether a line of the fact's owner already says it."""
        folded = fold(fact.detail)
        if (fact.owner, folded) in self._exact:
            return True
        wanted = comparison_set(folded)
        musts = [token for token in wanted if _decides(token)]
        probes = sorted(wanted.difference(musts), key=len, reverse=True)
        spare = len(wanted) * 15 // 100  # a line that shares 0.85 of the tokens lacks no more than these
        for owner, line in self._candidates(musts, probes, spare):
            if owner != fact.owner:
                continue
            if _holds(line, musts, 0) and _holds(line, probes, spare) and _is_near(wanted, self._of(line)):
                return True
        return False

    def _candidates(self, musts: list[str], probes: list[str], spare: int) -> Iterable[_Line]:
        """The lines that may be near: all, or, once many have been looked at, those that an index names.

        A near line holds every one of the musts, and of any `spare` + 1 tokens at least one.
        """
        self._looked += len(self._lines)
        if self._looked < _MANY:
            return self._lines
        for number in range(self._indexed, len(self._lines)):
            for token in self._of(self._lines[number][1]):
                self._holding.setdefault(token, []).append(number)
        self._indexed = len(self._lines)
        by_count = sorted(musts or probes, key=lambda token: len(self._holding.get(token, ())))
        rarest = by_count[: 1 if musts else spare + 1]
        numbers = {number for token in rarest for number in self._holding.get(token, ())}
        return [self._lines[number] for number in sorted(numbers)]

    def add(self, fact: Fact) -> None:
        """Count one more line among those that are said."""
        self._lines.append((fact.owner, fold(fact.detail)))
        self._exact.add(self._lines[-1])

    def _of(self, line: str) -> frozenset[str]:
        if line not in self._tokens:
            self._tokens[line] = comparison_set(line)
        return self._tokens[line]


def is_near(left: str, right: str) -> bool:
    """Whether two texts share nearly all of their words, and differ in no number and no negation."""
    return left == right or _is_near(comparison_set(fold(left)), comparison_set(fold(right)))


def deciding(text: str) -> frozenset[str]:
    """The numbers and negations of a text: two that differ in these never say the same."""
    return frozenset(token for token in comparison_tokens(fold(text)) if _decides(token))


def key(text: str) -> str:
    """The same for texts that differ in case, spacing and punctuation alone; empty for an empty text."""
    folded = fold(text)
    return " ".join(comparison_tokens(folded)) or folded.strip()


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Shared tokens over all tokens, 0 to 1; two empty sets share nothing."""
    union = len(left | right)
    return len(left & right) / union if union else 0.0


def _holds(line: str, tokens: list[str], spare: int) -> bool:
    """Whether all but `spare` of the tokens may stand in folded text: quick, and never wrongly no."""
    tight = ""
    for token in tokens:
        held = token in line
        if not held and token[0] in line and is_continuous(token[0]):
            tight = tight or strip_punctuation(line)
            held = token in tight
        if not held:
            spare -= 1
            if spare < 0:
                return False
    return True


def _is_near(left: frozenset[str], right: frozenset[str]) -> bool:
    small, large = sorted((len(left), len(right)))
    if small < NEAR * large or jaccard(left, right) < NEAR:
        return False
    return not any(_decides(token) for token in left ^ right)


def _decides(token: str) -> bool:
    """Whether a fact with the token is another than the fact without it: a number, a negation."""
    return token.lstrip("-")[:1].isdigit() or is_negation(token)
