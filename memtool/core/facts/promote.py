"""Promotion: which held candidates become memory at the session's end, for much bears them out (CoALA)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from memtool.core.facts.support import Spoken, Wanted
from memtool.core.records.candidate import Action, Candidate, Claim, Instruction
from memtool.core.text.markers import plain
from memtool.core.text.terms import content_terms

ARC_ENOUGH = 2
CLUSTER_JACCARD, CLUSTER_SHARED = 0.5, 3
_RULE_SHARED, _RULE_SHARE = 2, 1 / 3


class Held(Struct, frozen=True):
    """A candidate that waits, and for what."""

    candidate: Candidate
    action: Action


class Heard(Struct, frozen=True):
    """What can bear a hold out: the user's turns of this session, earlier arcs, and this session's arc.

    Each earlier arc is told with its session: a session never bears out what was held in it. `arc` is empty
    where it was made of the transcript's own sentences: that would be the transcript again.
    """

    session: str
    turns: tuple[tuple[int, str], ...] = ()
    prior: tuple[tuple[str, str], ...] = ()
    arc: str = ""


class _Heard:
    """The same, each text with what it is compared by, and the turns by their terms."""

    def __init__(self, heard: Heard) -> None:
        self.session = heard.session
        self.turns = {number: Spoken(text) for number, text in heard.turns}
        self.prior = [(session, Spoken(text)) for session, text in heard.prior]
        self.arc = Spoken(heard.arc)
        self._by_term: dict[str, list[int]] = {}
        for number, spoken in self.turns.items():
            for term in spoken.terms:
                self._by_term.setdefault(term, []).append(number)

    def near(self, terms: Iterable[str]) -> set[int]:
        """The turns that share a term."""
        return {number for term in terms for number in self._by_term.get(term, ())}

    def source(self, one: Candidate) -> tuple[str, int | None]:
        """Where a candidate was said: the turn that holds its quotes, whatever number it came with."""
        if one.session != self.session:
            return one.session, one.turn
        terms = [content_terms(quote) for quote in one.quotes]
        numbers = self.near(frozenset().union(*terms)) if all(terms) else self.turns
        order = sorted(numbers, key=lambda number: (number != one.turn, number))
        said = (n for n in order if all(self.turns[n].holds(quote) for quote in one.quotes))
        return one.session, next(said, one.turn)

    def sources(self, group: Sequence[Held], further: Iterable[int]) -> set[tuple[str, int | None]]:
        """Where a group was said, and further turns; one that nobody knows may be any of its session.

        A turn that says what another session said, word for word, may be that one over again: agents resume
        sessions under new names. It counts where it was proposed anew.
        """
        found = {self.source(one.candidate) for one in group}
        elsewhere = [one.candidate.quotes for one in group if one.candidate.session != self.session]
        for number in further:
            again = (all(map(self.turns[number].holds, quotes)) for quotes in elsewhere)
            if not any(again):
                found.add((self.session, number))
        known = {session for session, turn in found if turn is not None}
        return {one for one in found if one[1] is not None or one[0] not in known}


class Promoted(Struct, frozen=True):
    """Holds that become one memory: who stands for them, all of them, and the reason."""

    candidate: Candidate
    of: tuple[Candidate, ...]
    timing: str
    reason: str
    support: int


class Promotion(Struct, frozen=True):
    """What is promoted and what goes on waiting; together all that was held."""

    promoted: tuple[Promoted, ...]
    waiting: tuple[Held, ...]


def promote(held: Iterable[Held], heard: Heard) -> Promotion:
    """Decide about everything that is held; the order in which it was proposed does not matter.

    A turn that made a candidate is one support; each other turn that bears it out is another, here and, by
    what still waits from them, in other sessions. Another supporting turn never undoes a promotion. What
    waits for a person's word is not promoted by any count.
    """
    rows = sorted(set(held), key=_order)
    known = _Heard(heard)
    groups: dict[tuple[str, ...], list[Held]] = {}
    rules: dict[str, _Clusters] = {}
    waiting: list[Held] = []
    for one in rows:
        says = one.candidate.says
        if one.action == "hold_for_review":
            waiting.append(one)
        elif isinstance(says, Claim):
            key = (str(one.candidate.owner), *says.slot, plain(says.identifier))
            groups.setdefault(key, []).append(one)
        else:
            rules.setdefault(str(one.candidate.owner), _Clusters()).put(one)
    done = [(group, _semantic(group, known)) for group in groups.values()]
    clusters = (one for found in rules.values() for one in found.rows)
    done += [(cluster.held, _rule(cluster, known)) for cluster in clusters]
    for group, each in done:
        waiting += group if each is None else []
    return Promotion(tuple(each for _, each in done if each is not None), tuple(waiting))


def _order(one: Held) -> tuple[str, int, str, str]:
    """A place of its own for each that differs, whatever order they came in."""
    return one.candidate.session, one.candidate.turn or 0, one.candidate.id, repr(one)


def _semantic(group: Sequence[Held], heard: _Heard) -> Promoted | None:
    """The group as one fact, if it is borne out."""
    repeated = [one for one in group if one.action == "require_repetition"]
    speaker = (repeated or list(group))[-1].candidate
    assert isinstance(speaker.says, Claim)
    wanted = Wanted.of(speaker.says, speaker.quotes)
    where = {one.candidate.session for one in group}
    near = heard.near(wanted.terms | content_terms(wanted.object))
    sources = heard.sources(group, (number for number in near if wanted.borne_out(heard.turns[number])))
    prior = sum(session not in where and wanted.borne_out(text) for session, text in heard.prior)
    all_of = tuple(one.candidate for one in group)
    if len(sources) >= 2:
        reason = f"said in {len(sources)} turns"
    elif prior:
        reason = f"said here, and in {prior} earlier session{'s' if prior > 1 else ''}"
    elif not repeated and heard.arc.text and _arc(wanted, heard.arc) >= ARC_ENOUGH:
        reason = "said here, and part of what the session was about"
    else:
        return None
    return Promoted(speaker, all_of, "promotion" if repeated else "session_end", reason, len(sources))


def _arc(wanted: Wanted, arc: Spoken) -> int:
    """How much of a session's arc is about it, 0 to 4."""
    shared = wanted.shared(arc)
    return 2 * wanted.names(arc) + (shared >= 2) + (shared >= 3)


class _Cluster(Struct):
    """Rules that are about the same, and all their terms."""

    held: list[Held]
    terms: set[str]


class _Clusters:
    """The clusters of one owner's rules, found by their terms."""

    def __init__(self) -> None:
        self.rows: list[_Cluster] = []
        self._by_term: dict[str, list[int]] = {}

    def put(self, one: Held) -> None:
        """Put a rule with those that are about the same."""
        terms = _terms(one)
        shared: dict[int, int] = {}
        for term in terms:
            for number in self._by_term.get(term, ()):
                shared[number] = shared.get(number, 0) + 1
        for number in sorted(shared):
            count, cluster = shared[number], self.rows[number]
            if count >= CLUSTER_SHARED or count / len(terms | cluster.terms) >= CLUSTER_JACCARD:
                break
        else:
            number, cluster = len(self.rows), _Cluster([], set())
            self.rows.append(cluster)
        cluster.held.append(one)
        for term in terms - cluster.terms:
            self._by_term.setdefault(term, []).append(number)
        cluster.terms |= terms


def _terms(one: Held) -> frozenset[str]:
    says = one.candidate.says
    assert isinstance(says, Instruction)
    return content_terms(" ".join((says.rule, *one.candidate.quotes)))


def _rule(cluster: _Cluster, heard: _Heard) -> Promoted | None:
    """The cluster as one rule, if it is borne out in two turns."""
    group = cluster.held
    speaker = group[-1].candidate
    least = max(_RULE_SHARED, _RULE_SHARE * len(_terms(group[-1])))
    near = heard.near(cluster.terms)
    sources = heard.sources(
        group, (number for number in near if len(cluster.terms & heard.turns[number].terms) >= least)
    )
    if len(sources) < 2:
        return None
    reason = f"said in {len(sources)} turns"
    return Promoted(speaker, tuple(one.candidate for one in group), "promotion", reason, len(sources))
