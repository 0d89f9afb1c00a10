"""Rank the snippets for a prompt by nano's formula, a profile of the scoring pipeline."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from msgspec.structs import replace

from memtool.core.context.context import PromptSnippet
from memtool.core.search.lexical import TermPostings
from memtool.core.search.profiles import NANO
from memtool.core.search.scoring import RankingSignals, ScoringCandidates, score_candidates
from memtool.core.text.tokenizer import topic_words

_PHRASE = 18
"""Characters of a query from which it counts as a phrase."""
_SHORT = 4_000
"""Characters of a text up to which its tokens are cached."""


def rank_snippets(query: str, snippets: Iterable[PromptSnippet]) -> list[PromptSnippet]:
    """The snippets with a token of the query, best first, each with its score."""
    candidates = dict(enumerate(snippets))
    query_tokens = prompt_tokens(query)
    texts = (
        {number: prompt_tokens(snippet.text) for number, snippet in candidates.items()}
        if query_tokens
        else {}
    )
    postings = [{number: 1.0 for number, held in texts.items() if token in held} for token in query_tokens]
    scores = score_candidates(
        NANO,
        ScoringCandidates(
            [TermPostings(len(frequencies), frequencies) for frequencies in postings],
            len(candidates),
            lengths={number: len(held) for number, held in texts.items()},
            signals=lambda numbers: {number: _signals(query, candidates[number]) for number in numbers},
        ),
    ).final
    ranked = [replace(candidates[number], score=value) for number, value in scores.items()]
    return sorted(ranked, key=lambda snippet: (-snippet.score, snippet.order))


def _signals(query: str, snippet: PromptSnippet) -> RankingSignals:
    return RankingSignals(
        salience=snippet.salience,
        has_phrase=len(query) >= _PHRASE and query in " ".join(snippet.text.lower().split()),
        is_own=snippet.source == "group",
        role=snippet.role,
        bonus=snippet.bonus,
        position=snippet.order,
    )


def prompt_tokens(text: str) -> frozenset[str]:
    """The words of a text without stop words, and of one letter only in scripts without spaces.

    Those of recent short texts are cached: the prompts of a conversation are compared with the same ones.
    """
    return _cached_tokens(text) if len(text) <= _SHORT else topic_words(text)


@functools.lru_cache(1024)
def _cached_tokens(text: str) -> frozenset[str]:
    return topic_words(text)
