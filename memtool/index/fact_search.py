"""Recall: the facts that answer a question, by their vectors, their words and their salience.

Three tiers: the categories nearest to the question, the facts of these, and all facts where that is not
enough. Enough is as many as were asked for, with no fact elsewhere that holds more of the question.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memtool.index.fact_vectors import FactVectors
from memtool.index.facts import Facts
from memtool.index.transcripts import named

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
    """The best facts for a question, the best first; equal ones by path and line. Raises BrokenIndex."""
    if asked.vector is None or vectors is None or not vectors.fits(asked.vector):
        vectors = None
    weights = _weights(index, asked.stems)
    held = _holding(index, weights, asked)
    wide = [asked.category] if asked.category else None
    most = max(_LEAST, 5 * asked.limit)
    if vectors is None or asked.vector is None:
        return _ranked(_hits(index, held, weights, asked, None), asked)
    if asked.category is None:
        near = [category for _, category in vectors.centroids(asked.vector, asked.owners)[:CATEGORIES]]
        found = vectors.nearest(asked.vector, most, categories=near, owners=asked.owners)
        everything = _hits(index, {*found, *held}, weights, asked, vectors)
        scoped = [hit for hit in everything if hit.category in near]
        best = max((hit.words for hit in scoped), default=0.0)
        if len(scoped) >= asked.limit and all(hit.words <= best for hit in everything):
            return _ranked(scoped, asked)
    found = vectors.nearest(asked.vector, most, categories=wide, owners=asked.owners)
    return _ranked(_hits(index, {*found, *held}, weights, asked, vectors), asked)


def _weights(index: Facts, stems: Iterable[str]) -> dict[str, float]:
    """What each stem of a question is worth: the rarer among the facts, the more."""
    wanted = dict.fromkeys(stems)
    total = index.count()
    counts = index.documents_with(wanted)
    return {stem: math.log1p(total / max(1, counts[stem])) for stem in wanted}


def _holding(index: Facts, weights: Mapping[str, float], asked: FactQuestion) -> list[int]:
    """Facts that hold stems of a question: of those that are rare enough, else of the rarest."""
    counts = index.documents_with(weights)
    rare = sorted((stem for stem in weights if counts[stem]), key=lambda stem: counts[stem])
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


def _hits(
    index: Facts,
    ids: Collection[int],
    weights: Mapping[str, float],
    asked: FactQuestion,
    vectors: FactVectors | None,
) -> list[FactHit]:
    """These facts, as far as they have to do with the question."""
    rows: list[Any] = [
        row
        for id_ in ids
        for row in index.asked(
            "SELECT fact.id, path, line, name, category, owner, text, stems FROM fact "
            "JOIN file ON file.id = fact.file WHERE fact.id = ?",
            (id_,),
        )
    ]
    total = sum(weights.values()) or 1.0
    found: list[FactHit] = []
    for id_, path, line, name, category, owner, text, stems in rows:
        near = 0.0
        if vectors is not None and asked.vector is not None:
            near = max(0.0, vectors.similarity(asked.vector, id_))
        held = {*stems.split()}
        words = sum(weight for stem, weight in weights.items() if stem in held) / total
        if words or near >= asked.near:
            found.append(FactHit(id_, named(path), line, name, category, owner, text, near, words))
    return found


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
