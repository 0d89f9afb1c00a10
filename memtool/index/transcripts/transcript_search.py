"""Searching transcripts: a query as questions to SQLite, and the best of what it finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from memtool.core.records import turn
from memtool.core.records.turn import USER
from memtool.core.search.profiles import ASSISTANT, CONVERSATION
from memtool.core.search.query import FuzzyTerm, PrefixTerm, Query, QueryFilter, QueryItem
from memtool.core.search.scoring import score_candidates
from memtool.core.search.weights import ScoringProfile
from memtool.core.text.stopwords import FRAME_WORDS
from memtool.core.text.tokenizer import CharacterRun, Word
from memtool.index.database import valid_text
from memtool.index.engine import as_broken_index
from memtool.index.transcripts.transcript_candidates import MessageQuery, MessageReader
from memtool.index.transcripts.transcript_filters import Conditions, marks
from memtool.index.transcripts.transcript_hits import HIT_COLUMNS, TranscriptHit, read_hit, read_replies
from memtool.index.transcripts.transcript_terms import any_of, name_in, stems_in, strict
from memtool.index.transcripts.transcript_vectors import MessageVectors
from memtool.index.transcripts.transcript_vocabulary import Vocabulary
from memtool.index.transcripts.transcripts import Transcripts

POOL = 128
"""Messages found by their words that are candidates; those beyond them follow in SQLite's own order."""
_DEPTH = 3 * POOL
"""Messages that are asked for: enough for as many of the user's, where an assistant speaks."""
_ASSISTANT_SHARE = 0.1
"""The share of the best messages that are an assistant's in a chat between a user and an assistant."""
_NEAREST = 2 * POOL
"""Messages with the nearest vectors that are candidates as well."""
_NEWEST = 10_000
"""Of what more messages than this hold, those that were indexed last are ranked: enough to choose from."""
_ENOUGH = 4 * POOL
_TERMS, _STEMS = "1, 0, 0", "0, 1, 1"
"""Weights of the columns, for words as they are written and for stems."""


class TranscriptSearch:
    """One query to one index; files with the numbers `masked` are left out.

    With `dense` vectors count beside words, or with `vectors_only` alone.
    """

    def __init__(
        self,
        index: Transcripts,
        query: Query,
        filters: Sequence[QueryFilter],
        masked: Sequence[int],
        today: date | None = None,
        dense: MessageVectors | None = None,
        *,
        vectors_only: bool = False,
    ) -> None:
        self._db = index.db
        with as_broken_index(Transcripts.subject):
            self._answers = index.answers()
            self._vocabulary = Vocabulary(index)
        self._query = query
        self._today = today
        self._dense = dense
        self._vectors_only = vectors_only
        self._matches: frozenset[int] | None = None
        """The messages with a term of the query; None before it is asked."""
        self._conditions = Conditions(self._db, (*query.filters, *filters), masked)

    def run(self, limit: int, *, with_replies: bool = False) -> list[TranscriptHit]:
        """The best `limit` messages; a smaller limit gives the beginning of a larger one's answer."""
        hits = self._run(limit)
        if not with_replies:
            return hits
        with as_broken_index(Transcripts.subject):
            return read_replies(self._db, hits)

    def _run(self, limit: int) -> list[TranscriptHit]:
        if not self._conditions.possible:
            return []
        with as_broken_index(Transcripts.subject):
            if not self._query.positive_items:
                return self._newest(limit) if self._query.filters else []
            if not self._demand():
                return []
            return self._hits(self._scored(limit), limit)

    # the query --------------------------------------------------------------------------------------------

    def _demand(self) -> bool:
        """Restrict the search to what must and must not be there; False where that can be nowhere."""
        for items, negated in ((self._query.required, ""), (self._query.excluded, "NOT ")):
            for item in items:
                match = strict(item, self._vocabulary.forms)
                if match is not None:
                    self._conditions.add(f"m.id {negated}IN (SELECT rowid FROM fts WHERE fts MATCH ?)", match)  # noqa: S608
                elif not negated:
                    return False
        spelled = [item for item in self._query.words if isinstance(item, PrefixTerm | FuzzyTerm)]
        if spelled and len(spelled) == len(
            self._query.positive_items
        ):  # their other forms only add to the score
            words = [expression for item in spelled if (expression := strict(item, self._vocabulary.forms))]
            self._conditions.add("m.id IN (SELECT rowid FROM fts WHERE fts MATCH ?)", " OR ".join(words))
            return bool(words)
        return True

    def _scored(self, limit: int) -> dict[int, float]:
        """Messages with their scores; those that SQLite ranks below the candidates follow in its order."""
        query = self._message_query()
        if not query.terms:
            return {} if self._query.is_prompt else self._plain(limit)
        scores = self._ranked(query, limit)
        if query.names_only and not self._query.is_prompt:
            last = min(scores.values(), default=1.0)
            spoken = [id_ for id_ in self._spoken_by(query.speakers, limit) if id_ not in scores]
            scores |= {id_: last / (2 + number) for number, id_ in enumerate(spoken)}
        return scores

    def _ranked(self, query: MessageQuery, limit: int) -> dict[int, float]:
        """The messages that answer the terms of a query, or are near it in meaning."""
        dense = self._dense
        words_count = dense is None or not self._vectors_only
        by_words = self._found(query, max(_DEPTH, limit)) if words_count else []
        profile, by_words = self._profile(by_words)
        self._matches = frozenset(by_words) if by_words else None
        similarities = {} if dense is None else self._similarities(dense, query.dense_text, by_words[:POOL])
        fusion = profile.dense.fusion[dense.embedder.kind] if dense is not None and similarities else None
        reader = MessageReader(self._db, query, self._conditions)
        count = POOL if profile is CONVERSATION else POOL + POOL // 2
        scored = score_candidates(profile, reader.candidates(profile, by_words[:count], similarities, fusion))
        scores = {reader.ids[place]: value for place, value in scored.final.items()}
        if scored.is_unanswered:
            return scores
        rest = [id_ for id_ in by_words if id_ not in scores]
        last = min(scores.values(), default=0.0)
        return scores | {id_: last / (2 + number) for number, id_ in enumerate(rest)}

    def _profile(self, ids: list[int]) -> tuple[ScoringProfile, list[int]]:
        """The profile for the history that these messages, best first, are of; and their order as candidates.

        Where an assistant speaks, the user's messages are most of the candidates: long replies contain more
        words of a question than the message that they reply to.
        """
        best = ids[:_DEPTH]
        rows = self._db.execute(
            f"SELECT id, speaker FROM message WHERE id IN ({marks(best)})",  # noqa: S608
            tuple(best),
        )
        speakers: dict[int, str] = {int(str(id_)): str(speaker) for id_, speaker in rows}
        replies = sum(speakers[id_] == turn.ASSISTANT for id_ in ids[:POOL])
        if replies < _ASSISTANT_SHARE * min(len(ids), POOL) or not replies:
            return CONVERSATION, ids
        users = [id_ for id_ in best if speakers[id_] == USER][:POOL]
        others = [id_ for id_ in best if speakers[id_] != USER][: POOL // 2]
        first = {*users, *others}
        return ASSISTANT, [*users, *others, *(id_ for id_ in ids if id_ not in first)]

    def _similarities(self, dense: MessageVectors, text: str, ids: Sequence[int]) -> dict[int, float]:
        """The messages with the nearest vectors, with their cosines.

        Where some messages have no vector, those that were found get one from their words.
        """
        if not dense.missing():
            return dense.nearest(text, _NEAREST, self._admitted())
        rows = self._db.execute(
            f"SELECT id, terms FROM message WHERE id IN ({marks(ids)})",  # noqa: S608
            tuple(ids),
        )
        return dense.of(text, {int(str(id_)): str(terms) for id_, terms in rows})

    def _admitted(self) -> list[int] | None:
        """The messages that satisfy the conditions; None where there are none."""
        if not self._conditions.clauses:
            return None
        sql = f"SELECT m.id FROM message m JOIN turn t ON t.id = m.turn WHERE {self._conditions.where()}"  # noqa: S608
        return [int(row[0]) for row in self._db.execute(sql, tuple(self._conditions.values))]

    def _message_query(self) -> MessageQuery:
        """The terms of the query, and the speakers it names; a speaker's name is no term beside others."""
        terms: dict[tuple[str, ...], None] = {}
        speakers: dict[str, None] = {}
        framed: set[tuple[str, ...]] = set()
        for item in self._query.positive_items:
            if item not in self._query.required and (name := name_in(item)) and self._is_speaker(name):
                speakers[name] = None
                continue
            for term in self._terms(item):
                terms[term] = None
                if isinstance(item, Word) and item.text in FRAME_WORDS and item not in self._query.required:
                    framed.add(term)
        dense_text = self._query.text
        if len(framed) < len(terms):
            terms = {term: None for term in terms if term not in framed}
        names_only = bool(speakers) and not terms
        if not terms:
            terms = dict.fromkeys(term for name in speakers for term in self._terms(Word(name)))
        elif self._dense is not None and not self._query.is_prompt:
            from memtool.core.search.second_person import to_second_person

            dense_text = to_second_person(dense_text, speakers)
        counts = tuple(map(self._count, terms))
        names = tuple(speakers)
        return MessageQuery(tuple(terms), counts, names, self._query, dense_text, self._today, names_only)

    def _count(self, term: tuple[str, ...]) -> int:
        """How many messages of the owners hold a stem of a term; cached, for words come again."""
        key = term, self._conditions.owners
        if key not in self._answers:
            self._answers[key] = self._conditions.count(any_of(term))
        return int(self._answers[key])

    def _terms(self, item: QueryItem) -> Iterable[tuple[str, ...]]:
        """What an item is ranked by: for each of its words the stems that answer it."""
        match item:
            case PrefixTerm() | FuzzyTerm():
                forms = dict.fromkeys(
                    stem for form in self._vocabulary.forms(item) for stem in stems_in(Word(form))
                )
                return [tuple(forms)] if forms else []
            case CharacterRun(text) if len(text) > 1:
                return [(stem,) for stem in stems_in(item)]
            case _:
                return [term for stem in stems_in(item) for term in self._vocabulary.like(stem)]

    def _is_speaker(self, word: str) -> bool:
        """Whether a speaker of some message has this name."""
        return (
            self._db.execute("SELECT 1 FROM message WHERE name = ? LIMIT 1", (valid_text(word),)).get
            is not None
        )

    def _found(self, query: MessageQuery, most: int) -> list[int]:
        """The messages that hold the terms best, by SQLite's BM25.

        Where some terms are rare and others are everywhere, those that hold a rare one come first.
        """
        counted = sorted(zip(query.counts, map(any_of, query.terms), strict=True))
        rare, frequent = _split(counted, _ENOUGH)
        if not rare:
            return []
        first = " OR ".join(rare)
        match = f"({first}) OR (({first}) AND ({' OR '.join(frequent)}))" if frequent else first
        ids = self._ask(match, most, _STEMS)
        if frequent and len(ids) < most:
            ids += [id_ for id_ in self._ask(" OR ".join([*rare, *frequent]), most, _STEMS) if id_ not in ids]
        return ids[:most]

    def _plain(self, limit: int) -> dict[int, float]:
        """Messages for a query of stop words: those that hold all of them first, then some."""
        words = [
            expression
            for item in self._query.positive_items
            if (expression := strict(item, self._vocabulary.forms))
        ]
        ids: dict[int, None] = {}
        for match in (" AND ".join(words), " OR ".join(words)):
            if words and len(ids) < limit:
                ids |= dict.fromkeys(self._ask(match, limit, _TERMS))
        return {id_: 1 / (1 + number) for number, id_ in enumerate(ids)}

    def _ask(self, match: str, most: int, columns: str) -> list[int]:
        """The messages that match, best first by these weights of the columns."""
        score = f"bm25(fts, {columns})"
        if self._conditions.clauses:
            if (ids := self._ask_unfiltered(match, most, score)) is not None:
                return ids
            rows = self._db.execute(
                f"SELECT m.id, {score} FROM fts"  # noqa: S608
                " JOIN message m ON m.id = fts.rowid JOIN turn t ON t.id = m.turn"
                f" WHERE {self._conditions.where('fts MATCH ?')} ORDER BY 2, 1 DESC LIMIT ?",
                (match, *self._conditions.values, most),
            )
        else:
            newest = "SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?"
            bound = self._db.execute(newest, (match, _NEWEST)).get
            rows = self._db.execute(
                f"SELECT rowid, {score} FROM fts WHERE fts MATCH ? AND rowid >= ?"  # noqa: S608
                " ORDER BY 2, 1 DESC LIMIT ?",
                (match, bound or 0, most),
            )
        return [int(id_) for id_, _ in rows]

    def _ask_unfiltered(self, match: str, most: int, score: str) -> list[int] | None:
        """As `_ask` with conditions, if they hold for enough of the best messages; else None.

        Without the join that the conditions need, thousands of messages are ranked in a quarter of the time.
        """
        best = 2 * most
        if best > _NEWEST:
            return None
        rows = self._db.execute(
            f"SELECT rowid, {score} FROM fts WHERE fts MATCH ? ORDER BY 2, 1 DESC LIMIT ?",  # noqa: S608
            (match, best),
        )
        ids = [int(id_) for id_, _ in rows]
        where = self._conditions.where(f"m.id IN ({marks(ids)})")
        sql = f"SELECT m.id FROM message m JOIN turn t ON t.id = m.turn WHERE {where}"  # noqa: S608
        admitted = {int(id_) for (id_,) in self._db.execute(sql, (*ids, *self._conditions.values))}
        if len(admitted) < most and len(ids) == best:
            return None
        return [id_ for id_ in ids if id_ in admitted][:most]

    # the hits ---------------------------------------------------------------------------------------------

    def _spoken_by(self, names: Sequence[str], limit: int) -> list[int]:
        """The messages of these speakers, the newest turns first."""
        where = self._conditions.where(f"m.name IN ({marks(names)})")
        rows = self._db.execute(
            f"SELECT m.id FROM turn t JOIN message m ON m.turn = t.id WHERE {where}"  # noqa: S608
            " ORDER BY t.created_at DESC, t.seq DESC, m.number LIMIT ?",
            (*names, *self._conditions.values, limit),
        )
        return [int(str(row[0])) for row in rows]

    def _newest(self, limit: int) -> list[TranscriptHit]:
        """Messages that the filters alone ask for, the newest turns first."""
        ids = self._db.execute(
            "SELECT m.id FROM turn t JOIN message m ON m.turn = t.id"  # noqa: S608
            f" WHERE {self._conditions.where()} ORDER BY t.created_at DESC, t.seq DESC, m.number LIMIT ?",
            (*self._conditions.values, limit),
        )
        return self._hits({int(row[0]): 1.0 for row in ids}, limit)

    def _hits(self, scores: Mapping[int, float], limit: int) -> list[TranscriptHit]:
        best = sorted(scores.items(), key=lambda scored: (-scored[1], -scored[0]))[:limit]
        rows: Any = self._db.execute(
            f"SELECT m.id, {HIT_COLUMNS} FROM message m JOIN turn t ON t.id = m.turn"  # noqa: S608
            f" WHERE m.id IN ({marks(best)})",
            tuple(id_ for id_, _ in best),
        )
        matches = self._matches
        hits = {
            id_: read_hit(row, scores[id_], has_term=matches is None or id_ in matches) for id_, *row in rows
        }
        return [hits[id_] for id_, _ in best]


def _split(counted: Sequence[tuple[int, str]], most: int) -> tuple[list[str], list[str]]:
    """The rarest words that together find enough, and the others, which only add to the score."""
    rare: list[str] = []
    total = 0
    for count, word in counted:
        if total < most:
            rare += [word] * bool(count)
            total += count
    return rare, [word for count, word in counted if count and word not in rare]
