"""The day on which a statement of a prompt was said, where only that explains a time in it."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import UTC, tzinfo
from functools import cached_property

from msgspec.structs import replace

from memtool.core.context.context import PromptSnippet
from memtool.core.context.retrieved import told_by
from memtool.core.context.section import PromptSection, item_statement
from memtool.core.records.turn import parse_moment
from memtool.core.text.regex import regex
from memtool.core.text.relative_time import has_relative_time
from memtool.errors import OutsideWorkspace, UnreadableFile
from memtool.store.workspace import Workspace

_UNDATED_ROLES = frozenset({"semantic", "long-term", "rules"})
"""Roles whose lines have no time of their own in a prompt."""
_RECORDS = ("evidence", "session-state", "session-state-archive")
_COMPARED = 120
"""Characters by which a statement is found in its record."""
_TIME = r'"at": "([^"]+)"|^[-*+] \[([^\]]+)\]'


class SaidDays:
    """Finds when statements were said: by their evidence, else by their entries in the log.

    The files are read for the first statement with a relative time; most prompts have none.
    """

    def __init__(self, workspace: Workspace, group: str | None) -> None:
        self._workspace = workspace
        self._group = group

    def dated_section(self, section: PromptSection) -> PromptSection:
        """The section with the day behind each statement whose time it explains."""
        if section.role not in _UNDATED_ROLES:
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
        words = item_statement(statement) or statement
        part = words.removesuffix("…").strip()[:_COMPARED]
        if not part:
            return ""
        for text in self._texts:
            quoted = json.dumps(part, ensure_ascii=False)[1:-1] if text.startswith("{") else part
            if (place := text.rfind(quoted)) < 0:
                continue
            line = text[text.rfind("\n", 0, place) + 1 : (text.find("\n", place) + 1 or len(text))]
            found = regex(_TIME).search(line)
            moment = parse_moment(found[1] or found[2]) if found is not None else None
            if moment is not None:
                return moment.astimezone(self._zone).date().isoformat()
        return ""

    @cached_property
    def _texts(self) -> list[str]:
        texts: list[str] = []
        for role in _RECORDS:
            if self._workspace.has(role):
                group = None if role == "evidence" else self._group
                try:
                    document = self._workspace.read(self._workspace.layout.path(role, group=group))
                except (UnreadableFile, OutsideWorkspace):  # the day is a help, no more
                    continue
                texts += [document.text] if document is not None else []
        return texts

    @cached_property
    def _zone(self) -> tzinfo:
        name = self._workspace.settings["timezone"]
        if name.upper() == "UTC":
            return UTC
        from zoneinfo import ZoneInfo

        try:
            return ZoneInfo(name)
        except (LookupError, ValueError, OSError):
            return UTC
