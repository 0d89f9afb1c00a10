"""Recall: the facts that answer a question, by their vectors, their words and their salience.

Three tiers: the categories nearest to the question, the facts of these, and all facts where that is not
enough. Enough is as many as were asked for, with no fact elsewhere that holds more of the question.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memtool.index.fact_vectors import FactVectors
from memtool.index.facts import Facts
from memtool.index.terms import may_be_part
from memtool.index.transcripts import named
from memtool.values import dataclass, field, replace

if TYPE_CHECKING:
    from memtool.index.embed import Vectors

NEAR = 0.35
"""Similarity from which a fact that holds no word of the question may answer it."""
CATEGORIES = 3
"""Categories that are looked into first."""
_VECTOR, _WORDS = 0.7, 0.3
_MANY = 5_000
"""Facts that hold a word, past which it is no help in finding some to rank."""
_LEAST = 50
_MOST_PARTS = 50
"""Words that one of the question may be a part of."""


@dataclass(frozen=True, slots=True)
class FactQuestion:
    """A question: its stems, its vector where there is an embedder, and which facts may answer.

    `salience` multiplies the score of a fact, by its id; 1 where it has none. `near` is the similarity that
    is enough without a shared word.
    """

    stems: tuple[str, ...]
    limit: int
    vector: Vectors | None = None
    category: str | None = None
    owners: frozenset[str] | None = None
    salience: Mapping[str, float] | None = None
    near: float = NEAR


@dataclass(frozen=True, slots=True)
class FactHit:
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


def recall(index: Facts, vectors: FactVectors | None, asked: FactQuestion) -> list[FactHit]:
    """The best facts for a question, the best first; equal ones by path and line. Raises BrokenIndex.

    Where none answers, and every word of the question is a part of one that a fact holds, those are asked.
    """
    found = _recalled(index, vectors, asked)
    if found or not (parts := _parts(index, asked.stems)):
        return found
    return _recalled(index, vectors, replace(asked, stems=parts))


def _parts(index: Facts, stems: Sequence[str]) -> tuple[str, ...]:
    """The stems that facts hold and that these are parts of; one or two letters may only begin one.

    None where one of them is a part of nothing: a syllable that happens to stand somewhere is no answer.
    """
    found: dict[str, None] = {}
    for stem in stems:
        if not may_be_part(stem):
            return ()
        holds = "instr(term, ?)" if len(stem) > 2 else "instr(term, ?) = 1"
        rows = index.asked(f"SELECT term FROM vocabulary WHERE {holds} LIMIT ?", (stem, _MOST_PARTS))  # noqa: S608
        if not rows:
            return ()
        found |= dict.fromkeys(row[0] for row in rows)
    return tuple(found)


def _recalled(index: Facts, vectors: FactVectors | None, asked: FactQuestion) -> list[FactHit]:
    counts = index.documents_with(dict.fromkeys(asked.stems))
    looking = _Looking(index, asked, _weights(index.count(), counts))
    held = _holding(index, counts, asked)
    if asked.vector is None or vectors is None or not vectors.fits(asked.vector):
        return _ranked(looking.hits(held), asked)
    looking.vectors, looking.near = vectors, vectors.near(asked.vector)
    if asked.category is not None:
        return _ranked(looking.hits([*looking.nearest([asked.category]), *held]), asked)
    first = [category for _, category in vectors.centroids(asked.vector, asked.owners)[:CATEGORIES]]
    found = looking.hits([*looking.nearest(first), *held])
    scoped = [hit for hit in found if hit.category in first]
    best = max((hit.words for hit in scoped), default=0.0)
    if len(scoped) >= asked.limit and all(hit.words <= best for hit in found):
        return _ranked(scoped, asked)
    return _ranked([*found, *looking.hits(looking.nearest(None))], asked)


@dataclass(slots=True)
class _Looking:
    """A question on its way: what its words are worth, and how near each fact is, once that is known."""

    index: Facts
    asked: FactQuestion
    weights: Mapping[str, float]
    vectors: FactVectors | None = None
    near: Vectors | None = None
    seen: set[int] = field(default_factory=set)

    def nearest(self, categories: Sequence[str] | None) -> list[int]:
        """The facts nearest to the question, of some categories or of all."""
        if self.vectors is None or self.near is None:
            return []
        most = max(_LEAST, 5 * self.asked.limit)
        return self.vectors.nearest(self.near, most, categories=categories, owners=self.asked.owners)

    def hits(self, ids: Iterable[int]) -> list[FactHit]:
        """Those of these facts that have to do with the question, and were not looked at before."""
        wanted = {*ids} - self.seen
        self.seen |= wanted
        rows: list[Any] = self.index.asked(
            "SELECT fact.id, path, line, name, category, owner, text, stems FROM fact "
            "JOIN file ON file.id = fact.file WHERE fact.id IN (SELECT value FROM json_each(?))",
            (str(sorted(wanted)),),
        )
        total = sum(self.weights.values()) or 1.0
        found: list[FactHit] = []
        for id_, path, line, name, category, owner, text, stems in rows:
            near = 0.0
            if self.vectors is not None and self.near is not None:
                near = max(0.0, self.vectors.similarity(self.near, id_))
            held = {*stems.split()}
            words = sum(weight for stem, weight in self.weights.items() if stem in held) / total
            if words or near >= self.asked.near:
                found.append(FactHit(id_, named(path), line, name, category, owner, text, near, words))
        return found


def _weights(total: int, counts: Mapping[str, int]) -> dict[str, float]:
    """What each stem of a question is worth: the rarer among all facts, the more."""
    return {stem: math.log1p(total / max(1, count)) for stem, count in counts.items()}


def _holding(index: Facts, counts: Mapping[str, int], asked: FactQuestion) -> list[int]:
    """Facts that hold stems of a question: of those that are rare enough, else of the rarest."""
    rare = sorted((stem for stem in counts if counts[stem]), key=lambda stem: counts[stem])
    chosen: list[str] = []
    total = 0
    for stem in rare:
        total += counts[stem]
        if chosen and total > _MANY:
            break
        chosen.append(stem)
    if not chosen:
        return []
    where, values = _conditions(asked)
    match = " OR ".join('"' + stem.replace('"', '""') + '"' for stem in chosen)
    order = " ORDER BY rank" if counts[chosen[0]] <= _MANY else ""
    joined = "fts JOIN fact ON fact.id = fts.rowid"
    sql = f"SELECT fact.id FROM {joined} WHERE fts MATCH ?{where}{order}"  # noqa: S608
    rows = index.asked(f"{sql} LIMIT ?", (match, *values, max(_LEAST, 5 * asked.limit)))
    return [row[0] for row in rows]


def _conditions(asked: FactQuestion) -> tuple[str, list[str]]:
    where, values = "", []
    if asked.category is not None:
        where += " AND fact.category = ?"
        values.append(asked.category)
    if asked.owners is not None:
        where += f" AND fact.owner IN ({', '.join('?' * len(asked.owners))})"
        values += sorted(asked.owners)
    return where, values


def _ranked(hits: Sequence[FactHit], asked: FactQuestion) -> list[FactHit]:
    """The best of these, each with its score: (0.7 vector + 0.3 words) x salience, both max-normalised."""
    if not hits:
        return []
    near = max(hit.similarity for hit in hits)
    words = max(hit.words for hit in hits) or 1.0
    shares = (_VECTOR, _WORDS) if near and asked.vector is not None else (0.0, 1.0)
    salience = asked.salience or {}
    scored = [
        replace(
            hit,
            score=(shares[0] * hit.similarity / (near or 1.0) + shares[1] * hit.words / words)
            * salience.get(hit.name, 1.0),
        )
        for hit in hits
    ]
    return sorted(scored, key=lambda hit: (-hit.score, hit.path, hit.line))[: asked.limit]
