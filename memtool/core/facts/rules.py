"""Rules of conduct: one instruction a line, at most 20 active; the oldest is archived first (CoALA)."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from datetime import datetime

from msgspec import Struct

from memtool.core.facts.contrary import is_contrary, is_forbidding, is_same_wish, rule_terms
from memtool.core.records.entries import Owner, is_same_user
from memtool.core.text.phrases import PhraseLists, plain_text
from memtool.core.text.tokenizer import word_list
from memtool.errors import BadUsage

MAX_ACTIVE_RULES = 20
"""The most active rules, because each is in every prompt."""
INFERRED_PREFIX = "ri-"
"""The prefix of the id of a rule that was inferred."""

_MAX_COMPARED = 3 * MAX_ACTIVE_RULES
"""The most rules that are compared with one another to find contrary ones."""
_CACHED_PAIRS = 4096
"""Pairs of rules whose comparison is remembered: an editor compares all of a file at each keystroke."""
_CIRCUMSTANCE = frozenset(
    {"in", "for", "to", "with", "when", "while", "if", "on", "at", "during", "unless", "except"}
)


class ConductRule(Struct, frozen=True):
    """An instruction, when it was added, its id and its owner; a `pinned` one is never evicted."""

    at: datetime
    text: str
    id: str
    pinned: bool = False
    owner: Owner | None = None

    @property
    def is_inferred(self) -> bool:
        """Whether it was inferred from what the user said, and not requested."""
        return self.id.startswith(INFERRED_PREFIX)


class RetiredRule(Struct, frozen=True):
    """A rule that is no longer active, and why: the id of its successor, `eviction`, or a person's reason."""

    rule: ConductRule
    why: str


class RuleChange(Struct, frozen=True):
    """The active rules in order, those that a change retires, and the one that already says the new one."""

    active: tuple[ConductRule, ...]
    retired: tuple[RetiredRule, ...] = ()
    known: ConductRule | None = None

    @property
    def added(self) -> bool:
        """Whether the new rule was added."""
        return self.known is None


def add_rule(
    rules: Sequence[ConductRule], new: ConductRule, markers: PhraseLists, most: int = MAX_ACTIVE_RULES
) -> RuleChange:
    """Add a rule; nothing changes if another one already says the same.

    A rule that says less of the same, or the contrary (`is_contrary`), is retired. Above `most` the oldest is
    evicted, inferred ones before explicit ones, never a pinned one or the new one. Only rules of the same
    owner change. Raises BadUsage if all of them are pinned.
    """
    change = _add_to_own([rule for rule in rules if is_same_user(rule.owner, new.owner)], new, markers, most)
    kept = {rule.id for rule in change.active}
    active = [rule for rule in rules if not is_same_user(rule.owner, new.owner) or rule.id in kept]
    return RuleChange((*active, *([new] if change.added else [])), change.retired, change.known)


def _add_to_own(
    rules: Sequence[ConductRule], new: ConductRule, markers: PhraseLists, most: int
) -> RuleChange:
    same = (rule for rule in rules if _is_same_text(rule, new) or is_same_wish(rule.text, new.text, markers))
    more = (rule for rule in rules if _says_more(rule, new, markers))
    known = next(same, None) or next(more, None)
    if known is not None:
        return RuleChange(tuple(rules), known=known)
    gone = [rule for rule in rules if _is_replaced(rule, new, markers)]
    retired = [RetiredRule(rule, new.id) for rule in gone]
    active = [*(rule for rule in rules if rule not in gone), new]
    while len(active) > most:
        old = [rule for rule in active if not rule.pinned and rule is not new]
        if not old:
            raise BadUsage(
                f"at most {most} rules can be active, and none of the {len(active) - 1} active rules can be "
                "replaced, because all are pinned; archive a rule first"
            )
        oldest = min(old, key=lambda rule: (not rule.is_inferred, rule.at, rule.id))
        active.remove(oldest)
        retired.append(RetiredRule(oldest, "eviction"))
    return RuleChange(tuple(active), tuple(retired))


def _is_same_text(rule: ConductRule, other: ConductRule) -> bool:
    return plain_text(rule.text).strip(" .!") == plain_text(other.text).strip(" .!")


def _says_more(rule: ConductRule, new: ConductRule, markers: PhraseLists) -> bool:
    """Whether a rule says all that a new one says, and is not restricted to a circumstance."""
    less, more = rule_terms(new.text, markers), rule_terms(rule.text, markers)
    return (
        less < more
        and _is_same_polarity(rule, new, markers)
        and not _CIRCUMSTANCE & _words(rule) - _words(new)
    )


def _words(rule: ConductRule) -> set[str]:
    return set(word_list(plain_text(rule.text)))


def _is_same_polarity(rule: ConductRule, other: ConductRule, markers: PhraseLists) -> bool:
    """Whether both forbid, or both demand."""
    return is_forbidding(rule.text, markers) == is_forbidding(other.text, markers)


def contrary_pairs(
    rules: Sequence[tuple[int, ConductRule]], markers: PhraseLists
) -> Iterator[tuple[int, int]]:
    """Yield the number of each rule with that of each older one which it would have replaced as its contrary.

    Rules come with a number, their line; of two rules of one time the later line is newer. Only the last
    rules are compared, because pairs grow with the square.
    """
    by_time = sorted(rules[-_MAX_COMPARED:], key=lambda row: (row[1].at, row[0]))
    for position, (number, rule) in enumerate(by_time):
        for older, old in by_time[:position]:
            if (
                is_same_user(old.owner, rule.owner)
                and _may_replace(old, rule)
                and _is_contrary_text(old.text, rule.text, markers)
            ):
                yield number, older


@functools.lru_cache(_CACHED_PAIRS)
def _is_contrary_text(old: str, new: str, markers: PhraseLists) -> bool:
    return is_contrary(old, new, markers)


def _may_replace(old: ConductRule, new: ConductRule) -> bool:
    return not old.pinned and (old.is_inferred or not new.is_inferred)


def _is_replaced(old: ConductRule, new: ConductRule, markers: PhraseLists) -> bool:
    """Whether a new rule replaces an old one, which says less of the same, or the contrary.

    A pinned rule is never replaced, nor an explicit one by an inferred one. A rule that narrows another one
    (`in commit messages`) or is an exception to it is added beside it.
    """
    if not _may_replace(old, new):
        return False
    if is_contrary(old.text, new.text, markers):
        return True
    before, after = rule_terms(old.text, markers), rule_terms(new.text, markers)
    return (
        _is_same_polarity(old, new, markers)
        and len(before) > 1
        and before < after
        and not _is_narrowed(old, new)
    )


def _is_narrowed(old: ConductRule, new: ConductRule) -> bool:
    """Whether a rule is another one followed by a circumstance."""
    before = word_list(plain_text(old.text))
    after = word_list(plain_text(new.text))
    behind = after[len(before) : len(before) + 1]
    return after[: len(before)] == before and bool(set(behind) & _CIRCUMSTANCE)
