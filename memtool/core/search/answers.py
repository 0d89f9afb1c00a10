"""Answers: which of the candidates for a question a reader would call answers to it.

A ranking has a best candidate for every question, and some next to it that share a common word. A candidate
answers if it is the best, or about as good as the best, for some term of the question, and if these terms are
much of what the question can find. So a question about one thing gets one answer, and a question about six
things six: each is the best for its own name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

Key = TypeVar("Key", bound=Hashable)

SUBJECT = 2.0
"""Strength of a term that belongs to the name or key that an item is about."""
MENTION = 1.5
"""Strength of a name, code or number that an item mentions."""
PLAIN = 1.0
"""Strength of any other word."""
CALLED = 1.1
"""Strength of what the relation of the user's own fact is called, where such words are the whole question."""
MISSPELT = 0.7
"""Factor of a word that is not in memory, for one that is one edit away."""


class AnswerLimits(Struct, frozen=True):
    """From which share of the best something is an answer."""

    beside: float
    """The share of the best score among the items that hold a term, for another to answer for that term."""
    own: float
    """The share of the best score that an item without a name of the question must reach by its own terms."""
    name: float
    """The share of the heaviest term that a name must weigh to answer alone."""
    question: float
    """The share of the question, by weight, that an item without a name of it must hold."""
    question_to: int
    """Terms of a question up to which the whole share is required; for longer ones it falls."""
    nearest: float
    """The share of the best similarity for an item that no term finds."""
    found: float
    """The share of the question, by weight, in an item from which on words decide, whatever vectors say."""


LIMITS = AnswerLimits(beside=0.85, own=0.6, name=0.5, question=0.3, question_to=8, nearest=0.85, found=0.6)


def lexical_answers(
    held: Mapping[Key, Mapping[int, float]],
    scores: Mapping[Key, float],
    weights: Sequence[float],
    is_far: Callable[[Key], bool] = lambda _: False,
    subjects: Mapping[Key, Collection[frozenset[int]]] | None = None,
) -> set[Key]:
    """The items that answer by their terms.

    `held` is the strength of each term of the question in each item, `scores` the lexical score of each item,
    `weights` the weight of each term of the question, those that nothing holds included. An item whose vector
    `is_far` from the question's needs a name of it, or much of it: a common word stands in many questions.
    `subjects` are the names that an item is about and that the question holds in full, each as its terms.
    Where the best item has one, the question asks by name, and the best item about each name answers. A name
    that is a part of a longer one ("name" in "dog name") is not asked for by itself.
    """
    best_by_term: dict[int, float] = {}
    for key, terms in held.items():
        for term in terms:
            best_by_term[term] = max(best_by_term.get(term, 0.0), scores[key])
    top = max(scores.values(), default=0.0)
    best_by_subject = _best_by_subject(subjects, scores, held, top) if subjects else {}
    heaviest = max((weights[term] for term in best_by_term), default=0.0)
    whole = sum(min(weight, heaviest) for weight in weights)
    required = LIMITS.question * min(1.0, LIMITS.question_to / max(1, len(weights))) * whole
    answers: set[Key] = set()
    for key, terms in held.items():
        own = [term for term in terms if scores[key] >= LIMITS.beside * best_by_term[term]]
        names = [term for term in own if terms[term] > PLAIN]
        for subject in best_by_subject.keys() & subjects.get(key, ()) if subjects else ():
            names += subject if scores[key] >= LIMITS.beside * best_by_subject[subject] else ()
        if any(weights[term] >= LIMITS.name * heaviest for term in names):
            answers.add(key)
            continue
        share = sum(weights[term] for term in terms)
        if not own or share < required or (share < LIMITS.found * whole and is_far(key)):
            continue
        if sum(weights[term] * terms[term] for term in own) >= LIMITS.own * top:
            answers.add(key)
    return answers


def _best_by_subject(
    subjects: Mapping[Key, Collection[frozenset[int]]],
    scores: Mapping[Key, float],
    held: Collection[Key],
    top: float,
) -> dict[frozenset[int], float]:
    """The best score for each name that is asked for; none where the best item has no name."""
    if not any(subjects.get(key) for key in held if scores[key] == top):
        return {}
    best: dict[frozenset[int], float] = {}
    for key in held:
        for subject in subjects.get(key, ()):
            best[subject] = max(best.get(subject, 0.0), scores[key])
    return {subject: score for subject, score in best.items() if not any(subject < other for other in best)}


def dense_answers(
    similarities: Mapping[Key, float],
    held: Collection[Key],
    lexical: Collection[Key],
    share: float,
    least: float,
) -> set[Key]:
    """The items that answer by their vectors only: near the nearest, and nearer than all that words found.

    `lexical` are the answers among the items `held` by terms, and `share` is the most of the question that
    one of them holds: where it is enough, words have found the answer. An item whose terms do not make it an
    answer is none by its vector either, unless there is no lexical answer. Nothing answers below `least`.
    """
    if lexical and share >= LIMITS.found:
        return set()
    nearest = max(similarities.values(), default=0.0)
    floor = max(least, LIMITS.nearest * nearest)
    if lexical:
        floor = max(floor, *(similarities.get(key, 0.0) for key in lexical))
    others = (key for key in similarities if key not in lexical and not (lexical and key in held))
    return {key for key in others if similarities[key] >= floor}
