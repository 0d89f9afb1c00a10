"""What an undo leaves: daily notes, and episodes of ended sessions, that still say what it removed."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
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

_NOTE, _EPISODE = "daily note", "episode"
_MOST_STATEMENTS = 2


class LeftStatement(Struct, frozen=True):
    """A statement that an undo removed from memory and that files still contain.

    `places` are lines, each the kind of its file, `daily note` or `episode`, and its `path:line`: the newest
    place of each kind is first. At most two lines of a file are among them.
    """

    text: str
    places: tuple[tuple[str, str], ...]


def left_statements(
    workspace: Workspace, undone: UndoReport, owners: Collection[str]
) -> tuple[LeftStatement, ...]:
    """Where daily notes, and episodes of sessions that ended later, still say what an undo removed.

    Two statements at most, each with all its places. Only facts, rules, learnings, list items of long-term
    memory and entries of the session state count as statements; headings, frontmatter and other text do not.
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

    files = [(_NOTE, file) for file in _daily_notes(seen, oldest, {each.group for _, each in changed})]
    files += [(_EPISODE, file) for file in _episodes(seen, oldest)]

    def found() -> Iterator[LeftStatement]:
        for text in gone:
            steps = [step for kind, file in files for step in find_texts(kind, [file], [text])]
            first = [next((step for step in steps if step.kind == kind), None) for kind in (_NOTE, _EPISODE)]
            ordered = dict.fromkeys(
                (step.kind, f"{step.path}:{step.line}") for step in (*first, *steps) if step
            )
            if ordered:
                yield LeftStatement(text, tuple(ordered))

    return tuple(islice(found(), _MOST_STATEMENTS))


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
