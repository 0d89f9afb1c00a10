"""Candidates: proposed memories before the write policy has decided about them (CoALA)."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import Struct

from memtool.core.digest import blake2b
from memtool.core.records.entries import Owner

CandidateLane = Literal["semantic", "procedural"]
PolicyAction = Literal["commit_now", "commit_at_session_end", "require_repetition", "hold_for_review", "drop"]

ACTIONS: tuple[PolicyAction, ...] = (
    "commit_now",
    "commit_at_session_end",
    "require_repetition",
    "hold_for_review",
    "drop",
)
"""The actions of the policy: write now, write at session end, await repetition, await review, drop."""
HELD_ACTIONS = frozenset({"commit_at_session_end", "require_repetition", "hold_for_review"})
"""The actions that hold a candidate."""
SENTENCE = "STATES"
"""The predicate of a fact whose object is a whole sentence of the user."""


UNNAMED_SESSION = "scan"
"""The session of candidates from a message without an owner and a session."""
_OWNER_SESSION = "of-"
"""How the session of candidates from a message of an owner without a session begins."""


def stand_in_session(owner: Owner | None) -> str:
    """The name that stands for the session of a message without one."""
    return f"{_OWNER_SESSION}{owner.id}" if owner else UNNAMED_SESSION


def is_stand_in_session(name: str) -> bool:
    """Whether a name only stands for a session."""
    return name == UNNAMED_SESSION or name.startswith(_OWNER_SESSION)


class Claim(Struct, frozen=True):
    """The statement of a semantic candidate. An entity is a name, or a kind and a name: `Person:Sarah`."""

    category: str
    subject: str
    predicate: str
    object: str

    @property
    def slot(self) -> tuple[str, str, str, str]:
        """The key by which held candidates are grouped: category, subject, predicate, the object's kind."""
        return self.category, self.subject.casefold(), self.predicate, entity_kind(self.object)

    @property
    def identifier(self) -> str:
        """The object's name, or the object itself if it has no kind."""
        return entity_name(self.object)


class Instruction(Struct, frozen=True):
    """The statement of a procedural candidate: a rule for the agent's conduct."""

    rule: str


class Candidate(Struct, frozen=True):
    """One proposed memory, with quotes of the user as evidence; without an owner it is everybody's.

    `turn` is the number of the user's turn in its session, from 0, if known; `message` is its text. `scope`
    is turn, session or cross_session; `durability` transient, possible or stable; `sensitivity` low, medium
    or high; `explicit` whether the extractor calls it an explicit request. Values that the extractor does not
    give are empty. `held_since` is the time at which it was first held; None for a new one.
    """

    id: str
    owner: Owner | None
    session: str
    statement: Claim | Instruction
    quotes: tuple[str, ...]
    turn: int | None = None
    message: str = ""
    explicit: bool = False
    scope: str = ""
    durability: str = ""
    sensitivity: str = ""
    confidence: str = ""
    held_since: datetime | None = None

    @property
    def lane(self) -> CandidateLane:
        """The kind of memory that it proposes."""
        return "semantic" if isinstance(self.statement, Claim) else "procedural"


class PolicyDecision(Struct, frozen=True):
    """The policy's decision: the action, the row of the table that matched, and its reason."""

    action: PolicyAction
    rule: str
    reason: str


def candidate_id(
    owner: Owner | None, session: str, turn: int | None, says: Claim | Instruction, quotes: tuple[str, ...]
) -> str:
    """The id of a candidate; equal proposals have equal ids.

    It is a digest of the `repr`, and is stored: the names and fields of `Claim` and `Instruction` stay.
    """
    content = repr((str(owner), session, turn, says, quotes)).encode("utf-8", "surrogatepass")
    return f"c-{blake2b(content, digest_size=6).hexdigest()}"


def entity_kind(entity: str) -> str:
    """The kind of an entity, `Person` of `Person:Sarah`; empty for a bare name, a time, a URL."""
    kind, _, name = entity.partition(":")
    return kind if name.strip() and kind.isidentifier() and not name.startswith("//") else ""


def entity_name(entity: str) -> str:
    """The name of an entity, `Sarah` of `Person:Sarah`."""
    return entity.removeprefix(f"{kind}:").strip() if (kind := entity_kind(entity)) else entity.strip()
