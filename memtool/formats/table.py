"""The table of formats in which files of the tree are read and written."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import Struct

from memtool.errors import BadUsage
from memtool.formats import (
    core_file,
    daily_note,
    episode,
    head,
    json_lines,
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

MergeText = Callable[[str, str, str], str | None]
"""Merges two versions of a base, given first; None if they cannot be merged."""


class FileFormat(Struct, frozen=True):
    """How files of one format are read and written.

    For Markdown and JSON Lines, `parse` accepts every text and `render` returns it unchanged. For JSON,
    `parse` raises UnreadableFile or NewerVersion. `record` is the value as JSON, as the schema
    `<name>.schema.json` describes it. The value is `Any` because each format has its own. `merge` is the text
    of a base and two versions of it, None for a format without records; it raises UnreadableFile.
    """

    name: str
    parse: Callable[[str], Any]
    render: Callable[[Any], str]
    record: Callable[[Any], dict[str, Any]]
    merge: MergeText | None = None


MARKDOWN_FORMATS: tuple[FileFormat, ...] = (
    FileFormat(
        "session-state", session_state.parse, session_state.render, session_state.record, session_state.merge
    ),
    FileFormat(
        "long-term",
        long_term.parse,
        long_term.render,
        long_term.record,
        long_term.merge,
    ),
    FileFormat(
        "daily-note",
        daily_note.parse,
        daily_note.render,
        daily_note.record,
        daily_note.merge,
    ),
    FileFormat("core-file", core_file.parse, core_file.render, core_file.record),
    FileFormat("working-memory", working_memory.parse, working_memory.render, working_memory.record),
    FileFormat(
        "working-buffer",
        working_buffer.parse,
        working_buffer.render,
        working_buffer.record,
        working_buffer.merge,
    ),
    FileFormat(
        "semantic",
        semantic.parse,
        semantic.render,
        semantic.record,
        semantic.merge,
    ),
    FileFormat(
        "rules",
        rules.parse,
        rules.render,
        rules.record,
        rules.merge,
    ),
    FileFormat("episode", episode.parse, episode.render, episode.record),
    FileFormat("note", note.parse, note.render, note.record),
    FileFormat("markdown", markdown.parse, markdown.render, markdown.record),
)
"""Formats that people read and edit; each parses every text."""

JSON_LINES_FORMATS: tuple[FileFormat, ...] = tuple(
    FileFormat(name, json_lines.parse, json_lines.render, partial(json_lines.record, name), json_lines.merge)
    for name in ("candidates", "feedback", "crisis", "forgotten")
)
"""Formats of JSON Lines, which programs append to and people read; each parses every text."""

JSON_FORMATS: tuple[FileFormat, ...] = (
    FileFormat("turn", turn.parse, turn.render, turn.record, turn.merge),
    FileFormat(
        "head",
        head.parse,
        head.render,
        head.record,
        head.merge,
    ),
    FileFormat(
        "quarantine-record", quarantine_record.parse, quarantine_record.render, quarantine_record.record
    ),
    FileFormat(
        "salience",
        salience.parse,
        salience.render,
        salience.record,
        salience.merge,
    ),
)
"""Formats that programs write."""

FORMATS: tuple[FileFormat, ...] = (*MARKDOWN_FORMATS, *JSON_LINES_FORMATS, *JSON_FORMATS)
"""Every format, each with a schema, a specimen and a place in a layout."""


def format_named(name: str) -> FileFormat:
    """The format of this name. Raises BadUsage for an unknown name in a layout."""
    for format_ in FORMATS:
        if format_.name == name:
            return format_
    names = ", ".join(format_.name for format_ in FORMATS)
    raise BadUsage(f"unknown format {name!r}; a layout can use {names}")
