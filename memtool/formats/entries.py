"""Entries: how many a file of any format holds, and of which days they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date

from memtool.formats import (
    daily_note,
    json_text,
    learnings,
    long_term,
    rules,
    semantic,
    session_state,
    working_buffer,
)

Days = Iterator[date | None]
_DAY = r"(?a)\d{4}-\d\d-\d\d"


def entries(form: str, role: str, text: str) -> Days:
    """The day of each entry of a file, None for one that does not say; none for a format without entries."""
    count = _BY_ROLE.get(role) or _BY_FORMAT.get(form)
    return count(text) if count else iter(())


def _daily(text: str) -> Days:
    return (None for _ in daily_note.exchanges(daily_note.parse(text)))


def _log(text: str) -> Days:
    return (entry.at.date() for entry in session_state.entries(session_state.parse(text)))


def _facts(text: str) -> Days:
    return (None for _ in long_term.facts(long_term.parse(text)))


def _records(text: str) -> Days:
    return (None for _ in semantic.records(semantic.parse(text)))


def _rules(text: str) -> Days:
    return (rule.at.date() for rule in rules.rules(rules.parse(text)))


def _buffer(text: str) -> Days:
    return (_day(block["at"]) for block in working_buffer.record(working_buffer.parse(text))["entries"])


def _learnings(text: str) -> Days:
    found = learnings.split(text).entries
    return (_day(entry[:40]) for entry in found if learnings.said(entry) is not None)


def _lines(text: str) -> Days:
    for row in text.split("\n"):
        if row.strip():
            try:
                value = json_text.loads(row)[0]
            except json_text.NotJson:
                continue
            yield _day(str(value.get("at", ""))) if isinstance(value, dict) else None


def _one(text: str) -> Days:
    return iter((None,) if text.strip() else ())


def _day(text: str) -> date | None:
    match = re.search(_DAY, text)
    try:
        return date.fromisoformat(match[0]) if match else None
    except ValueError:
        return None


_BY_FORMAT: Mapping[str, Callable[[str], Days]] = {
    "daily-note": _daily,
    "session-state": _log,
    "long-term": _facts,
    "semantic": _records,
    "rules": _rules,
    "working-buffer": _buffer,
    "candidates": _lines,
    "episode": _one,
    "note": _one,
}
_BY_ROLE: Mapping[str, Callable[[str], Days]] = {
    "learnings": _learnings,
    "learnings-archive": _learnings,
    "session-turns": _lines,
    "evidence": _lines,
    "audit": _lines,
}
