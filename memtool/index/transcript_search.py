"""Searching transcripts: a query as questions to SQLite, and the best of what it finds."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from memtool.core.query import Days, Filter, Fuzzy, Item, Only, Query, glob
from memtool.core.terms import Word, within
from memtool.index.engine import breaking
from memtool.index.search import COVERAGE
from memtool.index.terms import stem
from memtool.index.transcript_terms import expression, has_forms, holds, strict, tokens_of
from memtool.index.transcripts import Transcripts, named, sound, stored

ROLE = "turn"
"""The role whose files are searched here."""
_NEWEST = 10_000
"""Of what more messages than this hold, those that were indexed last are ranked: enough to choose from."""
_FEWEST = 64
_LONGEST = 50_000  # characters


@dataclass(frozen=True, slots=True)
class TranscriptHit:
    """A message that answers: message `number` (from 0) of a turn, whose file had this etag when it was read.

    Of a file that is no turn, `seq` is None, and its whole text is one message.
    """

    etag: str
    folder: str
    name: str
    number: int
    speaker: str
    score: float
    seq: int | None
    created_at: str
    day: str
    group: str

    @property
    def path(self) -> str:
        """The file's path, relative to the root."""
        return f"{self.folder}/{self.name}"


class Search:
    """One query to one index; files with the numbers `masked` are passed by."""

    def __init__(
        self, index: Transcripts, query: Query, filters: Sequence[Filter], masked: Sequence[int]
    ) -> None:
        self._db = index.db
        self._query = query
        self._possible = True
        self._conditions: list[str] = []
        self._values: list[Any] = []
        for rule in (*query.filters, *filters):
            self._restrict(rule)
        if masked:
            self._conditions.append(f"t.id NOT IN ({', '.join(str(int(one)) for one in masked)})")

    def run(self, limit: int) -> list[TranscriptHit]:
        """The best `limit` messages: those that hold more of the words first, then by BM25."""
        if not self._possible:
            return []
        with breaking():
            if not self._query.wanted:
                return self._newest(limit) if self._query.filters else []
            return self._hits(self._scored(limit), limit)

    # what is asked ---------------------------------------------------------------------------------------

    def _scored(self, limit: int) -> dict[int, float]:
        """Candidates by message, with their scores."""
        must = [strict(item, self._forms) for item in self._query.must]
        words = [expression(item, self._forms) for item in self._query.words]
        if None in must:
            return {}
        needed = [one for one in must if one]
        found = sorted((self._count(one), one) for one in words if one)
        optional = [one for count, one in found if count]
        most = max(_FEWEST, 4 * limit)
        scores: dict[int, float] = {}
        if len(optional) == len(words):  # all of them may stand together
            self._ask(" AND ".join([*needed, *optional]), most, scores)
        if len(scores) < limit and words and (needed or len(words) > 1) and (needed or optional):
            rare, frequent = (needed, optional) if needed else _split(found, most)
            first = " AND ".join(needed) if needed else " OR ".join(rare)
            asked = f"({first}) OR (({first}) AND ({' OR '.join(frequent)}))" if frequent else first
            self._ask(asked, most, scores)
        return self._covered(scores)

    def _ask(self, match: str, most: int, scores: dict[int, float]) -> None:
        """Add the best messages that match, with the positive of SQLite's BM25, of which less is better."""
        unwanted = [one for item in self._query.without if (one := strict(item, self._forms))]
        if unwanted:
            match = f"({match}) NOT ({' OR '.join(unwanted)})"
        if self._conditions:
            rows = self._db.execute(
                "SELECT m.id, bm25(fts) FROM fts"  # noqa: S608
                " JOIN message m ON m.id = fts.rowid JOIN turn t ON t.id = m.turn"
                f" WHERE fts MATCH ? AND {' AND '.join(self._conditions)} ORDER BY 2 LIMIT ?",
                (match, *self._values, most),
            )
        else:
            bound = self._db.execute(
                "SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?",
                (match, _NEWEST),
            ).get
            rows = self._db.execute(
                "SELECT rowid, bm25(fts) FROM fts WHERE fts MATCH ? AND rowid >= ? ORDER BY 2 LIMIT ?",
                (match, bound or 0, most),
            )
        for id_, score in rows:
            scores[int(id_)] = max(scores.get(int(id_), 0.0), -float(score))

    def _covered(self, scores: Mapping[int, float]) -> dict[int, float]:
        """Each score times the share of the query that is held, to the power that documents have."""
        if len(self._query.wanted) == 1:
            return dict(scores)
        covered: dict[int, float] = {}
        for id_, score in scores.items():
            size = self._db.execute("SELECT length(terms) FROM message WHERE id = ?", (id_,)).get
            if int(size) > _LONGEST:
                held = sum(self._stands(item, id_) for item in self._query.wanted)
            else:
                tokens = tokens_of(self._db.execute("SELECT terms FROM message WHERE id = ?", (id_,)).get)
                held = sum(holds(item, tokens, self._forms) for item in self._query.wanted)
            covered[id_] = score * (held / len(self._query.wanted)) ** COVERAGE
        return covered

    def _stands(self, item: Item, id_: int) -> bool:
        """Whether a message holds an item, asked of SQLite: for those too long to be looked through here."""
        match = expression(item, self._forms)
        asked = "SELECT count(*) FROM fts WHERE fts MATCH ? AND rowid = ?"
        return match is not None and bool(self._db.execute(asked, (match, id_)).get)

    def _count(self, match: str) -> int:
        return int(self._db.execute("SELECT count(*) FROM fts WHERE fts MATCH ?", (match,)).get)

    @functools.cached_property
    def _vocabulary(self) -> list[str]:
        return [row[0] for row in self._db.execute("SELECT DISTINCT word FROM word")]

    def _forms(self, item: Item) -> Iterable[str]:
        known = self._known.get(item)
        if known is None:
            known = self._known[item] = tuple(self._looked_up(item))
        return known

    @functools.cached_property
    def _known(self) -> dict[Item, tuple[str, ...]]:
        return {}

    def _looked_up(self, item: Item) -> Iterable[str]:
        match item:
            case Word(word) if has_forms(word):
                return [
                    row[0] for row in self._db.execute("SELECT word FROM word WHERE stem = ?", (stem(word),))
                ]
            case Fuzzy(word, distance):
                near = [one for one in self._vocabulary if within(word, one, distance)]
                return [*dict.fromkeys([word, *near])]
            case _:
                return ()

    def _restrict(self, rule: Filter) -> None:
        match rule:
            case Days(since, until):
                self._conditions.append("t.day BETWEEN ? AND ?")
                self._values += [str(since or ""), str(until or "9999-12-31")]
            case Only("role", values):
                self._possible &= (ROLE in values) != rule.without
            case Only("tag"):
                self._possible &= rule.without
            case Only("path", values):
                patterns = [glob(value) for value in values]

                def matches(*place: Any) -> bool:
                    return any(pattern.match("/".join(map(named, place))) for pattern in patterns)

                name = f"path_{len(self._conditions)}"
                self._db.create_scalar_function(name, matches, 2, deterministic=True)
                self._conditions.append(f"{'NOT ' * rule.without}{name}(t.folder, t.name)")
            case Only(field, values):
                column = "t.grp" if field == "group" else "m.speaker"
                marks = ", ".join("?" * len(values))
                self._conditions.append(f"{column} {'NOT ' * rule.without}IN ({marks})")
                self._values += map(stored if field == "group" else sound, values)
            case _:
                assert_never(rule)

    # what is found ---------------------------------------------------------------------------------------

    def _newest(self, limit: int) -> list[TranscriptHit]:
        """Messages that the filters alone ask for, the newest turns first."""
        where = " AND ".join(self._conditions) or "1"
        ids = self._db.execute(
            "SELECT m.id FROM turn t JOIN message m ON m.turn = t.id"  # noqa: S608
            f" WHERE {where} ORDER BY t.created_at DESC, t.seq DESC, m.number LIMIT ?",
            (*self._values, limit),
        )
        return self._hits({int(row[0]): 1.0 for row in ids}, limit)

    def _hits(self, scores: Mapping[int, float], limit: int) -> list[TranscriptHit]:
        best = sorted(scores.items(), key=lambda scored: (-scored[1], -scored[0]))[:limit]
        found = []
        for id_, score in best:
            row: Any = self._db.execute(
                "SELECT t.etag, t.folder, t.name, m.number, m.speaker, t.seq, t.created_at, t.day, t.grp"
                " FROM message m JOIN turn t ON t.id = m.turn WHERE m.id = ?",
                (id_,),
            ).fetchone()
            etag, folder, name, number, speaker, *about = row
            hit = TranscriptHit(etag, named(folder), named(name), number, speaker, score, *about)
            found.append(hit)
        return found


def _split(found: Sequence[tuple[int, str]], most: int) -> tuple[list[str], list[str]]:
    """The rarest words that together find enough, and the others, which only add to the score."""
    rare: list[str] = []
    total = 0
    for count, one in found:
        if total < most:
            rare += [one] * bool(count)
            total += count
    return rare, [one for count, one in found if count and one not in rare]
