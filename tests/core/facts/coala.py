"""Candidates for tests, and the policy that ships."""

from __future__ import annotations

from memtool.core.facts.policy import build_policy
from memtool.core.records.candidate import Candidate, Claim, Instruction, candidate_id
from memtool.core.records.entries import Owner
from memtool.layouts.policy import policy_tables

POLICY = build_policy(policy_tables())
ANN, BOB = Owner("user", "ann"), Owner("user", "bob")


def fact(object_, quote, *, category="relationship", predicate="KNOWS", subject="User", **more):
    return _made(Claim(category, subject, predicate, object_), quote, **more)


def rule(text, quote="", **more):
    return _made(Instruction(text), quote or text, **more)


def _made(says, quote, owner=ANN, session="s1", turn=0, **more):
    quotes = (quote,) if isinstance(quote, str) else tuple(quote)
    return Candidate(
        candidate_id(owner, session, turn, says, quotes), owner, session, says, quotes, turn, **more
    )
