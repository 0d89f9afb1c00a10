"""Candidates in transcripts: the messages that SQLite found, with all that scoring needs to know of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from memtool.core.records.turn import USER
from memtool.core.search.lexical import SPEAKER_FLOOR
from memtool.core.search.message_context import (
    ExchangePlace,
    MessageCandidate,
    MessageContext,
    message_postings,
)
from memtool.core.search.prompts import floor_of
from memtool.core.search.query import Query
from memtool.core.search.scoring import RankingSignals, ScoringCandidates
from memtool.core.search.weights import FusionWeights, ScoringProfile
from memtool.core.text.dates import CALENDAR_NAMES, date_spans
from memtool.core.text.regex import regex
from memtool.index.transcripts.transcript_filters import Conditions, marks
from memtool.index.transcripts.transcript_terms import any_of

if TYPE_CHECKING:
    import apsw

Place = tuple[int, int]
"""A message: the id of its turn, and its own number in the turn."""

_LONGEST = 20_000
"""Characters of a message's stems in which terms are counted."""
_SESSION = "t.session || char(10) || t.owner"
"""The session of a turn; the turns of two owners are never of one."""
_BATCH = 400
"""Pairs of values in one statement."""
_TURNS_BETWEEN = 3
"""Turns in which the user's message beside another is looked for: a turn may be one message."""
_TIME_WORDS = """
    yesterday today tomorrow tonight ago last next week weekend weeks month months year years recently soon
    morning evening night summer winter spring autumn since
"""
_TIMES = CALENDAR_NAMES.union(_TIME_WORDS.split())
"""Words that tell a time, as a number of four digits does."""


class MessageQuery(Struct, frozen=True):
    """A query to messages.

    `terms` are its terms, each with the stems that answer it, `counts` the messages that hold each,
    `speakers` the speakers it names, and `dense_text` the text whose vector is compared. With `names_only`
    it consists of names of speakers.
    """

    terms: tuple[tuple[str, ...], ...]
    counts: tuple[int, ...]
    speakers: tuple[str, ...]
    query: Query
    dense_text: str
    today: date | None = None
    names_only: bool = False

    @property
    def asks_when(self) -> bool:
        """Whether it asks for a time."""
        return regex(r"(?i)\bwhen\b").search(self.query.text) is not None

    @property
    def is_sentence(self) -> bool:
        """Whether it is a sentence and no list of keywords."""
        return (
            not (self.query.required or self.query.excluded)
            and len(self.query.text.split()) > len(self.terms) + 1
        )


class _IndexedTurn(Struct, frozen=True):
    """A turn of the index; `messages` is their number."""

    id: int
    group: str
    seq: int | None
    session: str
    messages: int


class MessageReader:
    """Reads the candidates of one query from one index, among messages that satisfy the conditions."""

    def __init__(self, db: apsw.Connection, query: MessageQuery, conditions: Conditions) -> None:
        self.ids: dict[Place, int] = {}
        """The ids of the messages whose signals were read."""
        self._db = db
        self._query = query
        self._conditions = conditions
        self._turns: dict[int, _IndexedTurn] = {}
        self._by_seq: dict[tuple[str, int], _IndexedTurn] = {}
        self._terms_of: dict[str, list[int]] = {}
        """The numbers of the terms that each stem answers."""
        for number, term in enumerate(query.terms):
            for stem in term:
                self._terms_of.setdefault(stem, []).append(number)
        self._stems = frozenset(self._terms_of)
        self._pairs: dict[str, list[tuple[int, str, str]]] = {}
        """By the first stem of a term: its number, the first stem of the next, and the text of both."""
        for number, (left, right) in enumerate(itertools.pairwise(query.terms)):
            self._pairs.setdefault(left[0], []).append((number, right[0], f" {left[0]} {right[0]} "))

    def candidates(
        self,
        profile: ScoringProfile,
        ids: Sequence[int],
        similarities: Mapping[int, float],
        fusion: FusionWeights | None,
    ) -> ScoringCandidates[Place]:
        """The messages `ids` found by their words, and those of the `similarities`, both by id."""
        query = self._query
        messages = [*self._messages(ids)]
        places = self._places(similarities)
        self._read_neighbours(profile.context.reach)
        exchange = self._exchanges() if profile.context.reply else None
        terms, asked_terms = message_postings(messages, query.counts, profile.terms)
        return ScoringCandidates(
            terms,
            self._conditions.total(),
            is_sentence=query.is_sentence,
            words=0 if query.speakers or query.query.is_prompt else len(terms),
            floor=SPEAKER_FLOOR if query.query.is_prompt and query.speakers else floor_of(query.query),
            adjacent={message.key: message.adjacent for message in messages if message.adjacent},
            context=MessageContext(self._neighbour, self._session, asked_terms, exchange),
            similarities={place: similarities[id_] for place, id_ in places.items()},
            fusion=fusion,
            signals=self._signals,
        )

    # messages -----------------------------------------------------------------------------------------------

    def _messages(self, ids: Sequence[int]) -> Iterator[MessageCandidate[Place]]:
        """The messages with their term statistics."""
        rows: Any = self._db.execute(
            "SELECT m.turn, m.number, substr(m.states, 1, ?), substr(m.asks, 1, ?), t.grp, t.seq,"  # noqa: S608
            f" {_SESSION}, t.messages, m.id, max(length(m.states), length(m.asks))"
            f" FROM message m JOIN turn t ON t.id = m.turn WHERE m.id IN ({marks(ids)})",
            (_LONGEST, _LONGEST, *ids),
        ).fetchall()
        for turn, number, states, asks, group, seq, session, messages, id_, size in rows:
            self._add_turn(_IndexedTurn(turn, group, seq, session, messages))
            stated, asked = f" {states} ", f" {asks} "
            if size > _LONGEST:
                stated += self._terms_of_long(id_)
            in_states, in_asks = self._held(stated), self._held(asked)
            yield MessageCandidate(
                (turn, number),
                self._counted(stated, in_states),
                self._counted(asked, in_asks),
                length=stated.count(" ") + asked.count(" ") - 2,
                adjacent=self._adjacent(stated + asked, in_states | in_asks),
            )

    def _terms_of_long(self, id_: int) -> str:
        """A stem for each term in a message that is too long for its terms to be counted."""
        sql = "SELECT 1 FROM fts WHERE fts MATCH ? AND rowid = ?"
        stems = (term[0] for term in self._query.terms if self._db.execute(sql, (any_of(term), id_)).get)
        return "".join(f"{stem} " for stem in stems)

    def _held(self, stems: str) -> frozenset[str]:
        """The stems of the query that a message holds; few of them, so the rest counts those alone."""
        return self._stems.intersection(stems.split(" "))

    def _counted(self, stems: str, held: Iterable[str]) -> tuple[int, ...]:
        """The occurrences of each term, of which a message holds these stems."""
        counts = [0] * len(self._query.terms)
        for stem in held:
            count = stems.count(f" {stem} ")
            for number in self._terms_of[stem]:
                counts[number] += count
        return tuple(counts)

    def _adjacent(self, stems: str, held: Collection[str]) -> tuple[int, ...]:
        """The numbers of the terms that stand right before the next term."""
        pairs = [pair for stem in held for pair in self._pairs.get(stem, ())]
        return tuple(sorted([number for number, right, text in pairs if right in held and text in stems]))

    def _places(self, ids: Collection[int]) -> dict[Place, int]:
        """The messages with these ids, by their places."""
        if not ids:
            return {}
        ordered = sorted(ids)
        rows: Any = self._db.execute(
            f"SELECT m.id, m.number, t.id, t.grp, t.seq, {_SESSION}, t.messages"  # noqa: S608
            f" FROM message m JOIN turn t ON t.id = m.turn WHERE m.id IN ({marks(ordered)})",
            ordered,
        )
        places: dict[Place, int] = {}
        for id_, number, *turn in rows:
            self._add_turn(_IndexedTurn(*turn))
            places[turn[0], number] = id_
        return places

    # neighbours ---------------------------------------------------------------------------------------------

    def _add_turn(self, turn: _IndexedTurn) -> None:
        self._turns[turn.id] = turn
        if turn.seq is not None:
            self._by_seq.setdefault((turn.group, turn.seq), turn)

    def _read_neighbours(self, reach: int) -> None:
        """Read the turns before and after those that are known."""
        near: set[tuple[str, int]] = set()
        for turn in self._turns.values():
            if turn.seq is not None:
                near |= {(turn.group, turn.seq + away) for away in range(-reach, reach + 1) if away}
        for batch in _batched(sorted(near - self._by_seq.keys()), _BATCH):
            rows: Any = self._db.execute(
                f"SELECT id, grp, seq, {_SESSION}, messages FROM turn t WHERE (seq, grp) IN (VALUES "  # noqa: S608
                f"{', '.join(['(?, ?)'] * len(batch))})",
                tuple(itertools.chain.from_iterable((seq, group) for group, seq in batch)),
            )
            for row in rows:
                self._add_turn(_IndexedTurn(*row))

    def _neighbour(self, place: Place, away: int) -> Place | None:
        """The message so many places after another (before it, if negative) in its session."""
        turn_id, number = place
        turn, number = self._turns[turn_id], number + away
        while number >= turn.messages or number < 0:
            if turn.seq is None:
                return None
            is_after = number >= turn.messages
            other = self._by_seq.get((turn.group, turn.seq + (1 if is_after else -1)))
            if other is None or other.session != turn.session:
                return None
            number = number - turn.messages if is_after else number + other.messages
            turn = other
        return turn.id, number

    def _exchanges(self) -> Callable[[Place], ExchangePlace[Place]]:
        """A function that tells where a message stands among those of the turns that were read."""
        users: dict[int, list[int]] = {}
        for batch in _batched([*self._turns], _BATCH):
            rows: Any = self._db.execute(
                f"SELECT turn, number FROM message WHERE turn IN ({marks(batch)}) AND speaker = ?"  # noqa: S608
                " ORDER BY turn, number",
                (*batch, USER),
            )
            for turn, number in rows:
                users.setdefault(turn, []).append(number)
        places: dict[Place, ExchangePlace[Place]] = {}

        def exchange(place: Place) -> ExchangePlace[Place]:
            if place not in places:
                before = self._users_message(place, users, -1)
                if place[1] in users.get(place[0], ()):
                    after = self._users_message(place, users, 1)
                    beside = tuple(other for other in (before, after) if other is not None)
                    places[place] = ExchangePlace(is_reply=False, beside=beside)
                else:
                    places[place] = ExchangePlace(is_reply=True, replied_to=before)
            return places[place]

        return exchange

    def _users_message(self, place: Place, users: Mapping[int, Sequence[int]], sign: int) -> Place | None:
        """The user's message before a message (after it for a `sign` of 1), a few turns away at most."""
        turn, number = self._turns[place[0]], place[1]
        for _ in range(_TURNS_BETWEEN):
            numbers = [other for other in users.get(turn.id, ()) if (other - number) * sign > 0]
            if numbers:
                return turn.id, min(numbers) if sign > 0 else max(numbers)
            other = None if turn.seq is None else self._by_seq.get((turn.group, turn.seq + sign))
            if other is None or other.session != turn.session:
                return None
            turn, number = other, -1 if sign > 0 else other.messages
        return None

    def _session(self, place: Place) -> tuple[str, str]:
        turn = self._turns[place[0]]
        return turn.group, turn.session

    # signals ------------------------------------------------------------------------------------------------

    def _signals(self, places: Collection[Place]) -> dict[Place, RankingSignals]:
        """The signals of those messages that satisfy the conditions."""
        days = date_spans(self._query.query.text, self._query.today) if self._query.today else ()
        where = self._conditions.where("(m.turn, m.number) IN (VALUES {})")
        signals: dict[Place, RankingSignals] = {}
        for batch in _batched([*places], _BATCH):
            rows: Any = self._db.execute(
                "SELECT m.id, m.turn, m.number, m.name, m.speaker, length(m.states), length(m.asks), t.day,"  # noqa: S608
                + (" m.terms" if self._query.asks_when else " ''")
                + " FROM message m JOIN turn t ON t.id = m.turn WHERE "
                + where.format(", ".join(["(?, ?)"] * len(batch))),
                (*itertools.chain.from_iterable(batch), *self._conditions.values),
            )
            for id_, turn, number, name, speaker, states, asks, day, terms in rows:
                self.ids[turn, number] = int(id_)
                signals[turn, number] = RankingSignals(
                    is_speaker=self._query.speakers == (name,),
                    is_reply=speaker != USER,
                    tells_time=_tells_time(terms[:_LONGEST]),
                    is_dated=bool(day)
                    and any(first.isoformat() <= day <= last.isoformat() for first, last in days),
                    asks=asks / max(1, states + asks),
                )
        return signals


def _tells_time(terms: str) -> bool:
    """Whether a message's terms, which have its punctuation, contain a word that tells a time."""
    words = regex(r"\w+").findall(terms)
    return not _TIMES.isdisjoint(words) or any(len(word) == 4 and word.isdecimal() for word in words)


def _batched(rows: Sequence[Any], size: int) -> Iterable[Sequence[Any]]:
    return (rows[start : start + size] for start in range(0, len(rows), size))
