"""Undone rows: the lines of memory that `undo` removed, because the user took a statement back."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from memtool.errors import MemtoolError
from memtool.store.workspace import Workspace

if TYPE_CHECKING:
    from memtool.core.history.journal import CommitRecord

_UNDOES = b'"undoes"'
_DONE = b'{"v": 1, "done"'
_COMMIT = rb'{"v": 1, "id": "([^"]+)", "at": "[^"]+", "by": "([^"]*)"'
"""The beginning of a commit's line: its id, which is that of its run for the first one, and the command."""
_STATING = (
    rb"(?:scan|save|facts edit|rules (?:add|edit)|mcp memory_save"
    rb"|hook \S+ (?:UserPromptSubmit|BeforeAgent|message:received|agent:bootstrap|Stop|AfterAgent|notify))\b"
)
"""The commands that record what somebody says; others, such as `session-end`, move text that is there."""
_ROLES = frozenset({"semantic", "long-term", "rules"})


def undone_rows(
    workspace: Workspace, owners: Collection[str], group: str | None
) -> list[tuple[datetime, str, str]]:
    """The lines that a user's undone commands had stated: when they were undone, their role and their text.

    They are those of the user among `owners`, or of no user, as far as the journal goes back, without those
    of a command that was redone. They may be in memory again. If nothing was undone, no line of the journal
    is parsed.
    """
    users = {owner for owner in owners if owner.startswith("user:")}
    rows: list[tuple[datetime, str, str]] = []
    with contextlib.suppress(MemtoolError):  # other commands report it
        if with_undos := [*workspace.journal.lines(_UNDOES)]:
            for record in _holding(with_undos, workspace.journal.lines()):
                by = {f"user:{record.author.user}"} if record.author.user else set()
                if by == users:
                    rows += ((record.at, *row) for row in _removed_rows(workspace, record, group))
    return rows


def _removed_rows(workspace: Workspace, record: CommitRecord, group: str | None) -> Iterable[tuple[str, str]]:
    """The roles and texts of the lines of memory that a commit removed."""
    from memtool.core.history.journal import Removed, Replaced, removed_text

    for step in record.steps:
        removed = step.content if isinstance(step, Removed) else None
        removed = removed_text(step) if isinstance(step, Replaced) else removed
        located = workspace.role_of(step.path) if removed else None
        if removed and located is not None and located.role in _ROLES and located.group == group:
            shown = workspace.disk.visible_bytes(PurePosixPath(step.path), removed) or b""
            yield located.role, shown.decode("utf-8", "surrogateescape")


def _holding(with_undos: Sequence[bytes], every: Iterable[bytes]) -> list[CommitRecord]:
    """The complete undos of what somebody had said that were not undone themselves.

    `with_undos` are the lines of those files of the journal that have such, the newest first.
    """
    from memtool.core.history.journal import CommitRecord
    from memtool.formats import journal_line

    done = {raw for raw in with_undos if raw.startswith(_DONE)}
    undone: set[str] = set()
    holding: list[CommitRecord] = []
    for raw in (raw for raw in with_undos if _UNDOES in raw):
        with contextlib.suppress(journal_line.InvalidJournalLine):
            record = journal_line.parse(raw)
            if (
                isinstance(record, CommitRecord)
                and record.undoes
                and record.run not in undone
                and journal_line.completion_line(record.id).strip() in done
            ):
                undone.update(record.undoes)
                holding.append(record)
    stating = _stating({run for record in holding for run in record.undoes}, every)
    return [record for record in holding if stating.issuperset(record.undoes)]


def _stating(runs: Collection[str], lines: Iterable[bytes]) -> set[str]:
    """Those of these runs that recorded what somebody said."""
    if not runs:
        return set()
    names = {run.encode() for run in runs}
    found = (match for raw in lines if (match := re.match(_COMMIT, raw)) and match[1] in names)
    return {match[1].decode() for match in found if re.match(_STATING, match[2])}
