"""Chunks without a rare term of a query are scored only where one of them can be among the best."""

from __future__ import annotations

import sys
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from memtool.core.search.prompts import PROMPT_FLOOR, QUESTION_FLOOR
from memtool.core.search.scoring import ScoringCandidates
from memtool.index.documents.pruning import FEW, FoundTerm, rank_terms
from memtool.index.documents.terms import WEIGHTS

SIZE = 40
weights = st.sampled_from(WEIGHTS[1:142])
postings = st.dictionaries(st.integers(0, SIZE - 1), weights, max_size=SIZE)


@st.composite
def queries(draw):
    """The terms of a query in some sources, and what is asked of their chunks."""
    sources = draw(st.integers(1, 3))
    terms = [
        FoundTerm(sum(map(len, held_by)), held_by, draw(st.sampled_from([1.0, 0.5, 0.2])))
        for held_by in draw(st.lists(st.lists(postings, min_size=sources, max_size=sources), max_size=5))
    ]
    numbers = st.integers(0, sources * SIZE - 1)
    ages = draw(st.dictionaries(numbers, st.integers(0, 400)))
    candidates = ScoringCandidates(
        (),
        sources * SIZE,
        allowed=draw(st.none() | st.sets(numbers)),
        is_sentence=draw(st.booleans()),
        words=draw(st.integers(0, 9)),
        floor=draw(st.sampled_from([None, PROMPT_FLOOR, QUESTION_FLOOR])),
        age=draw(st.sampled_from([None, lambda number: ages.get(number, 0)])),
    )
    starts = [*accumulate([SIZE] * sources, initial=0)]
    return terms, starts, candidates, draw(st.integers(1, 12))


@given(queries())
def test_the_best_are_those_of_all_chunks(query):
    assert sorted(rank_terms(*query, few=0)) == sorted(rank_terms(*query, few=sys.maxsize))


def test_a_chunk_with_the_common_word_alone_is_the_best_if_it_has_it_most_often():
    rare, common = dict.fromkeys(range(30), 0.05), dict.fromkeys(range(100, 1100), 0.05)
    common[500] = 2.0
    terms = [FoundTerm(len(held_by), [held_by], 1.0) for held_by in (rare, common)]
    for words in (0, 3):
        candidates = ScoringCandidates((), 4000, words=words)
        assert [number for number, _ in rank_terms(terms, [0, 4000], candidates, 1, few=0)] == [500]


class Counted(dict):
    """Postings that count how many of them are read."""

    read = 0

    def __iter__(self):
        for number in super().__iter__():
            self.read += 1
            yield number

    def keys(self):
        self.read += len(self)
        return super().keys()

    def items(self):
        self.read += len(self)
        return super().items()

    def values(self):
        self.read += len(self)
        return super().values()

    def __getitem__(self, number):
        self.read += 1
        return super().__getitem__(number)


def read_of_a_common_term(chunks):
    """How many postings of a common term are read for a query that has a rare one, too."""
    common = Counted(dict.fromkeys(range(chunks), 1.0))
    rare = dict.fromkeys(range(0, chunks, chunks // 40), 1.0)
    terms = [FoundTerm(len(held_by), [held_by], 1.0) for held_by in (common, rare)]
    ranked = rank_terms(terms, [0, 4 * chunks], ScoringCandidates((), 4 * chunks, is_sentence=False), 10)
    assert {number for number, _ in ranked} == rare.keys()
    return common.read


def test_a_common_word_costs_no_more_in_a_large_tree():
    assert 0 < read_of_a_common_term(16 * FEW) <= read_of_a_common_term(2 * FEW) <= 100
