"""What the end of an agent's transcript says, whatever the agent: for a conversation that has no record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from memtool.core.context.statements import statements
from memtool.store.external.transcript_files import TranscriptFile, open_transcript, path_exists

_READ_BYTES = 4_000_000
"""Bytes at the end of a transcript that are read: more than fits into the window of a model."""
_COMPACTED = ("compact_boundary", "compacted", "compaction", "chat_compression")
"""Types and subtypes of the lines with which a conversation begins anew after a compaction."""
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


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """The texts of a record, down to `_DEPTH` levels."""
    if isinstance(value, str):
        yield value
    elif depth < _DEPTH and isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner, depth + 1)


_DEPTH = 8
"""Levels of a record that are looked into."""
