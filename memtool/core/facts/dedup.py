"""Whether long-term memory already says a fact.

It does when a line of the same owner says the same, case, spacing and punctuation aside, or when the two
share nearly all of their words (token-set Jaccard of 0.85, the threshold of the CoALA memory) and differ in
no number and no negation. The category does not matter: a known preference need not be remembered again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memtool.core.records.entry import Fact, Owner
from memtool.core.text.negations import is_negation
from memtool.core.text.pattern import compiled
from memtool.core.text.text import fold, is_continuous, jaccard, words

_Line = tuple[Owner | None, str]

NEAR = 0.85
_MANY = 200_000
"""Lines looked at one by one before an index of them pays."""

_SPACE_OR_PUNCTUATION = (
    r"[\s!-#%-*,-/:;?@\[-`{}~\u00a1\u00a7\u00ab\u00b6\u00b7\u00b8\u00bb\u00bf\u2010-\u205e\u3001-\u303f]"
)
_SUFFIX = r"(?:\+\+?|#)(?!\w)"


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
        wanted = _token_set(folded)
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
            self._tokens[line] = _token_set(line)
        return self._tokens[line]


def is_near(left: str, right: str) -> bool:
    """Whether two texts share nearly all of their words, and differ in no number and no negation."""
    return left == right or _is_near(_token_set(fold(left)), _token_set(fold(right)))


def deciding(text: str) -> frozenset[str]:
    """The numbers and negations of a text: two that differ in these never say the same."""
    return frozenset(token for token in _tokens(fold(text)) if _decides(token))


def key(text: str) -> str:
    """The same for texts that differ in case, spacing and punctuation alone; empty for an empty text."""
    folded = fold(text)
    return " ".join(_tokens(folded)) or folded.strip()


def _holds(line: str, tokens: list[str], spare: int) -> bool:
    """Whether all but `spare` of the tokens may stand in folded text: quick, and never wrongly no."""
    tight = ""
    for token in tokens:
        held = token in line
        if not held and token[0] in line and is_continuous(token[0]):
            tight = tight or compiled(_SPACE_OR_PUNCTUATION).sub("", line)
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


def _token_set(folded: str) -> frozenset[str]:
    """The tokens of folded text; neighbours of a script without spaces in pairs, for their order matters."""
    found: set[str] = set()
    before = ""  # the neighbour of a script without spaces, if there is one
    paired = False
    for token in _tokens(folded):
        if not is_continuous(token[0]):
            if before and not paired:
                found.add(before)
            found.add(token)
            before, paired = "", False
        else:
            if before:
                found.add(before + token)
            before, paired = token, bool(before)
    if before and not paired:
        found.add(before)
    return frozenset(found)


def _tokens(folded: str) -> Iterator[str]:
    """Words and meaningful signs: `v2.0.4`, `2025-06-15`, `don't`, `c++` and `-5` are one each, `🍎` too."""
    pending, last = "", 0
    for word, start, end in words(folded):
        gap = folded[last:start]
        if pending and _belongs(pending, gap, word):
            pending += gap + word
        else:
            if pending:
                yield pending
            yield from _signs(gap)
            minus = gap.endswith("-") and word[0].isdigit() and (len(gap) == 1 or gap[-2].isspace())
            pending = "-" + word if minus else word
        last = end
        if folded[end : end + 1] in {"+", "#"} and (suffix := compiled(_SUFFIX).match(folded, end)):
            pending += suffix.group()
            last = suffix.end()
    if pending:
        yield pending
    yield from _signs(folded[last:])


def _belongs(pending: str, gap: str, word: str) -> bool:
    if gap == "'":
        return pending[-1].isalpha() and word[0].isalpha()
    return len(gap) == 1 and gap in ".,:/-" and pending[-1].isdigit() and word[0].isdigit()


def _signs(gap: str) -> Iterator[str]:
    if not gap.isspace():
        yield from compiled(_SPACE_OR_PUNCTUATION).sub("", gap)
