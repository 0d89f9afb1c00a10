"""Newer facts: what was said later of what an answer says, printed before it.

A correction that is too vague to supersede a fact leaves it active. Where the fact answers a question, the
correction is an answer, too, even if it has no word of the question.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from memtool.core.capture.newer_values import may_tell_news, tells_newer
from memtool.index.database import decode_path
from memtool.index.facts.fact_search import FactHit, FactQuery, recall
from memtool.index.facts.fact_vectors import FactVectors
from memtool.index.facts.facts import Facts
from memtool.index.transcripts.transcript_terms import quoted

_MOST_LATER = 50
"""The later facts that are compared with an answer, the newest first."""


def recall_newest(index: Facts, vectors: FactVectors | None, question: FactQuery) -> list[FactHit]:
    """The hits of `recall`, each after the newest fact that tells what is now of what it says.

    A later fact is one below in the same file. Raises BrokenIndex.
    """
    hits = recall(index, vectors, question)
    if question.every:
        return hits
    ordered = [*hits]
    for hit in hits:
        if (newer := _newest_on(index, hit, question)) is None:
            continue
        places = {other.id: place for place, other in enumerate(ordered)}
        if places.get(newer.id, len(ordered)) < places[hit.id]:
            continue
        if newer.id in places:
            newer = ordered.pop(places[newer.id])
        ordered.insert(places[hit.id], newer)
    return ordered[: question.limit]


def _newest_on(index: Facts, hit: FactHit, question: FactQuery) -> FactHit | None:
    row = index.select("SELECT stems, file FROM fact WHERE id = ?", (hit.id,))
    stems, file = row[0]
    match = " OR ".join(map(quoted, dict.fromkeys(stems.split())))
    rows: list[Any] = index.select(
        "SELECT fact.id, path, line, name, category, owner, text, fact.stems FROM fts "
        "JOIN fact ON fact.id = fts.rowid JOIN file ON file.id = fact.file "
        "WHERE fts MATCH ? AND file = ? AND line > ? ORDER BY line DESC LIMIT ?",
        (match, file, hit.line, _MOST_LATER),
    )
    visible = [row for row in rows if row[5] == hit.owner and question.category in {None, row[4]}]
    known = {*question.stems} & {*stems.split()}
    for number, (id_, path, line, name, category, owner, text, later_stems) in enumerate(visible):
        words = _own_words(text)
        if not may_tell_news(words):
            continue
        is_as_near = bool(known) and known <= {*later_stems.split()}
        between = [_own_words(other[6]) for other in visible[number + 1 :]]
        if tells_newer(words, _own_words(hit.text), between, is_as_near=is_as_near):
            newer = FactHit(id_, decode_path(path), line, name, category, owner, text, 0.0, 0.0)
            return replace(newer, score=hit.score)
    return None


def _own_words(text: str) -> str:
    """What the user said of a fact, as far as it is kept."""
    return text.partition(' — "')[2].removesuffix('"') or text.removeprefix("User STATES ")
