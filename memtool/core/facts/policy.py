"""Policy: what becomes of a candidate, decided by tables that a person can read, always the same (CoALA).

The tables and markers are data (`layouts/policy.toml`). Each row names conditions; the first row of the
candidate's lane whose conditions all hold decides, and is named in the decision.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, get_args

from msgspec import Struct

from memtool.core.privacy.private import is_of_keeping, is_private
from memtool.core.records.candidate import Action, Candidate, Claim, Decision, Instruction
from memtool.core.text.markers import Markers, plain
from memtool.core.text.terms import word_list
from memtool.errors import BadUsage

_CLAUSE = ",;.!?—–\n"
_SET_APART = ("safetycheck", "crisisresource", "hotline", "suicid", "selfharm", "iamsafe", "imsafe")


class Row(Struct, frozen=True):
    """One row of a table: its name, the conditions that must all hold, and what it decides."""

    rule: str
    when: tuple[str, ...]
    action: Action
    reason: str


class Policy(Struct, frozen=True):
    """The tables of both lanes, the closed vocabularies, and the markers by which conditions are told."""

    version: str
    vocabulary: Mapping[str, frozenset[str]]
    markers: Markers
    small_talk: frozenset[str]
    small_talk_longest: int
    tables: Mapping[str, tuple[Row, ...]]

    def decide(self, candidate: Candidate, *, said: bool | None = None) -> Decision:
        """What becomes of a candidate. `said`: whether its quotes are the user's words; None: unknown."""
        looked = _Looked(self, candidate, said)
        for row in self.tables[candidate.lane]:
            if all(CONDITIONS[name](looked) for name in row.when):
                return Decision(row.action, row.rule, row.reason)
        raise AssertionError("the last row of a table has no condition")

    def is_small_talk(self, text: str) -> bool:
        """Whether a text is nothing but pleasantries; a text without words is none."""
        bare = plain(text)
        found = word_list(bare)
        return bool(found) and len(bare) <= self.small_talk_longest and set(found) <= self.small_talk


class _Looked(Struct, frozen=True, dict=True):
    """A candidate while it is looked at: its texts as markers see them."""

    policy: Policy
    candidate: Candidate
    said: bool | None

    @cached_property
    def quotes(self) -> tuple[str, ...]:
        return tuple(map(plain, self.candidate.quotes))

    @property
    def made(self) -> tuple[str, ...]:
        """What was made of the user's words: a subject and an object, or a rule."""
        says = self.candidate.says
        return (says.subject, says.object) if isinstance(says, Claim) else (says.rule,)

    @cached_property
    def text(self) -> str:
        """Everything that bears on the decision: the words of the user, and what was made of them."""
        return plain(" \n ".join((*self.candidate.quotes, *self.made, self.candidate.message)))

    @cached_property
    def evidence(self) -> str:
        """The quotes and what was made of them, without the rest of the message."""
        return plain(" \n ".join((*self.candidate.quotes, self.made[-1])))

    def finds(self, marker: str) -> bool:
        return self.policy.markers.finds(marker, self.text) is not None

    @property
    def category(self) -> str:
        says = self.candidate.says
        return says.category if isinstance(says, Claim) else ""

    @property
    def predicate(self) -> str:
        says = self.candidate.says
        return says.predicate if isinstance(says, Claim) else ""


def _is_explicit(looked: _Looked) -> bool:
    """Whether the evidence asks for something of the agent."""
    markers = looked.policy.markers
    return looked.candidate.explicit or any(_asks(quote, markers) for quote in looked.candidate.quotes)


def _asks(quote: str, markers: Markers) -> bool:
    """Whether a clause begins politely, or with an imperative.

    Behind `and` and `but` an imperative counts only where the clause before them asks: `I cook and write` is
    no wish.
    """
    for clause in _clauses(quote):
        asked = False
        for number, part in enumerate(re.split(r" (?:and|but) ", clause)):
            bare = part.strip()
            while (opener := markers.begins("openers", bare)) is not None:
                bare = bare[len(opener) :].strip()
            if markers.begins("not_a_wish", bare) is not None:
                continue
            wish = markers.begins("polite", bare) or (
                (asked or not number) and markers.begins("imperative", bare)
            )
            if wish and len(bare) > len(wish):
                return True
            asked = bool(wish)
    return False


def _clauses(text: str) -> Iterable[str]:
    for mark in _CLAUSE:
        text = text.replace(mark, "\n")
    return (bare for part in text.split("\n") if (bare := plain(part)))


def _is_near_safety(looked: _Looked) -> bool:
    """Whether a wish is about safety, or near it and says no; letters set apart are read together."""
    markers = looked.policy.markers
    if markers.finds("careful", looked.text) is not None:
        return True
    letters = re.sub(r"[\W_]+", "", looked.evidence)
    parts = (looked.candidate.message, *looked.candidate.quotes, looked.made[-1])
    apart = " . ".join(re.sub(r"(?<!\w)(\w)[\W_]+(?=\w(?!\w))", r"\1", plain(part)) for part in parts)
    says_no = markers.finds("negator", looked.text) is not None
    near = says_no and any(markers.finds("topic", text) for text in (looked.text, apart))
    return near or any(word in letters for word in _SET_APART)


def is_about_keeping(candidate: Candidate) -> bool:
    """Whether it is a rule about what to keep: then "never save that" is the wish, and not against it."""
    return isinstance(candidate.says, Instruction) and is_of_keeping(candidate.says.rule)


def _is_private(looked: _Looked) -> bool:
    """Whether the user asks that this is not kept; a rule about what to keep is what is asked for."""
    return not is_about_keeping(looked.candidate) and any(
        map(is_private, (looked.candidate.message, *looked.candidate.quotes))
    )


CONDITIONS: Mapping[str, Callable[[_Looked], bool]] = {
    "not-said": lambda looked: looked.said is False,
    "private": _is_private,
    "safety": lambda looked: looked.finds("safety"),
    "near-safety": _is_near_safety,
    "small-talk": lambda looked: all(map(looked.policy.is_small_talk, looked.candidate.quotes)),
    "scope-turn": lambda looked: looked.candidate.scope == "turn",
    "turn-scoped": lambda looked: (
        looked.candidate.scope == "turn" or looked.policy.markers.finds("turn", looked.evidence) is not None
    ),
    "transient": lambda looked: looked.candidate.durability == "transient",
    "only-mentioned": lambda looked: (
        isinstance(looked.candidate.says, Claim) and looked.candidate.says.predicate == "MENTIONED_IN"
    ),
    "fragile": lambda looked: looked.finds("fragile"),
    "sensitive": lambda looked: looked.candidate.sensitivity == "high",
    "wish": lambda looked: (
        looked.category in looked.policy.vocabulary["wishes"]
        or looked.predicate in looked.policy.vocabulary["wishing"]
    ),
    "tender-category": lambda looked: looked.category in looked.policy.vocabulary["tender"],
    "stable-category": lambda looked: looked.category in looked.policy.vocabulary["stable"],
    "context": lambda looked: looked.category == "context",
    "fleeting": lambda looked: looked.finds("fleeting") and not looked.finds("durable"),
    "explicit": _is_explicit,
}
"""What a row may ask of a candidate."""


def policy_of(tables: Mapping[str, Any], more: Mapping[str, Iterable[str]] | None = None) -> Policy:
    """The policy that tables hold (those of `policy.toml`), its markers extended by more phrases.

    Raises BadUsage for markers of a name that there is not.
    """
    lists = {name: tuple(rows) for name, rows in tables["markers"].items()}
    for name in more or ():
        if name not in lists:
            raise BadUsage(f"there are no markers {name!r}; there are {', '.join(lists)}")
    vocabulary = {name: frozenset(rows) for name, rows in tables["vocabulary"].items()}
    return Policy(
        version=tables["version"],
        vocabulary=vocabulary,
        markers=Markers(lists).with_more(more or {}),
        small_talk=frozenset(tables["small_talk"]["words"].split()),
        small_talk_longest=tables["small_talk"]["longest"],
        tables={lane: tuple(_row(row) for row in tables[lane]) for lane in ("semantic", "procedural")},
    )


def _row(row: Mapping[str, Any]) -> Row:
    made = Row(row["rule"], tuple(row["when"]), row["action"], row["reason"])
    unknown = [name for name in made.when if name not in CONDITIONS]
    if made.action not in get_args(Action) or unknown:
        raise ValueError(f"the policy's row {made.rule} is not understood: {made.action}, {unknown}")
    return made


def describe(policy: Policy) -> list[tuple[str, Row]]:
    """Every row of every table, in order, with its lane."""
    return [(lane, row) for lane, rows in policy.tables.items() for row in rows]
