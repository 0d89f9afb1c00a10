"""Searching documents: the candidates of any number of posting sources, ranked as if they were one index."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence, Set
from datetime import date

from msgspec.structs import replace

from memtool.core.search.embedder import Embedder
from memtool.core.search.profiles import DOCUMENTS
from memtool.core.search.prompts import floor_of
from memtool.core.search.query import DateFilter, FieldFilter, Query, QueryFilter
from memtool.core.search.scoring import RankingSignals, ScoringCandidates
from memtool.core.text.dates import DateSpan, date_spans
from memtool.index.documents.chunk_vectors import nearest
from memtool.index.documents.matching import (
    allowed_chunks,
    matches,
    meta_terms,
    partial_matches,
    unlisted,
)
from memtool.index.documents.pruning import FoundTerm, rank_terms
from memtool.index.documents.source import META, ChunkSource
from memtool.index.documents.terms import BeginningUnit, QueryUnit, TermUnit, pair_units, units
from memtool.index.engine import ChunkHit

KEYWORDS = 3
"""The most terms of a query that is a list of keywords."""
POOL = 200
"""Chunks with the nearest vectors that are candidates besides those with a term of the query."""


class RankedSources(ABC):
    """Posting sources that answer queries as one index."""

    @abstractmethod
    def sources(self) -> Sequence[ChunkSource]:
        """The sources, in any order."""

    def query(
        self,
        query: Query,
        limit: int,
        *,
        filters: Sequence[QueryFilter] = (),
        today: date | None = None,
        embedder: Embedder | None = None,
        vectors_only: bool = False,
    ) -> list[ChunkHit]:
        """The best `limit` chunks of all sources together; see `Searchable`."""
        chunks = _Chunks(self.sources(), filters)
        embedder = embedder if query.positive_items else None
        terms = [] if embedder is not None and vectors_only else _terms(chunks, query)
        candidates = _candidates(chunks, query, filters, today, embedder, is_sentence=len(terms) > KEYWORDS)
        ranked = [
            (*chunks.place(number), score)
            for number, score in rank_terms(terms, chunks.starts, candidates, limit)
        ]
        for source in chunks.sources:
            source.load([number for of, number, _ in ranked if of is source])
        hits = [_hit(source, number, score) for source, number, score in ranked]
        hits.sort(key=lambda hit: (-hit.score, hit.path, hit.first, hit.last, hit.text))
        return hits[:limit]


class _Chunks:
    """The chunks of several sources under one numbering: each source's follow those of the one before.

    Where filters name owners, a word counts in their chunks alone: nobody learns from a score, or from a
    spelling that is tried in its place, that another's memory holds it.
    """

    def __init__(self, sources: Sequence[ChunkSource], filters: Sequence[QueryFilter]) -> None:
        self.sources = sources
        of_owners = [rule for rule in filters if isinstance(rule, FieldFilter) and rule.field == "owner"]
        self._visible = [allowed_chunks(source, of_owners, (), ()) for source in sources]
        self.starts = [*itertools.accumulate((source.size() for source in sources), initial=0)]

    def count(self) -> int:
        """How many chunks there are, of the owners that are named."""
        pairs = zip(self.sources, self._visible, strict=True)
        return sum(source.count() if visible is None else len(visible) for source, visible in pairs)

    def matches(self, unit: QueryUnit) -> list[dict[int, float]]:
        """The chunks of each source that a unit of the query finds, of the owners that are named."""
        return self._of_owners([matches(source, unit) for source in self.sources])

    def partial_matches(self, unit: TermUnit) -> list[dict[int, float]]:
        """See `partial_matches`; of the owners that are named."""
        return self._of_owners(partial_matches(self.sources, unit))

    def _of_owners(self, postings: list[dict[int, float]]) -> list[dict[int, float]]:
        return [
            held_by
            if visible is None
            else {number: weight for number, weight in held_by.items() if number in visible}
            for held_by, visible in zip(postings, self._visible, strict=True)
        ]

    def unlisted(self, unit: QueryUnit) -> int:
        """See `unlisted`; of all sources."""
        return sum(unlisted(source, unit) for source in self.sources)

    def number(self, source: int, number: int) -> int:
        """The number of a chunk that is `number` in a source."""
        return self.starts[source] + number

    def place(self, number: int) -> tuple[ChunkSource, int]:
        """The source of a chunk, and its number there."""
        source = bisect_right(self.starts, number) - 1
        return self.sources[source], number - self.starts[source]

    def age(self, number: int, today: int) -> int:
        """The days since a chunk was written, by the ordinal of today; 0 for one that does not age."""
        source, inside = self.place(number)
        day = source.aging_day(inside)
        return today - day if day else 0

    def numbers(self, allowed: Sequence[Set[int] | None]) -> Set[int] | None:
        """The chunks named for each source (None for all of it) under one numbering; None for all."""
        if len(allowed) == 1 or all(numbers is None for numbers in allowed):
            return allowed[0] if allowed else None
        return {
            start + number
            for start, source, numbers in zip(self.starts, self.sources, allowed, strict=False)
            for number in (source.everything() if numbers is None else numbers)
        }

    def everything(self) -> list[int]:
        """All chunks."""
        starts = zip(self.starts, self.sources, strict=False)
        return [start + number for start, source in starts for number in source.everything()]


def _candidates(
    chunks: _Chunks,
    query: Query,
    filters: Sequence[QueryFilter],
    today: date | None,
    embedder: Embedder | None,
    *,
    is_sentence: bool,
) -> ScoringCandidates[int]:
    """The chunks that have a vector near to the query's, and what is known of those that hold its terms."""
    sources = chunks.sources
    rules = (*query.filters, *filters)
    allowed_in = [allowed_chunks(source, rules, query.required, query.excluded) for source in sources]
    allowed = chunks.numbers(allowed_in)
    listed: Collection[int] = ()
    if not query.positive_items and query.filters:
        listed = chunks.everything() if allowed is None else allowed
    days = date_spans(query.text, today) if today is not None else ()
    ordinal = 0 if today is None else today.toordinal()
    similarities = {}
    if embedder is not None:
        similarities = {
            chunks.number(source, number): cosine
            for cosine, source, number in nearest(sources, query.text, embedder, POOL, allowed_in)
        }
    return ScoringCandidates(
        (),
        chunks.count(),
        allowed=allowed,
        is_sentence=is_sentence,
        listed=listed,
        words=0 if query.required or query.is_prompt else len(query.positive_items),
        floor=floor_of(query),
        similarities=similarities,
        fusion=None if embedder is None else DOCUMENTS.dense.fusion[embedder.kind],
        signals=_dated(chunks, days) if days else None,
        age=None if today is None else lambda number: chunks.age(number, ordinal),
    )


def _terms(chunks: _Chunks, query: Query) -> list[FoundTerm]:
    """The postings of each unit of the query; of those that need not match, only where they do."""
    terms: list[FoundTerm] = []
    for item in query.positive_items:
        whole, *others = units(item, query.language)
        if others and isinstance(others[0], BeginningUnit):
            beginning = _postings(chunks, others[0], query)
            if beginning.held_by:
                exact = _postings(chunks, whole, replace(query, as_spelled=True))
                terms += [beginning, exact] if exact.held_by else [beginning]
                continue
        terms += [_postings(chunks, unit, query) for unit in (whole, *others)]
    pairs = (_postings(chunks, unit, query) for unit in pair_units(query.positive_items, query.language))
    return [*terms, *(postings for postings in pairs if postings.held_by)]


def _postings(chunks: _Chunks, unit: QueryUnit, query: Query) -> FoundTerm:
    """The chunks that a unit of the query finds, filtered or not."""
    postings = chunks.matches(unit)
    beside = chunks.unlisted(unit)
    if isinstance(unit, TermUnit) and not (query.as_spelled or query.is_prompt or beside or any(postings)):
        postings = chunks.partial_matches(unit)
    return FoundTerm(sum(map(len, postings)) + beside, postings, unit.weight)


def _dated(
    chunks: _Chunks, days: Sequence[DateSpan]
) -> Callable[[Collection[int]], dict[int, RankingSignals]]:
    """Tells the chunks of the days that the query names from others."""
    dated = {
        chunks.number(i, number)
        for i, source in enumerate(chunks.sources)
        for first, last in days
        for term in meta_terms(source, DateFilter(first, last))
        for number in source.postings(META, term)
    }
    others, of_days = RankingSignals(), RankingSignals(is_dated=True)
    return lambda numbers: {number: of_days if number in dated else others for number in numbers}


def _hit(source: ChunkSource, number: int, score: float) -> ChunkHit:
    path, first, last, trail, text, role, group, day, title = source.stored(number)
    when = date.fromisoformat(day) if day else None
    return ChunkHit(path, first, last, score, text, trail, role=role, group=group, day=when, title=title)
