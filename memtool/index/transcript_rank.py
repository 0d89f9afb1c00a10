"""Ranking transcripts: messages that SQLite found, scored as `core.talk` hears them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from memtool.core.pattern import compiled
from memtool.core.query import Query
from memtool.core.talk import (
    ALIKE,
    ASKED,
    COVERAGE,
    DATED,
    KEYWORDS,
    MEANT,
    NAMED,
    REACH,
    SESSION,
    TIMED,
    Place,
    Sense,
    Told,
    floor,
    heard,
    sessions,
    spread,
    weights,
)
from memtool.core.when import spans
from memtool.index.transcript_filters import Conditions, marks
from memtool.index.transcript_terms import any_of
from memtool.values import dataclass

if TYPE_CHECKING:
    import apsw

_LONGEST = 20_000
"""Characters of a message's stems that are counted through."""
_SHOWN = 200
"""Messages beside those that were found which are looked at for their speaker and day."""
_DEAF = Sense(0.0)
_TIMES = (
    r"\b(?:yesterday|today|tomorrow|tonight|ago|last|next|week(?:end|s)?|months?|years?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|\d{4}"
    r"|recently|soon|morning|evening|night|since|summer|winter|spring|autumn)\b"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: its terms, each the stems that answer it, how many messages hold each, who it names."""

    terms: tuple[tuple[str, ...], ...]
    counts: tuple[int, ...]
    called: tuple[str, ...]
    query: Query
    meant: str
    """The text whose meaning is compared."""
    today: date | None = None

    @property
    def is_when(self) -> bool:
        """Whether it asks for a time."""
        return compiled(r"(?i)\bwhen\b").search(self.query.text) is not None

    @property
    def is_sentence(self) -> bool:
        """Whether it is a sentence and no list of keywords: then context may answer, too."""
        return (
            not (self.query.must or self.query.without) and len(self.query.text.split()) > len(self.terms) + 1
        )


@dataclass(frozen=True, slots=True)
class _Turn:
    id: int
    group: str
    seq: int | None
    session: str
    messages: int


class _Weighed(NamedTuple):
    """A message, what its score is multiplied by, and how much of it asks, 0 to 1."""

    id: int
    by: float
    asks: float


class Ranking:
    """The ranking of one question in one index, among messages that satisfy the conditions."""

    def __init__(self, db: apsw.Connection, asked: Asked, conditions: Conditions) -> None:
        self._db = db
        self._asked = asked
        self._conditions = conditions
        self._turns: dict[int, _Turn] = {}
        self._by_seq: dict[tuple[str, int], _Turn] = {}
        self._forms = [[f" {stem} " for stem in term] for term in asked.terms]
        self._pairs = [f" {one[0]} {two[0]} " for one, two in itertools.pairwise(asked.terms)]
        self._never = (0,) * len(asked.terms)
        self.is_unanswered = False
        """Whether nothing holds enough of the question for any message to be an answer."""

    def scores(
        self, found: Sequence[int], near: Mapping[int, float] | None = None, sense: Sense = _DEAF
    ) -> dict[int, float]:
        """Scores of the messages that were found, and of those that answer by what is around them.

        `near` are messages that mean the like, with their cosines: a second opinion beside that of the
        words, whose best is 1.
        """
        told = self._told(found)
        meant = self._placed(near) if near else {}
        self._look_around()
        words = self._by_words(told)
        if self.is_unanswered or not words:
            words, meant = {}, {place: cosine for place, cosine in meant.items() if cosine >= MEANT}
        if not words and not meant:
            return {}
        if not meant:
            own = {one.place for one in told}
            weighed = self._weighed(words, own)
            return {one.id: words[place] * one.by * (1 - ASKED * one.asks) for place, one in weighed.items()}
        like = spread(meant, self._step, sense.around)
        kept = {one.place for one in told} | meant.keys()
        both = {place: words.get(place, 0.0) + like.get(place, 0.0) for place in {*words, *like}}
        weighed = self._weighed(both, kept)
        lexical, dense = (
            {place: own.get(place, 0.0) * one.by * (1 - loss * one.asks) for place, one in weighed.items()}
            for own, loss in ((words, ASKED), (like, ALIKE))
        )
        top, nearest = max(lexical.values(), default=0) or 1, max(dense.values(), default=0) or 1
        return {
            one.id: lexical[place] / top + sense.weight * dense[place] / nearest
            for place, one in weighed.items()
        }

    def _by_words(self, told: Sequence[Told]) -> dict[Place, float]:
        """The scores of places by what stands there and around them."""
        if not told:
            return {}
        total = int(self._db.execute("SELECT messages FROM total").get)
        idf = weights(self._asked.counts, total)
        around = heard(told, idf, self._step, COVERAGE if self._asked.is_sentence else KEYWORDS)
        is_open = bool(self._asked.called) or self._asked.query.is_prompt
        self.is_unanswered = not is_open and around.covered < floor(len(idf))
        best = max(around.scores.values(), default=0.0)
        session = sessions(told, len(idf))
        share = {
            place: score + best * SESSION * session.get(self._session(place), 0.0)
            for place, score in around.scores.items()
        }
        own = {one.place for one in told}
        return share if self._asked.is_sentence else {place: share[place] for place in own}

    def _placed(self, near: Mapping[int, float]) -> dict[Place, float]:
        """What is near, by its place."""
        ids = sorted(near)
        rows: Any = self._db.execute(
            "SELECT m.id, m.number, t.id, t.grp, t.seq, t.session, t.messages"  # noqa: S608
            f" FROM message m JOIN turn t ON t.id = m.turn WHERE m.id IN ({marks(ids)})",
            ids,
        )
        placed = {}
        for id_, number, turn, *about in rows:
            self._keep(_Turn(turn, *about))
            placed[turn, number] = near[id_]
        return placed

    def _told(self, found: Sequence[int]) -> list[Told]:
        """The messages as `core.talk` takes them."""
        rows: Any = self._db.execute(
            "SELECT m.turn, m.number, substr(m.states, 1, ?), substr(m.asks, 1, ?), t.grp, t.seq,"  # noqa: S608
            " t.session, t.messages, m.id, max(length(m.states), length(m.asks))"
            f" FROM message m JOIN turn t ON t.id = m.turn WHERE m.id IN ({marks(found)})",
            (_LONGEST, _LONGEST, *found),
        )
        told = []
        for turn, number, states, asks, group, seq, session, messages, id_, size in rows:
            self._keep(_Turn(turn, group, seq, session, messages))
            said, asked = f" {states} ", f" {asks} "
            if size > _LONGEST:
                said += self._further(id_)
            told.append(
                Told(
                    (turn, number),
                    (group, session),
                    self._counted(said),
                    self._counted(asked),
                    length=said.count(" ") + asked.count(" ") - 2,
                    beside=tuple(self._beside(said + asked)),
                )
            )
        return told

    def _further(self, id_: int) -> str:
        """A stem for each term that a message holds which is too long to be counted through."""
        asked = "SELECT 1 FROM fts WHERE fts MATCH ? AND rowid = ?"
        held = (term[0] for term in self._asked.terms if self._db.execute(asked, (any_of(term), id_)).get)
        return "".join(f"{stem} " for stem in held)

    def _counted(self, said: str) -> tuple[int, ...]:
        """How often each term stands there; a text without a stem is two blanks."""
        return tuple([sum(map(said.count, forms)) for forms in self._forms]) if len(said) > 2 else self._never

    def _beside(self, said: str) -> Iterable[int]:
        return (i for i, pair in enumerate(self._pairs) if pair in said)

    # what stands beside what --------------------------------------------------------------------------------

    def _keep(self, turn: _Turn) -> None:
        self._turns[turn.id] = turn
        if turn.seq is not None:
            self._by_seq.setdefault((turn.group, turn.seq), turn)

    def _look_around(self) -> None:
        """Learn of the turns before and behind those that were found."""
        wanted: set[tuple[str, int]] = set()
        for turn in [*self._turns.values()]:
            if turn.seq is not None:
                wanted |= {(turn.group, turn.seq + away) for away in range(-REACH, REACH + 1) if away}
        left = sorted(wanted - self._by_seq.keys())
        for batch in _batched(left, 400):
            rows: Any = self._db.execute(
                "SELECT id, grp, seq, session, messages FROM turn WHERE (seq, grp) IN (VALUES "  # noqa: S608
                f"{', '.join(['(?, ?)'] * len(batch))})",
                tuple(itertools.chain.from_iterable((seq, group) for group, seq in batch)),
            )
            for row in rows:
                self._keep(_Turn(*row))

    def _step(self, place: Place, away: int) -> Place | None:
        turn_id, number = place
        turn, number = self._turns[turn_id], number + away
        while number >= turn.messages or number < 0:
            if turn.seq is None:
                return None
            ahead = number >= turn.messages
            other = self._by_seq.get((turn.group, turn.seq + (1 if ahead else -1)))
            if other is None or other.session != turn.session:
                return None
            number = number - turn.messages if ahead else number + other.messages
            turn = other
        return turn.id, number

    def _session(self, place: Place) -> tuple[str, str]:
        turn = self._turns[place[0]]
        return turn.group, turn.session

    # who, when ----------------------------------------------------------------------------------------------

    def _weighed(self, share: Mapping[Place, float], own: set[Place]) -> dict[Place, _Weighed]:
        """The message of each place, and what speaker and day make of it; none that is forbidden.

        Of the places beside those that are found themselves only the best are looked at.
        """
        days = spans(self._asked.query.text, self._asked.today) if self._asked.today else ()
        beside = sorted((place for place in share if place not in own), key=lambda place: -share[place])
        places = [*(place for place in own if share.get(place)), *beside[:_SHOWN]]
        where = self._conditions.where("(m.turn, m.number) IN (VALUES {})")
        weighed: dict[Place, _Weighed] = {}
        for batch in _batched(places, 400):
            rows: Any = self._db.execute(
                "SELECT m.id, m.turn, m.number, m.name, length(m.states), length(m.asks), t.day,"  # noqa: S608
                + (" m.terms" if self._asked.is_when else " ''")
                + " FROM message m JOIN turn t ON t.id = m.turn WHERE "
                + where.format(", ".join(["(?, ?)"] * len(batch))),
                (*itertools.chain.from_iterable(batch), *self._conditions.values),
            )
            for id_, turn, number, name, states, asks, day, terms in rows:
                by = 1.0
                if self._asked.called == (name,):
                    by *= NAMED
                if terms and compiled(_TIMES).search(terms[:_LONGEST]):
                    by *= TIMED
                if day and any(first.isoformat() <= day <= last.isoformat() for first, last in days):
                    by *= DATED
                weighed[turn, number] = _Weighed(int(id_), by, asks / max(1, states + asks))
        return weighed


def _batched(rows: Sequence[Any], size: int) -> Iterable[Sequence[Any]]:
    return (rows[start : start + size] for start in range(0, len(rows), size))
