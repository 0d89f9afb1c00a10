"""The records of a transcript file: a JSON array, consecutive JSON values, or JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from msgspec import Struct

from memtool.core.text.json_fault import value_fault
from memtool.transcripts.json_stream import (
    InvalidJsonStream,
    is_json_value,
    parse_truncated,
    parse_value,
    parse_values,
)
from memtool.transcripts.transcript import SkippedRecord, TranscriptSource

_SAMPLE_BYTES = 1 << 20
"""Bytes of a file that are read to recognise its format."""


class TranscriptRecord(Struct, frozen=True):
    """A record with its line number, or 0 if the file is not JSON Lines, and its own number from 1."""

    line: int
    number: int
    value: Any

    @property
    def name(self) -> str:
        """Its name in messages, which give the line number separately."""
        return "the record" if self.line else f"record {self.number}"

    def as_skipped(self, reason: str) -> SkippedRecord:
        """The record as skipped; `reason` is worded to follow its name."""
        return SkippedRecord(self.line, f"{self.name} {reason}")


def parse_records(source: TranscriptSource) -> Iterator[TranscriptRecord | SkippedRecord]:
    """The records of a file, and its unreadable parts; an invalid line does not affect other lines."""
    head, whole = _head(source)
    if _is_lines(head, whole):
        yield from _parse_lines(source)
        return
    number = 0
    try:
        for number, element in enumerate(parse_values(source.blocks()), 1):
            yield TranscriptRecord(0, number, element)
    except InvalidJsonStream as error:
        yield SkippedRecord(0, f"record {number + 1} and all later records cannot be read: {error}")


def sample_records(source: TranscriptSource) -> list[Any]:
    """The records in the first megabyte of a file; if none is complete, the beginning of the first."""
    head, whole = _head(source)
    values_found: list[Any] = []
    if _is_lines(head, whole):
        for line in head.split("\n")[: None if whole else -1]:
            with suppress(ValueError):
                values_found.append(parse_value(line.strip()))
    else:
        with suppress(InvalidJsonStream):
            values_found.extend(parse_values([head.encode()]))
    return values_found or _as_list(parse_truncated(head))


def _as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _head(source: TranscriptSource) -> tuple[str, bool]:
    """The beginning of a file without byte order mark and leading whitespace, and whether it is all of it."""
    read, whole = bytearray(), True
    for block in source.blocks():
        read += block
        if len(read) > _SAMPLE_BYTES:
            whole = False
            break
    text = bytes(read[:_SAMPLE_BYTES]).decode("utf-8", "replace")
    return text.removeprefix("\ufeff").lstrip(" \t\r\n"), whole


def _is_lines(head: str, whole: bool) -> bool:
    """Whether a file is JSON Lines, rather than one document or values that span lines."""
    lines = head.split("\n") if whole else head.split("\n")[:-1]
    lines = [line.rstrip() for line in lines[:40] if line.strip()]
    if head.startswith("["):
        return len(lines) > 1 and all(line.startswith("[") and is_json_value(line) for line in lines[:2])
    return not (head.startswith("{") and lines and _may_span_lines(lines[0]))


def _may_span_lines(line: str) -> bool:
    """True if a JSON value starting in this line may span lines (strings may not)."""
    try:
        parse_value(line + "\n")
    except json.JSONDecodeError as error:
        return error.pos >= len(line) and not error.msg.startswith("Invalid control character")
    except ValueError:
        return False
    return False


def _parse_lines(source: TranscriptSource) -> Iterator[TranscriptRecord | SkippedRecord]:
    number = 0
    for line, raw in source.lines():
        try:
            text = raw.removeprefix(b"\xef\xbb\xbf" if line == 1 else b"").decode().strip()
            if not text:
                continue
            element = parse_value(text)
        except UnicodeDecodeError:
            yield SkippedRecord(line, "the line is not UTF-8")
        except ValueError as error:
            yield SkippedRecord(line, f"the line is not JSON: {value_fault(error)}")
        else:
            number += 1
            yield TranscriptRecord(line, number, element)
