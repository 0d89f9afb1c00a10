"""Fact lines: what an extractor command answers, JSON Lines of facts, read with some patience."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from memtool.core.capture.extract import STATED
from memtool.core.records.entry import Fact, Owner
from memtool.core.secrets.redact import redact
from memtool.core.text.quote import clip, one_line
from memtool.formats.syntax import json_text

_CATEGORY = r"[a-z][a-z0-9_]{0,63}"
_LONGEST = 400


class Answered(Struct, frozen=True):
    """A fact as it was answered: its category, its sentence, and the words that prove it, if given."""

    category: str
    text: str
    evidence: str = ""

    def fact(self, owner: Owner | None) -> Fact:
        """The fact as long-term memory holds it: redacted, on one line, its evidence quoted behind it."""
        said = one_line(redact(self.text), _LONGEST)
        if self.evidence and self.evidence.strip() != self.text.strip():
            said += f' — "{clip(one_line(redact(self.evidence), 1000), 200)}"'
        return Fact(self.category, said, owner)


def parse(text: str) -> tuple[tuple[Answered, ...], int, int]:
    """The facts of an answer, how many lines of it were none, and how many lines it has.

    Each line is an object with `text` (or `fact`), and maybe `category` and `evidence`; a `key` with its
    `value` (as the five-layer memory has them), a list of such objects, or a line that is a text, will do,
    too, and code fences around them are passed over.
    """
    rows = list(_rows(text))
    facts = tuple(one for one in map(_answered, rows) if one is not None)
    return facts, len(rows) - len(facts), len(rows)


def _rows(text: str) -> Iterator[Any]:
    bare = "\n".join(
        line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("```")
    )
    try:
        value, _ = json_text.loads(bare)
    except json_text.NotJson:
        for line in bare.split("\n"):
            try:
                yield json_text.loads(line)[0]
            except json_text.NotJson:
                yield None
        return
    yield from value if isinstance(value, list) else [value]


def _answered(row: Any) -> Answered | None:
    if isinstance(row, str):
        row = {"text": row}
    if not isinstance(row, dict):
        return None
    text, evidence, category = row.get("text") or row.get("fact"), row.get("evidence"), row.get("category")
    if not text and isinstance(key := row.get("key"), str) and isinstance(value := row.get("value"), str):
        text = f"{key.strip()}: {value.strip()}" if key.strip() and value.strip() else ""
    if not isinstance(text, str) or not one_line(text, _LONGEST):
        return None
    spelled = re.sub(r"[^a-z0-9]+", "_", category.lower()).strip("_") if isinstance(category, str) else ""
    named = spelled if re.fullmatch(_CATEGORY, spelled) else STATED
    return Answered(named, text, evidence if isinstance(evidence, str) else "")
