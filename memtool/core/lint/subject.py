"""Subject: what is known of a file before its text is checked: its role, its limits, the words it may use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

from msgspec import Struct, field

Faults = Callable[[str, Any], Iterable[tuple[str, str]]]
"""Where a record breaks the schema of that name, and how: the schemas as `store` has them."""


class Limits(Struct, frozen=True):
    """What of a file is in a prompt; None for all of it. All but the last two are in characters.

    `place` is what the agent's host gives it of this file, of which `head` is the share at the beginning;
    `lines` and `size` bound an index.
    """

    place: int | None = None
    head: float = 1.0
    working_memory: int | None = None
    lines: int | None = None
    size: int | None = None


class Words(Struct, frozen=True):
    """The categories that are known: of the log, and of facts."""

    log: frozenset[str] = frozenset()
    facts: frozenset[str] = frozenset()


class Subject(Struct, frozen=True):
    """A file: where it lies, its role and format (empty for none), and what its name says.

    `is_named_by_day`: its name is a day and nothing else. `seq` is the number that a turn's name gives it.
    `forgives`: whose tree it is reads frontmatter that lacks only quotes.
    """

    path: str
    role: str = ""
    format: str = ""
    day: date | None = None
    is_named_by_day: bool = False
    seq: int | None = None
    limits: Limits = field(default_factory=Limits)
    words: Words = field(default_factory=Words)
    agent: str = ""
    forgives: bool = False
