"""Evidence: the sentences that each fact or rule rests on, a line of JSON for each statement of it."""

from __future__ import annotations

import contextlib
import json
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
from memtool.store.config.time_zone import time_zone
from memtool.store.workspace import Workspace

_SUPPORT = re.compile(r'^{"id": "([^"]+)", "candidate": "([^"]+)"', re.MULTILINE)
"""The beginning of a line, as memtool writes it; a search for it is faster than parsing each line."""

_SAID = re.compile(r'^{"id": "([^"]+)".*"at": "([^"]+)"', re.MULTILINE)
"""The same up to the time of the statement."""


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


def last_evidence(workspace: Workspace, name: str) -> datetime | None:
    """When the newest evidence of a fact or rule was said, if that is known. Raises UnreadableFile."""
    document = workspace.read(workspace.layout.path("evidence"))
    own = "\n".join(row for row in document.text.split("\n") if f'"{name}"' in row) if document else ""
    times = (
        parse_moment(str(fields.get("at"))) for _, fields in json_lines.rows(own) if fields.get("id") == name
    )
    return max((time for time in times if time is not None), default=None)


class Saying(NamedTuple):
    """When a fact or rule was said, in the workspace's time zone, and the part of the line with quotes."""

    time: datetime
    row: str

    def has(self, words: str) -> bool:
        """Whether these words were said."""
        return json.dumps(words, ensure_ascii=False)[1:-1] in self.row


def sayings(workspace: Workspace, ids: Collection[str]) -> dict[str, list[Saying]]:
    """What is known of when these facts or rules were said; only lines as memtool writes them are read."""
    try:
        document = workspace.read(workspace.layout.path("evidence"))
    except UnreadableFile:  # the time is a help, no more
        document = None
    zone = time_zone(workspace.settings["timezone"]) or UTC
    found: dict[str, list[Saying]] = {}
    for match in _SAID.finditer(document.text) if document else ():
        if match[1] in ids and (time := parse_moment(match[2])) is not None:
            with contextlib.suppress(OverflowError):  # edited by hand to the first or the last day there is
                found.setdefault(match[1], []).append(Saying(time.astimezone(zone), match[0]))
    return found


def said_times(workspace: Workspace, ids: Collection[str]) -> dict[str, datetime]:
    """When each of these facts or rules was said last, where that is known."""
    return {name: max(said.time for said in rows) for name, rows in sayings(workspace, ids).items() if rows}


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
