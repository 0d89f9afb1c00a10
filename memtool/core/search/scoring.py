"""Scoring: the scores of candidates, by their term statistics and a profile.

One pipeline scores chunks of documents, messages, facts and snippets of a prompt. An engine finds candidates
and reads their statistics and signals; every weight is in `profiles`. The steps:

1. each term of the query gets a weight by the number of items that contain it (`lexical.term_weights`);
2. each candidate gets a score by the terms it contains (`lexical.lexical_scores`);
3. if none contains enough of a longer query, none is a lexical hit (`lexical.holds_enough`);
4. a message gets a part of the scores of the messages around it (`message_context`);
5. signals raise or lower the score of a candidate (`RankingSignals`);
6. lexical and dense scores are divided by their maximum and added (`fusion.weighted_sum`).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Generic, TypeVar

from msgspec import Struct, field

from memtool.core.search.fusion import weighted_sum
from memtool.core.search.lexical import (
    RelevanceFloor,
    TermPostings,
    holds_enough,
    lexical_scores,
    passes_floor,
    required_share,
    term_weights,
)
from memtool.core.search.message_context import MessageContext, add_context_scores, spread_scores
from memtool.core.search.weights import FusionWeights, ScoringProfile, SignalWeights

Key = TypeVar("Key", bound=Hashable)

_SORTED = 8
"""How many times the limit of scores are sorted at first: a common word is in thousands of items."""


class RankingSignals(Struct, frozen=True):
    """Properties of a candidate besides its words and its vector."""

    is_speaker: bool = False
    """Whether the query names the speaker of the message."""
    is_reply: bool = False
    """Whether the message is not the user's."""
    tells_time: bool = False
    """Whether it mentions a time and the query asks when."""
    is_dated: bool = False
    """Whether it is dated on a day that the query names."""
    asks: float = 0.0
    """The share of it that is questions, 0 to 1."""
    salience: float = 1.0
    has_phrase: bool = False
    """Whether it contains the whole query as a phrase."""
    is_own: bool = False
    """Whether it belongs to the caller's own group."""
    role: str = ""
    bonus: float | None = None
    """The bonus of its file; None for that of its role."""
    position: int = 0
    """Its position among all candidates in the order of the tree, from 0."""


class ScoringCandidates(Struct, Generic[Key], frozen=True):
    """The candidates that an engine found for a query in an index of `total` items."""

    terms: Sequence[TermPostings[Key]]
    total: int
    allowed: Collection[Key] | None = None
    """The candidates that pass the filters; None for all."""
    is_sentence: bool = True
    """Whether the query is a sentence and not a list of keywords; then context counts, too."""
    listed: Collection[Key] = ()
    """The candidates of a query that has filters and no terms; each has the score 1."""
    words: int = 0
    """The words of the query, of which some candidate must contain a share; 0 if any one is enough."""
    floor: RelevanceFloor | None = None
    """What some candidate must contain of a prompt, instead of a share of its words."""
    adjacent: Mapping[Key, Sequence[int]] = field(default_factory=dict)
    """The numbers of the terms that precede the next term directly in a candidate."""
    lengths: Mapping[Key, int] = field(default_factory=dict)
    """The number of distinct terms of a candidate, for profiles with a density weight."""
    context: MessageContext[Key] | None = None
    similarities: Mapping[Key, float] = field(default_factory=dict)
    """Cosines of the candidates' vectors with the query's."""
    fusion: FusionWeights | None = None
    """The weights of lexical and dense scores; None without vectors."""
    signals: Callable[[Collection[Key]], Mapping[Key, RankingSignals]] | None = None
    """Reads the signals of candidates; those that it omits are not hits."""
    age: Callable[[Key], int] | None = None
    """The age of a candidate in days, 0 for one that does not age."""


class CandidateScores(Struct, Generic[Key], frozen=True):
    """The scores of all hits; `lexical` holds their lexical scores, before signals."""

    final: dict[Key, float]
    lexical: Mapping[Key, float]
    is_unanswered: bool
    """Whether candidates contain terms of the query, but none contains enough of them."""


def rank_candidates(
    profile: ScoringProfile, candidates: ScoringCandidates[Key], limit: int
) -> list[tuple[Key, float]]:
    """The best `limit` candidates with their scores, best first, and those that tie with the last."""
    final = score_candidates(profile, candidates).final
    if candidates.age is None or candidates.fusion is not None:
        return top_scores(final, limit)
    age = candidates.age
    return top_scores(final, limit, lambda key: age_weight(age(key), profile.signals.half_life_days))


def score_candidates(profile: ScoringProfile, candidates: ScoringCandidates[Key]) -> CandidateScores[Key]:
    """The scores of the candidates that are hits by their words, their context or their vectors.

    Without vectors, `rank_candidates` applies the age, because it needs that of the best only.
    """
    weights = term_weights(candidates.terms, candidates.total, profile.terms)
    matches = _matches(profile, candidates, weights)
    is_unanswered = bool(matches) and not _is_answered(profile, candidates, weights)
    lexical: Mapping[Key, float] = {} if is_unanswered else matches
    if candidates.context is not None and lexical:
        lexical = add_context_scores(lexical, candidates.terms, weights, candidates.context, profile)
        if not candidates.is_sentence:
            lexical = {key: lexical[key] for key in matches}
    least = profile.dense.least_beside if lexical else profile.dense.least_alone
    similar = {
        key: cosine for key, cosine in candidates.similarities.items() if cosine >= least or key in lexical
    }
    dense = similar
    if candidates.context is not None and candidates.fusion is not None:
        dense = spread_scores(similar, candidates.context, profile.context, candidates.fusion.context)
    effects = None
    if candidates.signals is not None:
        keys: Collection[Key] = {**lexical, **dense}
        if candidates.context is not None:
            keys = _candidates_with_scores(lexical, dense, {*matches, *similar}, profile.context.most_beside)
        effects = {
            key: _signal_effect(signals, profile.signals) for key, signals in candidates.signals(keys).items()
        }
    return CandidateScores(_combine(profile, candidates, lexical, dense, effects), lexical, is_unanswered)


def _is_answered(
    profile: ScoringProfile, candidates: ScoringCandidates[Key], weights: Sequence[float]
) -> bool:
    """Whether some candidate contains enough of the query."""
    context = candidates.context
    if candidates.floor is not None:
        return passes_floor(
            candidates.terms,
            candidates.total,
            candidates.floor,
            profile.terms,
            allowed=candidates.allowed,
            around=context and context.adjacent_messages,
            is_reply=context.is_reply if context is not None else lambda _: False,
        )
    return holds_enough(
        candidates.terms,
        weights,
        required_share(candidates.words, profile.match),
        allowed=candidates.allowed,
        around=context and context.adjacent_messages,
    )


def top_scores(
    scores: Mapping[Key, float], limit: int, discount: Callable[[Key], float] | None = None
) -> list[tuple[Key, float]]:
    """The best `limit` scores, best first, and those that equal the last.

    `discount` returns a factor of 0 to 1 for a key; it is called no more often than needed.
    """
    ranked: list[tuple[Key, float]] = []
    heap: list[float] = []
    for key, value in _in_order(scores, _SORTED * limit):
        if len(heap) == limit and value < heap[0]:
            break  # a discount only lowers scores, so no later one can be among the best
        value = value if discount is None else value * discount(key)  # noqa: PLW2901
        ranked.append((key, value))
        (heapq.heappush if len(heap) < limit else heapq.heappushpop)(heap, value)
    least = heap[0] if heap else 0.0
    return sorted((scored for scored in ranked if scored[1] >= least), key=lambda scored: -scored[1])


def _in_order(scores: Mapping[Key, float], first: int) -> Iterator[tuple[Key, float]]:
    """The scores, best first; those after the `first` best are sorted only if they are asked for."""
    value = itemgetter(1)
    rest: Iterable[tuple[Key, float]] = scores.items()
    if 0 < first < len(scores):
        least = heapq.nlargest(first, scores.values())[-1]
        yield from sorted((item for item in rest if item[1] >= least), key=value, reverse=True)
        rest = (item for item in scores.items() if item[1] < least)
    yield from sorted(rest, key=value, reverse=True)


def age_weight(days: int, half_life_days: float) -> float:
    """The factor for the score of an item that is so many days old: 1 today, 1/2 after the half-life.

    An item from the future counts as today's.
    """
    return 1 / (1 + max(0, days) / half_life_days) if half_life_days else 1.0


def _matches(
    profile: ScoringProfile, candidates: ScoringCandidates[Key], weights: Sequence[float]
) -> dict[Key, float]:
    """The lexical score of each candidate, without context."""
    if candidates.listed:
        return dict.fromkeys(candidates.listed, 1.0)
    pairs = {
        key: sum(profile.terms.adjacent * min(weights[number], weights[number + 1]) for number in numbers)
        for key, numbers in candidates.adjacent.items()
    }
    power = profile.match.sentence_power if candidates.is_sentence else profile.match.keyword_power
    return lexical_scores(
        candidates.terms,
        weights,
        profile.match,
        power,
        pairs=pairs,
        lengths=candidates.lengths,
        allowed=candidates.allowed,
    )


def _candidates_with_scores(
    lexical: Mapping[Key, float], dense: Mapping[Key, float], matches: Collection[Key], most: int
) -> list[Key]:
    """The matches that have a score, and the best `most` candidates that have one by their context only."""
    total = {key: lexical.get(key, 0.0) + dense.get(key, 0.0) for key in {**lexical, **dense}}
    beside = sorted((key for key in total if key not in matches), key=lambda key: -total[key])
    return [*(key for key in matches if total.get(key)), *beside[:most]]


class _SignalEffect(Struct, frozen=True):
    """The effect of signals on a score: a factor, the share of it that a penalty applies to, and a bonus."""

    factor: float
    asks: float
    bonus: float


def _signal_effect(signals: RankingSignals, weights: SignalWeights) -> _SignalEffect:
    factor = weights.speaker if signals.is_speaker else 1.0
    if signals.is_reply:
        factor *= weights.reply
    if signals.tells_time:
        factor *= weights.time
    if signals.is_dated:
        factor *= weights.dated
    bonus = (
        weights.phrase_bonus * signals.has_phrase
        + weights.own_bonus * signals.is_own
        + (weights.role_bonus.get(signals.role, 0.0) if signals.bonus is None else signals.bonus)
        + weights.salience_bonus * math.log(max(1.0, signals.salience))
        + weights.position_bonus / (signals.position + 1)
    )
    return _SignalEffect(factor, signals.asks, bonus)


def _apply_effects(
    scores: Mapping[Key, float], effects: Mapping[Key, _SignalEffect], question_penalty: float
) -> dict[Key, float]:
    """Apply the effects of signals to scores; a candidate without effects is dropped."""
    return {
        key: value * effect.factor * (1 - question_penalty * effect.asks) + effect.bonus
        for key, value in scores.items()
        if (effect := effects.get(key)) is not None
    }


def _combine(
    profile: ScoringProfile,
    candidates: ScoringCandidates[Key],
    lexical: Mapping[Key, float],
    dense: Mapping[Key, float],
    effects: Mapping[Key, _SignalEffect] | None,
) -> dict[Key, float]:
    """Combine lexical and dense scores, with the effects of signals and age."""
    weights, fusion = profile.signals, candidates.fusion
    if candidates.age is not None and fusion is not None:
        age = candidates.age
        lexical = {
            key: value * age_weight(age(key), weights.half_life_days) for key, value in lexical.items()
        }
    if effects is not None and weights.before_fusion:
        lexical = _apply_effects(lexical, effects, weights.question_penalty)
        dense = _apply_effects(dense, effects, weights.dense_question_penalty)
    scores = dict(lexical) if fusion is None else weighted_sum(lexical, dense, fusion.lexical, fusion.dense)
    if effects is not None and not weights.before_fusion:
        scores = _apply_effects(scores, effects, weights.question_penalty)
    return scores
