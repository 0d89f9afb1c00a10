"""What an undo leaves: the episodes of ended sessions that still say what it removed."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from itertools import takewhile

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


def episodes_that_say(
    workspace: Workspace, undone: UndoReport, owners: Collection[str]
) -> tuple[tuple[str, str], ...]:
    """Where episodes of sessions that ended later still say what an undo removed, and the statement.

    Each place is `path:line`; two at most. Only facts, rules, learnings, list items of long-term memory and
    entries of the session state count as statements; headings, frontmatter and other text do not.
    """
    removed, restored = (
        {
            text
            for file in undone.lines
            if (located := workspace.role_of(file.path)) is not None
            for line in (file.removed if is_removed else file.restored)
            for text in identify_line(located.role, line, 1).texts
            if is_searchable(text) and (not is_removed or current_lines(located.role, line))
        }
        for is_removed in (True, False)
    )
    found: list[tuple[str, str]] = []
    if not (gone := sorted(removed - restored)) or not workspace.has("episode"):
        return ()
    # the days of episodes are those of the user's time zone
    oldest = undone.entries[-1].records[0].at.date() - timedelta(days=1)
    newest = takewhile(
        lambda stored: stored.last_day is None or stored.last_day >= oldest,
        list_episodes(workspace.seen_by(owners), []),
    )
    for stored in newest:
        # blank lines in place of the frontmatter, so that lines keep their numbers
        blank = "\n" * stored.file.meta.count("\n")
        file = DatedText(str(stored.path), f"{blank}{stored.file.body}", stored.day)
        for text in gone:
            found += [(f"{step.path}:{step.line}", text) for step in find_texts("episode", [file], [text])]
        if len(found) >= _MOST_PLACES:
            break
    return tuple(found[:_MOST_PLACES])
