"""What an undo leaves: daily notes, and episodes of ended sessions, that still say what it removed."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Sequence
from datetime import date, timedelta
from itertools import islice, takewhile
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.errors import MemtoolError
from memtool.store.workspace import Workspace
from memtool.verbs.journal.trace_origin import (
    DatedText,
    current_lines,
    find_texts,
    identify_line,
    is_searchable,
)
from memtool.verbs.journal.undo import UndoReport
from memtool.verbs.sessions.episodes import list_episodes

_MOST_PLACES = 2


class LeftStatement(Struct, frozen=True):
    """A statement that an undo removed from memory and that a file still contains, at `path:line`."""

    kind: str
    """`daily note` or `episode`."""
    place: str
    text: str


def left_statements(
    workspace: Workspace, undone: UndoReport, owners: Collection[str]
) -> tuple[LeftStatement, ...]:
    """Where daily notes, and episodes of sessions that ended later, still say what an undo removed.

    Two places at most. Only facts, rules, learnings, list items of long-term memory and entries of the
    session state count as statements; headings, frontmatter and other text do not.
    """
    changed = [
        (file, located) for file in undone.lines if (located := workspace.role_of(file.path)) is not None
    ]
    removed, restored = (
        {
            text
            for file, located in changed
            for line in (file.removed if is_removed else file.restored)
            for text in identify_line(located.role, line, 1).texts
            if is_searchable(text) and (not is_removed or current_lines(located.role, line))
        }
        for is_removed in (True, False)
    )
    if not (gone := sorted(removed - restored)):
        return ()
    # the days of notes and episodes are those of the user's time zone
    oldest = undone.entries[-1].records[0].at.date() - timedelta(days=1)
    seen = workspace.seen_by(owners)

    def found() -> Iterator[LeftStatement]:
        for file in _daily_notes(seen, oldest, {located.group for _, located in changed}):
            yield from _statements_in("daily note", file, gone)
        for file in _episodes(seen, oldest):
            yield from _statements_in("episode", file, gone)

    return tuple(islice(found(), _MOST_PLACES))


def _statements_in(kind: str, file: DatedText, texts: Sequence[str]) -> Iterator[LeftStatement]:
    for text in texts:
        for step in find_texts(kind, [file], [text]):
            yield LeftStatement(kind, f"{step.path}:{step.line}", text)


def _daily_notes(workspace: Workspace, oldest: date, groups: Collection[str | None]) -> Iterator[DatedText]:
    """The daily notes of these groups from a day on, the newest first."""
    days: list[tuple[date, str]] = []
    for path in workspace.document_listing().files if workspace.has("daily-note") else ():
        located = workspace.role_of(path)
        if located is None or located.role != "daily-note" or located.group not in groups:
            continue
        if located.day is not None and located.day >= oldest:
            days.append((located.day, path))
    for day, path in sorted(days, reverse=True):
        with contextlib.suppress(MemtoolError):  # a file that cannot be read is reported by other commands
            if (document := workspace.read(PurePosixPath(path))) is not None:
                yield DatedText(path, document.text, day)


def _episodes(workspace: Workspace, oldest: date) -> Iterator[DatedText]:
    """The episodes of sessions that ended on a day or later, the newest first."""
    if not workspace.has("episode"):
        return
    newest = takewhile(
        lambda stored: stored.last_day is None or stored.last_day >= oldest, list_episodes(workspace, [])
    )
    for stored in newest:
        # blank lines in place of the frontmatter, so that lines keep their numbers
        blank = "\n" * stored.file.meta.count("\n")
        yield DatedText(str(stored.path), f"{blank}{stored.file.body}", stored.day)
