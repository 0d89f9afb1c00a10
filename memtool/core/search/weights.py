"""The weights that a scoring profile consists of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

EmbedderKind = Literal["embedded", "sentence", "command"]
"""The static model, the sentence encoder of facts, or a user's command, usually a sentence transformer."""


class TermWeights(Struct, frozen=True):
    """The weight of a term of a query, and of its frequency in an item.

    `weighting` is the formula for rare and common terms: `bm25` for log(1 + (N - n + 0.5) / (n + 0.5)), which
    is almost 0 for a term that all N items contain; `log-ratio` for log(1 + N / n), which falls to log 2;
    `uniform` for 1.
    """

    weighting: Literal["bm25", "log-ratio", "uniform"]
    unseen_count: float
    """The number of items assumed to contain a term that none contains."""
    floor_items: int
    """A smaller memory counts as one of so many items, where it is decided whether it answers a prompt."""
    k1: float
    """BM25's saturation of frequencies: 0 counts a term once, however often it occurs."""
    b: float
    """BM25's length normalisation: 0 ignores the length, 1 divides by it."""
    usual_length: float
    """The terms of an item of average length.

    It is a constant and not the average of an index: the weight of a posting then depends on its item only,
    so an index in parts (segments, memory) ranks like one index.
    """
    heading: float
    """Frequency of an occurrence in a heading, title or tag; one in the text counts 1."""
    compound_parts: float
    """Weight of all parts of a compound together, as a share of the compound's."""
    partial_word: float
    """Frequency of a word that occurs only inside other words, or as the two words it is made of."""
    adjacent: float
    """Weight of two terms that are adjacent in query and item, as a share of the more common one's."""


class MatchWeights(Struct, frozen=True):
    """How the terms that an item contains make its score.

    score = (frequency x BM25 + adjacent pairs) x share ^ power + coverage x share + density x distinct terms
    / length, where `share` is the share of the query's terms that the item contains.
    """

    frequency: float
    coverage: float
    density: float
    sentence_power: float
    """`power` for a query that is a sentence: many of its words only introduce the subject."""
    keyword_power: float
    """`power` for a list of keywords."""
    share_by_weight: bool
    """Whether a rare term counts more in the share than a common one."""
    required_share: float
    """The share of a query, by weight, that some item and its neighbours must contain for any to be a hit."""
    required_from: int
    """Words of a query from which the share is required."""
    required_to: int
    """Words up to which the whole `required_share` is required; for longer queries it falls."""


class ContextWeights(Struct, frozen=True):
    """The parts of a message's score that come from the messages around it."""

    before: float
    """Share of the score of the message before it."""
    after: float
    """Share of the score of the message after it."""
    answer: float
    """Additional share of the score of the questions in the message before it."""
    fade: float
    """Factor for each further step away."""
    reach: int
    """The most steps away that count."""
    session: float
    """The bonus of each message of the best session, as a share of the best message's score."""
    most_beside: int
    """The most messages without a term of the query that may be hits because of their neighbours."""
    reply: float
    """Share of the score of the best reply to a user's message that the message gets."""
    beside_user: float
    """Share of the scores of the user's messages before and after it that a user's message gets."""


class SignalWeights(Struct, frozen=True):
    """The weights of signals: factors of the score, or a `bonus` that is added."""

    before_fusion: bool
    """Whether factors apply to the lexical and the dense score each, or to their sum."""
    speaker: float
    """Factor for a message of a speaker whom the query names."""
    reply: float
    """Factor for a message that is not a user's."""
    time: float
    """Factor for a message that mentions a time, if the query asks when."""
    dated: float
    """Factor for an item dated on the days that the query names."""
    ageing_roles: frozenset[str]
    """Roles whose items lose score as they age."""
    half_life_days: float
    """Days after which the score of such an item is halved; after twice as many it is a third."""
    question_penalty: float
    """The share of its lexical score that a message of questions only loses."""
    dense_question_penalty: float
    """The same for the dense score: the vector of a question is near that of every question."""
    salience_bonus: float
    """Bonus for each e-fold of salience above 1."""
    phrase_bonus: float
    """Bonus for containing the whole query as a phrase."""
    own_bonus: float
    """Bonus for memory of the caller's own group."""
    role_bonus: Mapping[str, float]
    """Bonus by the role of the item's file."""
    position_bonus: float
    """Bonus of the first item in the order of the tree, times 1 / (position + 1): it breaks ties."""


class FusionWeights(Struct, frozen=True):
    """The weights in the sum of max-normalised lexical and dense scores."""

    lexical: float
    dense: float
    context: float
    """Factor of the context weights for dense scores."""


class DenseWeights(Struct, frozen=True):
    """The weights and thresholds of vector similarity."""

    fusion: Mapping[EmbedderKind, FusionWeights]
    least_alone: float
    """The least cosine of a hit if there are no lexical hits."""
    least_beside: float
    """The least cosine of a hit without a term of the query if there are lexical hits."""


class ScoringProfile(Struct, frozen=True):
    """All weights for one kind of memory."""

    name: str
    terms: TermWeights
    match: MatchWeights
    context: ContextWeights
    signals: SignalWeights
    dense: DenseWeights
