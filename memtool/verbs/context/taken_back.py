"""Statements in messages, daily notes and episodes that the user took back after having said them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath
from typing import TypeVar

from memtool.core.context.context import PromptSnippet
from memtool.core.context.messages import PastMessage
from memtool.core.records.scope import Scope
from memtool.core.records.turn import parse_moment
from memtool.core.text.regex import regex
from memtool.errors import MemtoolError
from memtool.formats import episode
from memtool.store.config.time_zone import time_zone
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.superseded import (
    current_messages,
    current_texts,
    marked_messages,
    stated_in,
)
from memtool.verbs.memory_files.undone_rows import undone_rows

_Piece = TypeVar("_Piece", PromptSnippet, PastMessage)
_SHORTEST = 8
"""Characters of a statement that is looked for in other texts."""
_TIME = r"\[(\d\d:\d\d:\d\d)\]"
"""The time of an exchange in a daily note."""


def without_taken_back(
    workspace: Workspace, scope: Scope, snippets: Sequence[PromptSnippet], messages: Sequence[PastMessage]
) -> tuple[list[PromptSnippet], list[PastMessage]]:
    """The pieces that say more than what was taken back, with the statements marked that were.

    Only what the same user had said before the undo counts, and what memory does not state again. What is
    not dated stays as it is: it may have been said later.
    """
    seen = workspace.seen_by(scope.owners)
    undone = [
        (at, statement)
        for at, role, text in undone_rows(seen, scope.owners, scope.group)
        for statement in stated_in([(role, text)])
        if len(statement) >= _SHORTEST
    ]
    if not undone:
        return [*snippets], [*messages]
    texts = [text for snippet in snippets for text in (snippet.text, snippet.reply)]
    texts += [text for message in messages for text in (message.text, message.reply)]
    folded = [" ".join(text.lower().split()) for text in texts]
    undone = [(at, statement) for at, statement in undone if any(statement in text for text in folded)]
    current = current_texts(seen, scope.group) if undone else set()
    undone = [(at, statement) for at, statement in undone if statement not in current]

    def settled(pieces: Sequence[_Piece], said: Iterable[datetime | None]) -> list[_Piece]:
        shown: list[_Piece] = []
        for piece, moment in zip(pieces, said, strict=True):
            gone = {
                statement: [longer for longer in current if statement in longer]
                for at, statement in undone
                if moment is not None and moment < at
            }
            shown += marked_messages(current_messages([piece], gone), gone) if gone else [piece]
        return shown

    written = (_written_by(workspace, snippet) for snippet in snippets)
    return settled(snippets, written), settled(messages, (parse_moment(each.order[0]) for each in messages))


def _written_by(workspace: Workspace, snippet: PromptSnippet) -> datetime | None:
    """When all of a snippet had been said: by the end of its session, or exchange; None if unknown."""
    if snippet.role == "episode":
        with contextlib.suppress(MemtoolError):  # removed, or damaged, since it was searched
            if document := workspace.read(PurePosixPath(snippet.path)):
                return parse_moment(episode.metadata(episode.parse(document.text)).ended)
        return None
    return _note_time(workspace, snippet)


def _note_time(workspace: Workspace, snippet: PromptSnippet) -> datetime | None:
    """When the second of the last exchange in a snippet of a daily note ended; None for other text."""
    located = workspace.role_of(snippet.path) if snippet.role == "daily-note" else None
    times = regex(_TIME).findall(snippet.text)
    if located is None or located.day is None or not times:
        return None
    try:
        local = datetime.fromisoformat(f"{located.day.isoformat()}T{max(times)}")
    except ValueError:  # what looks like a time may be the user's text
        return None
    return local.replace(tzinfo=time_zone(workspace.settings["timezone"]) or UTC) + timedelta(seconds=1)
