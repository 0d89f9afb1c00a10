"""scan: record a user message's entries in the session state, durable ones in long-term memory too."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from memtool.core.capture import scan as decide
from memtool.core.capture.scan import CapturedEntry
from memtool.core.capture.triggers import EntryDestination, TriggerTable, build_triggers
from memtool.core.records.entries import Fact, Owner, WalEntry
from memtool.core.records.plan import Append, Change, Create, Plan, Replace
from memtool.errors import OutsideWorkspace, UnreadableFile
from memtool.formats import session_state
from memtool.layouts.seeds import seed_text
from memtool.store.config.settings import Settings
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.long_term import remember_plan


class RecordedEntry(Struct, frozen=True):
    """One logged entry; `duplicate` says that long-term memory already has its fact."""

    hit: CapturedEntry
    duplicate: bool


class ScanReport(Struct, frozen=True):
    """The entries of one message in the order of its text, and the plan."""

    entries: tuple[RecordedEntry, ...]
    plan: Plan


def scan(
    workspace: Workspace,
    message: str,
    *,
    now: datetime,
    owner: Owner | None,
    triggers: TriggerTable,
    group: str | None = None,
) -> ScanReport:
    """Record the entries of one user message; the log comes first, so that a crash loses nothing.

    Long-term memory gets each durable fact once. Where it cannot be read, the log is still written. Raises
    Locked, OutsideWorkspace, StaleWrite, UnreadableFile, Unwritable.
    """
    hits = decide.scan_message(message, now, owner, triggers)
    if not hits:
        return ScanReport((), ())
    with workspace.lock():
        durable = [hit for hit in hits if hit.destination is EntryDestination.LONG_TERM]
        facts = [Fact(hit.entry.category, hit.entry.detail, hit.entry.owner) for hit in durable]
        log_plan = _log_plan(workspace, [hit.entry for hit in hits], group)
        try:
            memory_plan, is_duplicate = remember_plan(workspace, facts, group=group)
        except (OutsideWorkspace, UnreadableFile):
            workspace.commit(log_plan)
            raise
        plan = (*log_plan, *memory_plan)
        workspace.commit(plan)
    duplicates = [hit for hit, known in zip(durable, is_duplicate, strict=True) if known]
    return ScanReport(tuple(RecordedEntry(hit, hit in duplicates) for hit in hits), plan)


def load_triggers(settings: Settings) -> TriggerTable:
    """The built-in triggers and those of the settings. Raises BadUsage."""
    return build_triggers(settings["scan.phrases"], settings["scan.patterns"])


def _log_plan(workspace: Workspace, entries: Sequence[WalEntry], group: str | None) -> Plan:
    """The plan that appends entries to the session state; past the limit the oldest are archived."""
    path = workspace.layout.path("session-state", group=group)
    text = "".join(session_state.render_line(entry) + "\n" for entry in entries)
    stat = workspace.disk.stat(path)
    if stat is None:
        return (Create(path, seed_text(workspace.layout, "session-state") + text),)
    max_bytes = workspace.settings["session_state.max_bytes"]
    if stat.size + len(text.encode("utf-8", "replace")) <= max_bytes:
        return (Append(path, text),)
    document = workspace.read_text(path)
    if document is None:
        return (Create(path, seed_text(workspace.layout, "session-state") + text),)
    kept, archived = session_state.split_oldest(document.text, max_bytes * 4 // 5)
    changes: list[Change] = []
    if archived:
        archive = workspace.layout.path("session-state-archive", group=group)
        if workspace.disk.stat(archive) is None:
            changes.append(Create(archive, seed_text(workspace.layout, "session-state-archive") + archived))
        else:
            changes.append(Append(archive, archived))
    head = kept if kept.endswith("\n") or not kept else kept + "\n"
    return (*changes, Replace(path, head + text, document.etag))
