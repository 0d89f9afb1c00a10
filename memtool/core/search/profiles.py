"""Scoring profiles: the weights for each kind of memory, as data.

`scoring` holds the formulas, a profile every number in them. Each profile sets all weights, so that profiles
can be compared field by field. Measure with `make bench-retrieval` before and after a change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

EmbedderKind = Literal["embedded", "command"]
"""The static model that comes with memtool, or a user's command, which is usually a sentence transformer."""


class TermWeights(Struct, frozen=True):
    """The weight of a term of a query, and of its frequency in an item.

    `weighting` is the formula for rare and common terms: `bm25` for log(1 + (N - n + 0.5) / (n + 0.5)), which
    is almost 0 for a term that all N items contain; `log-ratio` for log(1 + N / n), which falls to log 2;
    `uniform` for 1.
    """

    weighting: Literal["bm25", "log-ratio", "uniform"]
    unseen_count: float
    """The number of items assumed to contain a term that none contains."""
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


class SignalWeights(Struct, frozen=True):
    """The weights of signals: factors of the score, or a `bonus` that is added."""

    before_fusion: bool
    """Whether factors apply to the lexical and the dense score each, or to their sum."""
    speaker: float
    """Factor for a message of a speaker whom the query names."""
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
    salience_power: float
    """Exponent of a fact's salience as a factor; 0 ignores it."""
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


_NO_CONTEXT = ContextWeights(before=0.0, after=0.0, answer=0.0, fade=0.0, reach=0, session=0.0, most_beside=0)

DOCUMENTS = ScoringProfile(
    name="documents",
    terms=TermWeights(
        weighting="bm25",  # Whoosh's never falls below 1: a name in half of all chunks weighs too much
        unseen_count=0.5,  # near 1, because memory may say it in other words
        k1=1.2,  # the range that Robertson and Zaragoza (2009, section 3.5) give for most texts
        b=0.5,
        usual_length=40,  # words of a chunk
        heading=0.5,
        compound_parts=0.5,
        partial_word=0.7,
        adjacent=0.0,
    ),
    match=MatchWeights(
        frequency=1.0,
        coverage=0.0,
        density=0.0,
        sentence_power=4.0,  # a chunk with two of three words must rank far below one with all
        keyword_power=4.0,
        share_by_weight=False,
        required_share=0.32,
        required_from=3,
        required_to=8,
    ),
    context=_NO_CONTEXT,
    signals=SignalWeights(
        before_fusion=False,
        speaker=1.0,
        time=1.0,
        dated=2.0,
        ageing_roles=frozenset({"daily-note"}),
        half_life_days=30,
        question_penalty=0.0,
        dense_question_penalty=0.0,
        salience_power=0.0,
        salience_bonus=0.0,
        phrase_bonus=0.0,
        own_bonus=0.0,
        role_bonus={},
        position_bonus=0.0,
    ),
    dense=DenseWeights(
        fusion={
            "embedded": FusionWeights(lexical=1.0, dense=0.2, context=0.0),
            "command": FusionWeights(lexical=1.0, dense=0.45, context=0.0),
        },
        least_alone=0.35,
        least_beside=0.35,
    ),
)
"""Chunks of Markdown. Neighbours do not count, because a chunk is a complete section."""

CONVERSATION = ScoringProfile(
    name="conversation",
    terms=TermWeights(
        weighting="bm25",
        unseen_count=0.5,
        k1=1.2,
        b=0.4,  # messages are short, so length matters little
        usual_length=12,  # terms of a message, stop words aside
        heading=0.0,
        compound_parts=1.0,
        partial_word=1.0,
        adjacent=0.3,  # 0.786 -> 0.787
    ),
    match=MatchWeights(
        frequency=1.0,
        coverage=0.0,
        density=0.0,
        sentence_power=0.25,
        keyword_power=2.0,
        share_by_weight=True,
        required_share=0.32,
        required_from=3,
        required_to=8,
    ),
    context=ContextWeights(
        before=0.5,  # 0.680 -> 0.727
        after=0.2,  # 0.727 -> 0.729
        answer=0.5,  # 0.729 -> 0.747
        fade=0.4,
        reach=2,
        session=0.5,  # 0.747 -> 0.783
        most_beside=200,
    ),
    signals=SignalWeights(
        before_fusion=True,
        speaker=1.5,
        time=1.5,  # 0.784 -> 0.786
        dated=2.0,
        ageing_roles=frozenset(),
        half_life_days=0,
        question_penalty=0.4,  # 0.783 -> 0.784
        dense_question_penalty=0.6,
        salience_power=0.0,
        salience_bonus=0.0,
        phrase_bonus=0.0,
        own_bonus=0.0,
        role_bonus={},
        position_bonus=0.0,
    ),
    dense=DenseWeights(
        fusion={
            "embedded": FusionWeights(lexical=1.0, dense=0.3, context=1.0),
            "command": FusionWeights(lexical=1.0, dense=0.8, context=0.5),
        },
        least_alone=0.35,
        least_beside=0.0,
    ),
)
"""Messages of a chat between people, each scored with its context.

The weights are round numbers chosen by leave-one-out validation over conversations. They do not suit a chat
between a user and an assistant, whose long replies repeat the words of the question.
"""

FACTS = ScoringProfile(
    name="facts",
    terms=TermWeights(
        weighting="log-ratio",  # few facts share most words, and none of them may count 0
        unseen_count=1.0,
        k1=0.0,  # a fact is one line: it contains a word or does not
        b=0.0,
        usual_length=1,
        heading=0.0,
        compound_parts=1.0,
        partial_word=1.0,
        adjacent=0.0,
    ),
    match=MatchWeights(
        frequency=1.0,
        coverage=0.0,
        density=0.0,
        sentence_power=0.0,
        keyword_power=0.0,
        share_by_weight=True,
        required_share=0.0,
        required_from=1,
        required_to=1,
    ),
    context=_NO_CONTEXT,
    signals=SignalWeights(
        before_fusion=False,
        speaker=1.0,
        time=1.0,
        dated=1.0,
        ageing_roles=frozenset(),
        half_life_days=0,
        question_penalty=0.0,
        dense_question_penalty=0.0,
        salience_power=0.0,
        salience_bonus=0.0,
        phrase_bonus=0.0,
        own_bonus=0.0,
        role_bonus={},
        position_bonus=0.0,
    ),
    dense=DenseWeights(
        fusion={
            "embedded": FusionWeights(lexical=0.3, dense=0.7, context=0.0),
            "command": FusionWeights(lexical=0.3, dense=0.7, context=0.0),
        },
        least_alone=0.35,
        least_beside=0.35,
    ),
)
"""Facts: 0.7 vector + 0.3 keyword, the formula of the five-layer memory.

Salience is no factor: it orders facts that answer about equally well (`core.facts.salience`). As a factor of
up to ten it brought 35 of 40 like facts behind those that were asked for before them.
"""

NANO = ScoringProfile(
    name="nano",
    terms=TermWeights(
        weighting="uniform",
        unseen_count=1.0,
        k1=0.0,
        b=0.0,
        usual_length=1,
        heading=0.0,
        compound_parts=1.0,
        partial_word=1.0,
        adjacent=0.0,
    ),
    match=MatchWeights(
        frequency=0.0,
        coverage=2.0,
        density=1.0,
        sentence_power=0.0,
        keyword_power=0.0,
        share_by_weight=True,
        required_share=0.0,
        required_from=1,
        required_to=1,
    ),
    context=_NO_CONTEXT,
    signals=SignalWeights(
        before_fusion=False,
        speaker=1.0,
        time=1.0,
        dated=1.0,
        ageing_roles=frozenset(),
        half_life_days=0,
        question_penalty=0.0,
        dense_question_penalty=0.0,
        salience_power=0.0,
        salience_bonus=0.25,  # of equal facts, the one that is recalled more often comes first
        phrase_bonus=0.35,
        own_bonus=0.05,
        role_bonus={"daily-note": 0.08, "long-term": 0.12, "semantic": 0.18, "core": 0.18},
        position_bonus=0.001,
    ),
    dense=DenseWeights(fusion={}, least_alone=1.0, least_beside=1.0),
)
"""Chunks for a prompt, by nano's formula: 2 x coverage + density, with small bonuses."""

PROFILES = (DOCUMENTS, CONVERSATION, FACTS, NANO)
