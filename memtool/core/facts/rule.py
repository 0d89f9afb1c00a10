"""Rules of conduct: one instruction a line, at most 20 of them active, the oldest archived first (CoALA)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from memtool.core.records.entry import Owner
from memtool.core.text.markers import Markers, plain
from memtool.core.text.terms import content_terms, word_list
from memtool.errors import BadUsage

MOST = 20
"""Active rules; each is in every prompt."""
INFERRED = "ri-"
"""How the id of a rule begins that nobody asked for in so many words."""

_CIRCUMSTANCE = frozenset(
    {"in", "for", "to", "with", "when", "while", "if", "on", "at", "during", "unless", "except"}
)


class Rule(Struct, frozen=True):
    """An instruction, since when it holds, its id and its owner; a `pinned` one is never evicted."""

    at: datetime
    text: str
    id: str
    pinned: bool = False
    owner: Owner | None = None

    @property
    def is_inferred(self) -> bool:
        """Whether it was concluded from what the user said, and not asked for."""
        return self.id.startswith(INFERRED)


class Retired(Struct, frozen=True):
    """A rule that no longer holds, and why: the id of its successor, `eviction`, or a person's word."""

    rule: Rule
    why: str


class Rules(Struct, frozen=True):
    """The active rules in their order, those that a change retires, and which says the new one already."""

    active: tuple[Rule, ...]
    retired: tuple[Retired, ...] = ()
    known: Rule | None = None

    @property
    def added(self) -> bool:
        """Whether the new one is among them."""
        return self.known is None


def add(rules: Sequence[Rule], new: Rule, markers: Markers, most: int = MOST) -> Rules:
    """The rules with a new one; nothing changes where one says the same already.

    One that says less of the same, or the opposite of it, gives way. Above `most` the oldest goes, inferred
    ones before explicit ones, never a pinned one nor the new one. Only rules of the same owner are touched.
    Raises BadUsage where all of them are pinned.
    """
    done = _add([one for one in rules if one.owner == new.owner], new, markers, most)
    kept = {one.id for one in done.active}
    active = [one for one in rules if one.owner != new.owner or one.id in kept]
    return Rules((*active, *([new] if done.added else [])), done.retired, done.known)


def _add(rules: Sequence[Rule], new: Rule, markers: Markers, most: int) -> Rules:
    same = (one for one in rules if _same(one, new))
    more = (one for one in rules if _says_more(one, new, markers))
    known = next(same, None) or next(more, None)
    if known is not None:
        return Rules(tuple(rules), known=known)
    gone = [one for one in rules if _gives_way(one, new, markers)]
    retired = [Retired(one, new.id) for one in gone]
    active = [*(one for one in rules if one not in gone), new]
    while len(active) > most:
        old = [one for one in active if not one.pinned and one is not new]
        if not old:
            raise BadUsage(
                f"all {len(active) - 1} rules are pinned, and no more than {most} may be active; archive one"
            )
        oldest = min(old, key=lambda one: (not one.is_inferred, one.at, one.id))
        active.remove(oldest)
        retired.append(Retired(oldest, "eviction"))
    return Rules(tuple(active), tuple(retired))


def _same(one: Rule, other: Rule) -> bool:
    return plain(one.text).strip(" .!") == plain(other.text).strip(" .!")


def _core(rule: Rule, markers: Markers) -> frozenset[str]:
    """The words that a rule is about: its terms without negations and courtesies."""
    text = plain(rule.text)
    for name in ("negator", "polite"):
        text = markers.without(name, text)
    return content_terms(text) - {"always"}


def _says_more(one: Rule, new: Rule, markers: Markers) -> bool:
    """Whether a rule says what a new one says, and more; one that holds in a circumstance alone does not."""
    less, more = _core(new, markers), _core(one, markers)
    return less < more and _agrees(one, new, markers) and not _CIRCUMSTANCE & _words(one) - _words(new)


def _words(rule: Rule) -> set[str]:
    return set(word_list(plain(rule.text)))


def _agrees(one: Rule, other: Rule, markers: Markers) -> bool:
    """Whether both forbid, or both ask."""
    return (markers.finds("negator", plain(one.text)) is None) == (
        markers.finds("negator", plain(other.text)) is None
    )


def _gives_way(old: Rule, new: Rule, markers: Markers) -> bool:
    """Whether an old rule is replaced: it says less of the same, or the opposite of it.

    A person's pin and what was asked for hold against what was only concluded. What narrows a rule (`in
    commit messages`) or is an exception from it stands beside it.
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
    """Whether a rule is another one with a circumstance behind it."""
    before = word_list(plain(old.text))
    after = word_list(plain(new.text))
    behind = after[len(before) : len(before) + 1]
    return after[: len(before)] == before and bool(set(behind) & _CIRCUMSTANCE)
