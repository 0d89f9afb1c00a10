"""Parse the JSON Lines of an agent's log to objects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from memtool.core.text.json_fault import json_fault
from memtool.transcripts.transcript import SkippedRecord, TranscriptSource

_PEEK_LINES = 50
_PEEK_BYTES = 1_000_000


def parse_objects(source: TranscriptSource) -> Iterator[tuple[int, dict[str, Any] | SkippedRecord]]:
    """The number and object of each line that is not blank, or why it is not an object. Never raises."""
    for number, raw in source.lines():
        if not raw.strip():
            continue
        try:
            value = _decode(raw.decode("utf-8-sig" if number == 1 else "utf-8"))
        except (ValueError, RecursionError) as error:
            yield number, SkippedRecord(number, _describe_error(error))
            continue
        yield number, value if isinstance(value, dict) else SkippedRecord(number, "is not a JSON object")


def first_objects(source: TranscriptSource) -> list[dict[str, Any]]:
    """The objects in the first lines of a file, to recognise its format; none for a file that is not text."""
    objects_found: list[dict[str, Any]] = []
    size = 0
    for number, raw in source.lines():
        size += len(raw)
        if number > _PEEK_LINES or size > _PEEK_BYTES:
            break
        try:
            value = _decode(raw.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            objects_found.append(value)
    return objects_found


def _decode(text: str) -> Any:
    """The value of a JSON text, as `json` reads it. Raises ValueError, RecursionError.

    msgspec reads it three times as fast, and refuses some of what `json` takes.
    """
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return json.loads(text)


def _describe_error(error: ValueError | RecursionError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "is not UTF-8 text"
    if isinstance(error, json.JSONDecodeError) and (
        error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated")
    ):
        return "is truncated"
    return json_fault(error)


def text_of(mapping: Mapping[str, Any], key: str) -> str:
    """The text under a key; empty if there is none."""
    value = mapping.get(key)
    return value if isinstance(value, str) else ""
