"""The table of formats: every way a file of the tree is read and written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from memtool.errors import BadUsage
from memtool.formats import (
    candidates,
    core_file,
    daily_note,
    episode,
    head,
    long_term,
    markdown,
    note,
    quarantine_record,
    rules,
    salience,
    semantic,
    session_state,
    turn,
    working_buffer,
    working_memory,
)


class Format(Struct, frozen=True):
    """How the bytes of a kind of file are read and written.

    Of Markdown and JSON Lines, `parse` reads every text and `render` gives it back; of JSON, `parse` raises
    Unreadable or Newer for what is none. `record` is the value as JSON, which the schema
    `<name>.schema.json` describes. The value is `Any` because each format has its own.
    """

    name: str
    parse: Callable[[str], Any]
    render: Callable[[Any], str]
    record: Callable[[Any], dict[str, Any]]


MARKDOWN: tuple[Format, ...] = (
    Format("session-state", session_state.parse, session_state.render, session_state.record),
    Format("long-term", long_term.parse, long_term.render, long_term.record),
    Format("daily-note", daily_note.parse, daily_note.render, daily_note.record),
    Format("core-file", core_file.parse, core_file.render, core_file.record),
    Format("working-memory", working_memory.parse, working_memory.render, working_memory.record),
    Format("working-buffer", working_buffer.parse, working_buffer.render, working_buffer.record),
    Format("semantic", semantic.parse, semantic.render, semantic.record),
    Format("rules", rules.parse, rules.render, rules.record),
    Format("episode", episode.parse, episode.render, episode.record),
    Format("note", note.parse, note.render, note.record),
    Format("markdown", markdown.parse, markdown.render, markdown.record),
)
"""Formats that people read and edit; each reads every text."""

LINES: tuple[Format, ...] = (Format("candidates", candidates.parse, candidates.render, candidates.record),)
"""Formats of JSON Lines: programs write them a line at a time, people read them; each reads every text."""

JSON: tuple[Format, ...] = (
    Format("turn", turn.parse, turn.render, turn.record),
    Format("head", head.parse, head.render, head.record),
    Format("quarantine-record", quarantine_record.parse, quarantine_record.render, quarantine_record.record),
    Format("salience", salience.parse, salience.render, salience.record),
)
"""Formats that programs write."""

FORMATS: tuple[Format, ...] = (*MARKDOWN, *LINES, *JSON)
"""Every format, each with a schema, a specimen and a place in a layout."""


def format_named(name: str) -> Format:
    """The format of this name. Raises BadUsage where there is none, which only a layout can bring about."""
    for known in FORMATS:
        if known.name == name:
            return known
    names = ", ".join(known.name for known in FORMATS)
    raise BadUsage(f"there is no format {name!r}; a layout can name these: {names}")
