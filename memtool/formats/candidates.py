"""Candidate file: JSON Lines of held candidates, one session's buffer or the pending ledger (CoALA)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from memtool.formats.syntax import json_text


class CandidateFile(Struct, frozen=True):
    """The unparsed lines of a file of candidates."""

    text: str


def parse(text: str) -> CandidateFile:
    """Read any text; `render(parse(text)) == text`."""
    return CandidateFile(text)


def render(value: CandidateFile) -> str:
    """The file's text; `parse(render(value)) == value`."""
    return value.text


def record(value: CandidateFile) -> dict[str, Any]:
    """The record of `candidates.schema.json`: each candidate with its line, and the unreadable lines."""
    rows = list(_parse_lines(value.text))
    return {
        "candidates": [{"line": number, **candidate} for number, candidate in rows if candidate is not None],
        "unreadable": [number for number, candidate in rows if candidate is None],
    }


def _parse_lines(text: str) -> Iterator[tuple[int, dict[str, Any] | None]]:
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json_text.loads(line)[0]
        except json_text.InvalidJson:
            value = None
        yield number, value if isinstance(value, dict) else None
