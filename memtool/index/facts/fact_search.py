"""Recall: the facts that answer a question, by their vectors and their words.

Three tiers: the categories nearest to the question, the facts of these, and all facts where that is not
enough. Enough is as many as were asked for, with no fact elsewhere that holds more of the question.

Of the facts found, those that a reader would call answers are returned (`core.search.answers`), the best
first; salience only orders those that answer about equally well.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.facts.asked_kind import (
    AnswerKind,
    AskedKind,
    asked_kind,
    asks_having,
    counts_another,
    has_kind,
    says_having,
    shared_words,
)
from memtool.core.facts.question_subject import is_of_another_person, is_of_their_person, question_subject
from memtool.core.facts.salience import order_by_salience
from memtool.core.search.answers import dense_answers, lexical_answers
from memtool.core.search.lexical import TermPostings, rarity
from memtool.core.search.profiles import FACTS, SENTENCE_FACTS
from memtool.core.search.scoring import CandidateScores, ScoringCandidates, score_candidates
from memtool.index.database import decode_path
from memtool.index.documents.terms import may_be_part
from memtool.index.facts.fact_vectors import FactVectors
from memtool.index.facts.facts import Facts, name_stems, stems
from memtool.index.facts.question_terms import (
    ADJACENT_SHARE,
    QuestionTerm,
    RelationStems,
    adjacent_terms,
    asked_pairs,
    asked_subjects,
    held_terms,
    is_about_another,
    phrasal_verbs,
    question_terms,
    shared_wording,
    shares_only_attribute,
    without_other_uses,
    without_other_verbs,
)
from memtool.index.transcripts.transcript_terms import quoted

if TYPE_CHECKING:
    from memtool.core.search.embedder import Vectors
    from memtool.core.search.weights import EmbedderKind

CATEGORIES = 3
"""Categories that are looked into first."""
FAR = 0.22
"""Cosine below which the vector of a fact that holds a part of a question says that it is about another."""
NEAR = 0.45
"""Cosine from which a fact may answer that shares only an attribute ("cost") with the question.

The price of a car and that of a gym have about 0.3, that of broadband and of the internet 0.47.
"""
_MANY = 5_000
"""Facts that hold a word, past which it is no help in finding some to rank."""
_LEAST = 50
_MOST_PARTS = 50
"""Words that one of the question may be a part of."""


class FactQuery(Struct, frozen=True):
    """A question: its stems in order, its vector where there is an embedder, and which facts may answer.

    `text` is the question as it is written; without it, no word of it is a name or a misspelt one. `embedder`
    says what made the vector. `salience`
    orders facts that answer about equally well, by their names; 1 where a fact has none. With `every`, facts
    that only share something with the question are returned, too.
    """

    stems: tuple[str, ...]
    limit: int
    vector: Vectors | None = None
    category: str | None = None
    owners: frozenset[str] | None = None
    salience: Mapping[str, float] | None = None
    every: bool = False
    text: str = ""
    embedder: EmbedderKind = "embedded"
    is_of_parts: bool = False
    """Whether the stems are those of words that the question's words are parts of."""


class FactHit(Struct, frozen=True):
    """A fact that answers: where it stands, what it says, and how well it fits.

    `similarity` is of the vectors, 0 to 1, `words` the share of the question that it holds; `score` compares
    the hits of one answer.
    """

    id: int
    path: str
    line: int
    name: str
    category: str
    owner: str
    text: str
    similarity: float
    words: float
    score: float = 0.0

    def to_record(self) -> dict[str, object]:
        """The record of `out-recall.schema.json`."""
        place = {"id": self.name, "path": self.path, "line": self.line, "category": self.category}
        scores = {name: round(getattr(self, name), 6) for name in ("score", "similarity", "words")}
        return {**place, "owner": self.owner or None, "text": self.text, **scores}


def recall(index: Facts, vectors: FactVectors | None, question: FactQuery) -> list[FactHit]:
    """The best facts for a question, the best first, and of equal ones in a file the last.

    Raises BrokenIndex.
    Where none answers, and every word of the question is a part of one that a fact holds, those are asked.
    """
    hits = _recalled(index, vectors, question)
    if hits or not (parts := _parts(index, question.stems)):
        return hits
    return _recalled(index, vectors, replace(question, stems=parts, is_of_parts=True))


def _parts(index: Facts, stems: Sequence[str]) -> tuple[str, ...]:
    """The stems that facts hold and that these are parts of; one or two letters may only begin one.

    None where one of them is a part of nothing: a syllable that happens to stand somewhere is no answer.
    """
    terms: dict[str, None] = {}
    for stem in stems:
        if not may_be_part(stem):
            return ()
        holds = "instr(term, ?)" if len(stem) > 2 else "instr(term, ?) = 1"
        rows = index.select(f"SELECT term FROM vocabulary WHERE {holds} LIMIT ?", (stem, _MOST_PARTS))  # noqa: S608
        if not rows:
            return ()
        terms |= dict.fromkeys(row[0] for row in rows)
    return tuple(terms)


def _recalled(index: Facts, vectors: FactVectors | None, question: FactQuery) -> list[FactHit]:
    """The best facts for a question by the terms it has, in the three tiers."""
    terms = question_terms(index, question.stems, question.text)
    holding = _holding(index, terms, question)
    pool = _FactPool(index, question, terms, vectors)
    if not pool.has_vectors:
        pool.add(holding)
        return pool.best()
    if question.category is not None:
        pool.add([*pool.nearest([question.category]), *holding])
        return pool.best()
    first = pool.nearest_categories(CATEGORIES)
    pool.add([*pool.nearest(first), *holding])
    scoped = pool.of(first)
    if len(scoped) >= question.limit and pool.holds_most(scoped):
        return pool.best(scoped)
    pool.add(pool.nearest(None))
    return pool.best()


class _FactPool:
    """The facts that are looked into for one question, as candidates."""

    def __init__(
        self,
        index: Facts,
        question: FactQuery,
        terms: Sequence[QuestionTerm],
        vectors: FactVectors | None,
    ) -> None:
        self._index = index
        self._asked = question
        self._profile = SENTENCE_FACTS if question.embedder == "sentence" else FACTS
        self._terms = terms
        self._pairs = asked_pairs(terms)
        self._subject = question_subject(question.text)
        self._phrasal = phrasal_verbs(question.text)
        self._total = index.count()
        self._facts: dict[int, FactHit] = {}
        self._held: dict[int, dict[int, float]] = {}
        self._subjects: dict[int, frozenset[frozenset[int]]] = {}
        self._adjacent: dict[int, tuple[int, ...]] = {}
        self._vectors = vectors
        self._similarities: Vectors | None = None
        if question.vector is not None and vectors is not None and vectors.fits(question.vector):
            self._similarities = vectors.similarities(question.vector)

    @property
    def has_vectors(self) -> bool:
        """Whether the facts have vectors that can be compared with the question's."""
        return self._similarities is not None

    def nearest_categories(self, most: int) -> list[str]:
        """The categories whose facts are nearest to the question."""
        if self._vectors is None or self._asked.vector is None:
            return []
        centroids = self._vectors.centroids(self._asked.vector, self._asked.owners)
        return [category for _, category in centroids[:most]]

    def nearest(self, categories: Sequence[str] | None) -> list[int]:
        """The facts nearest to the question, of some categories or of all."""
        if self._vectors is None or self._similarities is None:
            return []
        most = max(_LEAST, 5 * self._asked.limit)
        return self._vectors.nearest(
            self._similarities, most, categories=categories, owners=self._asked.owners
        )

    def add(self, ids: Iterable[int]) -> None:
        """Read those of these facts that were not read before."""
        new = {*ids} - self._facts.keys()
        rows: list[Any] = self._index.select(
            "SELECT fact.id, path, line, name, category, owner, text, stems, relation, names FROM fact "
            "JOIN file ON file.id = fact.file WHERE fact.id IN (SELECT value FROM json_each(?))",
            (str(sorted(new)),),
        )
        for id_, path, line, name, category, owner, text, fact_stems, relation, names in rows:
            sequence = fact_stems.split()
            if not self._asked.every and is_about_another(self._subject, text, sequence):
                continue
            if self._is_of_one and is_of_their_person(text, self._asked.text, self._subject):
                continue
            similarity = 0.0
            if self._vectors is not None and self._similarities is not None:
                similarity = max(0.0, self._vectors.similarity(self._similarities, id_))
            hit = FactHit(id_, decode_path(path), line, name, category, owner, text, similarity, 0.0)
            self._facts[id_] = hit
            called = name_stems(names)
            if self._asked.is_of_parts and called:  # a word that is no part of the fact has no parts
                sequence, called = sequence[: -len(called)], ()
            if self._phrasal:
                sequence = without_other_verbs(sequence, self._phrasal, text, called)
            sequence = without_other_uses(self._terms, sequence, self._asked.text, text, called)
            held = held_terms(
                self._terms,
                self._pairs,
                hit.name,
                hit.text,
                sequence,
                RelationStems(stems(relation), called),
                subject=self._subject,
            )
            if not held and self._subject.is_of_user and is_of_another_person(text):
                del self._facts[id_]  # nor do vectors find it: what a relative does is not what the user does
            elif not held and similarity < NEAR and shares_only_attribute(self._terms, sequence):
                del self._facts[id_]
            if held:
                self._held[id_] = held
                self._subjects[id_] = asked_subjects(self._terms, hit.name, hit.text)
                self._adjacent[id_] = adjacent_terms(self._terms, sequence)

    def of(self, categories: Collection[str]) -> set[int]:
        """The facts of some categories that answer the question."""
        scores = self._scores(None)
        return {id_ for id_ in self._answers(scores) if self._facts[id_].category in categories}

    def holds_most(self, ids: Collection[int]) -> bool:
        """Whether no fact holds more of the question than one of these."""
        shares = self._scores(None).lexical
        most = max((shares.get(id_, 0.0) for id_ in ids), default=0.0)
        return all(share <= most for share in shares.values())

    def best(self, ids: Collection[int] | None = None) -> list[FactHit]:
        """The best facts that answer, of some or of all that were read; of equal ones in a file the last."""
        scores = self._scores(ids)
        facts, salience = self._facts, self._asked.salience or {}
        chosen = sorted(self._answers(scores), key=lambda id_: (facts[id_].path, -facts[id_].line))
        is_one_file = len({facts[id_].path for id_ in chosen}) == 1
        order = {
            id_: (
                shared_wording(self._asked.text, facts[id_].text),
                salience.get(facts[id_].name, 1.0),
                facts[id_].line * is_one_file,  # the newest is below
            )
            for id_ in chosen
        }
        ranked = order_by_salience([(id_, scores.final[id_]) for id_ in chosen], order)
        if self._kind is not None and asks_having(self._kind):
            ranked.sort(key=lambda item: not says_having(facts[item[0]].text))
        return [
            replace(facts[id_], words=self._share(id_), score=value)
            for id_, value in ranked[: self._asked.limit]
        ]

    def _answers(self, scores: CandidateScores[int]) -> Collection[int]:
        """The candidates that answer; with `every`, all that have a score."""
        if self._asked.every:
            return scores.final.keys()
        held = {id_: self._held[id_] for id_ in scores.lexical}
        answers = lexical_answers(held, scores.lexical, self._weights, self._is_far, self._subjects)
        if self.has_vectors:
            best = max(map(self._share, answers), default=0.0)
            similarities = {id_: self._facts[id_].similarity for id_ in scores.final}
            answers |= dense_answers(similarities, held, answers, best, self._profile.dense.least_alone)
        return answers if self._kind is None else self._of_asked_kind(answers, self._kind)

    def _of_asked_kind(self, answers: Collection[int], asked: AskedKind) -> set[int]:
        """The answers that have a time, a place or a number, and those with words that none of these has.

        It is asked of the answers alone: what is next best to those of another kind is no answer for that.
        """
        texts = {id_: self._facts[id_].text for id_ in answers}
        texts = {id_: text for id_, text in texts.items() if not counts_another(text, asked)}
        chosen = {id_ for id_, text in texts.items() if has_kind(text, asked)}
        shared = frozenset[str]().union(*(shared_words(texts[id_], asked) for id_ in chosen))
        return chosen | {
            id_ for id_ in texts.keys() - chosen if not shared_words(texts[id_], asked) <= shared
        }

    @functools.cached_property
    def _kind(self) -> AskedKind | None:
        return asked_kind(self._asked.text)

    @property
    def _is_of_one(self) -> bool:
        """Whether the question asks for a time, place or number of its subject, not for how many it has."""
        return self._kind is not None and self._kind.kind is not AnswerKind.COUNT

    def _is_far(self, id_: int) -> bool:
        """Whether the vector of a fact is so far from the question's that it is no evidence."""
        return self.has_vectors and self._facts[id_].similarity < FAR

    @functools.cached_property
    def _weights(self) -> list[float]:
        return [rarity(term.held_by, self._total, FACTS.terms) for term in self._terms]

    @functools.cached_property
    def _total_weight(self) -> float:
        return sum(self._weights) or 1.0

    def _share(self, id_: int) -> float:
        """The share of the question, by weight, that a fact holds."""
        return sum(self._weights[term] for term in self._held.get(id_, ())) / self._total_weight

    def _scores(self, ids: Collection[int] | None) -> CandidateScores[int]:
        held: list[dict[int, float]] = [{} for _ in self._terms]
        pairs: dict[int, dict[int, float]] = {}
        for id_, terms in self._held.items():
            for number, strength in terms.items():
                held[number][id_] = strength
            for number in self._adjacent[id_]:
                pairs.setdefault(number, {})[id_] = 1.0
        postings = [TermPostings(term.held_by, held[number]) for number, term in enumerate(self._terms)]
        postings += [TermPostings(len(facts), facts, ADJACENT_SHARE) for facts in pairs.values()]
        return score_candidates(
            self._profile,
            ScoringCandidates(
                postings,
                self._total,
                allowed=ids,
                similarities={
                    id_: self._facts[id_].similarity for id_ in (self._facts if ids is None else ids)
                },
                fusion=self._profile.dense.fusion[self._asked.embedder],
            ),
        )


def _holding(index: Facts, terms: Sequence[QuestionTerm], question: FactQuery) -> list[int]:
    """Facts that hold terms of a question: of those that are rare enough, else of the rarest."""
    chosen: list[QuestionTerm] = []
    total = 0
    for term in sorted((term for term in terms if term.held_by), key=lambda term: term.held_by):
        total += term.held_by
        if chosen and total > _MANY:
            break
        chosen.append(term)
    if not chosen:
        return []
    where, values = _conditions(question)
    forms = dict.fromkeys(form for term in chosen for form in term.forms)
    match = " OR ".join(map(quoted, forms))
    order = " ORDER BY rank" if chosen[0].held_by <= _MANY else ""
    joined = "fts JOIN fact ON fact.id = fts.rowid"
    sql = f"SELECT fact.id FROM {joined} WHERE fts MATCH ?{where}{order}"  # noqa: S608
    rows = index.select(f"{sql} LIMIT ?", (match, *values, max(_LEAST, 5 * question.limit)))
    return [row[0] for row in rows]


def _conditions(question: FactQuery) -> tuple[str, list[str]]:
    where, values = "", []
    if question.category is not None:
        where += " AND fact.category = ?"
        values.append(question.category)
    if question.owners is not None:
        where += f" AND fact.owner IN ({', '.join('?' * len(question.owners))})"
        values += sorted(question.owners)
    return where, values
