"""Search: one ranking over any number of sources, as if they were one index."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple, assert_never

from memtool.core.query import Days, Filter, Fuzzy, Item, Only, Prefix, Query, glob
from memtool.core.rank import age_weight
from memtool.core.talk import DATED, MEANT, UNSEEN, floor
from memtool.core.terms import atoms, search_fold, within
from memtool.core.when import Span, spans
from memtool.index.embed import Embedder
from memtool.index.engine import EngineHit
from memtool.index.meaning import nearest
from memtool.index.source import META, Source, tag_key
from memtool.index.terms import STEMS, WORDS, Said, Spelled, Term, Unit, halves, may_be_part, needed, units

POOL = 200
"""Chunks that are thought of for their meaning."""
COVERAGE = 4
"""How strongly a chunk that holds more of the query's words wins: score times (share held) to this power."""
_LIKE = 0.7
"""What a word counts that is a part of another, or made of two."""


class Candidate(NamedTuple):
    """A chunk that answers, before age and ties are settled: its score, its source and its number there."""

    score: float
    source: int
    number: int


def search(
    sources: Sequence[Source],
    query: Query,
    limit: int,
    *,
    filters: Sequence[Filter] = (),
    today: date | None = None,
    embedder: Embedder | None = None,
) -> list[EngineHit]:
    """The best `limit` chunks of all sources together; what `Searchable.query` promises."""
    found = candidates(sources, query, filters)
    if embedder is not None and not query.wanted:
        embedder = None
    if embedder is not None:
        found = [] if embedder.alone else _aged(sources, found, today)
        found = _meant(sources, query, filters, found, embedder)
    days = spans(query.text, today) if today is not None else ()
    still = today if embedder is None else None  # they have aged already
    return top(sources, _dated(sources, found, days) if days else found, limit, still)


def _meant(
    sources: Sequence[Source],
    query: Query,
    filters: Sequence[Filter],
    found: list[Candidate],
    embedder: Embedder,
) -> list[Candidate]:
    """The candidates by their words and by their meaning, and those that have the meaning alone.

    Each opinion's best counts 1, and the second's times the embedder's weight. What holds none of the words
    must be near enough.
    """
    allowed = [_allowed(source, (*query.filters, *filters), query.must, query.without) for source in sources]
    near = nearest(sources, query.text, embedder, POOL, allowed)
    held = {(one.source, one.number) for one in found}
    near = [one for one in near if one[0] >= MEANT or one[1:] in held]
    top = max((one.score for one in found), default=0.0) or 1.0
    best = near[0][0] if near else 1.0
    scores = {(one.source, one.number): one.score / top for one in found}
    for cosine, i, number in near:
        scores[i, number] = scores.get((i, number), 0.0) + embedder.weight * cosine / best
    return [Candidate(score, i, number) for (i, number), score in scores.items()]


def _aged(sources: Sequence[Source], found: list[Candidate], today: date | None) -> list[Candidate]:
    """The candidates, daily notes by their age."""
    if today is None:
        return found
    aged = []
    for one in found:
        day = sources[one.source].aging_day(one.number)
        weight = age_weight(today.toordinal() - day) if day else 1.0
        aged.append(one._replace(score=one.score * weight))
    return aged


def _dated(sources: Sequence[Source], found: list[Candidate], days: Sequence[Span]) -> list[Candidate]:
    """The candidates, those of the days that the query names with more weight."""
    of_day = [
        {
            number
            for first, last in days
            for term in _meta(source, Days(first, last))
            for number in source.postings(META, term)
        }
        for source in sources
    ]
    return [
        one._replace(score=one.score * DATED) if one.number in of_day[one.source] else one for one in found
    ]


def candidates(sources: Sequence[Source], query: Query, filters: Sequence[Filter] = ()) -> list[Candidate]:
    """Every chunk that answers the query, scored, in no order.

    A word's score is BM25F with idf = log(1 + (N - n + 0.5) / (n + 0.5)), counted over all sources; the sum
    is multiplied by the share of the query's words that the chunk holds, to the power `COVERAGE`. Where no
    chunk holds enough of a longer query there is no answer: a word or two that happen to stand somewhere.
    """
    allowed = [_allowed(source, (*query.filters, *filters), query.must, query.without) for source in sources]
    wanted = [unit for item in query.wanted for unit in units(item)]
    if not wanted:
        if not query.filters:
            return []
        return [
            Candidate(1.0, i, number)
            for i, source in enumerate(sources)
            for number in (source.everything() if allowed[i] is None else allowed[i] or ())
        ]
    everything = sum(unit.weight for unit in wanted)
    count = sum(source.count() for source in sources)
    scores: list[dict[int, float]] = [{} for _ in sources]
    held: list[dict[int, float]] = [{} for _ in sources]
    told: list[dict[int, float]] = [{} for _ in sources]
    in_all = 0.0
    for unit in wanted:
        found = [_matches(source, unit) for source in sources]
        if isinstance(unit, Term) and not (query.as_spelled or any(found)):
            found = _like(sources, unit)
        n = sum(len(postings) for postings in found)
        held_by = max(UNSEEN, n)
        factor = unit.weight * math.log(1 + (max(count, held_by) - held_by + 0.5) / (held_by + 0.5))
        in_all += factor
        for i, postings in enumerate(found):
            total, share, weight_of, only = scores[i], held[i], told[i], allowed[i]
            for number, weight in postings.items():
                if only is None or number in only:
                    total[number] = total.get(number, 0.0) + factor * weight
                    share[number] = share.get(number, 0.0) + unit.weight
                    weight_of[number] = weight_of.get(number, 0.0) + factor
    most = max((weight for one in told for weight in one.values()), default=0.0)
    if not (query.must or query.is_prompt) and most < floor(len(query.wanted)) * in_all:
        return []
    return [
        Candidate(score * (min(1.0, held[i][number] / everything)) ** COVERAGE, i, number)
        for i, found_scores in enumerate(scores)
        for number, score in found_scores.items()
    ]


def top(sources: Sequence[Source], found: list[Candidate], limit: int, today: date | None) -> list[EngineHit]:
    """The best of the candidates once daily notes have aged; equal scores by path and line."""
    found.sort(key=lambda candidate: -candidate.score)
    best: list[float] = []
    aged: list[Candidate] = []
    for score, i, number in found:
        if len(best) == limit and score < best[0]:
            break  # age only takes away, so nothing further down can come in
        day = sources[i].aging_day(number) if today is not None else 0
        now = score * age_weight(today.toordinal() - day) if today is not None and day else score
        aged.append(Candidate(now, i, number))
        (heapq.heappush if len(best) < limit else heapq.heappushpop)(best, now)
    last = best[0] if best else 0.0
    hits = [_hit(sources[i], number, score) for score, i, number in aged if score >= last]
    hits.sort(key=lambda hit: (-hit.score, hit.path, hit.first, hit.last, hit.text))
    return hits[:limit]


def _hit(source: Source, number: int, score: float) -> EngineHit:
    path, first, last, trail, text, role, group, day, title = source.stored(number)
    when = date.fromisoformat(day) if day else None
    return EngineHit(path, first, last, score, text, trail, role=role, group=group, day=when, title=title)


def _matches(source: Source, unit: Unit) -> dict[int, float]:
    """The chunks that a unit finds, with its weight there."""
    match unit:
        case Term(places):
            return _most(source.postings(field, term) for field, term in places)
        case Spelled(item):
            terms = {(field, term) for field in (STEMS, WORDS) for term in _spelled(source, field, item)}
            return _most(source.postings(field, term) for field, term in sorted(terms))
        case Said(sequence, terms):
            numbers: set[int] | None = None
            for term in terms:
                held = _matches(source, term).keys()
                numbers = set(held) if numbers is None else numbers & held
            return {number: 1.0 for number in sorted(numbers or ()) if _says(source, number, sequence)}
        case _:
            assert_never(unit)


def _like(sources: Sequence[Source], unit: Term) -> list[dict[int, float]]:
    """For a word that no chunk holds: the chunks of words that it is a part of, or of the two it is made of.

    One or two letters may only begin a word.
    """
    word = next((text for field, text in unit.places if field == STEMS), "")
    if not may_be_part(word):
        return [{} for _ in sources]
    begin = "" if len(word) > 2 else word
    lexicons = [[term for term in source.lexicon(STEMS, begin) if word in term] for source in sources]
    found = [
        _most(source.postings(STEMS, term) for term in sorted(terms))
        for source, terms in zip(sources, lexicons, strict=True)
    ]
    if not any(found) and len(word) > 2:
        first, second = halves(word, {term for source in sources for term in source.lexicon(STEMS, "")})
        both = [(source.postings(STEMS, first), source.postings(STEMS, second)) for source in sources]
        found = [
            {number: min(one[number], other[number]) for number in one.keys() & other} for one, other in both
        ]
    return [{number: _LIKE * weight for number, weight in postings.items()} for postings in found]


def _spelled(source: Source, field: str, item: Prefix | Fuzzy) -> Iterable[str]:
    if isinstance(item, Prefix):
        return source.lexicon(field, item.text)
    return [term for term in source.lexicon(field, "") if within(item.text, term, item.distance)]


def _says(source: Source, number: int, sequence: tuple[str, ...]) -> bool:
    kept = source.stored(number)
    phrase = "\0".join(("", *sequence, ""))
    return any(phrase in "\0".join(("", *atoms(search_fold(text)), "")) for text in (kept.text, *kept.trail))


def _most(found: Iterable[dict[int, float]]) -> dict[int, float]:
    """Each chunk with its greatest weight."""
    lists = [postings for postings in found if postings]
    if len(lists) == 1:
        return lists[0]
    merged: dict[int, float] = {}
    for postings in lists:
        for number, weight in postings.items():
            if weight > merged.get(number, 0.0):
                merged[number] = weight
    return merged


def _allowed(
    source: Source, filters: Iterable[Filter], must: Iterable[Item], without: Iterable[Item]
) -> set[int] | None:
    """The chunks that may be hits; none means that all may."""
    allowed: set[int] | None = None
    out: set[int] = set()
    for rule in filters:
        numbers: set[int] = set()
        for term in _meta(source, rule):
            numbers.update(source.postings(META, term))
        if isinstance(rule, Only) and rule.without:
            out |= numbers
        else:
            allowed = numbers if allowed is None else allowed & numbers
    for item in must:
        for unit in needed(item):
            held = _matches(source, unit).keys()
            allowed = set(held) if allowed is None else allowed & held
    for item in without:
        numbers = set.intersection(*(set(_matches(source, unit)) for unit in needed(item)))
        out |= numbers
    if out:
        return (set(source.everything()) if allowed is None else allowed) - out
    return allowed


def _meta(source: Source, rule: Filter) -> Iterable[str]:
    """The terms of the field `META` that a filter accepts."""
    match rule:
        case Days(since, until):
            low, high = f"day:{since or ''}", f"day:{until or '9999-12-31'}"
            return [term for term in source.lexicon(META, "day:") if low <= term <= high]
        case Only("path", values):
            patterns = [glob(value) for value in values]
            paths = source.lexicon(META, "path:")
            return [term for term in paths if any(pattern.match(term[5:]) for pattern in patterns)]
        case Only("tag", values):
            return [f"tag:{tag_key(value)}" for value in values]
        case Only(field, values):
            return [f"{field}:{value}" for value in values]
        case _:
            assert_never(rule)
