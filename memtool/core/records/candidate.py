"""Candidate: a memory that somebody proposes, before policy has decided about it (CoALA)."""

from __future__ import annotations

from hashlib import blake2b
from typing import Literal

from msgspec import Struct

from memtool.core.records.entry import Owner

Lane = Literal["semantic", "procedural"]
Action = Literal["commit_now", "commit_at_session_end", "require_repetition", "hold_for_review", "drop"]

ACTIONS: tuple[Action, ...] = (
    "commit_now",
    "commit_at_session_end",
    "require_repetition",
    "hold_for_review",
    "drop",
)
"""What can become of a candidate: memory now, at the session's end, once it is repeated, once a person
approves of it, or nothing."""
HELD = frozenset({"commit_at_session_end", "require_repetition", "hold_for_review"})
"""The actions that make a candidate wait."""


class Claim(Struct, frozen=True):
    """What a semantic candidate says. An entity is a name, or a kind and a name: `Person:Sarah`."""

    category: str
    subject: str
    predicate: str
    object: str

    @property
    def slot(self) -> tuple[str, str, str, str]:
        """What held candidates are counted together by: category, subject, predicate, the object's kind."""
        return self.category, self.subject.casefold(), self.predicate, kind_of(self.object)

    @property
    def identifier(self) -> str:
        """The object's name, or the object itself where it has no kind."""
        return name_of(self.object)


class Instruction(Struct, frozen=True):
    """What a procedural candidate says: a rule for the agent's conduct."""

    rule: str


class Candidate(Struct, frozen=True):
    """One proposal, with the user's words that prove it.

    `turn` is the number of the user's turn in its session, from 0, if it is known; `message` all that was
    said in it. `scope` is turn, session or cross_session; `durability` transient, possible or stable;
    `sensitivity` low, medium or high; `explicit` whether the extractor calls it an explicit request. Empty
    where the extractor does not say.
    """

    id: str
    owner: Owner
    session: str
    says: Claim | Instruction
    quotes: tuple[str, ...]
    turn: int | None = None
    message: str = ""
    explicit: bool = False
    scope: str = ""
    durability: str = ""
    sensitivity: str = ""
    confidence: str = ""

    @property
    def lane(self) -> Lane:
        """Which memory it is for."""
        return "semantic" if isinstance(self.says, Claim) else "procedural"


class Decision(Struct, frozen=True):
    """What policy says of a candidate: the action, the row of the table that fired, and its reason."""

    action: Action
    rule: str
    reason: str


def id_of(
    owner: Owner, session: str, turn: int | None, says: Claim | Instruction, quotes: tuple[str, ...]
) -> str:
    """The id of a candidate: the same proposal, made again, has the same one."""
    said = repr((str(owner), session, turn, says, quotes)).encode("utf-8", "surrogatepass")
    return f"c-{blake2b(said, digest_size=6).hexdigest()}"


def kind_of(entity: str) -> str:
    """The kind of an entity, `Person` of `Person:Sarah`; empty for a bare name."""
    kind, colon, name = entity.partition(":")
    return kind if colon and name.strip() else ""


def name_of(entity: str) -> str:
    """The name of an entity, `Sarah` of `Person:Sarah`."""
    kind, colon, name = entity.partition(":")
    return name.strip() if colon and name.strip() else kind.strip()
