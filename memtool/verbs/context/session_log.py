"""Entries of the session's log that go into a prompt: none that says what the prompt says elsewhere."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from memtool.core.context.section import PromptSection, item_statement
from memtool.core.context.statements import statements
from memtool.core.records.entries import Owner
from memtool.core.text.discourse import without_opening
from memtool.formats import session_state
from memtool.verbs.memory_files.superseded import folded_statement, replaced_entries

LOG_ROLE = "session-state"
_DETAIL_MARK = "**: "
_CORRECTION = "**correction**: "


def without_settled(
    sections: Sequence[PromptSection], superseded: Callable[[str], frozenset[str]]
) -> list[PromptSection]:
    """The sections, that of the session state without entries that stand in another one, too, that something
    newer replaced, in memory or in the log itself, or that the log repeats.

    What `scan` keeps for long is in the log of the session and in long-term memory or among the rules.
    """
    others = "\n".join(section.text for section in sections if section.role != LOG_ROLE)
    stated = {_unopened(line) for row in others.split("\n") if (line := item_statement(row))}
    kept: list[PromptSection] = []
    for section in sections:
        if section.role != LOG_ROLE or _DETAIL_MARK not in section.text:
            kept.append(section)
            continue
        rows = section.text.split("\n")
        left = [
            row for row in rows if _DETAIL_MARK not in row or _unopened(item_statement(row)) not in stated
        ]
        gone = superseded(section.text) if any(_DETAIL_MARK in row for row in left) else frozenset[str]()
        left = [
            row
            for row in left
            if _DETAIL_MARK not in row or folded_statement(item_statement(row)) not in gone
        ]
        if gone or any(_CORRECTION in row for row in left):
            left = _without_replaced(left)
        text = "\n".join(_without_repeated(left))
        if text.strip():
            kept.append(replace(section, text=text))
    return kept


def _unopened(statement: str) -> str:
    """A statement as two are compared, without "Actually, " and the like; a profile has none."""
    return folded_statement(without_opening(statement))


def _without_replaced(rows: Sequence[str]) -> list[str]:
    """The lines of a log without entries that a newer one corrects."""
    entries = {
        number: line.entry
        for number, line in enumerate(session_state.parse("\n".join(rows)).lines)
        if line.entry is not None
    }
    numbers = [*entries]
    gone = replaced_entries([(entry.owner, entry.detail) for entry in entries.values()])
    dropped = {numbers[place] for place in gone}
    return [row for number, row in enumerate(rows) if number not in dropped]


def _without_repeated(rows: Sequence[str]) -> list[str]:
    """The lines of a log without entries of which a later one, or one of the same time, says all.

    One sentence may be a correction, a value and a fact; of equal entries of one time the first stays.
    """
    entries = [
        (number, line.entry)
        for number, line in enumerate(session_state.parse("\n".join(rows)).lines)
        if line.entry is not None
    ]
    known: dict[Owner | None, frozenset[str]] = {}
    dropped: set[int] = set()
    for _, group in itertools.groupby(reversed(entries), lambda pair: pair[1].at):
        stated = [(number, entry.owner, statements(entry.detail)) for number, entry in group]
        for number, owner, digests in sorted(stated, key=lambda each: (-len(each[2]), each[0])):
            if digests and digests <= known.get(owner, frozenset()):
                dropped.add(number)
            known[owner] = known.get(owner, frozenset()) | digests
    return [row for number, row in enumerate(rows) if number not in dropped]
