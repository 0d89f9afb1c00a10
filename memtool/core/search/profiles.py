"""Scoring profiles: the weights for each kind of memory, as data.

`scoring` holds the formulas, a profile every number in them. Each profile sets all weights, so that profiles
can be compared field by field. Measure with `make bench-memory` before and after a change.
"""

from __future__ import annotations

from msgspec.structs import replace

from memtool.core.search.weights import (
    ContextWeights,
    DenseWeights,
    FusionWeights,
    MatchWeights,
    ScoringProfile,
    SignalWeights,
    TermWeights,
)

_NO_CONTEXT = ContextWeights(
    before=0.0,
    after=0.0,
    answer=0.0,
    fade=0.0,
    reach=0,
    session=0.0,
    most_beside=0,
    reply=0.0,
    beside_user=0.0,
)

DOCUMENTS = ScoringProfile(
    name="documents",
    terms=TermWeights(
        weighting="bm25",  # Whoosh's never falls below 1: a name in half of all chunks weighs too much
        unseen_count=0.5,  # near 1, because memory may say it in other words
        floor_items=500,  # in a hundred chunks, their subject would count as a common word
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
        sentence_power=1.0,
        keyword_power=4.0,  # a chunk with two of three words must rank far below one with all
        share_by_weight=True,  # else the function words of a language without a list count like the subject
        required_share=0.26,  # words of many forms often have one that no chunk contains
        required_from=3,
        required_to=8,
    ),
    context=_NO_CONTEXT,
    signals=SignalWeights(
        before_fusion=False,
        speaker=1.0,
        reply=1.0,
        time=1.0,
        dated=2.0,
        ageing_roles=frozenset({"daily-note"}),
        half_life_days=30,
        question_penalty=0.0,
        dense_question_penalty=0.0,
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
        floor_items=1,
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
        reply=0.0,
        beside_user=0.0,
    ),
    signals=SignalWeights(
        before_fusion=True,
        speaker=1.5,
        reply=1.0,
        time=1.5,  # 0.784 -> 0.786
        dated=2.0,
        ageing_roles=frozenset(),
        half_life_days=0,
        question_penalty=0.4,  # 0.783 -> 0.784
        dense_question_penalty=0.6,
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
between a user and an assistant (`ASSISTANT`), whose long replies repeat the words of the question.
"""

ASSISTANT = ScoringProfile(
    name="assistant",
    terms=TermWeights(
        weighting="bm25",
        unseen_count=0.5,
        floor_items=1,
        k1=1.2,
        b=0.4,
        usual_length=50,  # a user's messages have 20 to 120 terms, replies 200 to 400
        heading=0.0,
        compound_parts=1.0,
        partial_word=1.0,
        adjacent=0.3,
    ),
    match=MatchWeights(
        frequency=1.0,
        coverage=0.0,
        density=0.0,
        sentence_power=0.25,  # R@10 0.571 -> 0.579
        keyword_power=2.0,
        share_by_weight=True,
        required_share=0.32,
        required_from=3,
        required_to=8,
    ),
    context=ContextWeights(
        before=0.0,
        after=0.0,
        answer=0.0,
        fade=0.0,
        reach=2,
        session=0.0,
        most_beside=200,
        reply=0.3,  # R@10 0.542 -> 0.552, R@40 0.708 -> 0.754 together with the next line
        beside_user=0.2,
    ),
    signals=SignalWeights(
        before_fusion=True,
        speaker=1.5,
        reply=0.4,  # what later questions ask for is mostly what the user said
        time=1.0,
        dated=2.0,
        ageing_roles=frozenset(),
        half_life_days=0,
        question_penalty=0.0,  # more than half of the messages that answer state a fact and ask in one breath
        dense_question_penalty=0.0,
        salience_bonus=0.0,
        phrase_bonus=0.0,
        own_bonus=0.0,
        role_bonus={},
        position_bonus=0.0,
    ),
    dense=DenseWeights(
        fusion={
            "embedded": FusionWeights(lexical=1.0, dense=0.4, context=1.0),
            "command": FusionWeights(lexical=1.0, dense=0.7, context=1.0),
        },
        least_alone=0.35,
        least_beside=0.0,
    ),
)
"""Messages of a chat between a user and an assistant.

A user's message counts together with its replies. The weights are round numbers that were chosen on ten
conversations of BEAM-100K, by leaving conversations out; around each of them the results are flat.
"""

FACTS = ScoringProfile(
    name="facts",
    terms=TermWeights(
        weighting="log-ratio",  # few facts share most words, and none of them may count 0
        unseen_count=1.0,
        floor_items=1,
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
        reply=1.0,
        time=1.0,
        dated=1.0,
        ageing_roles=frozenset(),
        half_life_days=0,
        question_penalty=0.0,
        dense_question_penalty=0.0,
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

Salience is not a factor: it orders facts that answer equally well (`core.facts.salience`). As a factor of
up to ten it brought 35 of 40 like facts behind those that were asked for before them.
"""

SENTENCE_FACTS = replace(
    FACTS,
    name="sentence-facts",
    dense=DenseWeights(
        fusion={"sentence": FACTS.dense.fusion["embedded"]},
        least_alone=0.30,
        least_beside=0.30,
    ),
)
"""Facts with the vectors of the sentence encoder.

The floors are fitted on public pairs, each question asked of 40 sentences with and without its own: the mean
share of right answers and of right silence is greatest at cosine 0.30 to 0.36, on LoCoMo (questions and
messages, 0.61 to 0.64) and on XQuAD-R (six languages, 0.80 to 0.81).
"""

NANO = ScoringProfile(
    name="nano",
    terms=TermWeights(
        weighting="uniform",
        unseen_count=1.0,
        floor_items=1,
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
        reply=1.0,
        time=1.0,
        dated=1.0,
        ageing_roles=frozenset(),
        half_life_days=0,
        question_penalty=0.0,
        dense_question_penalty=0.0,
        salience_bonus=0.25,  # of equal facts, the one that is recalled more often comes first
        phrase_bonus=0.35,
        own_bonus=0.05,
        role_bonus={"daily-note": 0.08, "long-term": 0.12, "semantic": 0.18, "core": 0.18},
        position_bonus=0.001,
    ),
    dense=DenseWeights(fusion={}, least_alone=1.0, least_beside=1.0),
)
"""Chunks for a prompt, by nano's formula: 2 x coverage + density, with small bonuses."""

PROFILES = (DOCUMENTS, CONVERSATION, ASSISTANT, FACTS, SENTENCE_FACTS, NANO)
