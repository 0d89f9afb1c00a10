"""Talk: how well messages answer a question, each heard together with what was said around it.

An answer seldom repeats the words of the question that was asked long after it: they stand in the message
before it, which asked, or somewhere in the same session. So a message has a part of its neighbours' score
and of its session's. The weights were chosen on conversations between two people, in round numbers, by
leaving out one after the other.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from memtool.values import dataclass

K1, B = 1.2, 0.4
"""BM25's constants: messages are short, so their length says little."""
USUAL = 12
"""Terms in a message that is neither long nor short, stop words aside."""
COVERAGE, KEYWORDS = 0.25, 2.0
"""How strongly a message wins that holds more of what is asked for: its score times the share held, to this
power. In a sentence many words only lead to the matter; of a list of keywords each was meant."""
BEFORE, AFTER = 0.5, 0.2
"""What a message has of the score of the one before it, and of the one behind it."""
ANSWER = 0.5
"""What it has besides of what the one before it asks."""
FADE, REACH = 0.4, 2
"""A neighbour one further off counts so much less; how far off one still counts."""
SESSION = 0.5
"""What the best session adds to its messages, as a share of the best message."""
ASKED, ALIKE = 0.4, 0.6
"""What a message loses that is nothing but questions; by its meaning, for a question is like any other."""
NAMED, TIMED, DATED = 1.5, 1.5, 2.0
"""What a message gains whose speaker is named, that tells a time to "when", that is of the day asked for."""
BESIDE = 0.3
"""What two terms count for again, as a share of the more common one, where they stand side by side."""
FLOOR = 0.32
"""The share of what is asked for, by weight, that some message and its neighbours must hold."""
MEANT = 0.35
"""The cosine from which something is an answer by its meaning alone, where no words are."""
UNSEEN = 0.5
"""As how many count those that hold a term which none does."""
FEWEST, SHORT = 3, 8
"""Terms of a question from which it must, and up to which; of a longer one nothing holds such a share."""

Place = tuple[int, int]
"""A message: its turn, and its number there."""
Step = Callable[[Place, int], Place | None]
"""The message so many places before or behind another in its session; None where there is none."""


@dataclass(frozen=True, slots=True)
class Sense:
    """How one hears by meaning: what that counts beside the words, whose weight is 1, and what a message has
    of the meaning around it, as a share of what it has of the words there.
    """

    weight: float
    around: float = 1.0


@dataclass(frozen=True, slots=True)
class Told:
    """A message that holds some of the terms: how often it states and asks each, and how many terms it has.

    `beside` is which neighbouring terms of the question (the first of the two) stand side by side in it.
    """

    place: Place
    session: Hashable
    states: tuple[int, ...]
    asks: tuple[int, ...]
    length: int
    beside: tuple[int, ...] = ()


def weights(counts: Sequence[int], total: int) -> tuple[float, ...]:
    """How much each term tells, by how many of all messages hold it: BM25's idf, never below 0.

    What none holds tells little more than what one holds: what memory never says it may say in other words.
    """
    held = [max(UNSEEN, n) for n in counts]
    return tuple(math.log(1 + (max(total, n) - n + 0.5) / (n + 0.5)) for n in held)


@dataclass(frozen=True, slots=True)
class Heard:
    """Messages with their scores in context, and the share of the question that some place holds, 0 to 1."""

    scores: Mapping[Place, float]
    covered: float


def heard(messages: Iterable[Told], idf: Sequence[float], step: Step, coverage: float = COVERAGE) -> Heard:
    """Score messages, and those beside them, by what they hold of a question's terms.

    A message that holds no term can score by its neighbours. The covered share is by weight, of the best
    message together with the ones right before and behind it.
    """
    rows = list(messages)
    everything = sum(idf) or 1.0
    held = {one.place: _both(one) for one in rows}
    own = {one.place: _score(one, held[one.place], idf, everything, coverage) for one in rows}
    asked = {one.place: _bm25(one.asks, one.length, idf) for one in rows if any(one.asks)}
    scores = spread(own, step)
    holding: dict[Place, frozenset[int]] = {}
    for one in rows:
        terms = frozenset([i for i, n in enumerate(held[one.place]) if n])
        for away in (-1, 0, 1):
            other = step(one.place, away) if away else one.place
            if other is not None:
                holding[other] = holding.get(other, frozenset()) | terms
                if away == 1:
                    _add(scores, other, ANSWER * asked.get(one.place, 0.0))
    covered = max((sum(idf[i] for i in terms) for terms in holding.values()), default=0.0) / everything
    return Heard(scores, covered)


def floor(terms: int) -> float:
    """The share of a question of so many terms that must be held for anything to be an answer."""
    return 0.0 if terms < FEWEST else FLOOR * min(1.0, SHORT / terms)


def spread(own: Mapping[Place, float], step: Step, around: float = 1.0) -> dict[Place, float]:
    """Scores of places, and of those beside them, which have a part of their neighbours', times `around`."""
    scores: dict[Place, float] = {}
    for place, mine in own.items():
        _add(scores, place, mine)
        for away in range(1, REACH + 1):
            for sign, share in ((1, BEFORE), (-1, AFTER)):
                other = step(place, sign * away)
                if other is not None:
                    _add(scores, other, around * share * FADE ** (away - 1) * mine)
    return scores


def sessions(messages: Iterable[Told], count: int) -> dict[Hashable, float]:
    """How well each session answers, 0 to 1, by how many of its messages hold each term."""
    held: dict[Hashable, list[int]] = {}
    for one in messages:
        row = held.setdefault(one.session, [0] * count)
        for i, n in enumerate(_both(one)):
            row[i] += n > 0
    idf = weights([sum(row[i] > 0 for row in held.values()) for i in range(count)], len(held))
    scores = {
        session: sum(weight * n * (K1 + 1) / (n + K1) for weight, n in zip(idf, row, strict=True))
        for session, row in held.items()
    }
    best = max(scores.values(), default=0.0) or 1.0
    return {session: score / best for session, score in scores.items()}


def _add(scores: dict[Place, float], place: Place, score: float) -> None:
    scores[place] = scores.get(place, 0.0) + score


def _both(one: Told) -> tuple[int, ...]:
    return tuple(map(operator.add, one.states, one.asks))


def _score(
    one: Told, counts: Sequence[int], idf: Sequence[float], everything: float, coverage: float
) -> float:
    """BM25 of a message by itself, with what stands side by side, by the share of the terms that it holds."""
    share = sum(itertools.compress(idf, counts)) / everything
    pairs = sum(BESIDE * min(idf[i], idf[i + 1]) for i in one.beside)
    return float((_bm25(counts, one.length, idf) + pairs) * min(1.0, share) ** coverage)


def _bm25(counts: Sequence[int], length: int, idf: Sequence[float]) -> float:
    norm = K1 * (1 - B + B * length / USUAL)
    return sum([w * (K1 + 1) * n / (n + norm) for w, n in zip(idf, counts, strict=True) if n])
