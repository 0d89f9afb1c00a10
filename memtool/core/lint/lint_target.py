"""Lint target: a file to check, with its role, its limits and the categories that it may use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

from msgspec import Struct, field

SchemaValidator = Callable[[str, Any], Iterable[tuple[str, str]]]
"""Validates a record against the schema of a name; yields (JSON path, message) of each violation."""


class PromptLimits(Struct, frozen=True):
    """How much of a file is in the prompt; None for all of it.

    `host` is the number of characters that the agent's host includes, `head` the share of them from the
    beginning of the file. `working_memory` is in characters; `lines` and `size` (bytes) limit an index.
    """

    host: int | None = None
    head: float = 1.0
    working_memory: int | None = None
    lines: int | None = None
    size: int | None = None


class KnownCategories(Struct, frozen=True):
    """The categories that memtool knows, of log entries and of facts."""

    log: frozenset[str] = frozenset()
    facts: frozenset[str] = frozenset()


class LintTarget(Struct, frozen=True):
    """A file to check: its path, its role and format ("" for none), and what its name states.

    `is_named_by_day` is true if the name is only a date. `seq` is the number in a turn's file name.
    `is_lenient` is true if the agent of the tree accepts frontmatter that lacks only quotes.
    """

    path: str
    role: str = ""
    format: str = ""
    day: date | None = None
    is_named_by_day: bool = False
    seq: int | None = None
    limits: PromptLimits = field(default_factory=PromptLimits)
    categories: KnownCategories = field(default_factory=KnownCategories)
    agent: str = ""
    is_lenient: bool = False
