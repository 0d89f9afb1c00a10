"""Reconciliation: what a new fact does to known ones: bump, supersede, or stand beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from msgspec import Struct, field
from msgspec.structs import replace

from memtool.core.facts.dedup import is_near
from memtool.core.facts.support import Spoken
from memtool.core.records.candidate import Candidate, Claim, kind_of, name_of
from memtool.core.records.entry import Owner
from memtool.core.records.triple import SemanticRecord, Superseded, Triple
from memtool.core.text.markers import Markers, plain
from memtool.core.text.stopwords import NEGATIONS
from memtool.core.text.terms import content_terms

_ARTICLES = frozenset({"a", "an", "the"})
_NEGATIONS = NEGATIONS["en"]
"""English alone: among those of other languages are names (Mai, Nie)."""
_SHARED = 2
"""Terms that a correction shares with what it corrects."""
_MANY = 200
"""Facts that share a term, from which it tells none of them."""
_LONGEST = 8
"""Words of a name."""


class Bumped(Struct, frozen=True):
    """The fact is known already; the candidate's quotes are further evidence of it."""

    record: SemanticRecord


class Written(Struct, frozen=True):
    """A new fact, and those that it supersedes, each as it reads from now on."""

    record: SemanticRecord
    superseded: tuple[SemanticRecord, ...] = ()


Outcome = Bumped | Written
Slot = tuple[Owner | None, str, str, str]


_Rows = dict[int, SemanticRecord]


class _Shelf(Struct):
    """The active facts of one slot, by what a new one is compared with, so that no look is at all of them."""

    by_key: dict[str, _Rows] = field(default_factory=dict)
    by_name: dict[str, _Rows] = field(default_factory=dict)
    by_tail: dict[str, _Rows] = field(default_factory=dict)
    by_term: dict[str, _Rows] = field(default_factory=dict)

    def _places(self, record: SemanticRecord) -> Iterator[tuple[dict[str, _Rows], str]]:
        name = _name(record)
        yield self.by_key, _key(_object(record))
        yield self.by_name, name
        yield from ((self.by_tail, tail) for tail in _tails(name))
        yield from ((self.by_term, term) for term in _terms(record))

    def keep(self, record: SemanticRecord) -> None:
        for index, place in self._places(record):
            index.setdefault(place, {})[id(record)] = record

    def drop(self, record: SemanticRecord) -> None:
        for index, place in self._places(record):
            del index[place][id(record)]

    def same(self, entity: str) -> Iterable[SemanticRecord]:
        """Those with another spelling of an object."""
        return self.by_key.get(_key(entity), {}).values()

    def shorter(self, name: str) -> list[SemanticRecord]:
        """Those whose name a longer one ends with."""
        return [one for tail in _tails(name) for one in self.by_name.get(tail, {}).values()]

    def longer(self, name: str) -> Iterable[SemanticRecord]:
        """Those whose name ends with a shorter one."""
        return self.by_tail.get(name, {}).values()

    def named_in(self, said: str) -> list[SemanticRecord]:
        """Those whose name a plain text may hold."""
        words = [word.strip(".,;:!?") for word in said.split()]
        spans = {" ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, i + 1 + _LONGEST)}
        return [one for span in sorted(spans) for one in self.by_name.get(span, {}).values()]

    def sharing(self, terms: frozenset[str]) -> list[SemanticRecord]:
        """Those that share two terms: each holds one besides the most common. What many hold tells none."""
        rows = sorted((self.by_term[term] for term in terms if term in self.by_term), key=len)
        found = {number: one for row in rows[:-1] if len(row) <= _MANY for number, one in row.items()}
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

        A fact about the same object is bumped, whatever else there is, unless it has ended and the known one
        has not, or the other way round: then it supersedes that. Case, a hyphen and an article in front make
        no other object. A longer name supersedes the shorter that it ends with, where that is a person's name
        or nearly the same words were said for both; a correction supersedes what it shares two terms with,
        but a person only where it names them. All else stands side by side. Another owner's facts are never
        touched, nor are those without an id.
        """
        quote = candidate.quotes[0] if candidate.quotes else None
        triple = Triple(claim.category, claim.subject, claim.predicate, claim.object, quote, candidate.owner)
        shelf = self._shelf(triple)
        identifier = plain(claim.identifier)
        same = next((one for one in shelf.same(claim.object) if _alike(claim.object, _object(one))), None)
        is_turned = same is not None and self._has_ended(quote) != self._has_ended(_triple(same).quote)
        if not is_turned:
            longer = (one for one in shelf.longer(identifier) if _is_part(triple, _triple(one)))
            known = same or next(longer, None)
            if known is not None:
                return Bumped(known)
        new = SemanticRecord(triple, name)
        old = {_name(same): same} if same is not None else {}
        old |= {_name(one): one for one in shelf.shorter(identifier) if _is_part(_triple(one), triple)}
        said = plain(quote or "")
        if self._markers.finds("correction", said) is not None:
            terms = content_terms(f"{claim.identifier} {self._markers.without('correction', said)}")
            people = kind_of(claim.object) == "Person"
            near = shelf.named_in(said) if people else shelf.sharing(terms)
            rest = [one for one in near if _corrects(claim, quote or "", terms, one)]
            old |= {_name(one): one for one in rest}
        old = {name: one for name, one in old.items() if one.id}
        for one in old.values():
            shelf.drop(one)
        shelf.keep(new)
        return Written(new, tuple(replace(one, superseded=Superseded(today, name)) for one in old.values()))

    def _has_ended(self, quote: str | None) -> bool:
        """Whether the words for a fact say that it holds no more."""
        return self._markers.finds("ended", plain(quote or "")) is not None

    def _shelf(self, known: Triple) -> _Shelf:
        return self._shelves.setdefault(_slot(known), _Shelf())


def _slot(known: Triple) -> Slot:
    return known.owner, known.category, plain(known.subject), known.predicate


def _triple(record: SemanticRecord) -> Triple:
    """What a record on a shelf knows; only triples are there."""
    assert isinstance(record.known, Triple)
    return record.known


def _key(entity: str) -> str:
    """The same for names of one thing: `the piano`, `Piano`. A person's name is all of it."""
    name = plain(name_of(entity))
    if kind_of(entity) == "Person":
        return name
    first, _, rest = name.replace("-", " ").partition(" ")
    return " ".join(rest.split()) if first in _ARTICLES and rest else name.replace("-", " ")


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


def _tails(name: str) -> list[str]:
    """What a name of several words ends with, the longest first."""
    words = name.split()[-_LONGEST:]
    return [" ".join(words[start:]) for start in range(1, len(words))]


def _terms(record: SemanticRecord) -> frozenset[str]:
    quote = record.known.quote if isinstance(record.known, Triple) else None
    return content_terms(f"{name_of(_object(record))} {quote or ''}")


def _is_part(short: Triple, long: Triple) -> bool:
    """Whether one name is the end of the other, and means the same: `Sarah` of `my sister Sarah`.

    A person's name does, written with a capital, unless what stands before it has it: `Sarah's mother` is not
    `mother`. Other things are one only where nearly the same words prove both: `marathon` and `city
    marathon`, both of "I will run the city marathon".
    """
    kinds = {kind_of(short.object), kind_of(long.object)}
    tail, whole = plain(name_of(short.object)).split(), plain(name_of(long.object)).split()
    if len(kinds) > 1 or not 0 < len(tail) < len(whole) or whole[-len(tail) :] != tail:
        return False
    if whole[-len(tail) - 1].endswith(("'s", "s'")):
        return False
    if not _NEGATIONS.isdisjoint(whole[: -len(tail)]):
        return False
    if _is_told_apart(" ".join(tail), " ".join(whole), long):
        return False
    is_name = kinds == {"Person"} and name_of(short.object)[:1].isupper()
    return is_name or bool(short.quote and long.quote and is_near(short.quote, long.quote))


def _is_told_apart(tail: str, whole: str, long: Triple) -> bool:
    """Whether the words for the longer name hold the shorter one besides: `guitar and bass guitar`."""
    return Spoken(plain(long.quote or "").replace(whole, " ")).holds(tail)


def changed(outcomes: Iterable[Outcome]) -> Iterator[SemanticRecord]:
    """Every record that outcomes write, in order; of one that is written twice the last holds."""
    for one in outcomes:
        if isinstance(one, Written):
            yield one.record
            yield from one.superseded
