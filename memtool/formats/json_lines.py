"""JSON Lines: a record a line, that programs append; held candidates, feedback, the crisis log, receipts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from memtool.formats.syntax import json_text


class JsonLines(Struct, frozen=True):
    """The unparsed lines of a file."""

    text: str


def parse(text: str) -> JsonLines:
    """Read any text; `render(parse(text)) == text`."""
    return JsonLines(text)


def render(value: JsonLines) -> str:
    """The file's text; `parse(render(value)) == value`."""
    return value.text


def record(name: str, value: JsonLines) -> dict[str, Any]:
    """The record of a schema: under `name` each object with its line, and the unreadable lines."""
    rows = list(_parse_lines(value.text))
    return {
        name: [{"line": number, **row} for number, row in rows if row is not None],
        "unreadable": [number for number, row in rows if row is None],
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
