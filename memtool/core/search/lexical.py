"""Lexical scores: how well a candidate matches the terms of the query."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import repeat
from operator import add, mul
from typing import Generic, TypeVar, assert_never

from msgspec import Struct

from memtool.core.search.weights import MatchWeights, TermWeights

Key = TypeVar("Key", bound=Hashable)
Name = TypeVar("Name", bound=Hashable)


class TermPostings(Struct, Generic[Key], frozen=True):
    """A term of a query and the candidates that contain it.

    `held_by` is the number of items in the index that contain the term, candidates or not. `frequencies` are
    saturated (see `saturate`). `share` is the term's weight within a word of the query: below 1 for a part of
    a compound, above 1 for a phrase.
    """

    held_by: int
    frequencies: Mapping[Key, float]
    share: float = 1.0


def saturate(frequencies: Mapping[Name, float], length: float, weights: TermWeights) -> dict[Name, float]:
    """BM25's saturated frequencies in an item of `length` terms.

    (k1 + 1) f / (f + k1 (1 - b + b length / usual length)): the part of the formula that does not depend on
    the query (Robertson and Zaragoza, 2009).
    """
    k1 = weights.k1
    norm = k1 * (1 - weights.b + weights.b * length / weights.usual_length)
    return {name: (k1 + 1) * frequency / (frequency + norm) for name, frequency in frequencies.items()}


def rarity(count: int, total: int, weights: TermWeights) -> float:
    """The weight of a term that `count` of `total` items contain; never negative."""
    held_by = max(weights.unseen_count, count)
    match weights.weighting:
        case "bm25":
            return math.log(1 + (max(total, held_by) - held_by + 0.5) / (held_by + 0.5))
        case "log-ratio":
            return math.log1p(total / held_by)
        case "uniform":
            return 1.0
        case _:
            assert_never(weights.weighting)


def term_weights(terms: Iterable[TermPostings[Key]], total: int, weights: TermWeights) -> tuple[float, ...]:
    """The weight of each term of a query in an index of `total` items."""
    return tuple(term.share * rarity(term.held_by, total, weights) for term in terms)


def lexical_scores(
    terms: Sequence[TermPostings[Key]],
    weights: Sequence[float],
    match: MatchWeights,
    power: float,
    *,
    pairs: Mapping[Key, float],
    lengths: Mapping[Key, int],
    allowed: Collection[Key] | None,
) -> dict[Key, float]:
    """The score of each candidate by the terms it contains; `MatchWeights` documents the formula.

    `weights` are those of the terms, `pairs` the bonus of a candidate for adjacent terms, `lengths` the terms
    of each candidate, read where density counts. With `allowed`, only those get a score.
    """
    sums: dict[Key, float] = {}
    held: dict[Key, float] = {}
    total_share = 0.0
    for term, weight in zip(terms, weights, strict=True):
        part = weight if match.share_by_weight else term.share
        total_share += part
        frequencies = term.frequencies
        if allowed is not None:
            frequencies = {key: frequency for key, frequency in frequencies.items() if key in allowed}
        _add(sums, frequencies, map(mul, repeat(weight), frequencies.values()))
        _add(held, frequencies, repeat(part))
    for key, weight in pairs.items():
        sums[key] += weight
    total_share = total_share or 1.0
    scores = dict.fromkeys(sums, 0.0)
    if factor := match.frequency:
        shares = {share: min(1.0, share / total_share) ** power for share in {*held.values()}}
        parts = map(shares.__getitem__, map(held.__getitem__, sums))
        scores = dict(zip(sums, map(mul, map(factor.__mul__, sums.values()), parts), strict=True))
    if match.coverage or match.density:
        for key, weight in held.items():
            scores[key] += match.coverage * weight / total_share
            if match.density:
                scores[key] += match.density * weight / max(1, lengths[key])
    return scores


def _add(totals: dict[Key, float], keys: Iterable[Key], amounts: Iterable[float]) -> None:
    """Add an amount for each key, without a loop in Python: a common word is in thousands of items."""
    if totals:
        amounts = map(add, map(totals.get, keys, repeat(0.0)), amounts)
    totals.update(zip(keys, amounts, strict=False))


def required_share(words: int, match: MatchWeights) -> float:
    """The share of a query of so many words that a candidate must contain for any to be a hit."""
    if words < match.required_from:
        return 0.0
    return match.required_share * min(1.0, match.required_to / words)


def holds_enough(
    terms: Sequence[TermPostings[Key]],
    weights: Sequence[float],
    share: float,
    *,
    allowed: Collection[Key] | None = None,
    around: Callable[[Key], Iterable[Key]] | None = None,
) -> bool:
    """Whether some candidate, with those `around` it if given, contains this share of a query, by weight."""
    if share <= 0:
        return True
    held = _held_weights(terms, weights, allowed, around)
    return max(held.values(), default=0.0) >= share * sum(weights)


class RelevanceFloor(Struct, frozen=True):
    """What some candidate must contain of a prompt for memory to answer it.

    `own` is the share of the prompt's terms, by weight, in one candidate, `around` that in a candidate and
    the messages around it; one of them must be reached. `rarity` is the weight of the terms that it contains,
    in multiples of log(items + 1), so that a common word alone never answers; `whole` is enough where it
    contains nearly all terms. With `together`, all of several terms in one candidate are enough, however
    common each of them is.
    """

    own: float
    around: float
    rarity: float
    whole: float
    together: bool = False


PROMPT_FLOOR = RelevanceFloor(own=0.45, around=0.65, rarity=1.3, whole=1.1)
"""With the next two: 4 % of 200 unrelated prompts to ten conversations pass."""
QUESTION_FLOOR = RelevanceFloor(own=0.45, around=0.65, rarity=1.3, whole=0.5, together=True)
"""For a question: one about a single thing ("and the zebra?") has one term."""
PERSONAL_FLOOR = RelevanceFloor(own=0.25, around=0.42, rarity=0.9, whole=0.5, together=True)
"""For a prompt about the user: nine in ten of the questions to those conversations pass."""
POSSESSION_FLOOR = RelevanceFloor(own=0.25, around=1.0, rarity=0.5, whole=0.5)
"""For what a prompt says the user has: one word in at most about the square root of all items is enough."""
NAME_FLOOR = RelevanceFloor(own=0.0, around=1.0, rarity=0.5, whole=0.5)
"""For the names of a prompt: a single name that is as rare is enough."""
SPEAKER_FLOOR = RelevanceFloor(own=0.15, around=0.25, rarity=0.25, whole=0.25, together=True)
"""For a prompt that names a speaker of past messages: only that speaker can answer it."""
_WHOLE = 0.9
"""The share from which a candidate contains nearly all terms of a prompt."""


def passes_floor(
    terms: Sequence[TermPostings[Key]],
    total: int,
    floor: RelevanceFloor,
    weighting: TermWeights,
    *,
    allowed: Collection[Key] | None = None,
    around: Callable[[Key], Iterable[Key]] | None = None,
    is_reply: Callable[[Key], bool] = lambda _: False,
) -> bool:
    """Whether memory of `total` items answers a prompt; a reply counts with the message it replies to."""
    total = max(total, weighting.floor_items)
    weights = term_weights(terms, total, weighting)
    asked, unit = sum(weights), math.log(total + 1)
    rounds = ((None, floor.own), *(((around, floor.around),) if around is not None else ()))
    for needed, share in rounds:
        held = _held_weights(terms, weights, allowed, needed)
        best = max((weight for key, weight in held.items() if not is_reply(key)), default=0.0)
        if best >= max(share * asked, floor.rarity * unit) or best >= max(_WHOLE * asked, floor.whole * unit):
            return True
        if floor.together and needed is None and len(terms) > 1 and best >= asked > 0:
            return True
    return False


def _held_weights(
    terms: Sequence[TermPostings[Key]],
    weights: Sequence[float],
    allowed: Collection[Key] | None,
    around: Callable[[Key], Iterable[Key]] | None,
) -> dict[Key, float]:
    """The weight of the terms in each candidate, with those in the messages `around` it if given."""
    held: dict[Key, float] = {}
    for term, weight in zip(terms, weights, strict=True):
        keys: Iterable[Key] = term.frequencies
        if around is not None:
            keys = {other for key in keys for other in (key, *around(key))}
        if allowed is not None:
            keys = [key for key in keys if key in allowed]
        _add(held, keys, repeat(weight))
    return held
