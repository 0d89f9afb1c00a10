"""Records of semantic memory: facts as triples with their evidence quotes."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from msgspec import Struct

from memtool.core.records.entries import Fact, Owner

PREDICATES = (
    "KNOWS",
    "WORRIES_ABOUT",
    "EXPERIENCED",
    "USES",
    "WANTS",
    "PARTICIPATED_IN",
    "MENTIONED_IN",
)
"""The predicates of the CoALA memory. A line with another one is a triple, too, if the predicate has an
underscore or a quote follows."""

_CATEGORY = r"[a-z][a-z0-9_]+"
_PREDICATE = r"[A-Z][A-Z0-9_]+"
_ID = r"[A-Za-z0-9][A-Za-z0-9-]{0,63}"


class FactTriple(Struct, frozen=True):
    """Subject, predicate and object, with the user's words as evidence if they are known.

    `subject` and `object` are a name, or a kind and a name: `User`, `Person:Sarah`. Raises ValueError for a
    misspelled category or predicate, and for a blank subject or object.
    """

    category: str
    subject: str
    predicate: str
    object: str
    quote: str | None = None
    owner: Owner | None = None

    def __post_init__(self) -> None:
        if not (re.fullmatch(_CATEGORY, self.category) and re.fullmatch(_PREDICATE, self.predicate)):
            raise ValueError(self)
        if not (self.subject.strip() and self.object.strip()):
            raise ValueError(self)


class Supersession(Struct, frozen=True):
    """The day on which a newer fact superseded a fact, and the newer one's id if it is known."""

    on: date
    by: str | None = None

    def __post_init__(self) -> None:
        if self.by is not None and not re.fullmatch(_ID, self.by):
            raise ValueError(self.by)


class SemanticRecord(Struct, frozen=True):
    """One line of semantic memory: the fact, its id, and whether it is superseded.

    A hand-written fact has no id. The id is letters, digits and hyphens, so that Markdown editors can link to
    the line; anything else raises ValueError.
    """

    fact: FactTriple | Fact
    id: str | None = None
    superseded: Supersession | None = None

    def __post_init__(self) -> None:
        if self.id is not None and not re.fullmatch(_ID, self.id):
            raise ValueError(self.id)


class ExclusiveClaim(NamedTuple):
    """A value of something that has one value at a time: `subject`, the whole of what has it, and the value.

    `about` names it for people: `User LIVES_IN`, `the key k-city`.
    """

    subject: str
    about: str
    value: str
