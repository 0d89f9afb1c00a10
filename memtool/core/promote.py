"""Promotion: which held candidates become memory at the session's end, for much bears them out (CoALA)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memtool.core.candidate import Action, Candidate, Claim, Instruction
from memtool.core.markers import plain
from memtool.core.support import Wanted, meaningful

ARC_ENOUGH = 2
CLUSTER_JACCARD, CLUSTER_SHARED = 0.5, 3
_RULE_SHARED = 2


@dataclass(frozen=True, slots=True)
class Held:
    """A candidate that waits, and for what."""

    candidate: Candidate
    action: Action


@dataclass(frozen=True, slots=True)
class Heard:
    """What can bear a hold out: the user's turns of this session, earlier arcs, and this session's arc.

    `arc` is empty where it was made of the transcript's own sentences: that would be the transcript again.
    """

    session: str
    turns: tuple[tuple[int, str], ...] = ()
    prior: tuple[str, ...] = ()
    arc: str = ""


@dataclass(frozen=True, slots=True)
class Promoted:
    """Holds that become one memory: who stands for them, all of them, and the reason."""

    candidate: Candidate
    of: tuple[Candidate, ...]
    timing: str
    reason: str
    support: int


@dataclass(frozen=True, slots=True)
class Promotion:
    """What is promoted and what goes on waiting; together all that was held."""

    promoted: tuple[Promoted, ...]
    waiting: tuple[Held, ...]


def promote(held: Iterable[Held], heard: Heard) -> Promotion:
    """Decide about everything that is held; the order in which it was proposed does not matter.

    A turn that made a candidate is one support; each other turn that bears it out is another, here and, by
    what still waits from them, in other sessions. Another supporting turn never undoes a promotion. What
    waits for a person's word is not promoted by any count.
    """
    rows = sorted(
        set(held), key=lambda one: (one.candidate.session, one.candidate.turn or 0, one.candidate.id)
    )
    groups: dict[tuple[str, ...], list[Held]] = {}
    rules: dict[str, list[list[Held]]] = {}
    waiting: list[Held] = []
    for one in rows:
        says = one.candidate.says
        if one.action == "hold_for_review":
            waiting.append(one)
        elif isinstance(says, Claim):
            key = (str(one.candidate.owner), *says.slot, plain(says.identifier))
            groups.setdefault(key, []).append(one)
        else:
            _cluster(rules.setdefault(str(one.candidate.owner), []), one)
    promoted: list[Promoted] = []
    for group in [*groups.values(), *(cluster for found in rules.values() for cluster in found)]:
        done = _semantic(group, heard) if isinstance(group[0].candidate.says, Claim) else _rule(group, heard)
        if done is None:
            waiting += group
        else:
            promoted.append(done)
    return Promotion(tuple(promoted), tuple(waiting))


def _sources(group: Sequence[Held]) -> set[tuple[str, int | None]]:
    return {(one.candidate.session, one.candidate.turn) for one in group}


def _semantic(group: Sequence[Held], heard: Heard) -> Promoted | None:
    """The group as one fact, if it is borne out."""
    repeated = [one for one in group if one.action == "require_repetition"]
    speaker = (repeated or list(group))[-1].candidate
    assert isinstance(speaker.says, Claim)
    wanted = Wanted.of(speaker.says, speaker.quotes)
    sources = _sources(group)
    sources |= {(heard.session, number) for number, text in heard.turns if wanted.borne_out(text)}
    prior = sum(wanted.borne_out(text) for text in heard.prior)
    all_of = tuple(one.candidate for one in group)
    if len(sources) >= 2:
        reason = f"said in {len(sources)} turns"
    elif prior:
        reason = f"said here, and in {prior} earlier session{'s' if prior > 1 else ''}"
    elif not repeated and heard.arc and _arc(wanted, heard.arc) >= ARC_ENOUGH:
        reason = "said here, and part of what the session was about"
    else:
        return None
    return Promoted(speaker, all_of, "promotion" if repeated else "session_end", reason, len(sources))


def _arc(wanted: Wanted, arc: str) -> int:
    """How much of a session's arc is about it, 0 to 4."""
    shared = wanted.shared(arc)
    return 2 * wanted.names(arc) + (shared >= 2) + (shared >= 3)


def _cluster(clusters: list[list[Held]], one: Held) -> None:
    """Put a rule with those that are about the same."""
    terms = _terms(one)
    for cluster in clusters:
        known = frozenset().union(*map(_terms, cluster))
        shared = len(terms & known)
        union = len(terms | known)
        if shared >= CLUSTER_SHARED or (union and shared / union >= CLUSTER_JACCARD):
            cluster.append(one)
            return
    clusters.append([one])


def _terms(one: Held) -> frozenset[str]:
    says = one.candidate.says
    assert isinstance(says, Instruction)
    return meaningful(" ".join((says.rule, *one.candidate.quotes)))


def _rule(group: Sequence[Held], heard: Heard) -> Promoted | None:
    """The cluster as one rule, if it is borne out in two turns."""
    speaker = group[-1].candidate
    terms = frozenset().union(*map(_terms, group))
    sources = _sources(group)
    sources |= {
        (heard.session, number)
        for number, text in heard.turns
        if len(terms & meaningful(text)) >= _RULE_SHARED
    }
    if len(sources) < 2:
        return None
    return Promoted(
        speaker,
        tuple(one.candidate for one in group),
        "promotion",
        f"said in {len(sources)} turns",
        len(sources),
    )
