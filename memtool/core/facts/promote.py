"""Promotion: which held candidates have enough support to become memory at session end (CoALA)."""

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
    """A held candidate, and the action that policy decided."""

    candidate: Candidate
    action: Action


class Heard(Struct, frozen=True):
    """Evidence for held candidates: the user's turns of this session, and the episodes of all sessions.

    `prior` holds each earlier episode with its session, because an episode never supports a candidate held in
    its own session. `arc`, this session's episode, is empty if it was made of the transcript's own sentences.
    """

    session: str
    turns: tuple[tuple[int, str], ...] = ()
    prior: tuple[tuple[str, str], ...] = ()
    arc: str = ""


class _Heard:
    """The evidence prepared for comparison, with an index of the turns by their terms."""

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
        """The numbers of the turns that share a term."""
        return {number for term in terms for number in self._by_term.get(term, ())}

    def source(self, candidate: Candidate) -> tuple[str, int | None]:
        """The session and turn that contain a candidate's quotes, whatever turn number it came with."""
        if candidate.session != self.session:
            return candidate.session, candidate.turn
        terms = [content_terms(quote) for quote in candidate.quotes]
        numbers = self.near(frozenset().union(*terms)) if all(terms) else self.turns
        order = sorted(numbers, key=lambda number: (number != candidate.turn, number))
        matching = (n for n in order if all(self.turns[n].holds(quote) for quote in candidate.quotes))
        return candidate.session, next(matching, candidate.turn)

    def sources(self, group: Sequence[Held], further: Iterable[int]) -> set[tuple[str, int | None]]:
        """The sources of a group and `further` turns; an unknown turn may be any turn of its session.

        A turn that repeats another session word for word may be the same turn, because agents resume sessions
        under new names. It counts only if it was proposed repeats.
        """
        sources = {self.source(held.candidate) for held in group}
        elsewhere = [held.candidate.quotes for held in group if held.candidate.session != self.session]
        for number in further:
            repeats = (all(map(self.turns[number].holds, quotes)) for quotes in elsewhere)
            if not any(repeats):
                sources.add((self.session, number))
        known_sessions = {session for session, turn in sources if turn is not None}
        return {source for source in sources if source[1] is not None or source[0] not in known_sessions}


class Promoted(Struct, frozen=True):
    """Held candidates that become one memory: the one that is written, all of them, and the reason."""

    candidate: Candidate
    of: tuple[Candidate, ...]
    timing: str
    reason: str
    support: int


class Promotion(Struct, frozen=True):
    """The promoted and the waiting candidates; together all that were held."""

    promoted: tuple[Promoted, ...]
    waiting: tuple[Held, ...]


def promote(held: Iterable[Held], heard: Heard) -> Promotion:
    """Decide about all held candidates; the order in which they were proposed does not matter.

    The turn of a candidate is one support; every other turn that supports it is another, also in other
    sessions by their waiting candidates. More support never undoes a promotion. Candidates that wait for a
    review are not promoted by any count.
    """
    rows = sorted(set(held), key=_order)
    index = _Heard(heard)
    groups: dict[tuple[str, ...], list[Held]] = {}
    rules: dict[str, _Clusters] = {}
    waiting: list[Held] = []
    for hold in rows:
        says = hold.candidate.says
        if hold.action == "hold_for_review":
            waiting.append(hold)
        elif isinstance(says, Claim):
            key = (str(hold.candidate.owner), *says.slot, plain(says.identifier))
            groups.setdefault(key, []).append(hold)
        else:
            rules.setdefault(str(hold.candidate.owner), _Clusters()).put(hold)
    decided = [(group, _semantic(group, index)) for group in groups.values()]
    clusters = (cluster for by_subject in rules.values() for cluster in by_subject.rows)
    decided += [(cluster.held, _rule(cluster, index)) for cluster in clusters]
    for group, promoted in decided:
        waiting += group if promoted is None else []
    return Promotion(tuple(promoted for _, promoted in decided if promoted is not None), tuple(waiting))


def _order(hold: Held) -> tuple[str, int, str, str]:
    """A total order that does not depend on the order of proposal."""
    return hold.candidate.session, hold.candidate.turn or 0, hold.candidate.id, repr(hold)


def _semantic(group: Sequence[Held], evidence: _Heard) -> Promoted | None:
    """The group as one fact, if it has enough support."""
    repeated = [hold for hold in group if hold.action == "require_repetition"]
    speaker = (repeated or list(group))[-1].candidate
    assert isinstance(speaker.says, Claim)
    criteria = Wanted.of(speaker.says, speaker.quotes)
    sessions = {hold.candidate.session for hold in group}
    nearby = evidence.near(criteria.terms | content_terms(criteria.object))
    sources = evidence.sources(
        group, (number for number in nearby if criteria.borne_out(evidence.turns[number]))
    )
    prior_count = sum(
        session not in sessions and criteria.borne_out(text) for session, text in evidence.prior
    )
    candidates = tuple(hold.candidate for hold in group)
    if len(sources) >= 2:
        reason = f"said in {len(sources)} turns"
    elif prior_count:
        reason = f"said here, and in {prior_count} earlier session{'s' if prior_count > 1 else ''}"
    elif not repeated and evidence.arc.text and _arc(criteria, evidence.arc) >= ARC_ENOUGH:
        reason = "said here, and part of what the session was about"
    else:
        return None
    return Promoted(speaker, candidates, "promotion" if repeated else "session_end", reason, len(sources))


def _arc(criteria: Wanted, arc: Spoken) -> int:
    """How much of the session's episode is about it, 0 to 4."""
    shared = criteria.shared(arc)
    return 2 * criteria.names(arc) + (shared >= 2) + (shared >= 3)


class _Cluster(Struct):
    """Rules about the same subject, and all their terms."""

    held: list[Held]
    terms: set[str]


class _Clusters:
    """The clusters of one owner's rules, by their terms."""

    def __init__(self) -> None:
        self.rows: list[_Cluster] = []
        self._by_term: dict[str, list[int]] = {}

    def put(self, hold: Held) -> None:
        """Add a rule to the cluster on its subject, or to a new one."""
        terms = _terms(hold)
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
        cluster.held.append(hold)
        for term in terms - cluster.terms:
            self._by_term.setdefault(term, []).append(number)
        cluster.terms |= terms


def _terms(hold: Held) -> frozenset[str]:
    says = hold.candidate.says
    assert isinstance(says, Instruction)
    return content_terms(" ".join((says.rule, *hold.candidate.quotes)))


def _rule(cluster: _Cluster, evidence: _Heard) -> Promoted | None:
    """The cluster as one rule, if two turns support it."""
    group = cluster.held
    speaker = group[-1].candidate
    least = max(_RULE_SHARED, _RULE_SHARE * len(_terms(group[-1])))
    nearby = evidence.near(cluster.terms)
    sources = evidence.sources(
        group, (number for number in nearby if len(cluster.terms & evidence.turns[number].terms) >= least)
    )
    if len(sources) < 2:
        return None
    reason = f"said in {len(sources)} turns"
    return Promoted(speaker, tuple(hold.candidate for hold in group), "promotion", reason, len(sources))
