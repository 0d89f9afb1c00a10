"""Evidence: the sentences that each fact or rule rests on, a line of JSON for each statement of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from msgspec import Struct

from memtool.core.records.plan import Plan, Replace
from memtool.core.records.turn import parse_moment
from memtool.errors import UnreadableFile
from memtool.formats import json_lines
from memtool.formats.syntax import json_text
from memtool.store.config.time_zone import local_time, time_zone
from memtool.store.workspace import Workspace

_SUPPORT = re.compile(r'^{"id": "([^"]+)", "candidate": "([^"]+)"', re.MULTILINE)
"""The beginning of a line, as memtool writes it; a search for it is faster than parsing each line."""

_ANY_ID = re.compile(r'"id":\s*"([^"]+)"')
"""The id in a line, also in one that somebody has written by hand."""


class EvidenceRow(Struct, frozen=True):
    """A line of the evidence file: its number, the id of a fact or rule, the candidate and the quotes.

    `fields` are all fields of the line.
    """

    line: int
    id: str
    candidate: str
    quotes: tuple[str, ...]
    fields: Mapping[str, Any]


def evidence_rows(workspace: Workspace) -> Iterator[EvidenceRow]:
    """The lines that have quotes; those that do not parse are left out. Raises UnreadableFile."""
    document = workspace.read(workspace.layout.path("evidence"))
    for number, fields in json_lines.rows(document.text if document else ""):
        if isinstance(quotes := fields.get("quotes"), list):
            name, candidate = str(fields.get("id")), str(fields.get("candidate", ""))
            yield EvidenceRow(number, name, candidate, tuple(map(str, quotes)), fields)


def evidence_quotes(workspace: Workspace) -> dict[str, list[str]]:
    """The quotes by the id of the fact or rule. Raises UnreadableFile."""
    quotes: dict[str, list[str]] = {}
    for row in evidence_rows(workspace):
        quotes.setdefault(row.id, []).extend(row.quotes)
    return quotes


class Saying(NamedTuple):
    """When a fact or rule was said, and the sentences that say it."""

    time: datetime
    quotes: tuple[str, ...]


def sayings(workspace: Workspace, ids: Collection[str] | None = None) -> dict[str, list[Saying]]:
    """When facts and rules were said, all or these, by id; lines without a time are left out.

    Raises UnreadableFile.
    """
    document = workspace.read(workspace.layout.path("evidence"))
    text = document.text if document else ""
    if ids is not None:  # few of many
        rows = ((row, _ANY_ID.search(row)) for row in text.split("\n"))
        text = "\n".join(row for row, found in rows if found and found[1] in ids)
    said: dict[str, list[Saying]] = {}
    for _, fields in json_lines.rows(text):
        if (time := parse_moment(str(fields.get("at")))) is not None:
            quotes = fields.get("quotes")
            words = tuple(map(str, quotes)) if isinstance(quotes, list) else ()
            said.setdefault(str(fields.get("id")), []).append(Saying(time, words))
    return said


def last_said(workspace: Workspace, ids: Collection[str] | None = None) -> dict[str, datetime]:
    """When facts and rules, all or these, were said last, by id, if that is known. Raises UnreadableFile."""
    return {name: max(said.time for said in rows) for name, rows in sayings(workspace, ids).items()}


def days_said(workspace: Workspace, ids: Collection[str]) -> dict[str, str]:
    """The day on which each of these facts or rules was said last, where that is known and can be read."""
    try:
        said = last_said(workspace, ids)
    except UnreadableFile:  # the day is a help, no more
        return {}
    zone = time_zone(workspace.settings["timezone"]) or UTC
    local = ((name, local_time(time, zone)) for name, time in said.items())
    return {name: time.date().isoformat() for name, time in local if time is not None}


def supported_ids(workspace: Workspace) -> dict[str, set[str]]:
    """The ids of the facts and rules that each candidate supports."""
    document = workspace.read(workspace.layout.path("evidence"))
    ids: dict[str, set[str]] = {}
    for name, candidate in _SUPPORT.findall(document.text) if document else ():
        ids.setdefault(candidate, set()).add(name)
    return ids


def copied_evidence(workspace: Workspace, new: str, ids: Mapping[str, str]) -> str:
    """The evidence of facts, in the file or in `new` lines, as that of others; `ids` has the old by the new.

    Raises UnreadableFile.
    """
    if not ids:
        return ""
    document = workspace.read(workspace.layout.path("evidence"))
    rows = [fields for _, fields in json_lines.rows(f"{document.text if document else ''}\n{new}")]
    return "".join(
        json_text.dump_line({**fields, "id": name})
        for name, old in ids.items()
        for fields in rows
        if fields.get("id") == old
    )


def without_quotes_plan(workspace: Workspace, ids: Collection[str]) -> Plan:
    """The plan that removes the quotes of these facts; the evidence itself stays, without words."""
    document = workspace.read(workspace.layout.path("evidence"))
    if document is None:
        return ()
    lines = document.text.split("\n")
    for row in evidence_rows(workspace):
        if row.id in ids and row.quotes:
            lines[row.line - 1] = json_text.dump_line({**row.fields, "quotes": []}).removesuffix("\n")
    text = "\n".join(lines)
    return () if text == document.text else (Replace(document.path, text, document.etag),)
