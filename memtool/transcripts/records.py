"""The records of a transcript file: a JSON array, consecutive JSON values, or JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from msgspec import Struct

from memtool.transcripts.foreign import Skipped, Source
from memtool.transcripts.json_stream import BrokenStream, reads, salvaged, value, values

_HEAD = 1 << 20
"""Bytes of a file that are read to recognise its format."""


class Record(Struct, frozen=True):
    """A record with its line number, or 0 if the file is not JSON Lines, and its own number from 1."""

    line: int
    number: int
    value: Any

    @property
    def name(self) -> str:
        """Its name in messages, which give the line number separately."""
        return "the record" if self.line else f"record {self.number}"

    def skipped(self, why: str) -> Skipped:
        """The record as skipped; `why` is worded to follow its name."""
        return Skipped(self.line, f"{self.name} {why}")


def records(source: Source) -> Iterator[Record | Skipped]:
    """The records of a file, and its unreadable parts; an invalid line does not affect other lines."""
    head, whole = _head(source)
    if _is_lines(head, whole):
        yield from _lines(source)
        return
    number = 0
    try:
        for number, element in enumerate(values(source.blocks()), 1):
            yield Record(0, number, element)
    except BrokenStream as error:
        yield Skipped(0, f"nothing could be read after record {number}: {error}")


def sample(source: Source) -> list[Any]:
    """The records in the first megabyte of a file; if none is complete, the beginning of the first."""
    head, whole = _head(source)
    values_found: list[Any] = []
    if _is_lines(head, whole):
        for line in head.split("\n")[: None if whole else -1]:
            with suppress(ValueError):
                values_found.append(value(line.strip()))
    else:
        with suppress(BrokenStream):
            values_found.extend(values([head.encode()]))
    return values_found or _as_list(salvaged(head))


def _as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _head(source: Source) -> tuple[str, bool]:
    """The beginning of a file without byte order mark and leading whitespace, and whether it is all of it."""
    read, whole = bytearray(), True
    for block in source.blocks():
        read += block
        if len(read) > _HEAD:
            whole = False
            break
    text = bytes(read[:_HEAD]).decode("utf-8", "replace")
    return text.removeprefix("\ufeff").lstrip(" \t\r\n"), whole


def _is_lines(head: str, whole: bool) -> bool:
    """Whether a file is JSON Lines, rather than one document or values that span lines."""
    lines = head.split("\n") if whole else head.split("\n")[:-1]
    lines = [line.rstrip() for line in lines[:40] if line.strip()]
    if head.startswith("["):
        return len(lines) > 1 and all(line.startswith("[") and reads(line) for line in lines[:2])
    return not (head.startswith("{") and lines and _goes_on(lines[0]))


def _goes_on(line: str) -> bool:
    """True if a JSON value starting in this line may span lines (strings may not)."""
    try:
        value(line + "\n")
    except json.JSONDecodeError as error:
        return error.pos >= len(line) and not error.msg.startswith("Invalid control character")
    except ValueError:
        return False
    return False


def _lines(source: Source) -> Iterator[Record | Skipped]:
    number = 0
    for line, raw in source.lines():
        try:
            text = raw.removeprefix(b"\xef\xbb\xbf" if line == 1 else b"").decode().strip()
            if not text:
                continue
            element = value(text)
        except UnicodeDecodeError:
            yield Skipped(line, "the line is not UTF-8")
        except ValueError as error:
            yield Skipped(line, f"the line is not JSON: {error}")
        else:
            number += 1
            yield Record(line, number, element)
