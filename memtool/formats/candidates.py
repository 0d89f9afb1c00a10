"""Candidates that wait: a session's buffer, or the ledger of what outlived its session (CoALA)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from memtool.formats.syntax import json_text


class Candidates(Struct, frozen=True):
    """The lines of a file of candidates, as they stand there."""

    text: str


def parse(text: str) -> Candidates:
    """Read any text; `render(parse(text)) == text`."""
    return Candidates(text)


def render(value: Candidates) -> str:
    """The file's text; `parse(render(value)) == value`."""
    return value.text


def record(value: Candidates) -> dict[str, Any]:
    """What `candidates.schema.json` describes: each candidate with its line, and the lines that are none."""
    read = list(_read(value.text))
    return {
        "candidates": [{"line": number, **found} for number, found in read if found is not None],
        "unreadable": [number for number, found in read if found is None],
    }


def _read(text: str) -> Iterator[tuple[int, dict[str, Any] | None]]:
    for number, row in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not row.strip():
            continue
        try:
            found = json_text.loads(row)[0]
        except json_text.NotJson:
            found = None
        yield number, found if isinstance(found, dict) else None
