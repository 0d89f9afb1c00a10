"""Reconciliation: a new fact repeats a known one, supersedes it, or is added beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from datetime import date

from msgspec import Struct, field
from msgspec.structs import replace

from memtool.core.facts.circumstance import is_counted_anew, is_of_other_number, is_other_case
from memtool.core.facts.one_value import (
    has_ended,
    is_contained,
    may_be_another,
    tells_change,
    value_key,
    values_of,
)
from memtool.core.facts.same_name import is_same_name
from memtool.core.facts.support import EvidenceText
from memtool.core.records.candidate import SENTENCE, Candidate, Claim, entity_kind, entity_name
from memtool.core.records.entries import Fact, Owner, user_of
from memtool.core.records.semantic import FactTriple, SemanticRecord, Supersession
from memtool.core.text.discourse import without_opening
from memtool.core.text.folding import search_fold
from memtool.core.text.health_words import affects_advice
from memtool.core.text.phrases import PhraseLists, plain_text
from memtool.core.text.regex import regex
from memtool.core.text.stems import content_stems
from memtool.core.text.tokenizer import content_terms

_MIN_SHARED = 2
"""Terms that a correction shares with the fact that it corrects."""
_COMMON = 200
"""Facts that share a term from which it identifies none of them."""
_MANY = frozenset({SENTENCE, "TAKES", "EATS_NO", "ALLERGIC_TO", "HAS_CONDITION"})
"""Predicates with objects that shared words do not make values of one thing: sentences, medicines, diets."""
_OF_SOMEBODY = frozenset({"KNOWS", "HAS_FAMILY"})
"""Predicates that say only who somebody is, of all that a sentence tells of the person or the pet."""
_MAX_WORDS = 8
"""The most words of a name."""
_TRAIT = "HAS_TRAIT"
"""What somebody is, of which a number tells how long or how much: `8 weeks pregnant`."""
_ADDING = r"\b(?:also|too|as well|another|auch|también|además|aussi|en plus)\b"
_IS_SOMEBODY = "is|ist|heißt|heisst|es|se llama|est|s'appelle|é|se chama"
"""What says who somebody in a role is, unlike a name after the role: `my doctor Dr. Ray`."""


class RepeatedFact(Struct, frozen=True):
    """The fact is known; the candidate's quotes are further evidence."""

    record: SemanticRecord


class NewFact(Struct, frozen=True):
    """A new fact, and those that it supersedes, as they are written from now on.

    A fact that was said before those that it would supersede is itself superseded.
    """

    record: SemanticRecord
    superseded: tuple[SemanticRecord, ...] = ()


ReconcileOutcome = RepeatedFact | NewFact
FactSlot = tuple[Owner | None, str, str, str]


_RecordsById = dict[int, SemanticRecord]


class _SlotIndex(Struct):
    """The active facts of one slot, indexed by what each new one is compared by."""

    by_name: dict[str, _RecordsById] = field(default_factory=dict)
    by_tail: dict[str, _RecordsById] = field(default_factory=dict)

    def _keys(self, record: SemanticRecord) -> Iterator[tuple[dict[str, _RecordsById], str]]:
        name = _object_name(record)
        yield self.by_name, name
        yield from ((self.by_tail, tail) for tail in _name_tails(name))

    def add(self, record: SemanticRecord) -> None:
        for index, place in self._keys(record):
            index.setdefault(place, {})[id(record)] = record

    def remove(self, record: SemanticRecord) -> None:
        for index, place in self._keys(record):
            del index[place][id(record)]

    def discard(self, record: SemanticRecord) -> None:
        """Remove a fact, if it is there."""
        for index, place in self._keys(record):
            index.get(place, {}).pop(id(record), None)

    def all(self) -> list[SemanticRecord]:
        """All facts of the slot."""
        return list(
            {number: record for row in self.by_name.values() for number, record in row.items()}.values()
        )

    def with_object(self, entity: str) -> list[SemanticRecord]:
        """The facts with another spelling of an object: its longest word, if it has one, is spelled alike."""
        key = value_key(entity)
        longest = max(filter(str.isalpha, key.split()), key=len, default="").removeprefix("dot")  # `.NET`
        return [
            record
            for name, records in self.by_name.items()
            if longest in search_fold(name)  # a key for each of many objects takes long
            for record in records.values()
            if value_key(_object(record)) == key
        ]

    def with_shorter_name(self, name: str) -> list[SemanticRecord]:
        """The facts whose name is the end of a longer one."""
        return [record for tail in _name_tails(name) for record in self.by_name.get(tail, {}).values()]

    def with_longer_name(self, name: str) -> Iterable[SemanticRecord]:
        """The facts whose name ends with a shorter one."""
        return self.by_tail.get(name, {}).values()

    def named_in(self, text: str) -> list[SemanticRecord]:
        """The facts whose name a plain text may contain."""
        words = [word.strip(".,;:!?") for word in text.split()]
        spans = {" ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, i + 1 + _MAX_WORDS)}
        return [record for span in sorted(spans) for record in self.by_name.get(span, {}).values()]

    def sharing(self, terms: frozenset[str]) -> list[SemanticRecord]:
        """The facts that share two terms, one of them rare: a term of many facts identifies none."""
        shared = [(record, _terms(record) & terms) for record in self.all()]
        counts = Counter(term for _, own in shared for term in own)
        rare = {term for term, count in counts.items() if count <= _COMMON}
        return [record for record, own in shared if len(own) >= _MIN_SHARED and own & rare]


def told_besides(candidate: Candidate, facts: Iterable[Fact | FactTriple]) -> Candidate:
    """A statement about somebody known, as a sentence of its own if it tells something else; else as it is.

    `My sister Ada sings` and `My sister Ada is moving to Oslo` both know her, and say different things.
    """
    claim, quote = candidate.statement, "".join(candidate.quotes[:1])
    if not isinstance(claim, Claim) or claim.predicate not in _OF_SOMEBODY:
        return candidate
    key = value_key(claim.object)
    words = [word.removeprefix("dot") for word in key.split() if word.isalpha()]  # `.NET`
    known = [
        fact.quote or ""
        for fact in facts
        if isinstance(fact, FactTriple)
        and (fact.predicate, user_of(fact.owner)) == (claim.predicate, user_of(candidate.owner))
        and _has_all(fact.object, words)  # a key for each of many objects takes long
        and value_key(fact.object) == key
    ]
    named = content_stems(entity_name(claim.object))
    tells_more = all(content_stems(quote) - content_stems(each) - named for each in known)
    if not known or not tells_more:
        return candidate
    return replace(candidate, statement=Claim(claim.category, claim.subject, SENTENCE, quote))


def _has_all(name: str, words: Iterable[str]) -> bool:
    folded = search_fold(name)
    return all(word in folded for word in words)


class ActiveFacts:
    """The active facts by slot; each decision is visible to the next."""

    def __init__(
        self, records: Iterable[SemanticRecord], phrases: PhraseLists, single: Container[str] = ()
    ) -> None:
        """`single`: the predicates of which a subject has one object at a time, such as `LIVES_IN`."""
        self._markers = phrases
        self._single = single
        self._slots: dict[FactSlot, _SlotIndex] = {}
        self._unindexed: dict[FactSlot, list[SemanticRecord]] = {}
        """The records of slots that no claim was compared with: most of a large memory."""
        for record in records:
            if isinstance(record.fact, FactTriple) and record.superseded is None:
                self._unindexed.setdefault(fact_slot(record.fact), []).append(record)

    def add(
        self,
        candidate: Candidate,
        claim: Claim,
        name: str,
        today: date,
        later_day: Callable[[SemanticRecord], date | None] = lambda _: None,
    ) -> ReconcileOutcome:
        """Add a candidate's claim, under the id `name` if it is new.

        A known fact about the same object is repeated, unless just one of the two has ended: then the claim
        supersedes it. Another spelling (`value_key`) does not make another object. A longer name
        supersedes the shorter name that it ends with, if that is a person's name or nearly the same words
        prove both. The same words with another number supersede a trait or a value of one; a value for
        another case (`is_other_case`) supersedes none. A correction that adds nothing ("as well")
        supersedes a fact that shares two terms with it, but a person only if it
        names that person, and nothing of which many hold at a time (`_MANY`). A statement that says who
        somebody is now (`Actually, my dentist is Dr. Lee`) supersedes the one other person in that role, if
        one has one of a kind. A new value of what has one
        value at a time (`values_of`) supersedes the others, and repeats one that says the same or more; where
        that may be of another person (`may_be_another`), only if it tells a change. All other facts are added
        beside the known ones. Facts of other owners and facts without an id never change. `later_day` returns
        the day on which a fact was said, if that was after the claim: such a fact supersedes the claim. The
        fact has the first quote without "Actually," and the like before it.
        """
        quote = candidate.quotes[0] if candidate.quotes else None
        triple = FactTriple(
            claim.category, claim.subject, claim.predicate, claim.object, quote, candidate.owner
        )
        slot_index = self._slot_index(triple)
        identifier = plain_text(claim.identifier)
        same_object = next(
            (
                record
                for record in slot_index.with_object(claim.object)
                if _may_be_one_kind(claim.object, _object(record))
            ),
            None,
        )
        has_changed_state = same_object is not None and has_ended(quote, self._markers) != has_ended(
            _triple(same_object).quote, self._markers
        )
        if not has_changed_state:
            longer = (
                record
                for record in slot_index.with_longer_name(identifier)
                if is_same_name(triple, _triple(record))
            )
            repeated = same_object or next(longer, None) or self._containing(slot_index, triple)
            is_anew = same_object is not None and is_counted_anew(quote, _triple(same_object).quote)
            if repeated is not None and not is_anew:
                return RepeatedFact(repeated)
            if claim.predicate != _TRAIT and claim.predicate not in self._single:
                same_object = None
        new = SemanticRecord(replace(triple, quote=without_opening(quote) if quote else None), name)
        old = {_object_name(same_object): same_object} if same_object is not None else {}
        old |= {
            _object_name(record): record
            for record in slot_index.with_shorter_name(identifier)
            if is_same_name(_triple(record), triple)
        }
        normalised_quote = plain_text(quote or "")
        is_correction = self._markers.find("correction", normalised_quote) is not None
        if values := self._values(triple):
            others = [
                record
                for record in slot_index.all()
                if not values.keys().isdisjoint(self._values(_triple(record)))
                and (is_correction or not is_other_case(triple, _triple(record)))
            ]
            if may_be_another(triple, self._markers) and not (
                len(others) == 1 and tells_change(triple, _triple(others[0]), self._markers)
            ):
                others = [record for record in others if is_contained(_object(record), claim.object)]
            old |= {_object_name(record): record for record in others}
        predecessors = self._predecessors(slot_index, claim, normalised_quote)
        if len(predecessors) == 1:
            old |= {_object_name(record): record for record in predecessors}
        if is_correction and regex(_ADDING).search(normalised_quote) is None:
            terms = content_terms(
                f"{claim.identifier} {self._markers.remove('correction', normalised_quote)}"
            )
            people = entity_kind(claim.object) == "Person"
            nearby = slot_index.named_in(normalised_quote) if people else slot_index.sharing(terms)
            corrected = [record for record in nearby if _is_corrected(claim, quote or "", terms, record)]
            old |= {_object_name(record): record for record in corrected}
        later = [(day, record.id) for record in old.values() if (day := later_day(record)) is not None]
        old = {key: record for key, record in old.items() if record.id and later_day(record) is None}
        for record in old.values():
            slot_index.remove(record)
        if later:
            new = replace(new, superseded=Supersession(*min(later, key=lambda row: row[0])))
        else:
            slot_index.add(new)
        return NewFact(
            new, tuple(replace(record, superseded=Supersession(today, name)) for record in old.values())
        )

    def supersede(
        self, records: Iterable[SemanticRecord], today: date, by: str | None
    ) -> list[SemanticRecord]:
        """Supersede active facts on a day, and return them as they are written from now on."""
        gone = [record for record in records if record.superseded is None and record.id]
        for record in gone:
            if isinstance(record.fact, FactTriple):
                self._slot_index(record.fact).discard(record)
        return [replace(record, superseded=Supersession(today, by)) for record in gone]

    def _values(self, triple: FactTriple) -> Mapping[str, str]:
        return values_of(triple, self._single, self._markers)

    def _containing(self, slot_index: _SlotIndex, triple: FactTriple) -> SemanticRecord | None:
        """The fact with the same value as a new one, or with one that says more, where there is one value."""
        values = self._values(triple)
        for record in slot_index.all() if values else ():
            known = self._values(_triple(record))
            is_said = all(
                name in known and is_contained(value, known[name]) for name, value in values.items()
            )
            if is_said and _may_be_one_kind(triple.object, _object(record)):
                return record
        return None

    def _predecessors(self, slot_index: _SlotIndex, claim: Claim, quote: str) -> list[SemanticRecord]:
        """The facts about other people in the role of a claim that says who is in it now."""
        role = self._sole_role(claim.object)
        is_renewed = self._markers.find("renewed", quote) is not None or quote.startswith("no,")
        if not role or not is_renewed or self._markers.find("unsure", quote) is not None:
            return []
        is_named = rf"\b{re.escape(role)}(?:'?s name)?(?: (?:now|actually|currently))* (?:{_IS_SOMEBODY})\b"
        if regex(is_named).search(quote) is None:
            return []
        return [record for record in slot_index.all() if self._sole_role(_object(record)) == role]

    def _sole_role(self, entity: str) -> str:
        """The role of a person, such as `dentist`, if one has one of a kind; else empty."""
        if entity_kind(entity) != "Person":
            return ""
        words = plain_text(entity_name(entity)).split()
        if len(words) < 3 or words[0] != "my":
            return ""
        role = words[2] if self._markers.find("renewed", words[1]) is not None else words[1]
        return role if self._markers.find("sole_role", role) is not None else ""

    def _slot_index(self, known: FactTriple) -> _SlotIndex:
        slot = fact_slot(known)
        if slot not in self._slots:
            index = self._slots[slot] = _SlotIndex()
            for record in self._unindexed.pop(slot, ()):
                index.add(record)
        return self._slots[slot]


def fact_slot(known: FactTriple) -> FactSlot:
    """What a fact states an object of: its owner, category, subject and predicate."""
    return user_of(known.owner), known.category, plain_text(known.subject), known.predicate


def _triple(record: SemanticRecord) -> FactTriple:
    """The triple of an indexed record; only triples are indexed."""
    assert isinstance(record.fact, FactTriple)
    return record.fact


def _object(record: SemanticRecord) -> str:
    return record.fact.object if isinstance(record.fact, FactTriple) else ""


def _object_name(record: SemanticRecord) -> str:
    return plain_text(entity_name(_object(record)))


def _may_be_one_kind(object_: str, other_object: str) -> bool:
    """Whether two objects may be of one kind; an object without a kind may be of any."""
    kinds = {entity_kind(object_), entity_kind(other_object)} - {""}
    return len(kinds) < 2


def _is_corrected(claim: Claim, quote: str, terms: frozenset[str], old: SemanticRecord) -> bool:
    """Whether a correction is about an old fact; a fact about another person only if it names both."""
    if not _may_be_one_kind(claim.object, _object(old)) or len(_terms(old) & terms) < _MIN_SHARED:
        return False
    if claim.predicate in _MANY or affects_advice(_object(old)):
        return False
    if is_of_other_number(quote, _triple(old).quote or ""):
        return False
    people = "Person" in {entity_kind(claim.object), entity_kind(_object(old))}
    return not people or EvidenceText(quote).contains_quote(entity_name(_object(old)))


def _name_tails(name: str) -> list[str]:
    """The proper ends of a name of several words, the longest first."""
    words = name.split()[-_MAX_WORDS:]
    return [" ".join(words[start:]) for start in range(1, len(words))]


def _terms(record: SemanticRecord) -> frozenset[str]:
    quote = record.fact.quote if isinstance(record.fact, FactTriple) else None
    return content_terms(f"{entity_name(_object(record))} {quote or ''}")
