"""Rules of conduct: one instruction a line, at most 20 active; the oldest is archived first (CoALA)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from memtool.core.records.entry import Owner
from memtool.core.text.markers import Markers, plain
from memtool.core.text.terms import content_terms, word_list
from memtool.errors import BadUsage

MOST = 20
"""The most active rules, because each is in every prompt."""
INFERRED = "ri-"
"""The prefix of the id of a rule that was inferred."""

_CIRCUMSTANCE = frozenset(
    {"in", "for", "to", "with", "when", "while", "if", "on", "at", "during", "unless", "except"}
)


class Rule(Struct, frozen=True):
    """An instruction, when it was added, its id and its owner; a `pinned` one is never evicted."""

    at: datetime
    text: str
    id: str
    pinned: bool = False
    owner: Owner | None = None

    @property
    def is_inferred(self) -> bool:
        """Whether it was inferred from what the user said, and not requested."""
        return self.id.startswith(INFERRED)


class Retired(Struct, frozen=True):
    """A rule that is no longer active, and why: the id of its successor, `eviction`, or a person's reason."""

    rule: Rule
    why: str


class Rules(Struct, frozen=True):
    """The active rules in order, those that a change retires, and the one that already says the new one."""

    active: tuple[Rule, ...]
    retired: tuple[Retired, ...] = ()
    known: Rule | None = None

    @property
    def added(self) -> bool:
        """Whether the new rule was added."""
        return self.known is None


def add(rules: Sequence[Rule], new: Rule, markers: Markers, most: int = MOST) -> Rules:
    """Add a rule; nothing changes if another one already says the same.

    A rule that says less of the same, or the opposite, is retired. Above `most` the oldest is evicted,
    inferred ones before explicit ones, never a pinned one or the new one. Only rules of the same owner
    change. Raises BadUsage if all of them are pinned.
    """
    change = _add([rule for rule in rules if rule.owner == new.owner], new, markers, most)
    kept = {rule.id for rule in change.active}
    active = [rule for rule in rules if rule.owner != new.owner or rule.id in kept]
    return Rules((*active, *([new] if change.added else [])), change.retired, change.known)


def _add(rules: Sequence[Rule], new: Rule, markers: Markers, most: int) -> Rules:
    same = (rule for rule in rules if _same(rule, new))
    more = (rule for rule in rules if _says_more(rule, new, markers))
    known = next(same, None) or next(more, None)
    if known is not None:
        return Rules(tuple(rules), known=known)
    gone = [rule for rule in rules if _gives_way(rule, new, markers)]
    retired = [Retired(rule, new.id) for rule in gone]
    active = [*(rule for rule in rules if rule not in gone), new]
    while len(active) > most:
        old = [rule for rule in active if not rule.pinned and rule is not new]
        if not old:
            raise BadUsage(
                f"all {len(active) - 1} rules are pinned, and no more than {most} may be active; archive one"
            )
        oldest = min(old, key=lambda rule: (not rule.is_inferred, rule.at, rule.id))
        active.remove(oldest)
        retired.append(Retired(oldest, "eviction"))
    return Rules(tuple(active), tuple(retired))


def _same(rule: Rule, other: Rule) -> bool:
    return plain(rule.text).strip(" .!") == plain(other.text).strip(" .!")


def _core(rule: Rule, markers: Markers) -> frozenset[str]:
    """The terms of a rule without negations and courtesies."""
    text = plain(rule.text)
    for name in ("negator", "polite"):
        text = markers.without(name, text)
    return content_terms(text) - {"always"}


def _says_more(rule: Rule, new: Rule, markers: Markers) -> bool:
    """Whether a rule says all that a new one says, and is not restricted to a circumstance."""
    less, more = _core(new, markers), _core(rule, markers)
    return less < more and _agrees(rule, new, markers) and not _CIRCUMSTANCE & _words(rule) - _words(new)


def _words(rule: Rule) -> set[str]:
    return set(word_list(plain(rule.text)))


def _agrees(rule: Rule, other: Rule, markers: Markers) -> bool:
    """Whether both forbid, or both demand."""
    return (markers.finds("negator", plain(rule.text)) is None) == (
        markers.finds("negator", plain(other.text)) is None
    )


def _gives_way(old: Rule, new: Rule, markers: Markers) -> bool:
    """Whether a new rule replaces an old one, which says less of the same, or the opposite.

    A pinned rule is never replaced, nor an explicit one by an inferred one. A rule that narrows another one
    (`in commit messages`) or is an exception to it is added beside it.
    """
    if old.pinned or (new.is_inferred and not old.is_inferred):
        return False
    before, after = _core(old, markers), _core(new, markers)
    if not before or not after:
        return False
    if not _agrees(old, new, markers):
        return after == before or (len(after) > 1 and after < before)
    return len(before) > 1 and before < after and not _narrows(old, new)


def _narrows(old: Rule, new: Rule) -> bool:
    """Whether a rule is another one followed by a circumstance."""
    before = word_list(plain(old.text))
    after = word_list(plain(new.text))
    behind = after[len(before) : len(before) + 1]
    return after[: len(before)] == before and bool(set(behind) & _CIRCUMSTANCE)
