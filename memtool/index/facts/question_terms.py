"""Terms of a question to the facts: which stems they stand for, and how strongly a fact holds each."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from typing import Any

from msgspec import Struct

from memtool.core.facts.names import mentioned_names, subject_names
from memtool.core.search.answers import MENTION, MISSPELT, PLAIN, SUBJECT
from memtool.core.search.query import is_within_distance
from memtool.index.facts.facts import Facts, stems

ADJACENT_SHARE = 0.3
"""Weight of two terms that are adjacent in question and fact, as a share of a term that is as rare."""
_MAX_CORRECTED = 8
"""Words of a question that are looked up as misspelt ones."""
_MAX_CORRECTIONS = 3
"""Words that a misspelt one may stand for."""
_MIN_LETTERS = 4
_MIN_REPLACED = 6
"""Letters of a word from which one of them may be replaced: `kite` and `kiln` are two words."""
_SAME_LETTERS = 2
"""First letters that a word and its misspelling share."""


class QuestionTerm(Struct, frozen=True):
    """A term: its stem, the stems of facts that it stands for, and the number of facts with one of these.

    `forms` differ from the stem where no fact has it, and some have a word that it may be a misspelling of.
    """

    stem: str
    forms: tuple[str, ...]
    held_by: int
    follows: tuple[int, ...] = ()
    """The numbers of the terms that precede it directly in the question."""

    @property
    def is_misspelt(self) -> bool:
        """Whether the forms are other words."""
        return self.forms != (self.stem,)


def question_terms(index: Facts, sequence: Sequence[str]) -> tuple[QuestionTerm, ...]:
    """The terms of a question, given its stems in order. Raises BrokenIndex."""
    counts = index.documents_with(dict.fromkeys(sequence))
    numbers = {stem: number for number, stem in enumerate(counts)}
    follows: dict[str, dict[int, None]] = {stem: {} for stem in counts}
    for left, right in itertools.pairwise(sequence):
        if left != right:
            follows[right][numbers[left]] = None
    unknown = [stem for stem, count in counts.items() if not count][:_MAX_CORRECTED]
    corrections = {stem: _corrections(index, stem) for stem in unknown}
    terms: list[QuestionTerm] = []
    for stem, count in counts.items():
        found = corrections.get(stem)
        forms, held_by = (tuple(found), max(found.values())) if found else ((stem,), count)
        terms.append(QuestionTerm(stem, forms, held_by, tuple(follows[stem])))
    return tuple(terms)


def held_terms(
    terms: Sequence[QuestionTerm], name: str, text: str, fact_stems: Collection[str]
) -> dict[int, float]:
    """The numbers of the terms that a fact holds, with their strengths.

    A name that the fact is about counts where the question holds all of it.
    """
    form_of = {
        number: next((form for form in term.forms if form in fact_stems), None)
        for number, term in enumerate(terms)
    }
    held = {number: form for number, form in form_of.items() if form is not None}
    if not held:
        return {}
    asked = {*held.values()}
    subjects: set[str] = set()
    for subject in subject_names(name, text):
        words = {*stems(subject)}
        if words and words <= asked:
            subjects |= words
    mentions = {stem for word in mentioned_names(text) for stem in stems(word)}
    strengths: dict[int, float] = {}
    for number, form in held.items():
        strength = SUBJECT if form in subjects else MENTION if form in mentions else PLAIN
        strengths[number] = strength * (MISSPELT if terms[number].is_misspelt else 1.0)
    return strengths


def adjacent_terms(terms: Sequence[QuestionTerm], sequence: Sequence[str]) -> tuple[int, ...]:
    """The pairs of terms that are adjacent in the question and in a fact's stems, each by one number."""
    pairs = {*itertools.pairwise(sequence)}
    return tuple(
        before * len(terms) + number
        for number, term in enumerate(terms)
        for before in term.follows
        if any((left, right) in pairs for left in terms[before].forms for right in term.forms)
    )


def _corrections(index: Facts, word: str) -> dict[str, int]:
    """The stems of facts that a word may be a misspelling of, with the number of facts that hold each."""
    if len(word) < _MIN_LETTERS or not word.isalpha():
        return {}
    start = word[:_SAME_LETTERS]
    rows: list[Any] = index.select(
        "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?",
        (start, start[:-1] + chr(ord(start[-1]) + 1), len(word) - 1, len(word) + 1),
    )
    found = {
        term: int(count)
        for term, count in rows
        if term.isalpha() and is_within_distance(word, term, 1) and _may_be_misspelt(word, term)
    }
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0]))[:_MAX_CORRECTIONS])


def _may_be_misspelt(word: str, other: str) -> bool:
    """Whether a short word differs by a missing, doubled or transposed letter and not by another one."""
    return len(word) >= _MIN_REPLACED or len(word) != len(other) or sorted(word) == sorted(other)
