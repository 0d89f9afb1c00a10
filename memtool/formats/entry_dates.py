"""Count and date the entries of a file of any format."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, tzinfo

from memtool.core.records.turn import parse_moment
from memtool.formats import daily_note, learnings, long_term, rules, semantic, session_state, working_buffer
from memtool.formats.syntax import json_text

Days = Iterator[date | None]
_DAY = r"(?a)(\d{4}-\d\d-\d\d)(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?"


def entry_days(format_name: str, role: str, text: str, zone: tzinfo = UTC) -> Days:
    """The day of each entry of a file, None for an undated one; empty for a format without entries.

    An entry's time counts as its day in `zone`, as it does for daily notes.
    """
    days = _BY_ROLE.get(role) or _BY_FORMAT.get(format_name)
    return days(text, zone) if days else iter(())


def day_of(moment: datetime, zone: tzinfo) -> date:
    """The day of a moment in a zone; its UTC day where the conversion overflows the calendar."""
    try:
        return moment.astimezone(zone).date()
    except OverflowError:
        return moment.date()


def _daily(text: str, _: tzinfo) -> Days:
    return (None for _ in daily_note.exchanges(daily_note.parse(text)))


def _log(text: str, zone: tzinfo) -> Days:
    return (day_of(entry.at, zone) for entry in session_state.entries(session_state.parse(text)))


def _facts(text: str, _: tzinfo) -> Days:
    return (None for _ in long_term.items(long_term.parse(text)))


def _records(text: str, _: tzinfo) -> Days:
    return (None for _ in semantic.records(semantic.parse(text)))


def _rules(text: str, zone: tzinfo) -> Days:
    return (day_of(rule.at, zone) for rule in rules.rules(rules.parse(text)))


def _buffer(text: str, zone: tzinfo) -> Days:
    return (_day(block["at"], zone) for block in working_buffer.record(working_buffer.parse(text))["entries"])


def _learnings(text: str, zone: tzinfo) -> Days:
    items = learnings.parse(text).entries
    return (_day(entry[:40], zone) for entry in items if learnings.parse_entry(entry) is not None)


def _lines(text: str, zone: tzinfo) -> Days:
    for line in text.split("\n"):
        if line.strip():
            try:
                value = json_text.loads(line)[0]
            except json_text.InvalidJson:
                continue
            yield _day(str(value.get("at", "")), zone) if isinstance(value, dict) else None


def _single(text: str, _: tzinfo) -> Days:
    return iter((None,) if text.strip() else ())


def _day(text: str, zone: tzinfo) -> date | None:
    match = re.search(_DAY, text)
    if match is None:
        return None
    if (moment := parse_moment(match[0])) is not None:
        return day_of(moment, zone)
    try:
        return date.fromisoformat(match[1])
    except ValueError:
        return None


_BY_FORMAT: Mapping[str, Callable[[str, tzinfo], Days]] = {
    "daily-note": _daily,
    "session-state": _log,
    "long-term": _facts,
    "semantic": _records,
    "rules": _rules,
    "working-buffer": _buffer,
    "candidates": _lines,
    "episode": _single,
    "note": _single,
}
_BY_ROLE: Mapping[str, Callable[[str, tzinfo], Days]] = {
    "learnings": _learnings,
    "learnings-archive": _learnings,
    "session-turns": _lines,
    "evidence": _lines,
    "audit": _lines,
}
