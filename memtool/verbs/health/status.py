"""status: the contents of a workspace, and the state of its indexes."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from memtool.core.records.entries import WalEntry
from memtool.core.records.migration import pending_stages
from memtool.core.records.scope import Scope
from memtool.errors import MemtoolError, UnreadableFile
from memtool.formats import session_state
from memtool.index.sync import IndexState
from memtool.store.files import queue
from memtool.store.workspace import Workspace
from memtool.verbs.health.unread import files_not_read
from memtool.verbs.history.turn_counts import count_turns
from memtool.verbs.history.upgrade_history import count_outdated_turns
from memtool.verbs.indexing.facts import FactSync
from memtool.verbs.indexing.indexes import SearchIndexes
from memtool.verbs.indexing.turns import TurnSync
from memtool.verbs.layout import migrate
from memtool.verbs.merging.conflict_copies import copies_notice
from memtool.verbs.merging.git_conflicts import git_notices

_LAST_ENTRIES = 3
_MOST_TURNS_CHECKED = 2000


class WorkspaceStatus(Struct, frozen=True):
    """The summary of a workspace. `roles` counts files; `other` and `attachments` have no role.

    The attachments are the files that are no texts, such as pictures.
    """

    root: str
    layout: str
    roles: tuple[tuple[str, int], ...]
    other: tuple[str, ...]
    attachments: tuple[str, ...]
    unreadable: tuple[tuple[str, str], ...]
    skipped: tuple[tuple[str, str], ...]
    newest_note: date | None
    last_entries: tuple[WalEntry, ...]
    index: IndexState
    engine: str
    """The engine of the index of documents."""
    recommended_engine: str | None
    """The one that is recommended in place of it."""
    transcripts: IndexState
    facts: IndexState
    queued: int
    """Events of hooks that wait to be recorded."""
    sync: tuple[str, ...]
    """What is not merged with other machines, and why, each with the command to run."""
    pending: tuple[str, ...]
    """The names of pending migrations, and `history` if turns need `upgrade-history`."""


def status(
    workspace: Workspace, indexes: SearchIndexes, facts: FactSync, now: datetime, scope: Scope
) -> WorkspaceStatus:
    """Examine the workspace without changing it; files that cannot be read are listed in `unreadable`.

    What the owners of the scope may not see is not counted.
    """
    workspace = workspace.seen_by(scope.owners)
    listing = workspace.listing()
    roles: Counter[str] = Counter()
    days: list[date] = []
    for path in sorted(listing.files):
        located = workspace.role_of(path)
        if located is None:
            continue
        if scope.owners and (located.role == "turn" or not _is_shown(workspace, path)):
            continue
        roles[located.role] += 1
        if located.role == "daily-note" and located.day is not None:
            days.append(located.day)
    transcripts = indexes.turns.state()
    if scope.owners:
        roles["turn"] = _count_turns(indexes.turns, scope)
        transcripts = replace(transcripts, count=roles["turn"] if transcripts.count else 0)
    role_order = [place.role for place in workspace.layout.places]
    unreadable = list(listing.unreadable)
    last_entries = _last_entries(workspace, unreadable)
    unread = files_not_read(workspace)
    index = indexes.documents.state(lambda path: not workspace.disk.is_hidden(path))
    return WorkspaceStatus(
        root=workspace.root,
        layout=workspace.layout.name,
        roles=tuple(sorted((+roles).items(), key=lambda row: role_order.index(row[0]))),
        other=unread.records,
        attachments=unread.attachments,
        unreadable=tuple(unreadable),
        skipped=listing.skipped,
        newest_note=max(days, default=None),
        last_entries=last_entries,
        index=index,
        engine=indexes.documents.engine_name,
        recommended_engine=indexes.documents.recommended_engine(index),
        transcripts=transcripts,
        facts=facts.state(scope),
        queued=len(queue.waiting_events(workspace.root)),
        sync=_not_merged(workspace),
        pending=_pending(workspace, now, roles["turn"]),
    )


def _count_turns(index_sync: TurnSync, scope: Scope) -> int:
    return sum(count.files for count in count_turns(index_sync, UTC, [], None, scope).values())


def _is_shown(workspace: Workspace, path: str) -> bool:
    """Whether some of a file is for the workspace's reader; one that cannot be read counts as shown."""
    try:
        return workspace.disk.read_shown(PurePosixPath(path)) is not None
    except MemtoolError:
        return True


def _pending(workspace: Workspace, now: datetime, turns: int) -> tuple[str, ...]:
    """The names of pending migrations; turns of long histories are only checked by `doctor`."""
    names = pending_stages(migrate.plan_pending(workspace, now).stages)
    return (
        (*names, "history")
        if turns <= _MOST_TURNS_CHECKED and count_outdated_turns(workspace, now)
        else names
    )


def _not_merged(workspace: Workspace) -> tuple[str, ...]:
    try:
        copies = copies_notice(workspace)
        return (*git_notices(workspace), *([f"{copies}; run memtool merge --conflicts"] if copies else []))
    except MemtoolError as error:  # such as git that is not installed
        return (str(error),)


def _last_entries(workspace: Workspace, unreadable: list[tuple[str, str]]) -> tuple[WalEntry, ...]:
    path: PurePosixPath = workspace.layout.path("session-state")
    try:
        document = workspace.read(path)
    except UnreadableFile as error:
        unreadable.append((str(path), str(error).removeprefix(f"{path} cannot be read: ")))
        return ()
    if document is None:
        return ()
    return tuple(session_state.entries(session_state.parse(document.text)))[-_LAST_ENTRIES:]
