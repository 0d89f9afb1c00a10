"""Fact lines: the output of an extractor command, JSON Lines of facts, parsed leniently."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from memtool.core.capture.extract import STATEMENT_CATEGORY
from memtool.core.records.entries import Fact, Owner
from memtool.core.secrets.redact import redact
from memtool.core.text.sanitise import clip, one_line
from memtool.formats.syntax import json_text

_CATEGORY = r"[a-z][a-z0-9_]{0,63}"
_LONGEST = 400


class ExtractedFact(Struct, frozen=True):
    """An extracted fact: its category, its sentence, and its evidence, if given."""

    category: str
    text: str
    evidence: str = ""

    def to_fact(self, owner: Owner | None) -> Fact:
        """The fact as long-term memory stores it: redacted, on one line, followed by its quoted evidence."""
        detail = one_line(redact(self.text), _LONGEST)
        if self.evidence and self.evidence.strip() != self.text.strip():
            detail += f' — "{clip(one_line(redact(self.evidence), 1000), 200)}"'
        return Fact(self.category, detail, owner)


def parse(text: str) -> tuple[tuple[ExtractedFact, ...], int, int]:
    """The facts of an extractor's output, the number of its invalid lines, and of all its lines.

    Each line is an object with `text` (or `to_fact`), and optionally `category` and `evidence`. Also accepted
    are objects with a `key` and a `value` (as in the five-layer memory), a list of objects, and plain JSON
    strings; code fences around them are ignored.
    """
    rows = list(_rows(text))
    facts = tuple(fact for fact in map(_parse_row, rows) if fact is not None)
    return facts, len(rows) - len(facts), len(rows)


def _rows(text: str) -> Iterator[Any]:
    content = "\n".join(
        line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("```")
    )
    try:
        value, _ = json_text.loads(content)
    except json_text.InvalidJson:
        for line in content.split("\n"):
            try:
                yield json_text.loads(line)[0]
            except json_text.InvalidJson:
                yield None
        return
    yield from value if isinstance(value, list) else [value]


def _parse_row(row: Any) -> ExtractedFact | None:
    if isinstance(row, str):
        row = {"text": row}
    if not isinstance(row, dict):
        return None
    text, evidence, category = row.get("text") or row.get("fact"), row.get("evidence"), row.get("category")
    if not text and isinstance(key := row.get("key"), str) and isinstance(value := row.get("value"), str):
        text = f"{key.strip()}: {value.strip()}" if key.strip() and value.strip() else ""
    if not isinstance(text, str) or not one_line(text, _LONGEST):
        return None
    normalised = re.sub(r"[^a-z0-9]+", "_", category.lower()).strip("_") if isinstance(category, str) else ""
    known_category = normalised if re.fullmatch(_CATEGORY, normalised) else STATEMENT_CATEGORY
    return ExtractedFact(known_category, text, evidence if isinstance(evidence, str) else "")
