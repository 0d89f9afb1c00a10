"""recover: the state to restore after a compaction, returned once per compaction."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.compaction.recover import SECTION_LIMIT, asks_for_recovery, newest_lines, visible_compaction
from memtool.core.records.plan import Create, Plan, Replace
from memtool.core.records.turn import Message, format_moment
from memtool.errors import StaleWrite, UnreadableFile
from memtool.formats import working_buffer
from memtool.formats.syntax import json_text
from memtool.store.workspace import Workspace

_SECTIONS = (
    ("Working Buffer Recovery", "working-buffer"),
    ("Session State", "session-state"),
    ("Today's Notes", "daily-note"),
)
"""The files that are restored, each under its title (Qanot)."""


class RecoverySection(Struct, frozen=True):
    """The newest part of a file, and its title."""

    title: str
    path: PurePosixPath
    text: str


class RecoveryReport(Struct, frozen=True):
    """The sections to restore; `reason` says why there are none, and `notices` which files cannot be read."""

    sections: tuple[RecoverySection, ...]
    reason: str = ""
    notices: tuple[str, ...] = ()
    plan: Plan = ()


def recover(
    workspace: Workspace,
    messages: Sequence[Message],
    *,
    now: datetime,
    today: date,
    again: bool = False,
    group: str | None = None,
) -> RecoveryReport:
    """The newest part of working buffer, session state and today's note, where the conversation needs it.

    It is needed when the first messages show a compaction that has not been recovered yet, and when the user
    asks for it. Call `record_recovery` once the sections are delivered, to record that.
    """
    current = visible_compaction(messages)
    is_requested = asks_for_recovery(messages) or again
    if current is None and not is_requested:
        return RecoveryReport(
            (),
            (
                "nothing to recover: the conversation was not compacted, "
                "and its last message does not ask about earlier work"
            ),
        )
    path = workspace.layout.path("recovered", group=group)
    document = workspace.read(path)
    recovered = _recovered(document.text) if document else None
    if not is_requested and recovered == current:
        return RecoveryReport(
            (), "recovery has already run for this compaction; use --again to run it once more"
        )
    notices: list[str] = []
    sections = tuple(_sections(workspace, today, notices, group))
    if not sections:
        why = "nothing to recover: there is no working buffer, no session state and no daily note for today"
        return RecoveryReport((), why, tuple(notices))
    plan: Plan = ()
    if current not in {None, recovered}:
        text = json_text.dump({"compaction": current, "at": format_moment(now)})
        plan = (Create(path, text) if document is None else Replace(path, text, document.etag),)
    return RecoveryReport(sections, "", tuple(notices), plan)


def record_recovery(workspace: Workspace, recovery: RecoveryReport) -> None:
    """Record that the sections were delivered. Raises Locked, Unwritable.

    A concurrent run that has recorded it first is not an error.
    """
    if recovery.plan:
        with workspace.lock(), contextlib.suppress(StaleWrite):
            workspace.commit(recovery.plan)


def _sections(
    workspace: Workspace, today: date, notices: list[str], group: str | None
) -> list[RecoverySection]:
    sections: list[RecoverySection] = []
    for title, role in _SECTIONS:
        slots = {"day": today} if role == "daily-note" else {}
        path = workspace.layout.path(role, group=group, **slots)
        try:
            document = workspace.read(path)
        except UnreadableFile as error:
            notices.append(str(error))
            continue
        if document is not None and document.text.strip():
            cut = working_buffer.keep_newest if role == "working-buffer" else newest_lines
            sections.append(RecoverySection(title, path, cut(document.text, SECTION_LIMIT).strip("\n")))
    return sections


def _recovered(text: str) -> str | None:
    """The compaction that was recovered last; None where the record cannot be parsed."""
    try:
        record = json_text.load(text.encode("utf-8", "surrogateescape"))
    except json_text.InvalidJson:
        return None
    name = record.get("compaction") if isinstance(record, dict) else None
    return name if isinstance(name, str) else None
