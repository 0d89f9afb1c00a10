"""The day on which a statement of a prompt was said, where only that explains a time in it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from functools import cached_property

from msgspec.structs import replace

from memtool.core.context.context import PromptSnippet
from memtool.core.context.retrieved import told_by
from memtool.core.context.section import UNDATED, PromptSection, SaidDay, item_statement
from memtool.core.context.statements import statements
from memtool.core.records.document import Document
from memtool.core.records.semantic import FactTriple, SemanticRecord
from memtool.core.records.turn import parse_moment
from memtool.core.text.relative_time import has_relative_time
from memtool.errors import OutsideWorkspace, UnreadableFile
from memtool.formats import json_lines, semantic, session_state
from memtool.layouts.layout import Place
from memtool.store.config.time_zone import local_time, time_zone
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.evidence import sayings
from memtool.verbs.memory_files.place_files import place_documents

_UNDATED_ROLES = frozenset({"semantic", "long-term", "rules"})
"""Roles whose lines have no time of their own in a prompt."""


def fact_days(
    workspace: Workspace, ids: Mapping[str, str], records: Iterable[SemanticRecord]
) -> dict[str, SaidDay]:
    """When each statement was said, newest first, by the ids of the facts that say it; `records` has all.

    A statement that is an older one with another value was said when that was, and corrected later: what else
    it says may have changed in between. One that a person edited was said on the day of the edit. Statements
    of the same time stay in their order. One of unknown time is newer than those below it in its file, and
    the last of the day on which the newest of them was said.
    """
    facts = {record.id: record for record in records if record.id}
    replaced = {old.by: (name, old.on) for name, record in facts.items() if (old := record.superseded)}
    try:
        said = sayings(workspace, {*ids.values(), *(name for name, _ in replaced.values())})
    except UnreadableFile:  # the day is a help, no more
        return {}
    zone = _zone(workspace)

    def time_of(name: str) -> str:
        times = (local_time(one.time, zone) for one in said.get(name, ()))
        return max((time.isoformat() for time in times if time is not None), default="")

    def is_own(name: str) -> bool:
        fact = facts[name].fact if name in facts else None
        words = fact.quote if isinstance(fact, FactTriple) else None
        quotes = (quote for one in said[name] for quote in one.quotes)
        return name not in replaced or words is None or any(words in quote for quote in quotes)

    dated: list[tuple[str, str, str, SaidDay]] = []
    below = ""  # the newest time of the statements that come later in `ids`: earlier in the files
    for statement, name in [*ids.items()][::-1]:
        first, time, corrected = name, time_of(name), ""
        if not time and name in replaced:  # after what was said that day and stands above it in its file
            day_of_edit = replaced[name][1].isoformat()
            time = below if below.startswith(day_of_edit) else f"{day_of_edit}T"
        seen = {name}
        while first in said and not is_own(first) and replaced[first][0] not in seen:
            first = replaced[first][0]
            seen.add(first)
        if first != name and time_of(first):
            time, corrected = time_of(first), time[:10]
        day = SaidDay(time[:10], corrected) if time else SaidDay(UNDATED)
        below = max(below, time)
        dated.append(((time or below)[:10], time, statement, day))
    if not below:
        return {}
    dated.reverse()
    dated.sort(key=lambda row: row[:2], reverse=True)
    return {statement: said_day for _, _, statement, said_day in dated}


def _zone(workspace: Workspace) -> tzinfo:
    return time_zone(workspace.settings["timezone"]) or UTC


class SaidDays:
    """Finds when statements were said: by the evidence of facts, else by their entries in the log.

    The workspace is as the user may read it. Its files are read for the first statement with a relative
    time; most prompts have none.
    """

    def __init__(self, workspace: Workspace, group: str | None) -> None:
        self._workspace = workspace
        self._group = group
        self._read: dict[str, list[str]] = {}

    def dated_section(self, section: PromptSection) -> PromptSection:
        """The section with the day behind each statement whose time it explains."""
        if section.role not in _UNDATED_ROLES or section.days:
            return section
        rows = [self._dated_row(row) for row in section.text.split("\n")]
        return replace(section, text="\n".join(rows))

    def dated_snippets(self, snippets: Sequence[PromptSnippet]) -> list[PromptSnippet]:
        """The snippets, with the day those whose time it explains."""
        return [
            replace(snippet, said=self._day_of_snippet(snippet, snippets))
            if snippet.role in _UNDATED_ROLES and has_relative_time(snippet.text)
            else snippet
            for snippet in snippets
        ]

    def _dated_row(self, row: str) -> str:
        statement = item_statement(row)
        if not statement or not has_relative_time(statement):
            return row
        day = self._day(statement.removesuffix(" (pinned)"))
        return f"{row} (said on {day})" if day else row

    def _day_of_snippet(self, snippet: PromptSnippet, snippets: Collection[PromptSnippet]) -> str:
        """The day of its statement; without a record of it, that of the daily note that says the same."""
        lines = [line for line in snippet.text.split("\n") if has_relative_time(line)]
        days = {self._day(line) or self._day(line.partition(": ")[2]) for line in lines}
        if days != {""}:
            return days.pop() if len(days) == 1 else ""
        told = told_by(snippet)
        for other in snippets:
            if other.role == "daily-note" and not told.isdisjoint(told_by(other)):
                located = self._workspace.role_of(other.path)
                return located.day.isoformat() if located is not None and located.day is not None else ""
        return ""

    def _day(self, statement: str) -> str:
        """The day on which a statement was said last; "" where no record has it."""
        words = (item_statement(statement) or statement).strip()
        if not words.strip("…"):
            return ""
        days = {*self._evidence_days(words)} or {*self._logged_days(words)}
        return max(days, default="")

    def _evidence_days(self, words: str) -> Iterator[str]:
        """The days of the sentences that say it, of facts that the user may read."""
        part = words.removesuffix("…")
        rows = "\n".join(row for row in self._rows("semantic") if part in row)
        if not rows:
            return
        ids = {record.id for record in semantic.records(semantic.parse(rows))}
        quoted = json.dumps(part, ensure_ascii=False)[1:-1]
        found = "\n".join(row for row in self._rows("evidence") if quoted in row)
        for _, fields in json_lines.rows(found):
            quotes = fields.get("quotes")
            if not isinstance(quotes, list) or fields.get("id") not in ids:
                continue
            if any(_says(str(quote), words) for quote in quotes):
                yield from self._days(parse_moment(str(fields.get("at"))))

    def _logged_days(self, words: str) -> Iterator[str]:
        """The days of the entries of the session state and its archive that say it."""
        part = words.removesuffix("…")
        for role in ("session-state", "session-state-archive"):
            rows = "\n".join(row for row in self._rows(role) if part in row)
            for entry in session_state.entries(session_state.parse(rows)):
                if _says(entry.detail, words):
                    yield from self._days(entry.at)

    def _days(self, moment: datetime | None) -> Iterator[str]:
        local = local_time(moment, self._zone) if moment is not None else None
        if local is not None:
            yield local.date().isoformat()

    def _rows(self, role: str) -> list[str]:
        """The lines of a role's files that the user may read."""
        if role not in self._read:
            self._read[role] = [
                row
                for place in self._workspace.layout.places
                if place.role == role and (self._group is None or place.grouped or role == "evidence")
                for text in self._texts(place)
                for row in text.split("\n")
            ]
        return self._read[role]

    def _texts(self, place: Place) -> list[str]:
        group = self._group if place.grouped else None
        try:
            documents = [*place_documents(self._workspace, place, group)]
        except (UnreadableFile, OutsideWorkspace):  # the day is a help, no more
            return []
        return [document.text for document in documents if isinstance(document, Document)]

    @cached_property
    def _zone(self) -> tzinfo:
        return _zone(self._workspace)


def _says(record: str, words: str) -> bool:
    """Whether a record is a statement, or has it as a whole sentence; a clipped one by its beginning."""
    if words.endswith("…"):
        return record.startswith(words.removesuffix("…"))
    stated = statements(words)
    return record.strip() == words or (bool(stated) and stated <= statements(record))
