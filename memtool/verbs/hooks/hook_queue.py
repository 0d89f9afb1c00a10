"""The queue of events that hooks could not record, for the next command that writes."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Never, assert_never

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from memtool.core.compaction.summary import storable_summary
from memtool.core.history.journal import CommitAuthor
from memtool.core.hooks.hook_event import (
    BootstrapFilesCollected,
    CompactionFinished,
    CompactionStarting,
    HookEvent,
    HookEventKind,
    PromptSubmitted,
    SessionEnded,
    SessionStarted,
    ToolFailed,
    TurnEnded,
)
from memtool.core.integrity import sign, verify
from memtool.core.records.document import etag_of
from memtool.core.records.entries import Owner
from memtool.core.records.plan import Remove
from memtool.core.records.scope import owner_tags
from memtool.core.secrets.redact import redact
from memtool.errors import (
    DeadlineExceeded,
    MemtoolError,
    OutsideWorkspace,
    UnfinishedCommit,
    UnreadableFile,
    Unwritable,
)
from memtool.store.files import queue
from memtool.store.files.log import append_line
from memtool.store.workspace import Workspace
from memtool.verbs.access.scope import decide_prompt_scope
from memtool.verbs.hooks.hook import record_prompt, storable_prompt
from memtool.verbs.hooks.hook_call import TRANSIENT, HookCall, HookOutcome
from memtool.verbs.hooks.hook_compaction import flush_before_compaction, store_agent_summary
from memtool.verbs.hooks.hook_failures import record_failure
from memtool.verbs.hooks.hook_turns import end_session, import_turns
from memtool.verbs.hooks.turn_notes import SIDE_CHARS
from memtool.verbs.indexing.turns import TurnSync
from memtool.verbs.turns.append_turn import redact_values

_VERSION = 1


class QueuedEvent(Struct, frozen=True):
    """An event as it is queued: redacted, with what `HookCall` says about its caller.

    `event_id` is that of `HookCall`. `at` is the time of the event in the workspace's zone. `root` and
    `root_id` are the path and the device and inode of the workspace's folder. An event belongs to a workspace
    that has either of them: a renamed folder keeps its inode, and a folder whose device has another number
    after a reboot keeps its path. The signature alone would not do, since another tree could bring an event
    that this user's memtool queued elsewhere.
    """

    root: str
    root_id: tuple[int, int]
    event_id: str
    event: HookEvent
    at: datetime
    owner: Owner | None
    record_owners: Mapping[str, str]
    group: str | None
    acts_for_group: bool
    version: int = _VERSION


class _QueuedVersion(Struct):
    version: int


def queue_event(call: HookCall, reply: HookOutcome, error: str, consequence: str) -> None:
    """Queue the event of a hook that did not record it because of `error`, and report both in `reply`.

    Afterwards it is not missed any more; where it cannot be queued, it still is, and `consequence` follows.
    There must be no time limit: what an agent is answered after is on the disk. Never raises.
    """
    if call.workspace.writes:
        with reply.step("queue", "the event was not queued"):
            _add(call)
            reply.missed = None
            consequence = "the event was queued; the next command that writes to the workspace will record it"
    reply.errors.append(f"{error}; {consequence}")


def _add(call: HookCall) -> None:
    workspace = call.workspace
    key = workspace.key()
    if key is None:
        raise Unwritable("the key that signs queued events is missing")
    event = replace(
        call.event, session=redact_values(call.event.session), cwd="", kind=_storable(call.event.kind)
    )
    queued = QueuedEvent(
        workspace.root,
        _root_id(workspace),
        call.event_id,
        event,
        call.now.astimezone(call.zone),
        call.owner,
        call.record_owners,
        call.group,
        call.acts_for_group,
    )
    queue.add(workspace.disk, sign(msgspec.json.encode(queued), key), call.event_id)


def _storable(kind: HookEventKind) -> HookEventKind:
    """The event without secrets, and without what is not kept of it anyway."""
    match kind:
        case PromptSubmitted(text):
            return PromptSubmitted(storable_prompt(text)[0])
        case TurnEnded(answer, is_subagent, prompts, id_):
            redacted = tuple(map(redact, prompts))
            return TurnEnded(redact(answer)[:SIDE_CHARS], is_subagent, redacted, redact_values(id_))
        case CompactionFinished(summary):
            return CompactionFinished(storable_summary(summary))
        case ToolFailed(id_, tool, arguments, output):
            texts = (arguments[:SIDE_CHARS], output[:SIDE_CHARS])
            return ToolFailed(redact_values(id_), redact_values(tool), *map(redact, texts))
        case _:
            return kind


def record_queued(workspace: Workspace) -> None:
    """Record the events that wait, in order, each in the commit that removes its file.

    `workspace` is locked. What cannot be recorded now waits for the next writer, and so does the rest after
    as many seconds as a command waits for the lock. What can never be recorded is set aside. Raises
    UnfinishedCommit.
    """
    key = workspace.key()
    if key is None:
        return
    until = time.monotonic() + workspace.settings["lock_timeout"]
    for name in queue.waiting_events(workspace.root):
        try:
            if not _record(workspace.holding_lock(), name, key) or time.monotonic() > until:
                return
        except DeadlineExceeded:
            return
        except UnfinishedCommit:
            raise
        except MemtoolError as error:
            workspace.report(f"queued hook events could not be recorded: {error}")
            return


def _record(workspace: Workspace, name: str, key: bytes) -> bool:
    """Record one event, or set it aside; False if it waits on. Raises MemtoolError."""
    try:
        loaded = load_event(workspace, name, key)
    except UnreadableFile as unread:  # what follows is recorded all the same
        workspace.report(f"{unread}; the hook event stays in the queue")
        return True
    if loaded is None:
        problem = f"{queue.QUEUE_FOLDER / name} does not contain a valid hook event for this workspace"
        try:
            aside = queue.set_aside(workspace.disk, name)
        except MemtoolError as failure:  # what follows is recorded all the same
            workspace.report(
                f"{problem}, and memtool could not move it out of the queue ({failure}); delete the file"
            )
        else:
            workspace.report(f"{problem} and was moved to {aside}")
        return True
    queued, etag = loaded
    label = f"hook {queued.event.agent} {queued.event.name}"
    workspace.journal.set_author(lambda: CommitAuthor(label, **queued.record_owners))
    reply = HookOutcome()
    with reply.step("queue", "unless the failure is temporary, the event is moved out of the queue"):
        _apply(late_call(workspace, queued), reply, queue.QUEUE_FOLDER / name, etag)
    if reply.errors:
        append_line(workspace.root, queued.at, f"{label}, queued: {'; '.join(reply.errors)}")
    errors = [cause for error in reply.failures for cause in (error, error.__cause__)]
    for error in errors:
        if isinstance(error, UnfinishedCommit):
            raise error
    if reply.missed is not None or any(isinstance(error, TRANSIENT) for error in errors):
        return False
    if not reply.failures:
        workspace.commit(())  # removes the file, unless a commit of the event did
    elif workspace.disk.stat(queue.QUEUE_FOLDER / name) is not None:
        path = queue.set_aside(workspace.disk, name)
        workspace.report(f"a queued hook event could not be recorded; see {path} and .memtool/log")
    return True


def load_event(workspace: Workspace, name: str, key: bytes) -> tuple[QueuedEvent, str] | None:
    """An event and the etag of its file; None for one that this user's memtool did not queue here.

    Raises UnreadableFile for one that may be recorded later: it cannot be read now, or a newer version of
    memtool queued it.
    """
    try:
        signed = queue.load(workspace.disk, name)
    except OutsideWorkspace:
        return None
    except UnreadableFile as error:
        if isinstance(error.__cause__, OSError):
            raise
        return None  # no file
    content = None if signed is None else verify(signed, key)
    if signed is None or content is None:
        return None
    try:
        if msgspec.json.decode(content, type=_QueuedVersion).version > _VERSION:
            raise UnreadableFile(
                f"{queue.QUEUE_FOLDER / name} was queued by a newer version of memtool; update memtool"
            )
        queued = msgspec.json.decode(content, type=QueuedEvent)
    except msgspec.MsgspecError:
        return None
    is_of_here = queued.root == workspace.root or queued.root_id == _root_id(workspace)
    return (queued, etag_of(signed)) if is_of_here else None


def _root_id(workspace: Workspace) -> tuple[int, int]:
    """The device and the inode of the workspace's folder."""
    info = os.stat(workspace.root)
    return info.st_dev, info.st_ino


def late_call(workspace: Workspace, queued: QueuedEvent) -> HookCall:
    """The call of an event that nobody waits for, within what it may still access.

    Raises OutsideWorkspace, BadUsage.
    """
    actor = queued.group if queued.acts_for_group else None
    owners = owner_tags(queued.record_owners)
    return HookCall(
        workspace=workspace,
        event=queued.event,
        event_id=queued.event_id,
        now=queued.at,
        zone=queued.at.tzinfo or UTC,
        owner=queued.owner,
        record_owners=queued.record_owners,
        scope=decide_prompt_scope(workspace, queued.group, actor, owners, writes=True),
        acts_for_group=queued.acts_for_group,
        budget=workspace.settings["hook.budget"],
        document_index=_no_documents,
        turn_index=lambda: TurnSync(workspace, workspace.key(), wait=workspace.settings["lock_timeout"]),
        extractor=lambda: None,  # no other program runs under the lock
        was_queued=True,
    )


def _no_documents(*_: int) -> Never:
    raise AssertionError("a queued hook event gets no response, so handling it must not search documents")


def _apply(call: HookCall, reply: HookOutcome, path: PurePosixPath, etag: str) -> None:
    """Record an event as its hook would have done.

    An import is repeated where it was interrupted, and finds by its origin what it has; every other event is
    one commit, which removes the file.
    """
    kind = call.event.kind
    if isinstance(kind, TurnEnded | SessionEnded | BootstrapFilesCollected):
        import_turns(call, reply, kind)
        if reply.failures or reply.missed:
            return
    call.workspace.with_next_commit = (Remove(path, etag),)
    match kind:
        case PromptSubmitted(text):
            record_prompt(call, reply, text)
        case CompactionStarting():
            flush_before_compaction(call, reply)
        case CompactionFinished(summary):
            store_agent_summary(call, reply, summary)
        case ToolFailed() as failed:
            record_failure(call, reply, failed)
        case SessionEnded():
            end_session(call, reply)
        case SessionStarted() | BootstrapFilesCollected() | TurnEnded():
            return
        case _:
            assert_never(kind)
