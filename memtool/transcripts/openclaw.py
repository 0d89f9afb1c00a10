"""OpenClaw's session logs (`~/.openclaw/agents/*/sessions/*.jsonl`) as turns.

The entries are those of pi, which OpenClaw embeds. Newer versions store them in a SQLite table, which
`TranscriptDatabase` reads as lines.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from memtool.transcripts import pi
from memtool.transcripts.json_lines import first_objects, text_of
from memtool.transcripts.transcript import TranscriptItem, TranscriptSource

NAME = "openclaw"

_NAMES = ("openclaw", "clawdbot", "moltbot")
"""What OpenClaw and its earlier versions call themselves in paths, settings and entries."""


def recognises(source: TranscriptSource) -> bool:
    """Whether a file is a log of pi's format that names OpenClaw: in its path, its folder or its entries."""
    if not pi.recognises(source):
        return False
    return _names_openclaw(source.name) or any(
        _names_openclaw(json.dumps(record))
        for record in first_objects(source)
        if text_of(record, "type") != "message"
    )


def read(source: TranscriptSource) -> Iterator[TranscriptItem]:
    """The turns of the conversation in order, and the lines skipped as unreadable."""
    return pi.read_as(source, NAME)


def _names_openclaw(text: str) -> bool:
    return any(name in text.lower() for name in _NAMES)
