"""Write policy: a deterministic decision about a candidate, by readable tables (CoALA).

The tables and phrase lists are data (`layouts/policy.toml`). Each row names conditions; the first row of the
candidate's lane whose conditions all hold decides, and the decision names it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, get_args

from msgspec import Struct

from memtool.core.facts.unsafe import is_unsafe
from memtool.core.privacy.private_requests import is_about_storing, is_private_request
from memtool.core.records.candidate import Candidate, Claim, Instruction, PolicyAction, PolicyDecision
from memtool.core.text.phrases import PhraseLists, plain_text
from memtool.core.text.tokenizer import word_list
from memtool.errors import BadUsage

_CLAUSE = ",;.!?—–\n"
_SPACED_OUT = ("safetycheck", "crisisresource", "hotline", "suicid", "selfharm", "iamsafe", "imsafe")


class PolicyRow(Struct, frozen=True):
    """One row of a table: its name, the conditions that must all hold, the action and its reason."""

    rule: str
    when: tuple[str, ...]
    action: PolicyAction
    reason: str


class WritePolicy(Struct, frozen=True):
    """The tables of both lanes, the closed vocabularies, and the phrase lists of conditions."""

    version: str
    vocabulary: Mapping[str, frozenset[str]]
    phrases: PhraseLists
    small_talk: frozenset[str]
    small_talk_longest: int
    tables: Mapping[str, tuple[PolicyRow, ...]]

    def decide(self, candidate: Candidate, *, is_quoted: bool | None = None) -> PolicyDecision:
        """Decide about a candidate. `is_quoted`: whether its quotes are the user's words; None if unknown."""
        view = _CandidateView(self, candidate, is_quoted)
        for row in self.tables[candidate.lane]:
            if all(CONDITIONS[name](view) for name in row.when):
                return PolicyDecision(row.action, row.rule, row.reason)
        raise AssertionError("in each table of the write policy, the last row must apply to every candidate")

    def is_small_talk(self, text: str) -> bool:
        """Whether a text consists of pleasantries; a text without words does not."""
        normalised = plain_text(text)
        words = word_list(normalised)
        return bool(words) and len(normalised) <= self.small_talk_longest and set(words) <= self.small_talk


class _CandidateView(Struct, frozen=True, dict=True):
    """A candidate under decision, with its texts as phrases match them."""

    policy: WritePolicy
    candidate: Candidate
    is_quoted: bool | None

    @cached_property
    def quotes(self) -> tuple[str, ...]:
        return tuple(map(plain_text, self.candidate.quotes))

    @property
    def derived_texts(self) -> tuple[str, ...]:
        """The texts derived from the user's words: a subject and an object, or a rule."""
        says = self.candidate.statement
        return (says.subject, says.object) if isinstance(says, Claim) else (says.rule,)

    @cached_property
    def text(self) -> str:
        """The user's words and the texts derived from them."""
        return plain_text(" \n ".join((*self.candidate.quotes, *self.derived_texts, self.candidate.message)))

    @cached_property
    def evidence(self) -> str:
        """The quotes and the text derived from them, without the rest of the message."""
        return plain_text(" \n ".join((*self.candidate.quotes, self.derived_texts[-1])))

    def has_phrase(self, marker: str) -> bool:
        return self.policy.phrases.find(marker, self.text) is not None

    @property
    def category(self) -> str:
        says = self.candidate.statement
        return says.category if isinstance(says, Claim) else ""

    @property
    def predicate(self) -> str:
        says = self.candidate.statement
        return says.predicate if isinstance(says, Claim) else ""


def _is_explicit(view: _CandidateView) -> bool:
    """Whether the evidence asks the agent for something."""
    markers = view.policy.phrases
    return view.candidate.explicit or any(_is_request(quote, markers) for quote in view.candidate.quotes)


def _is_request(quote: str, markers: PhraseLists) -> bool:
    """Whether a clause begins politely, or with an imperative.

    After `and` or `but` an imperative counts only if the clause before asks; `I cook and write` is none.
    """
    for clause in _clauses(quote):
        asks = False
        for number, part in enumerate(re.split(r" (?:and|but) ", clause)):
            rest = part.strip()
            while (opener := markers.match_start("openers", rest)) is not None:
                rest = rest[len(opener) :].strip()
            if markers.match_start("not_a_wish", rest) is not None:
                continue
            wish = markers.match_start("polite", rest) or (
                (asks or not number) and markers.match_start("imperative", rest)
            )
            if wish and len(rest) > len(wish):
                return True
            asks = bool(wish)
    return False


def _clauses(text: str) -> Iterable[str]:
    """The clauses of a text as phrases match them, without empty ones."""
    for mark in _CLAUSE:
        text = text.replace(mark, "\n")
    return (clause for part in text.split("\n") if (clause := plain_text(part)))


def _is_near_safety(view: _CandidateView) -> bool:
    """Whether a wish is about safety, or near it and negative; spaced-out letters are joined first."""
    markers = view.policy.phrases
    if markers.find("careful", view.text) is not None:
        return True
    letters = re.sub(r"[\W_]+", "", view.evidence)
    parts = (view.candidate.message, *view.candidate.quotes, view.derived_texts[-1])
    joined = " . ".join(re.sub(r"(?<!\w)(\w)[\W_]+(?=\w(?!\w))", r"\1", plain_text(part)) for part in parts)
    says_no = markers.find("negator", view.text) is not None
    near = says_no and any(markers.find("topic", text) for text in (view.text, joined))
    return near or any(word in letters for word in _SPACED_OUT)


def is_storage_rule(candidate: Candidate) -> bool:
    """Whether it is a rule about what to keep, so that "never save that" is its content."""
    return isinstance(candidate.statement, Instruction) and is_about_storing(candidate.statement.rule)


def _is_private(view: _CandidateView) -> bool:
    """Whether the user asks not to keep this; a rule about what to keep is not such a request."""
    return not is_storage_rule(view.candidate) and any(
        map(is_private_request, (view.candidate.message, *view.candidate.quotes))
    )


CONDITIONS: Mapping[str, Callable[[_CandidateView], bool]] = {
    "not-said": lambda looked: looked.is_quoted is False,
    "private": _is_private,
    "safety": lambda looked: looked.has_phrase("safety"),
    "near-safety": _is_near_safety,
    "unsafe": lambda looked: any(map(is_unsafe, (*looked.candidate.quotes, *looked.derived_texts))),
    "small-talk": lambda looked: all(map(looked.policy.is_small_talk, looked.candidate.quotes)),
    "scope-turn": lambda looked: looked.candidate.scope == "turn",
    "turn-scoped": lambda looked: (
        looked.candidate.scope == "turn" or looked.policy.phrases.find("turn", looked.evidence) is not None
    ),
    "transient": lambda looked: looked.candidate.durability == "transient",
    "only-mentioned": lambda looked: (
        isinstance(looked.candidate.statement, Claim)
        and looked.candidate.statement.predicate == "MENTIONED_IN"
    ),
    "fragile": lambda looked: looked.has_phrase("fragile"),
    "sensitive": lambda looked: looked.candidate.sensitivity == "high",
    "wish": lambda looked: (
        looked.category in looked.policy.vocabulary["wishes"]
        or looked.predicate in looked.policy.vocabulary["wishing"]
    ),
    "sensitive-category": lambda looked: looked.category in looked.policy.vocabulary["sensitive"],
    "stable-category": lambda looked: looked.category in looked.policy.vocabulary["stable"],
    "context": lambda looked: looked.category == "context",
    "fleeting": lambda looked: (
        looked.candidate.durability != "stable"
        and looked.policy.phrases.find("fleeting", looked.evidence) is not None
        and not looked.has_phrase("durable")
    ),
    "explicit": _is_explicit,
}
"""The conditions that a row may name."""


def build_policy(tables: Mapping[str, Any], more: Mapping[str, Iterable[str]] | None = None) -> WritePolicy:
    """The policy of the tables of `policy.toml`, with more phrases added to its lists.

    Raises BadUsage for phrases of an unknown list.
    """
    lists = {name: tuple(rows) for name, rows in tables["markers"].items()}
    for name in more or ():
        if name not in lists:
            known = ", ".join(lists)
            raise BadUsage(f"candidates.markers: unknown phrase list {name!r}; use one of {known}")
    vocabulary = {name: frozenset(rows) for name, rows in tables["vocabulary"].items()}
    return WritePolicy(
        version=tables["version"],
        vocabulary=vocabulary,
        phrases=PhraseLists(lists).with_more(more or {}),
        small_talk=frozenset(tables["small_talk"]["words"].split()),
        small_talk_longest=tables["small_talk"]["longest"],
        tables={lane: tuple(_parse_row(row) for row in tables[lane]) for lane in ("semantic", "procedural")},
    )


def _parse_row(row: Mapping[str, Any]) -> PolicyRow:
    parsed = PolicyRow(row["rule"], tuple(row["when"]), row["action"], row["reason"])
    unknown = [name for name in parsed.when if name not in CONDITIONS]
    if parsed.action not in get_args(PolicyAction) or unknown:
        fault = f"unknown conditions {unknown}" if unknown else f"unknown action {parsed.action!r}"
        raise ValueError(f"invalid row {parsed.rule} of the write policy: {fault}")
    return parsed


def policy_rows(policy: WritePolicy) -> list[tuple[str, PolicyRow]]:
    """Every row of every table in order, with its lane."""
    return [(lane, row) for lane, rows in policy.tables.items() for row in rows]
