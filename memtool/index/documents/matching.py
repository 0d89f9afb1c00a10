"""Matching: the chunks of a source that a unit of a query finds, and those that filters admit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from memtool.core.search.profiles import DOCUMENTS
from memtool.core.search.query import (
    DateFilter,
    FieldFilter,
    FuzzyTerm,
    PrefixTerm,
    QueryFilter,
    QueryItem,
    is_within_distance,
)
from memtool.core.text.folding import search_fold
from memtool.core.text.globs import glob_regex
from memtool.core.text.tokenizer import atoms
from memtool.index.documents.source import META, ChunkSource, tag_key
from memtool.index.documents.terms import (
    STEMS,
    WORDS,
    BeginningUnit,
    PhraseUnit,
    QueryUnit,
    SpellingUnit,
    TermUnit,
    halves,
    may_be_part,
    required_units,
)


def matches(source: ChunkSource, unit: QueryUnit) -> dict[int, float]:
    """The chunks that a unit of the query finds, with its saturated frequency there."""
    match unit:
        case TermUnit(places):
            return _greatest(source.postings(field, term) for field, term in places)
        case BeginningUnit(text):
            return _greatest(source.postings(STEMS, term) for term in source.lexicon(STEMS, text))
        case SpellingUnit(item):
            terms = {(field, term) for field in (STEMS, WORDS) for term in _spelled(source, field, item)}
            return _greatest(source.postings(field, term) for field, term in sorted(terms))
        case PhraseUnit(sequence, terms):
            numbers: set[int] | None = None
            for term in terms:
                chunks = matches(source, term).keys()
                numbers = set(chunks) if numbers is None else numbers & chunks
            source.load(numbers or ())
            return {number: 1.0 for number in sorted(numbers or ()) if _has_phrase(source, number, sequence)}
        case _:
            assert_never(unit)


def unlisted(source: ChunkSource, unit: QueryUnit) -> int:
    """How many chunks of a source a unit of the query would find beside those that its postings list.

    Words with a beginning rarely share a chunk, so their counts are added. A phrase and a spelling are sought
    in the listed chunks alone.
    """
    match unit:
        case TermUnit(places):
            return max(source.unlisted(field, term) for field, term in places)
        case BeginningUnit(text):
            return sum(source.unlisted(STEMS, term) for term in source.lexicon(STEMS, text))
        case SpellingUnit() | PhraseUnit():
            return 0
        case _:
            assert_never(unit)


def partial_matches(sources: Sequence[ChunkSource], unit: TermUnit) -> list[dict[int, float]]:
    """The chunks of each source that hold words which a word is a part of, or else both halves of it.

    For a word that no chunk holds. One or two letters may only begin a word.
    """
    word = next((text for field, text in unit.places if field == STEMS), "")
    if not may_be_part(word):
        return [{} for _ in sources]
    begin = "" if len(word) > 2 else word
    lexicons = [source.lexicon(STEMS, begin) for source in sources]
    found_in = [
        _greatest(source.postings(STEMS, term) for term in sorted(term for term in lexicon if word in term))
        for source, lexicon in zip(sources, lexicons, strict=True)
    ]
    if not any(found_in) and len(word) > 2:
        parts = {part for middle in range(len(word)) for part in (word[:middle], word[middle:])}
        known = {part for lexicon in lexicons for part in parts.intersection(lexicon)}
        held = {part for part in known if any(source.postings(STEMS, part) for source in sources)}
        first, second = halves(word, held)
        pairs = [(source.postings(STEMS, first), source.postings(STEMS, second)) for source in sources]
        found_in = [
            {number: min(left[number], right[number]) for number in left.keys() & right}
            for left, right in pairs
        ]
    weight = DOCUMENTS.terms.partial_word
    return [{number: weight * frequency for number, frequency in postings.items()} for postings in found_in]


def _spelled(source: ChunkSource, field: str, item: PrefixTerm | FuzzyTerm) -> Iterable[str]:
    if isinstance(item, PrefixTerm):
        return source.lexicon(field, item.text)
    return [term for term in source.lexicon(field, "") if is_within_distance(item.text, term, item.distance)]


def _has_phrase(source: ChunkSource, number: int, sequence: tuple[str, ...]) -> bool:
    chunk = source.stored(number)
    phrase = "\0".join(("", *sequence, ""))
    texts = (chunk.text, *chunk.trail)
    return any(phrase in "\0".join(("", *atoms(search_fold(text)), "")) for text in texts)


def _greatest(postings_list: Iterable[dict[int, float]]) -> dict[int, float]:
    """Each chunk with the greatest of its frequencies."""
    filled = [postings for postings in postings_list if postings]
    if len(filled) == 1:
        return filled[0]
    merged: dict[int, float] = {}
    for postings in filled:
        for number, frequency in postings.items():
            if frequency > merged.get(number, 0.0):
                merged[number] = frequency
    return merged


def allowed_chunks(
    source: ChunkSource,
    filters: Iterable[QueryFilter],
    must: Iterable[QueryItem],
    without: Iterable[QueryItem],
) -> set[int] | None:
    """The chunks of a source that may be hits; None for all."""
    allowed: set[int] | None = None
    out: set[int] = set()
    for rule in filters:
        numbers: set[int] = set()
        terms = meta_terms(source, rule)
        excludes = isinstance(rule, FieldFilter) and rule.excludes
        if not excludes and any(source.is_everywhere(META, term) for term in terms):
            continue
        for term in terms:
            numbers.update(source.postings(META, term))
        if excludes:
            out |= numbers
        else:
            allowed = numbers if allowed is None else allowed & numbers
    for item in must:
        for unit in required_units(item):
            chunks = matches(source, unit).keys()
            allowed = set(chunks) if allowed is None else allowed & chunks
    for item in without:
        numbers = set.intersection(*(set(matches(source, unit)) for unit in required_units(item)))
        out |= numbers
    if out:
        return (set(source.everything()) if allowed is None else allowed) - out
    return allowed


def meta_terms(source: ChunkSource, rule: QueryFilter) -> Sequence[str]:
    """The terms of the field `META` that a filter accepts."""
    match rule:
        case DateFilter(since, until):
            low, high = f"day:{since or ''}", f"day:{until or '9999-12-31'}"
            return [term for term in source.lexicon(META, "day:") if low <= term <= high]
        case FieldFilter("path", values):
            patterns = [glob_regex(value) for value in values]
            paths = source.lexicon(META, "path:")
            return [term for term in paths if any(pattern.match(term[5:]) for pattern in patterns)]
        case FieldFilter("tag", values):
            return [f"tag:{tag_key(value)}" for value in values]
        case FieldFilter(field, values):
            return [f"{field}:{value}" for value in values]
        case _:
            assert_never(rule)
