"""What the end of an agent's transcript says, whatever the agent: for a conversation that has no record."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from memtool.core.context.statements import statements
from memtool.store.external.transcript_files import (
    TranscriptFile,
    newest_siblings,
    open_transcript,
    path_exists,
)
from memtool.transcripts.turn_builder import parse_time

_READ_BYTES = 4_000_000
"""Bytes at the end of a transcript that are read: more than fits into the window of a model."""
_COMPACTED = ("compact_boundary", "compacted", "compaction", "chat_compression")
"""Types and subtypes of the lines with which a conversation begins anew after a compaction."""
_SIBLINGS, _TAIL_BYTES = 30, 500_000
"""Transcripts of a project that are looked at for the origin of a fork, and bytes of each."""
_TOLERANCE = 10.0
"""Seconds by which the time of an answer in a transcript may differ from what the agent reports."""
_MOST_CHARS = 20_000
"""Characters of a text that are compared; a longer one is a file or the output of a command."""


def transcript_statements(path: str) -> frozenset[str]:
    """The digests of the statements in a transcript since the last compaction, those told by hooks too.

    None where there is no such file. Raises UnreadableFile.
    """
    if not path.startswith("/") or not path_exists(path):
        return frozenset()
    source = open_transcript(path, max_bytes=_READ_BYTES)
    if not isinstance(source, TranscriptFile):
        return frozenset()
    found: set[str] = set()
    for _, line in source.lines():
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(record, dict):
            continue
        if record.get("type") in _COMPACTED or record.get("subtype") in _COMPACTED:
            found.clear()
        for text in _texts(record):
            found |= statements(text[:_MOST_CHARS])
    return frozenset(found)


def forked_transcript(path: str, now: datetime, idle: float | None) -> str:
    """The transcript of a fork: its own, or until Claude Code writes it, that of the session it comes from.

    The event does not name that session: it is one of the same project whose last answer is `idle` seconds
    old. "" where there is none.
    """
    if path_exists(path):
        return path
    for sibling in newest_siblings(path, _SIBLINGS):
        answered = _last_answer(sibling)
        if idle is None or (answered and abs((now - answered).total_seconds() - idle) <= _TOLERANCE):
            return sibling
    return ""


def _last_answer(path: str) -> datetime | None:
    """The time of the last answer in a transcript."""
    source = open_transcript(path, max_bytes=_TAIL_BYTES)
    answered = None
    for _, line in source.lines():
        if b'"assistant"' in line:
            with contextlib.suppress(ValueError, RecursionError):
                record = json.loads(line)
                if isinstance(record, dict) and record.get("type") == "assistant":
                    answered = parse_time(record.get("timestamp")) or answered
    return answered


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """The texts of a record, down to `_DEPTH` levels."""
    if isinstance(value, str):
        yield value
    elif depth < _DEPTH and isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner, depth + 1)


_DEPTH = 8
"""Levels of a record that are looked into."""
