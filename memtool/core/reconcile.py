"""Reconciliation: what a new fact does to known ones: bump, supersede, or stand beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date

from memtool.core.candidate import Candidate, Claim, kind_of, name_of
from memtool.core.dedup import is_near, key
from memtool.core.entry import Owner
from memtool.core.markers import Markers, plain
from memtool.core.support import Spoken, meaningful
from memtool.core.triple import SemanticRecord, Superseded, Triple

_ARTICLES = frozenset({"a", "an", "the"})
_SHARED = 2
"""Terms that a correction shares with what it corrects."""


@dataclass(frozen=True, slots=True)
class Bumped:
    """The fact is known already; the candidate's quotes are further evidence of it."""

    record: SemanticRecord


@dataclass(frozen=True, slots=True)
class Written:
    """A new fact, and those that it supersedes, each as it reads from now on."""

    record: SemanticRecord
    superseded: tuple[SemanticRecord, ...] = ()


Outcome = Bumped | Written
Slot = tuple[Owner | None, str, str, str]


@dataclass(slots=True)
class _Shelf:
    """The active facts of one slot, by what a new one is compared with."""

    by_name: dict[str, list[SemanticRecord]] = field(default_factory=dict)
    by_last_word: dict[str, list[SemanticRecord]] = field(default_factory=dict)
    by_term: dict[str, dict[str, SemanticRecord]] = field(default_factory=dict)

    def keep(self, record: SemanticRecord) -> None:
        name = _name(record)
        self.by_name.setdefault(_key(_object(record)), []).append(record)
        self.by_last_word.setdefault(_last(name), []).append(record)
        for term in _terms(record):
            self.by_term.setdefault(term, {})[name] = record

    def drop(self, record: SemanticRecord) -> None:
        name = _name(record)
        self.by_name[_key(_object(record))].remove(record)
        self.by_last_word[_last(name)].remove(record)
        for term in _terms(record):
            if self.by_term[term].get(name) == record:
                del self.by_term[term][name]

    def named_in(self, said: str) -> list[SemanticRecord]:
        """Those whose name may stand in a plain text: its last word does."""
        rows = (self.by_last_word.get(word, ()) for word in dict.fromkeys(re.findall(r"\w+", said)))
        return [record for row in rows for record in row]

    def sharing(self, terms: frozenset[str]) -> list[SemanticRecord]:
        """Those that share two terms: each holds one besides the most common."""
        rows = sorted((self.by_term[term] for term in terms if term in self.by_term), key=len)
        found = {name: record for row in rows[:-1] for name, record in row.items()}
        return [one for one in found.values() if len(_terms(one) & terms) >= _SHARED]


class Known:
    """The active facts, by what they can collide in; each decision is seen by the next."""

    def __init__(self, records: Iterable[SemanticRecord], markers: Markers) -> None:
        self._markers = markers
        self._shelves: dict[Slot, _Shelf] = {}
        for record in records:
            if isinstance(record.known, Triple) and record.superseded is None:
                self._shelf(record.known).keep(record)

    def add(self, candidate: Candidate, claim: Claim, name: str, today: date) -> Outcome:
        """What a candidate's claim does, under the id `name` if it is new.

        A fact about the same object is bumped, whatever else there is: articles, case and punctuation make no
        other. A longer name supersedes the shorter that it ends with, where both are a person's or were said
        in nearly the same words; a correction supersedes what it shares two terms with, but a person only
        where it names them. All else stands side by side. Another owner's facts are never touched, nor are
        those without an id.
        """
        quote = candidate.quotes[0] if candidate.quotes else None
        triple = Triple(claim.category, claim.subject, claim.predicate, claim.object, quote, candidate.owner)
        shelf = self._shelf(triple)
        identifier = plain(claim.identifier)
        known = shelf.by_name.get(_key(claim.object), [])
        same = next((one for one in known if _alike(claim.object, _object(one))), None)
        near = shelf.by_last_word.get(_last(identifier), [])
        longer = same or next((one for one in near if _is_part(triple, _triple(one))), None)
        if longer is not None:
            return Bumped(longer)
        new = SemanticRecord(triple, name)
        old = {_name(one): one for one in near if _is_part(_triple(one), triple)}
        said = plain(quote or "")
        if self._markers.finds("correction", said) is not None:
            terms = meaningful(f"{claim.identifier} {self._markers.without('correction', said)}")
            people = kind_of(claim.object) == "Person"
            near = shelf.named_in(said) if people else shelf.sharing(terms)
            rest = [one for one in near if _corrects(claim, quote or "", terms, one)]
            old |= {_name(one): one for one in rest}
        old = {name: one for name, one in old.items() if one.id}
        for one in old.values():
            shelf.drop(one)
        shelf.keep(new)
        return Written(new, tuple(replace(one, superseded=Superseded(today, name)) for one in old.values()))

    def _shelf(self, known: Triple) -> _Shelf:
        return self._shelves.setdefault(_slot(known), _Shelf())


def _slot(known: Triple) -> Slot:
    return known.owner, known.category, plain(known.subject), known.predicate


def _triple(record: SemanticRecord) -> Triple:
    """What a record on a shelf knows; only triples are there."""
    assert isinstance(record.known, Triple)
    return record.known


def _key(entity: str) -> str:
    """The same for names of one thing: `the piano`, `Piano`."""
    name = plain(name_of(entity))
    return " ".join(word for word in key(name).split() if word not in _ARTICLES) or name


def _object(record: SemanticRecord) -> str:
    return record.known.object if isinstance(record.known, Triple) else ""


def _name(record: SemanticRecord) -> str:
    return plain(name_of(_object(record)))


def _alike(one: str, other: str) -> bool:
    """Whether two objects may be of one kind: one that is written without a kind may be of any."""
    kinds = {kind_of(one), kind_of(other)} - {""}
    return len(kinds) < 2


def _corrects(claim: Claim, quote: str, terms: frozenset[str], old: SemanticRecord) -> bool:
    """Whether a correction is about an old fact: two people are two facts unless it names both."""
    if not _alike(claim.object, _object(old)) or len(_terms(old) & terms) < _SHARED:
        return False
    people = "Person" in {kind_of(claim.object), kind_of(_object(old))}
    return not people or Spoken(quote).holds(name_of(_object(old)))


def _last(name: str) -> str:
    return name.rpartition(" ")[2]


def _terms(record: SemanticRecord) -> frozenset[str]:
    quote = record.known.quote if isinstance(record.known, Triple) else None
    return meaningful(f"{name_of(_object(record))} {quote or ''}")


def _is_part(short: Triple, long: Triple) -> bool:
    """Whether one name is the end of the other, and means the same: `Sarah` of `my sister Sarah`.

    Two names of a person do; other things are one only where nearly the same words prove both: `marathon`
    and `city marathon`, both of "I will run the city marathon".
    """
    kinds = {kind_of(short.object), kind_of(long.object)}
    tail, whole = plain(name_of(short.object)).split(), plain(name_of(long.object)).split()
    if len(kinds) > 1 or not 0 < len(tail) < len(whole) or whole[-len(tail) :] != tail:
        return False
    return kinds == {"Person"} or bool(short.quote and long.quote and is_near(short.quote, long.quote))


def changed(outcomes: Iterable[Outcome]) -> Iterator[SemanticRecord]:
    """Every record that outcomes write, in order; of one that is written twice the last holds."""
    for one in outcomes:
        if isinstance(one, Written):
            yield one.record
            yield from one.superseded
