"""scan: what a user message says that is worth keeping goes to the log, what lasts to long-term memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from memtool.core.capture import scan as decide
from memtool.core.capture.scan import Found
from memtool.core.capture.triggers import Triggers, with_phrases
from memtool.core.records.entry import Fact, Owner, WalEntry
from memtool.core.records.plan import Append, Change, Create, Plan, Replace
from memtool.errors import OutsideWorkspace, Unreadable
from memtool.formats import session_state
from memtool.layouts.seeds import seed_text
from memtool.store.config.settings import Settings
from memtool.store.workspace import Workspace
from memtool.verbs.memory.remember import remember


class Recorded(Struct, frozen=True):
    """One entry that was logged; `duplicate` says that long-term memory had its fact already."""

    found: Found
    duplicate: bool


class Scanned(Struct, frozen=True):
    """The entries of one message, in the order of its text, and what was written for them."""

    entries: tuple[Recorded, ...]
    plan: Plan


def scan(
    workspace: Workspace,
    message: str,
    *,
    now: datetime,
    owner: Owner | None,
    triggers: Triggers,
    group: str | None = None,
) -> Scanned:
    """Log what one user message says; the log is written first, so a crash loses nothing.

    Long-term memory gets each durable fact once, however often it is said; where it cannot be read, the log
    is written all the same. Raises Locked, OutsideWorkspace, StaleWrite, Unreadable, Unwritable.
    """
    found = decide.scan(message, now, owner, triggers)
    if not found:
        return Scanned((), ())
    with workspace.lock():
        durable = [one for one in found if one.durable]
        facts = [Fact(one.entry.category, one.entry.detail, one.entry.owner) for one in durable]
        log = _log(workspace, [one.entry for one in found], group)
        try:
            remembered, said = remember(workspace, facts, group=group)
        except (OutsideWorkspace, Unreadable):
            workspace.commit(log)
            raise
        plan = (*log, *remembered)
        workspace.commit(plan)
    duplicates = [one for one, known in zip(durable, said, strict=True) if known]
    return Scanned(tuple(Recorded(one, one in duplicates) for one in found), plan)


def triggers_of(settings: Settings) -> Triggers:
    """The built-in triggers and those of the settings. Raises BadUsage."""
    return with_phrases(settings["scan.phrases"], settings["scan.patterns"])


def _log(workspace: Workspace, entries: Sequence[WalEntry], group: str | None) -> Plan:
    path = workspace.layout.path("session-state", group=group)
    text = "".join(session_state.line(entry) + "\n" for entry in entries)
    there = workspace.disk.stat(path)
    if there is None:
        return (Create(path, seed_text(workspace.layout, "session-state") + text),)
    most = workspace.settings["session_state.max_bytes"]
    if there.size + len(text.encode("utf-8", "replace")) <= most:
        return (Append(path, text),)
    document = workspace.read_text(path)
    if document is None:
        return (Create(path, seed_text(workspace.layout, "session-state") + text),)
    kept, archived = session_state.split_oldest(document.text, most * 4 // 5)
    changes: list[Change] = []
    if archived:
        archive = workspace.layout.path("session-state-archive", group=group)
        there = workspace.disk.stat(archive)
        if there is None:
            changes.append(Create(archive, seed_text(workspace.layout, "session-state-archive") + archived))
        else:
            changes.append(Append(archive, archived))
    ended = kept if kept.endswith("\n") or not kept else kept + "\n"
    return (*changes, Replace(path, ended + text, document.etag))
