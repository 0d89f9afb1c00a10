"""Lint target: a file to check, with its text by lines, its role, its limits and the known categories."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable
from datetime import date
from functools import cached_property
from typing import Any

from msgspec import Struct, field

from memtool.core.records.compiled import CompiledForm
from memtool.core.text.phrases import PhraseLists

SchemaValidator = Callable[[str, Any], Iterable[tuple[str, str]]]
"""Validates a record against the schema of a name; yields (JSON path, message) of each violation."""

_MIN_SIMILARITY = 0.8
"""The least similarity, as difflib measures it, of a word and the one it is taken to misspell."""


class PromptLimits(Struct, frozen=True):
    """How much of a file is in the prompt; None for all of it.

    `host` is the number of characters that the agent's host includes, `head` the share of them from the
    beginning of the file, `host_name` its name. `working_memory` is in characters; `lines` and `size` (bytes)
    limit an index; `codex` is how many bytes of the file Codex reads.
    `compiled` is the form of a file that the host compiles, of which it includes a part.
    """

    host: int | None = None
    host_name: str = ""
    head: float = 1.0
    working_memory: int | None = None
    lines: int | None = None
    size: int | None = None
    codex: int | None = None
    compiled: CompiledForm | None = None


class KnownCategories(Struct, frozen=True):
    """The categories that memtool knows, of log entries and of facts."""

    log: frozenset[str] = frozenset()
    facts: frozenset[str] = frozenset()


class FactRules(Struct, frozen=True, eq=False):
    """By what facts contradict one another: the policy's phrases, and its predicates with one object."""

    phrases: PhraseLists
    single: frozenset[str]


class LintTarget(Struct, frozen=True):
    """A file to check: its path, its role and format ("" for none), and what its name states.

    `is_named_by_day` is true if the name is only a date. `seq` is the number in a turn's file name.
    `is_lenient` is true if the agent of the tree accepts frontmatter that lacks only quotes,
    `titled_by_heading` if a file's first heading is its title where its frontmatter has none. `fact_rules` is
    None for a file that has neither facts nor rules. `plain_tags` is true if its tags have no spaces, are
    more than digits and the same in any case. `required` are the frontmatter keys that
    the layout requires, each with the value that a file without it gets.
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
    titled_by_heading: bool = True
    fact_rules: FactRules | None = None
    required: tuple[tuple[str, str], ...] = ()
    plain_tags: bool = False


class SourceText:
    """A text whose lines end at LF only; lines and columns count from 1, columns in characters."""

    def __init__(self, text: str) -> None:
        self.text = text

    def position(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset."""
        index = bisect_right(self._line_starts, offset) - 1
        return index + 1, offset - self._line_starts[index] + 1

    def line_start(self, line: int) -> int:
        """The offset at which a line begins; for a line after the last, that of the last."""
        return self._line_starts[min(max(line, 1), len(self._line_starts)) - 1]

    def line_end(self, line: int) -> int:
        """The offset at which the next line begins; after the last line, the end of the text."""
        return self._line_starts[line] if line < len(self._line_starts) else len(self.text)

    def line(self, number: int) -> str:
        """The text of a line without its line ending."""
        return self.text[self.line_start(number) : self.line_end(number)].rstrip("\r\n")

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]


def unknown_category_message(word: str, known: Collection[str]) -> str:
    """The message about an unknown category, with the known one it resembles; "" for a known category."""
    if word in known:
        return ""
    suggestion = closest_category(word, known)
    return f"unknown category {word!r}" + (f" (did you mean {suggestion!r}?)" if suggestion else "")


def closest_category(word: str, known: Collection[str]) -> str:
    """The known word that a word misspells; "" if there is none."""
    from difflib import get_close_matches

    normalized = word.lower().replace("-", "_")
    if normalized in known:
        return normalized
    matches = get_close_matches(normalized, sorted(known), n=1, cutoff=_MIN_SIMILARITY)
    return matches[0] if matches else ""
