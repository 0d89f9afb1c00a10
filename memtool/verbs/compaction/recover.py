"""recover: after a compaction, what the agent needs to know where it stood; offered once."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.compaction.recover import EACH, asks, compaction, newest_lines
from memtool.core.records.plan import Create, Plan, Replace
from memtool.core.records.turn import Message, spell
from memtool.errors import StaleWrite, Unreadable
from memtool.formats import working_buffer
from memtool.formats.syntax import json_text
from memtool.store.workspace import Workspace

_SECTIONS = (
    ("Working Buffer Recovery", "working-buffer"),
    ("Session State", "session-state"),
    ("Today's Notes", "daily-note"),
)
"""What is brought back, each under its title (Qanot)."""


class Section(Struct, frozen=True):
    """A file's newest part under its title."""

    title: str
    path: PurePosixPath
    text: str


class Recovery(Struct, frozen=True):
    """What is brought back, if anything; `why` says why nothing is, and `notices` what could not be read."""

    sections: tuple[Section, ...]
    why: str = ""
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
) -> Recovery:
    """The newest of working buffer, session state and today's note, where the conversation needs it.

    It does where its first messages show a compaction for which this was not offered yet, and wherever the
    user asks. `offered` puts down that it was; call it once the sections have reached whoever asked.
    """
    shown = compaction(messages)
    asked = asks(messages) or again
    if shown is None and not asked:
        return Recovery((), "the conversation shows no compaction and nobody asks where things stood")
    path = workspace.layout.path("recovered", group=group)
    document = workspace.read(path)
    known = _name(document.text) if document else None
    if not asked and known == shown:
        return Recovery((), "recovery was offered for this compaction already; --again offers it once more")
    notices: list[str] = []
    sections = tuple(_sections(workspace, today, notices, group))
    if not sections:
        nothing = "there is nothing to bring back: no working buffer, session state or note of today"
        return Recovery((), nothing, tuple(notices))
    plan: Plan = ()
    if shown not in {None, known}:
        text = json_text.dump({"compaction": shown, "at": spell(now)})
        plan = (Create(path, text) if document is None else Replace(path, text, document.etag),)
    return Recovery(sections, "", tuple(notices), plan)


def offered(workspace: Workspace, recovery: Recovery) -> None:
    """Put down that recovery was offered, so that it is not again. Raises Locked, Unwritable.

    Where somebody else has put it down meanwhile, that is as good.
    """
    if recovery.plan:
        with workspace.lock(), contextlib.suppress(StaleWrite):
            workspace.commit(recovery.plan)


def _sections(workspace: Workspace, today: date, notices: list[str], group: str | None) -> list[Section]:
    found: list[Section] = []
    for title, role in _SECTIONS:
        layout = workspace.layout
        slots = {"day": today} if role == "daily-note" else {}
        path = layout.path(role, group=group, **slots)
        try:
            document = workspace.read(path)
        except Unreadable as error:
            notices.append(str(error))
            continue
        if document is not None and document.text.strip():
            cut = working_buffer.newest if role == "working-buffer" else newest_lines
            found.append(Section(title, path, cut(document.text, EACH).strip("\n")))
    return found


def _name(text: str) -> str | None:
    """The compaction for which recovery was offered last; None where nobody can tell."""
    try:
        found = json_text.load(text.encode("utf-8", "surrogateescape"))
    except json_text.NotJson:
        return None
    name = found.get("compaction") if isinstance(found, dict) else None
    return name if isinstance(name, str) else None
