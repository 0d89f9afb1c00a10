"""Ranking the chunks that hold terms of a query, without scoring all that hold only common ones.

A common word is in a tenth of all chunks, and a chunk without a rarer word of the query is rarely among the
best. Whether one can be is known beforehand: no score is greater than that of a chunk which holds the common
terms as often as possible (MaxScore: Turtle and Flood, "Query evaluation: strategies and optimizations",
1995).
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.search.lexical import TermPostings
from memtool.core.search.profiles import DOCUMENTS
from memtool.core.search.scoring import ScoringCandidates, rank_candidates, score_candidates
from memtool.index.documents.terms import STEP

FEW = 5_000
"""Postings that are scored in a few milliseconds."""
_GREATEST = math.ceil(STEP * (DOCUMENTS.terms.k1 + 1)) / STEP
"""No saturated frequency is greater."""
_ROUNDING = 1 + 1e-9
_ANY = -1
"""Stands for the number of a chunk."""


class FoundTerm(Struct, frozen=True):
    """A term of a query with its postings in each source; see `TermPostings` for the rest."""

    held_by: int
    postings: Sequence[Mapping[int, float]]
    share: float

    def size(self) -> int:
        """How many postings there are."""
        return sum(map(len, self.postings))

    def scored(self, frequencies: Mapping[int, float]) -> TermPostings[int]:
        """The term, with these postings of all sources."""
        return TermPostings(self.held_by, frequencies, self.share)


def rank_terms(
    terms: Sequence[FoundTerm],
    starts: Sequence[int],
    candidates: ScoringCandidates[int],
    limit: int,
    *,
    few: int = FEW,
) -> list[tuple[int, float]]:
    """The best `limit` candidates with their scores, best first, and those that tie with the last.

    `starts` has the number of the first chunk of each source. The terms of `candidates` are missing. Nothing
    is left out where there are no more than `few` postings.
    """
    rarest_first = sorted(range(len(terms)), key=lambda number: terms[number].size())
    sizes = [*accumulate((terms[number].size() for number in rarest_first), initial=0)]
    half = sizes[-1] // 2
    if sizes[-1] <= few or candidates.listed or candidates.similarities or candidates.signals:
        half = -1  # all are scored
    ranking = _Ranking(terms, starts, candidates, limit)
    rare = max(1, bisect_right(sizes, few) - 1)
    while rare < len(terms) and sizes[rare] <= half:
        ranked = ranking.with_terms(rarest_first[:rare])
        if len(ranked) >= limit:
            least = ranked[-1][1]
            needed = rare
            while needed < len(terms) and ranking.bound(rarest_first[needed:]) * _ROUNDING >= least:
                needed += 1
            if needed == rare:
                return ranked
            return ranking.with_terms(rarest_first[: needed if sizes[needed] <= half else len(terms)])
        if not ranked and ranking.is_unanswered_by(rarest_first[rare:]):
            return []
        rare = max(rare + 1, bisect_left(sizes, 2 * sizes[rare]))
    return ranking.with_terms(rarest_first)


class _Ranking:
    """Ranks the candidates that hold some terms of a query, named by their numbers."""

    def __init__(
        self,
        terms: Sequence[FoundTerm],
        starts: Sequence[int],
        candidates: ScoringCandidates[int],
        limit: int,
    ) -> None:
        self._terms = terms
        self._starts = starts
        self._candidates = candidates
        self._limit = limit

    def with_terms(self, numbers: Sequence[int]) -> list[tuple[int, float]]:
        """The best of the candidates that hold one of the terms, by all terms that they hold."""
        if len(numbers) == len(self._terms):
            scored = [term.scored(self._joined(term.postings)) for term in self._terms]
        else:
            postings = [self._terms[number].postings for number in numbers]
            chunks = [{*()}.union(*held_by) for held_by in zip(*postings, strict=True)]
            scored = [
                term.scored(self._joined([*map(_restricted, term.postings, chunks)])) for term in self._terms
            ]
        return rank_candidates(DOCUMENTS, replace(self._candidates, terms=scored), self._limit)

    def bound(self, numbers: Sequence[int]) -> float:
        """A score that no candidate exceeds which holds only these terms."""
        candidates = replace(self._candidates_with(numbers), floor=None, words=0)
        return max(score_candidates(DOCUMENTS, candidates).final.values(), default=0.0)

    def is_unanswered_by(self, numbers: Sequence[int]) -> bool:
        """Whether a candidate that holds only these terms holds too little of the query for an answer."""
        return score_candidates(DOCUMENTS, self._candidates_with(numbers)).is_unanswered

    def _candidates_with(self, numbers: Sequence[int]) -> ScoringCandidates[int]:
        """One candidate, which holds these terms as often as possible."""
        most = {_ANY: _GREATEST}
        scored = [term.scored(most if i in numbers else {}) for i, term in enumerate(self._terms)]
        return replace(self._candidates, terms=scored, allowed=None, age=None)

    def _joined(self, postings: Sequence[Mapping[int, float]]) -> Mapping[int, float]:
        """The postings of each source as postings of all."""
        filled = [
            (start, source_postings)
            for start, source_postings in zip(self._starts, postings, strict=False)
            if source_postings
        ]
        if len(filled) == 1 and not filled[0][0]:
            return filled[0][1]
        joined: dict[int, float] = {}
        for start, source_postings in filled:
            joined.update(zip(map(start.__add__, source_postings), source_postings.values(), strict=True))
        return joined


def _restricted(postings: Mapping[int, float], chunks: set[int]) -> Mapping[int, float]:
    """The postings of these chunks."""
    if len(postings) <= len(chunks):
        return postings if postings.keys() <= chunks else {k: postings[k] for k in postings.keys() & chunks}
    return {number: postings[number] for number in chunks if number in postings}
