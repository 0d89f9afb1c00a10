"""Promotion: which held candidates have enough support to become memory at session end (CoALA)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from memtool.core.facts.support import EvidenceText, SupportCriteria
from memtool.core.records.candidate import Candidate, Claim, Instruction, PolicyAction
from memtool.core.text.phrases import plain_text
from memtool.core.text.tokenizer import content_terms

EPISODE_SUPPORT = 2
CLUSTER_JACCARD, CLUSTER_SHARED = 0.5, 3
_RULE_SHARED, _RULE_SHARE = 2, 1 / 3


class HeldCandidate(Struct, frozen=True):
    """A held candidate, and the action that policy decided."""

    candidate: Candidate
    action: PolicyAction


class SessionEvidence(Struct, frozen=True):
    """Evidence for held candidates: the user's turns of this session, and the episodes of all sessions.

    `earlier_episodes` holds each earlier episode with its session, because an episode never supports a
    candidate held in its own session. `episode`, this session's episode, is empty if it was made of the
    transcript's own sentences.
    """

    session: str
    turns: tuple[tuple[int, str], ...] = ()
    earlier_episodes: tuple[tuple[str, str], ...] = ()
    episode: str = ""


class _EvidenceIndex:
    """The evidence prepared for comparison, with an index of the turns by their terms."""

    def __init__(self, heard: SessionEvidence) -> None:
        self.session = heard.session
        self.turns = {number: EvidenceText(text) for number, text in heard.turns}
        self.earlier_episodes = [(session, EvidenceText(text)) for session, text in heard.earlier_episodes]
        self.episode = EvidenceText(heard.episode)
        self._by_term: dict[str, list[int]] = {}
        for number, spoken in self.turns.items():
            for term in spoken.terms:
                self._by_term.setdefault(term, []).append(number)

    def turns_sharing(self, terms: Iterable[str]) -> set[int]:
        """The numbers of the turns that share a term."""
        return {number for term in terms for number in self._by_term.get(term, ())}

    def source(self, candidate: Candidate) -> tuple[str, int | None]:
        """The session and turn that contain a candidate's quotes, whatever turn number it came with."""
        if candidate.session != self.session:
            return candidate.session, candidate.turn
        terms = [content_terms(quote) for quote in candidate.quotes]
        numbers = self.turns_sharing(frozenset().union(*terms)) if all(terms) else self.turns
        order = sorted(numbers, key=lambda number: (number != candidate.turn, number))
        matching = (
            n for n in order if all(self.turns[n].contains_quote(quote) for quote in candidate.quotes)
        )
        return candidate.session, next(matching, candidate.turn)

    def sources(self, group: Sequence[HeldCandidate], further: Iterable[int]) -> set[tuple[str, int | None]]:
        """The sources of a group and `further` turns; an unknown turn may be any turn of its session.

        A turn that repeats another session word for word may be the same turn, because agents resume sessions
        under new names. It counts only if it was proposed repeats.
        """
        sources = {self.source(held.candidate) for held in group}
        elsewhere = [held.candidate.quotes for held in group if held.candidate.session != self.session]
        for number in further:
            repeats = (all(map(self.turns[number].contains_quote, quotes)) for quotes in elsewhere)
            if not any(repeats):
                sources.add((self.session, number))
        known_sessions = {session for session, turn in sources if turn is not None}
        return {source for source in sources if source[1] is not None or source[0] not in known_sessions}


class PromotedMemory(Struct, frozen=True):
    """Held candidates that become one memory: the one that is written, all of them, and the reason."""

    candidate: Candidate
    candidates: tuple[Candidate, ...]
    timing: str
    reason: str
    support: int


class Promotion(Struct, frozen=True):
    """The promoted and the waiting candidates; together all that were held."""

    promoted: tuple[PromotedMemory, ...]
    waiting: tuple[HeldCandidate, ...]


def promote(held: Iterable[HeldCandidate], evidence: SessionEvidence) -> Promotion:
    """Decide about all held candidates; the order in which they were proposed does not matter.

    The turn of a candidate is one support; every other turn that supports it is another, also in other
    sessions by their waiting candidates. More support never undoes a promotion. Candidates that wait for a
    review are not promoted by any count.
    """
    rows = sorted(set(held), key=_order)
    index = _EvidenceIndex(evidence)
    groups: dict[tuple[str, ...], list[HeldCandidate]] = {}
    rules: dict[str, _RuleClusters] = {}
    waiting: list[HeldCandidate] = []
    for hold in rows:
        says = hold.candidate.statement
        if hold.action == "hold_for_review":
            waiting.append(hold)
        elif isinstance(says, Claim):
            key = (str(hold.candidate.owner), *says.slot, plain_text(says.identifier))
            groups.setdefault(key, []).append(hold)
        else:
            rules.setdefault(str(hold.candidate.owner), _RuleClusters()).add(hold)
    decided = [(group, _promote_facts(group, index)) for group in groups.values()]
    clusters = (cluster for by_subject in rules.values() for cluster in by_subject.clusters)
    decided += [(cluster.held, _promote_rules(cluster, index)) for cluster in clusters]
    for group, promoted in decided:
        waiting += group if promoted is None else []
    return Promotion(tuple(promoted for _, promoted in decided if promoted is not None), tuple(waiting))


def _order(hold: HeldCandidate) -> tuple[str, int, str, str]:
    """A total order that does not depend on the order of proposal."""
    return hold.candidate.session, hold.candidate.turn or 0, hold.candidate.id, repr(hold)


def _promote_facts(group: Sequence[HeldCandidate], evidence: _EvidenceIndex) -> PromotedMemory | None:
    """The group as one fact, if it has enough support."""
    repeated = [hold for hold in group if hold.action == "require_repetition"]
    speaker = (repeated or list(group))[-1].candidate
    assert isinstance(speaker.statement, Claim)
    criteria = SupportCriteria.from_statement(speaker.statement, speaker.quotes)
    sessions = {hold.candidate.session for hold in group}
    nearby = evidence.turns_sharing(criteria.terms | content_terms(criteria.object))
    sources = evidence.sources(
        group, (number for number in nearby if criteria.is_supported_by(evidence.turns[number]))
    )
    prior_count = sum(
        session not in sessions and criteria.is_supported_by(text)
        for session, text in evidence.earlier_episodes
    )
    candidates = tuple(hold.candidate for hold in group)
    if len(sources) >= 2:
        reason = f"stated in {len(sources)} turns"
    elif prior_count:
        reason = (
            f"stated in this session and in {prior_count} earlier session{'s' if prior_count > 1 else ''}"
        )
    elif (
        not repeated
        and evidence.episode.text
        and _episode_support(criteria, evidence.episode) >= EPISODE_SUPPORT
    ):
        reason = "stated in this session and related to the session's topic"
    else:
        return None
    return PromotedMemory(
        speaker, candidates, "promotion" if repeated else "session_end", reason, len(sources)
    )


def _episode_support(criteria: SupportCriteria, arc: EvidenceText) -> int:
    """How much of the session's episode is about it, 0 to 4."""
    shared = criteria.count_shared(arc)
    return 2 * criteria.names_object(arc) + (shared >= 2) + (shared >= 3)


class _RuleCluster(Struct):
    """Rules about the same subject, and all their terms."""

    held: list[HeldCandidate]
    terms: set[str]


class _RuleClusters:
    """The clusters of one owner's rules, by their terms."""

    def __init__(self) -> None:
        self.clusters: list[_RuleCluster] = []
        self._by_term: dict[str, list[int]] = {}

    def add(self, hold: HeldCandidate) -> None:
        """Add a rule to the cluster on its subject, or to a new one."""
        terms = _terms(hold)
        shared: dict[int, int] = {}
        for term in terms:
            for number in self._by_term.get(term, ()):
                shared[number] = shared.get(number, 0) + 1
        for number in sorted(shared):
            count, cluster = shared[number], self.clusters[number]
            if count >= CLUSTER_SHARED or count / len(terms | cluster.terms) >= CLUSTER_JACCARD:
                break
        else:
            number, cluster = len(self.clusters), _RuleCluster([], set())
            self.clusters.append(cluster)
        cluster.held.append(hold)
        for term in terms - cluster.terms:
            self._by_term.setdefault(term, []).append(number)
        cluster.terms |= terms


def _terms(hold: HeldCandidate) -> frozenset[str]:
    says = hold.candidate.statement
    assert isinstance(says, Instruction)
    return content_terms(" ".join((says.rule, *hold.candidate.quotes)))


def _promote_rules(cluster: _RuleCluster, evidence: _EvidenceIndex) -> PromotedMemory | None:
    """The cluster as one rule, if two turns support it."""
    group = cluster.held
    speaker = group[-1].candidate
    least = max(_RULE_SHARED, _RULE_SHARE * len(_terms(group[-1])))
    nearby = evidence.turns_sharing(cluster.terms)
    sources = evidence.sources(
        group, (number for number in nearby if len(cluster.terms & evidence.turns[number].terms) >= least)
    )
    if len(sources) < 2:
        return None
    reason = f"stated in {len(sources)} turns"
    return PromotedMemory(speaker, tuple(hold.candidate for hold in group), "promotion", reason, len(sources))
