"""Reconciliation: a new fact repeats a known one, supersedes it, or is added beside it."""

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
"""English only: negations of other languages can be names (Mai, Nie)."""
_MIN_SHARED = 2
"""Terms that a correction shares with the fact that it corrects."""
_COMMON = 200
"""Facts that share a term from which it identifies none of them."""
_MAX_WORDS = 8
"""The most words of a name."""


class Bumped(Struct, frozen=True):
    """The fact is known; the candidate's quotes are further evidence."""

    record: SemanticRecord


class Written(Struct, frozen=True):
    """A new fact, and those that it supersedes, as they are written from now on."""

    record: SemanticRecord
    superseded: tuple[SemanticRecord, ...] = ()


Outcome = Bumped | Written
Slot = tuple[Owner | None, str, str, str]


_Rows = dict[int, SemanticRecord]


class _Shelf(Struct):
    """The active facts of one slot, indexed by everything that a new one is compared by."""

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
        """The facts with another spelling of an object."""
        return self.by_key.get(_key(entity), {}).values()

    def shorter(self, name: str) -> list[SemanticRecord]:
        """The facts whose name is the end of a longer one."""
        return [record for tail in _tails(name) for record in self.by_name.get(tail, {}).values()]

    def longer(self, name: str) -> Iterable[SemanticRecord]:
        """The facts whose name ends with a shorter one."""
        return self.by_tail.get(name, {}).values()

    def named_in(self, said: str) -> list[SemanticRecord]:
        """The facts whose name a plain text may contain."""
        words = [word.strip(".,;:!?") for word in said.split()]
        spans = {" ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, i + 1 + _MAX_WORDS)}
        return [record for span in sorted(spans) for record in self.by_name.get(span, {}).values()]

    def sharing(self, terms: frozenset[str]) -> list[SemanticRecord]:
        """The facts that share two terms, one of them rare: a term of many facts identifies none."""
        rows = sorted((self.by_term[term] for term in terms if term in self.by_term), key=len)
        candidates = {
            number: record for row in rows[:-1] if len(row) <= _COMMON for number, record in row.items()
        }
        return [record for record in candidates.values() if len(_terms(record) & terms) >= _MIN_SHARED]


class Known:
    """The active facts by slot; each decision is visible to the next."""

    def __init__(self, records: Iterable[SemanticRecord], markers: Markers) -> None:
        self._markers = markers
        self._shelves: dict[Slot, _Shelf] = {}
        for record in records:
            if isinstance(record.known, Triple) and record.superseded is None:
                self._shelf(record.known).keep(record)

    def add(self, candidate: Candidate, claim: Claim, name: str, today: date) -> Outcome:
        """Add a candidate's claim, under the id `name` if it is new.

        A known fact about the same object is repeated, unless just one of the two has ended: then the claim
        supersedes it. Case, hyphens and a leading article do not make another object. A longer name
        supersedes the shorter name that it ends with, if that is a person's name or nearly the same words
        prove both. A correction supersedes a fact that shares two terms with it, but a person only if it
        names that person. All other facts are added beside the known ones. Facts of other owners and facts
        without an id never change.
        """
        quote = candidate.quotes[0] if candidate.quotes else None
        triple = Triple(claim.category, claim.subject, claim.predicate, claim.object, quote, candidate.owner)
        shelf = self._shelf(triple)
        identifier = plain(claim.identifier)
        same_object = next(
            (record for record in shelf.same(claim.object) if _alike(claim.object, _object(record))), None
        )
        has_changed_state = same_object is not None and self._has_ended(quote) != self._has_ended(
            _triple(same_object).quote
        )
        if not has_changed_state:
            longer = (record for record in shelf.longer(identifier) if _is_part(triple, _triple(record)))
            repeated = same_object or next(longer, None)
            if repeated is not None:
                return Bumped(repeated)
        new = SemanticRecord(triple, name)
        old = {_name(same_object): same_object} if same_object is not None else {}
        old |= {
            _name(record): record for record in shelf.shorter(identifier) if _is_part(_triple(record), triple)
        }
        normalised_quote = plain(quote or "")
        if self._markers.finds("correction", normalised_quote) is not None:
            terms = content_terms(
                f"{claim.identifier} {self._markers.without('correction', normalised_quote)}"
            )
            people = kind_of(claim.object) == "Person"
            nearby = shelf.named_in(normalised_quote) if people else shelf.sharing(terms)
            corrected = [record for record in nearby if _corrects(claim, quote or "", terms, record)]
            old |= {_name(record): record for record in corrected}
        old = {name: record for name, record in old.items() if record.id}
        for record in old.values():
            shelf.drop(record)
        shelf.keep(new)
        return Written(
            new, tuple(replace(record, superseded=Superseded(today, name)) for record in old.values())
        )

    def _has_ended(self, quote: str | None) -> bool:
        """Whether the quote says that a fact no longer holds."""
        return self._markers.finds("ended", plain(quote or "")) is not None

    def _shelf(self, known: Triple) -> _Shelf:
        return self._shelves.setdefault(_slot(known), _Shelf())


def _slot(known: Triple) -> Slot:
    return known.owner, known.category, plain(known.subject), known.predicate


def _triple(record: SemanticRecord) -> Triple:
    """The triple of an indexed record; only triples are indexed."""
    assert isinstance(record.known, Triple)
    return record.known


def _key(entity: str) -> str:
    """A key that is equal for names of one thing: `the piano`, `Piano`. A person's name counts whole."""
    name = plain(name_of(entity))
    if kind_of(entity) == "Person":
        return name
    first, _, rest = name.replace("-", " ").partition(" ")
    return " ".join(rest.split()) if first in _ARTICLES and rest else name.replace("-", " ")


def _object(record: SemanticRecord) -> str:
    return record.known.object if isinstance(record.known, Triple) else ""


def _name(record: SemanticRecord) -> str:
    return plain(name_of(_object(record)))


def _alike(object_: str, other_object: str) -> bool:
    """Whether two objects may be of one kind; an object without a kind may be of any."""
    kinds = {kind_of(object_), kind_of(other_object)} - {""}
    return len(kinds) < 2


def _corrects(claim: Claim, quote: str, terms: frozenset[str], old: SemanticRecord) -> bool:
    """Whether a correction is about an old fact; a fact about another person only if it names both."""
    if not _alike(claim.object, _object(old)) or len(_terms(old) & terms) < _MIN_SHARED:
        return False
    people = "Person" in {kind_of(claim.object), kind_of(_object(old))}
    return not people or Spoken(quote).holds(name_of(_object(old)))


def _tails(name: str) -> list[str]:
    """The proper ends of a name of several words, the longest first."""
    words = name.split()[-_MAX_WORDS:]
    return [" ".join(words[start:]) for start in range(1, len(words))]


def _terms(record: SemanticRecord) -> frozenset[str]:
    quote = record.known.quote if isinstance(record.known, Triple) else None
    return content_terms(f"{name_of(_object(record))} {quote or ''}")


def _is_part(short: Triple, long: Triple) -> bool:
    """Whether one name is the end of the other and means the same: `Sarah` of `my sister Sarah`.

    A person's name with a capital does, unless a possessive is before it: `Sarah's mother` is not `mother`.
    Other things are the same only if nearly the same words prove both: `marathon` and `city marathon`, both
    of "I will run the city marathon".
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
    """Whether the quote for the longer name has the shorter one besides: `guitar and bass guitar`."""
    return Spoken(plain(long.quote or "").replace(whole, " ")).holds(tail)


def changed(outcomes: Iterable[Outcome]) -> Iterator[SemanticRecord]:
    """Every record that outcomes write, in order; if one occurs twice, the last counts."""
    for outcome in outcomes:
        if isinstance(outcome, Written):
            yield outcome.record
            yield from outcome.superseded
