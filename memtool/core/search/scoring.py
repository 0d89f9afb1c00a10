"""Scoring: candidates with their term statistics, and a profile, become scores.

One pipeline for chunks of documents, messages, facts and snippets of a prompt. An engine finds candidates and
reads what is known of them; every weight is in `profiles`. The steps:

1. each term of the query gets a weight, by how many items of the index hold it (`lexical.term_weights`);
2. each candidate gets a score by the terms it holds (`lexical.lexical_scores`);
3. where none holds enough of a longer query, none answers by its words (`lexical.holds_enough`);
4. a message has a part of the scores of the messages around it (`message_context`);
5. what else is known of a candidate raises or lowers its score (`Signals`);
6. lexical and dense scores are added, each divided by its greatest (`fusion.weighted_sum`).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from msgspec import Struct, field

from memtool.core.search.fusion import weighted_sum
from memtool.core.search.lexical import (
    TermPostings,
    holds_enough,
    lexical_scores,
    required_share,
    term_weights,
)
from memtool.core.search.message_context import MessageContext, in_context, spread
from memtool.core.search.profiles import FusionWeights, ScoringProfile, SignalWeights

Key = TypeVar("Key", bound=Hashable)


class Signals(NamedTuple):
    """What is known of a candidate besides its words and its vector."""

    is_speaker: bool = False
    """Whether the query names the speaker of the message."""
    tells_time: bool = False
    """Whether it tells a time and the query asks when."""
    is_dated: bool = False
    """Whether it is of a day that the query names."""
    asks: float = 0.0
    """The share of it that is questions, 0 to 1."""
    salience: float = 1.0
    has_phrase: bool = False
    """Whether it holds the whole query as a phrase."""
    is_own: bool = False
    """Whether it is of the caller's own group."""
    role: str = ""
    position: int = 0
    """Its place among all candidates in the order of the tree, from 0."""


class Candidates(Struct, Generic[Key], frozen=True):
    """What an engine found for a query in an index of `total` items."""

    terms: Sequence[TermPostings[Key]]
    total: int
    allowed: Collection[Key] | None = None
    """The candidates that filters admit; None for all."""
    is_sentence: bool = True
    """Whether the query is a sentence and no list of keywords: then context may answer, too."""
    listed: Collection[Key] = ()
    """The candidates of a query that holds no term, but filters; each has the score 1."""
    words: int = 0
    """Words of the query, of which some candidate must hold a share; 0 where any one is enough."""
    adjacent: Mapping[Key, Sequence[int]] = field(default_factory=dict)
    """Which terms, by number, stand right before the next one in a candidate."""
    lengths: Mapping[Key, int] = field(default_factory=dict)
    """The number of distinct terms in a candidate, for profiles in which density counts."""
    context: MessageContext[Key] | None = None
    similarities: Mapping[Key, float] = field(default_factory=dict)
    """Cosines of candidates' vectors and the query's."""
    fusion: FusionWeights | None = None
    """How similarities count beside words; None where there are no vectors."""
    signals: Callable[[Collection[Key]], Mapping[Key, Signals]] | None = None
    """Reads the signals of candidates; those that it leaves out are no hits."""
    age: Callable[[Key], int] | None = None
    """The days since a candidate was written, 0 for one that does not age."""


class Scores(NamedTuple, Generic[Key]):
    """The scores of the candidates that answer; `lexical` are those by their words alone, before signals."""

    final: dict[Key, float]
    lexical: Mapping[Key, float]
    is_unanswered: bool
    """Whether candidates hold terms of the query, but none enough of them to be an answer."""


def rank(profile: ScoringProfile, found: Candidates[Key], limit: int) -> list[tuple[Key, float]]:
    """The best `limit` candidates with their scores, and those that score as much as the last; best first."""
    final = score(profile, found).final
    if found.age is None or found.fusion is not None:
        return best(final, limit)
    age = found.age
    return best(final, limit, lambda key: age_weight(age(key), profile.signals.half_life_days))


def score(profile: ScoringProfile, found: Candidates[Key]) -> Scores[Key]:
    """The scores of the candidates that answer by their words, their context or their vectors.

    Without vectors the age of candidates is left to `rank`, which needs it of the best alone.
    """
    weights = term_weights(found.terms, found.total, profile.terms)
    matches = _matches(profile, found, weights)
    is_unanswered = bool(matches) and not holds_enough(
        found.terms,
        weights,
        required_share(found.words, profile.match),
        allowed=found.allowed,
        around=found.context and found.context.beside,
    )
    lexical: Mapping[Key, float] = {} if is_unanswered else matches
    if found.context is not None and lexical:
        lexical = in_context(lexical, found.terms, weights, found.context, profile)
        if not found.is_sentence:
            lexical = {key: lexical[key] for key in matches}
    least = profile.dense.least_beside if lexical else profile.dense.least_alone
    similar = {key: cosine for key, cosine in found.similarities.items() if cosine >= least or key in lexical}
    dense = similar
    if found.context is not None and found.fusion is not None:
        dense = spread(similar, found.context, profile.context, found.fusion.context)
    effects = None
    if found.signals is not None:
        keys: Collection[Key] = {**lexical, **dense}
        if found.context is not None:
            keys = _considered(lexical, dense, {*matches, *similar}, profile.context.most_beside)
        effects = {key: _effect(known, profile.signals) for key, known in found.signals(keys).items()}
    return Scores(_combined(profile, found, lexical, dense, effects), lexical, is_unanswered)


def best(
    scores: Mapping[Key, float], limit: int, discount: Callable[[Key], float] | None = None
) -> list[tuple[Key, float]]:
    """The best `limit` of some scores, and those that equal the last; best first.

    `discount` gives a factor of 0 to 1 for each; it is asked no more often than needed.
    """
    found: list[tuple[Key, float]] = []
    heap: list[float] = []
    for key, value in sorted(scores.items(), key=lambda scored: -scored[1]):
        if len(heap) == limit and value < heap[0]:
            break  # a discount only takes away, so nothing that follows can come in
        value = value if discount is None else value * discount(key)  # noqa: PLW2901
        found.append((key, value))
        (heapq.heappush if len(heap) < limit else heapq.heappushpop)(heap, value)
    least = heap[0] if heap else 0.0
    return sorted((scored for scored in found if scored[1] >= least), key=lambda scored: -scored[1])


def age_weight(days: int, half_life_days: float) -> float:
    """What the score of an item that is so many days old is multiplied by: 1 today, 1/2 after the half-life.

    An item from the future counts as today's.
    """
    return 1 / (1 + max(0, days) / half_life_days) if half_life_days else 1.0


def _matches(profile: ScoringProfile, found: Candidates[Key], weights: Sequence[float]) -> dict[Key, float]:
    """The lexical score of each candidate by itself."""
    if found.listed:
        return dict.fromkeys(found.listed, 1.0)
    pairs = {
        key: sum(profile.terms.adjacent * min(weights[number], weights[number + 1]) for number in numbers)
        for key, numbers in found.adjacent.items()
    }
    power = profile.match.sentence_power if found.is_sentence else profile.match.keyword_power
    return lexical_scores(
        found.terms,
        weights,
        profile.match,
        power,
        pairs=pairs,
        lengths=found.lengths,
        allowed=found.allowed,
    )


def _considered(
    lexical: Mapping[Key, float], dense: Mapping[Key, float], found: Collection[Key], most: int
) -> list[Key]:
    """The candidates that were found and have a score, and the best that have one by their context alone."""
    total = {key: lexical.get(key, 0.0) + dense.get(key, 0.0) for key in {**lexical, **dense}}
    beside = sorted((key for key in total if key not in found), key=lambda key: -total[key])
    return [*(key for key in found if total.get(key)), *beside[:most]]


class _Effect(NamedTuple):
    """What signals make of a score: a factor, the share of it that a penalty falls on, and a bonus."""

    factor: float
    asks: float
    bonus: float


def _effect(known: Signals, weights: SignalWeights) -> _Effect:
    factor = known.salience**weights.salience_power
    if known.is_speaker:
        factor *= weights.speaker
    if known.tells_time:
        factor *= weights.time
    if known.is_dated:
        factor *= weights.dated
    bonus = (
        weights.phrase_bonus * known.has_phrase
        + weights.own_bonus * known.is_own
        + weights.role_bonus.get(known.role, 0.0)
        + weights.salience_bonus * math.log(max(1.0, known.salience))
        + weights.position_bonus / (known.position + 1)
    )
    return _Effect(factor, known.asks, bonus)


def _changed(
    scores: Mapping[Key, float], effects: Mapping[Key, _Effect], question_penalty: float
) -> dict[Key, float]:
    """The scores as signals change them; none for a candidate without signals."""
    return {
        key: value * effect.factor * (1 - question_penalty * effect.asks) + effect.bonus
        for key, value in scores.items()
        if (effect := effects.get(key)) is not None
    }


def _combined(
    profile: ScoringProfile,
    found: Candidates[Key],
    lexical: Mapping[Key, float],
    dense: Mapping[Key, float],
    effects: Mapping[Key, _Effect] | None,
) -> dict[Key, float]:
    """Lexical and dense scores as one, with the effects of signals and age."""
    weights, fusion = profile.signals, found.fusion
    if found.age is not None and fusion is not None:
        age = found.age
        lexical = {
            key: value * age_weight(age(key), weights.half_life_days) for key, value in lexical.items()
        }
    if effects is not None and weights.before_fusion:
        lexical = _changed(lexical, effects, weights.question_penalty)
        dense = _changed(dense, effects, weights.dense_question_penalty)
    scores = dict(lexical) if fusion is None else weighted_sum(lexical, dense, fusion.lexical, fusion.dense)
    if effects is not None and not weights.before_fusion:
        scores = _changed(scores, effects, weights.question_penalty)
    return scores
