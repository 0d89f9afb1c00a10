"""Scoring profiles: the weights by which each kind of memory is ranked, as data.

`scoring` holds the formulas; a profile holds every number in them. Each profile names all weights, so that
two profiles can be compared field by field. Measure with `make bench-retrieval` before and after a change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

EmbedderKind = Literal["embedded", "command"]
"""The static model that comes with memtool, or a user's command, which is usually a sentence transformer."""


class TermWeights(Struct, frozen=True):
    """How much a term of a query counts, and how much it counts to hold it often.

    `weighting` is the formula for rare and common terms: `bm25` for log(1 + (N - n + 0.5) / (n + 0.5)), which
    falls to almost 0 for a term that all N items hold; `log-ratio` for log(1 + N / n), which falls to log 2;
    `uniform` for 1.
    """

    weighting: Literal["bm25", "log-ratio", "uniform"]
    unseen_count: float
    """The number of items that a term held by none is taken to be in."""
    k1: float
    """BM25's saturation of frequencies: 0 counts a term once, however often it stands there."""
    b: float
    """BM25's correction for length: 0 ignores the length, 1 divides by it."""
    usual_length: float
    """Terms in an item that is neither long nor short.

    A constant instead of each index's average: the weight of a posting then depends on its item alone, so an
    index in parts (segments, memory) ranks like one index.
    """
    heading: float
    """Frequency for standing in a heading, title or tag; each time in the text counts 1."""
    compound_parts: float
    """Weight of all parts of a compound together, as a share of the whole compound's."""
    partial_word: float
    """Frequency of a word that only occurs as a part of other words, or as the two words it is made of."""
    adjacent: float
    """Weight of two neighbouring terms that stand side by side, as a share of the more common one's."""


class MatchWeights(Struct, frozen=True):
    """How an item's score is made of the terms it holds.

    score = (frequency x BM25 + adjacent pairs) x share ^ power + coverage x share + density x distinct terms
    held / length, where `share` is the part of the query's terms that the item holds.
    """

    frequency: float
    coverage: float
    density: float
    sentence_power: float
    """`power` for a query that is a sentence: many of its words only lead to the subject."""
    keyword_power: float
    """`power` for a list of keywords."""
    share_by_weight: bool
    """Whether a rare term counts for more of the share than a common one."""
    required_share: float
    """The share of a query, by weight, that some item and its neighbours must hold for any to be a hit."""
    required_from: int
    """Words of a query from which a share is required."""
    required_to: int
    """Words up to which the whole `required_share` is; nothing holds such a share of a much longer query."""


class ContextWeights(Struct, frozen=True):
    """How much of its score a message has from the messages around it, which say what it answers."""

    before: float
    """Share of the score of the message before it."""
    after: float
    """Share of the score of the message after it."""
    answer: float
    """Share of the score that the message before it has for its questions, in addition."""
    fade: float
    """Factor for each further step away."""
    reach: int
    """Steps away that still count."""
    session: float
    """What the best session adds to each of its messages, as a share of the best message's score."""
    most_beside: int
    """Messages without a term of the query that may be hits because of their neighbours, the best ones."""


class SignalWeights(Struct, frozen=True):
    """How much counts what is known of an item besides its words: factors, or a `bonus` that is added."""

    before_fusion: bool
    """Whether factors change the lexical and the dense score each, or the sum of both."""
    speaker: float
    """Factor for a message of the speaker whom the query names."""
    time: float
    """Factor for a message that tells a time, where the query asks when."""
    dated: float
    """Factor for an item of the days that the query names."""
    ageing_roles: frozenset[str]
    """Roles whose items lose score with age."""
    half_life_days: float
    """Days after which the lexical score of such an item is halved; after twice as many it is a third."""
    question_penalty: float
    """What the lexical score of a message loses that is nothing but questions."""
    dense_question_penalty: float
    """The same for the dense score: by its meaning a question resembles every question."""
    salience_power: float
    """Exponent of a fact's salience as a factor; 0 leaves it out."""
    salience_bonus: float
    """Bonus for each e-fold of salience above 1."""
    phrase_bonus: float
    """Bonus for holding the whole query as a phrase."""
    own_bonus: float
    """Bonus for memory of the caller's own group."""
    role_bonus: Mapping[str, float]
    """Bonus by the role of the item's file."""
    position_bonus: float
    """Bonus of the first item in the order of the tree, falling with 1 / (position + 1): it breaks ties."""


class FusionWeights(Struct, frozen=True):
    """The weights of the sum of max-normalised lexical and dense scores."""

    lexical: float
    dense: float
    context: float
    """Share of the context weights that dense scores of neighbours have."""


class DenseWeights(Struct, frozen=True):
    """What similarity of vectors counts for."""

    fusion: Mapping[EmbedderKind, FusionWeights]
    least_alone: float
    """The cosine an item needs where no item answers by its words."""
    least_beside: float
    """The cosine an item without a term of the query needs where others answer by their words."""


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
        unseen_count=0.5,  # memory may say in other words what no chunk says: little more than in one chunk
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
        sentence_power=4.0,  # a chunk with two of three words is no answer beside one with all
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
"""Chunks of Markdown. Their neighbours are not counted: a chunk is a section and stands for itself."""

CONVERSATION = ScoringProfile(
    name="conversation",
    terms=TermWeights(
        weighting="bm25",
        unseen_count=0.5,
        k1=1.2,
        b=0.4,  # messages are short, so their length says little
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
"""Messages of a chat between people, each scored with what was said around it.

The weights were chosen in round numbers, leaving out one conversation after the other. They do not suit a
chat between a user and an assistant, whose long replies repeat the words of the question.
"""

FACTS = ScoringProfile(
    name="facts",
    terms=TermWeights(
        weighting="log-ratio",  # a handful of facts shares most words; none of them counts for nothing
        unseen_count=1.0,
        k1=0.0,  # a fact is a line: it says a word or does not
        b=0.0,
        usual_length=1,
        heading=0.0,
        compound_parts=1.0,
        partial_word=1.0,
        adjacent=0.0,
    ),
    match=MatchWeights(
        frequency=0.0,
        coverage=1.0,
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
        salience_power=1.0,
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
"""Facts: (0.7 vector + 0.3 keyword) x salience, the formula of the five-layer memory."""

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
        salience_bonus=0.25,  # of facts that say as much, the one that is recalled more often comes first
        phrase_bonus=0.35,
        own_bonus=0.05,
        role_bonus={"daily-note": 0.08, "long-term": 0.12, "semantic": 0.18, "core": 0.18},
        position_bonus=0.001,
    ),
    dense=DenseWeights(fusion={}, least_alone=1.0, least_beside=1.0),
)
"""Chunks for a prompt, by nano's formula: 2 x coverage + density, with small bonuses."""

PROFILES = (DOCUMENTS, CONVERSATION, FACTS, NANO)
