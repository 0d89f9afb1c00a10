"""Messages as candidates: their term statistics, and the scores they get from messages around them.

An answer seldom repeats the words of a later question: they are in the message before it, which asked, or
elsewhere in the same session.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from memtool.core.search.lexical import TermPostings, rarity, saturate
from memtool.core.search.weights import ContextWeights, ScoringProfile, TermWeights

Key = TypeVar("Key", bound=Hashable)


class MessageCandidate(NamedTuple, Generic[Key]):
    """A message: the frequency of each term of a query in its statements and questions, and its length.

    `adjacent` are the numbers of the terms that precede the next term directly.
    """

    key: Key
    states: tuple[int, ...]
    asks: tuple[int, ...]
    length: int
    adjacent: tuple[int, ...] = ()


class ExchangePlace(NamedTuple, Generic[Key]):
    """The position of a message in a chat with an assistant: a user's message, or a reply to one.

    `replied_to` is the user's message before a reply, `beside` are the user's messages before and after a
    user's message.
    """

    is_reply: bool
    replied_to: Key | None = None
    beside: tuple[Key, ...] = ()


class MessageContext(NamedTuple, Generic[Key]):
    """The positions of messages in their sessions, and the terms of their questions.

    `neighbour` returns the message so many places after another (before it, if negative) in its session, or
    None. `asked` holds, for each term of the query, its saturated frequency in the questions of each message.
    `exchange` is given where the profile weights replies.
    """

    neighbour: Callable[[Key, int], Key | None]
    session: Callable[[Key], Hashable]
    asked: Sequence[Mapping[Key, float]]
    exchange: Callable[[Key], ExchangePlace[Key]] | None = None

    def adjacent_messages(self, key: Key) -> Iterable[Key]:
        """The messages that say what a message is about: those right before and right after it.

        In a chat with an assistant, the user's message that it replies to.
        """
        if self.exchange is None:
            return [other for away in (-1, 1) if (other := self.neighbour(key, away)) is not None]
        replied_to = self.exchange(key).replied_to
        return () if replied_to is None else (replied_to,)

    def is_reply(self, key: Key) -> bool:
        """Whether a message of a chat with an assistant is not the user's."""
        return self.exchange is not None and self.exchange(key).is_reply


def message_postings(
    messages: Iterable[MessageCandidate[Key]], counts: Sequence[int], weights: TermWeights
) -> tuple[list[TermPostings[Key]], list[dict[Key, float]]]:
    """The postings of each term in messages, and its saturated frequency in their questions alone.

    `counts` are the messages of the whole index that hold each term.
    """
    held: list[dict[Key, float]] = [{} for _ in counts]
    asked: list[dict[Key, float]] = [{} for _ in counts]
    for message in messages:
        both = {i: n for i, n in enumerate(map(operator.add, message.states, message.asks)) if n}
        for i, frequency in saturate(both, message.length, weights).items():
            held[i][message.key] = frequency
        questions = {i: n for i, n in enumerate(message.asks) if n}
        for i, frequency in saturate(questions, message.length, weights).items():
            asked[i][message.key] = frequency
    return [TermPostings(count, frequencies) for count, frequencies in zip(counts, held, strict=True)], asked


def spread_scores(
    scores: Mapping[Key, float], context: MessageContext[Key], weights: ContextWeights, share: float = 1.0
) -> dict[Key, float]:
    """Add a part of each score to the neighbours of its message.

    `share` scales the profile's context weights.
    """
    if context.exchange is not None:
        return _exchange_scores(scores, context.exchange, weights, share)
    total: dict[Key, float] = {}
    for key, score in scores.items():
        total[key] = total.get(key, 0.0) + score
        for away in range(1, weights.reach + 1):
            for sign, weight in ((1, weights.before), (-1, weights.after)):
                other = context.neighbour(key, sign * away)
                if other is not None:
                    part = share * weight * weights.fade ** (away - 1) * score
                    total[other] = total.get(other, 0.0) + part
    return total


def _exchange_scores(
    scores: Mapping[Key, float],
    exchange: Callable[[Key], ExchangePlace[Key]],
    weights: ContextWeights,
    share: float,
) -> dict[Key, float]:
    """Add to each user's message a part of its best reply's score, and of its neighbours' among them."""
    total = dict(scores)
    replies: dict[Key, float] = {}
    for key, score in scores.items():
        place = exchange(key)
        if place.replied_to is not None:
            replies[place.replied_to] = max(replies.get(place.replied_to, 0.0), score)
        for other in place.beside:
            total[other] = total.get(other, 0.0) + share * weights.beside_user * score
    for key, score in replies.items():
        total[key] = total.get(key, 0.0) + share * weights.reply * score
    return total


def add_context_scores(
    scores: Mapping[Key, float],
    terms: Sequence[TermPostings[Key]],
    weights: Sequence[float],
    context: MessageContext[Key],
    profile: ScoringProfile,
) -> dict[Key, float]:
    """Add the parts that come from neighbours, from the question before and from the session.

    `weights` are those of the terms. A message without a term can score by its neighbours.
    """
    total = spread_scores(scores, context, profile.context)
    if context.exchange is not None:
        return total
    for asked, weight in zip(context.asked, weights, strict=True):
        for key, frequency in asked.items():
            following = context.neighbour(key, 1)
            if following is not None:
                total[following] = total.get(following, 0.0) + profile.context.answer * weight * frequency
    sessions = session_scores(terms, context, profile.terms)
    added = profile.context.session * max(total.values(), default=0.0)
    return {key: score + added * sessions.get(context.session(key), 0.0) for key, score in total.items()}


def session_scores(
    terms: Sequence[TermPostings[Key]], context: MessageContext[Key], weights: TermWeights
) -> dict[Hashable, float]:
    """The score of each session, 0 to 1: BM25 over the number of its messages that contain each term."""
    counts = [Counter(map(context.session, term.frequencies)) for term in terms]
    total = len(set().union(*counts))
    scores: dict[Hashable, float] = {}
    for count in counts:
        term = rarity(len(count), total, weights)
        for session, held in count.items():
            saturated = (weights.k1 + 1) * held / (held + weights.k1)
            scores[session] = scores.get(session, 0.0) + term * saturated
    best = max(scores.values(), default=0.0) or 1.0
    return {session: score / best for session, score in scores.items()}
