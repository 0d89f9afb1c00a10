"""What an undo leaves: daily notes, episodes, logs and turns that still say what it removed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import date, timedelta
from itertools import islice, takewhile
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.text.folding import fold
from memtool.errors import MemtoolError
from memtool.store.workspace import Workspace
from memtool.verbs.journal.trace_origin import DatedText, TraceStep, find_texts
from memtool.verbs.journal.undo import UndoReport
from memtool.verbs.memory_files.superseded import current_texts, folded_statement
from memtool.verbs.sessions.episodes import list_episodes

_NOTE, _EPISODE, _TURN = "daily note", "episode", "turn"
_STATE, _ARCHIVE = "session-state", "session-state-archive"
_MOST_STATEMENTS = 2


class LeftStatement(Struct, frozen=True):
    """A statement that an undo removed from memory and that files still contain.

    `places` are lines, each the kind of its file, such as `daily note` or `episode`, and its `path:line`: the
    first place of each kind is first, of notes and episodes the newest. At most two are of one file.
    """

    text: str
    places: tuple[tuple[str, str], ...]


def left_statements(
    workspace: Workspace,
    undone: UndoReport,
    owners: Collection[str],
    turns: Callable[[str], Iterable[TraceStep]] = lambda _: (),
) -> tuple[LeftStatement, ...]:
    """Where files still say what an undo removed: notes, logs, episodes of sessions that ended later, turns.

    Two statements at most, each with all its places; `turns` finds those of a text in the history. None
    is among them that memory still states, or that contains another one.
    """
    changed = filter(None, (workspace.role_of(str(change.path)) for change in undone.plan))
    groups = {located.group for located in changed}
    seen = workspace.seen_by(owners)
    gone = [*undone.statements]
    if gone:
        current = {text for group in groups for text in current_texts(seen, group)}
        gone = [text for text in gone if folded_statement(text) not in current]
        gone = [text for text in gone if not any(fold(part) in fold(text) and part != text for part in gone)]
    if not gone:
        return ()
    # the days of notes and episodes are those of the user's time zone
    oldest = undone.entries[-1].records[0].at.date() - timedelta(days=1)
    files = [(_NOTE, file) for file in _daily_notes(seen, oldest, groups)]
    files += [(_EPISODE, file) for file in _episodes(seen, oldest)]
    files += _logs(seen, groups)

    def found() -> Iterator[LeftStatement]:
        for text in gone:
            steps = [step for kind, file in files for step in find_texts(kind, [file], [text])]
            steps += [step for step in turns(text) if step.kind == _TURN]
            kinds = dict.fromkeys((_NOTE, _EPISODE, *(step.kind for step in steps)))
            first = [next((step for step in steps if step.kind == kind), None) for kind in kinds]
            ordered = dict.fromkeys(
                (step.kind, f"{step.path}:{step.line}") for step in (*first, *steps) if step
            )
            if ordered:
                yield LeftStatement(text, tuple(ordered))

    return tuple(islice(found(), _MOST_STATEMENTS))


def _logs(workspace: Workspace, groups: Collection[str | None]) -> Iterator[tuple[str, DatedText]]:
    """The session state and its archive of these groups."""
    for role in (_STATE, _ARCHIVE):
        for group in groups if workspace.has(role) else ():
            with contextlib.suppress(MemtoolError):
                if (document := workspace.read(workspace.layout.path(role, group=group))) is not None:
                    yield role.replace("-", " "), DatedText(str(document.path), document.text, None)


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
