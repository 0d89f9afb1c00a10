"""fleet push: bring the fleet's documents of a tree in line with its files, one transaction a file.

Design notes
------------
- The files are compared by the hashes that the local index has. What a killed push did not do, the next one
  does; nothing is noted on this machine.
- Each push has a number, and only the newest one writes. It reads the files after it got its number, so that
  a process that was stopped cannot put an older text over a newer one.
- Receipts of forgotten text go both ways first. Where the files are an older copy, restored from a backup,
  what was forgotten since is removed from them before anything is sent.
- Secrets in a file are replaced before it is divided into chunks, and their line ends are kept: lines keep
  their numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from memtool.core.records.document import Document, FileStat
from memtool.core.records.plan import Change
from memtool.core.secrets.redact import find_secrets
from memtool.core.text.edits import TextEdit, apply_edits
from memtool.errors import BadUsage
from memtool.fleet.connection import SupersededPush, connected
from memtool.fleet.document_rows import (
    PushedDocument,
    Receipt,
    add_receipts,
    begin_push,
    finish_push,
    pushed_documents,
    put_document,
    read_receipts,
    remove_document,
    stored_text,
)
from memtool.index.engine import DocumentRecord
from memtool.index.sync import Progress
from memtool.store.commit.retry import retry_when_stale
from memtool.store.external.fleet_key import FleetKey, read_key
from memtool.store.workspace import Workspace
from memtool.verbs.forgetting.arrived_receipts import forget_arrived
from memtool.verbs.indexing.document_diff import DocumentView, read_indexed
from memtool.verbs.indexing.document_record import record_of
from memtool.verbs.indexing.documents import DocumentSync
from memtool.verbs.memory_files.applied_receipts import expect_receipts
from memtool.verbs.memory_files.editable_file import append_plan

_RECEIPT_ROLES = ("digest-keys", "forgotten")
"""The files of the keys of receipts, and of the receipts."""


class PushReport(Struct, frozen=True):
    """What a push did, or would do: the files that were put, the number of those removed and unchanged.

    `unread` has a sentence for each file that may differ and could not be read. `is_superseded`: a newer push
    of the tree has begun, which sends the rest.
    """

    put: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int
    unread: tuple[str, ...] = ()
    is_superseded: bool = False


class FleetLag(Struct, frozen=True):
    """How the fleet's documents of a tree differ from its files: paths to put, and stored paths to remove."""

    put: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int


def own_key(workspace: Workspace, environment: Mapping[str, str]) -> FleetKey:
    """The key of a workspace. Raises BadUsage if it has not joined a fleet."""
    key = read_key(environment, workspace.root)
    if key is None:
        raise BadUsage("this workspace has not joined a fleet; run memtool fleet join DSN --as NAME")
    return key


def push(
    workspace: Workspace, key: FleetKey, index: DocumentSync, progress: Progress | None = None
) -> PushReport:
    """Push the changed files of a workspace; in a workspace that writes nothing, only say which.

    Raises what `connected` raises, and Locked, StaleWrite and Unwritable where text that was forgotten
    elsewhere cannot be removed; what was pushed until then stays.
    """
    put: list[str] = []
    removed: list[str] = []
    try:
        with connected(key.dsn) as connection:
            if not workspace.writes:
                view = _synced(index)
                lag = lag_of(view, pushed_documents(connection))
                return PushReport(lag.put, lag.removed, lag.unchanged, tuple(view.notices))
            number = begin_push(connection)
            if missing := receive_receipts(workspace, read_receipts(connection)):
                add_receipts(connection, number, missing)
            view = _synced(index)
            lag = lag_of(view, pushed_documents(connection))
            unread = list(view.notices) if view.unread else []
            for path in lag.removed:
                remove_document(connection, number, path)
                removed.append(path)
            for count, path in enumerate(lag.put, 1):
                record = _redacted_record(workspace, view, path)
                if record is None:
                    unread.append(
                        f"{path} was not pushed, because it changed while it was being read; "
                        "run memtool fleet push again"
                    )
                else:
                    put_document(connection, number, record)
                    put.append(path)
                if progress is not None:
                    progress(count, len(lag.put))
            if not unread:
                finish_push(connection, number)
    except SupersededPush:
        return PushReport(tuple(put), tuple(removed), 0, is_superseded=True)
    return PushReport(tuple(put), tuple(removed), lag.unchanged, tuple(unread))


def receive_receipts(workspace: Workspace, stored: set[Receipt]) -> list[Receipt]:
    """Take the receipts of forgotten text that the fleet has of a tree; those that the fleet lacks.

    What new receipts say is removed from the files. Raises UnreadableFile, Locked, StaleWrite, Unwritable.
    """
    roles = [role for role in _RECEIPT_ROLES if workspace.has(role)]
    own = {(role, line) for role in roles for line in _lines(workspace, role)}
    if stored - own:
        expect_receipts(workspace)
        _add_receipts(workspace, stored, roles)
    return sorted(own - stored)


@retry_when_stale
def _add_receipts(workspace: Workspace, stored: set[Receipt], roles: Sequence[str]) -> None:
    with workspace.lock():
        plan: list[Change] = []
        for role in roles:  # the keys before the digests that were made with them
            known = _lines(workspace, role)
            new = sorted(line for of, line in stored if of == role and line not in known)
            text = "".join(f"{line}\n" for line in new)
            plan += append_plan(workspace, workspace.layout.path(role), text)
        workspace.commit(tuple(plan))
        forget_arrived(workspace)  # reads what was committed


def _lines(workspace: Workspace, role: str) -> list[str]:
    document = workspace.read(workspace.layout.path(role))
    return [line for line in document.text.split("\n") if line.strip()] if document else []


def _synced(index: DocumentSync) -> DocumentView:
    view = index.sync()
    index.end_read()
    return view


def lag_of(view: DocumentView, pushed: Mapping[str, PushedDocument]) -> FleetLag:
    """What the fleet lacks of the files as they are now; while some cannot be listed, none is removed."""
    current = {stored_text(path): path for path in view.stamps}
    changed = sorted(
        path
        for stored, path in current.items()
        if pushed.get(stored) != PushedDocument(view.stamps[path].etag)
    )
    removed = () if view.unread else tuple(sorted(pushed.keys() - current.keys()))
    return FleetLag(tuple(changed), removed, len(current) - len(changed))


def _redacted_record(workspace: Workspace, view: DocumentView, path: str) -> DocumentRecord | None:
    """A document as the index has it, but without its secrets; None if its file has changed."""
    document, located = read_indexed(workspace, view, path), workspace.role_of(path)
    if document is None or located is None:
        return None
    stamp = view.stamps[path]
    redacted = Document(document.path, redacted_lines(document.text), document.etag)
    by_heading = workspace.layout.notes.titled_by_heading
    return record_of(redacted, located, FileStat(*stamp[:4]), stamp.at_ns, titled_by_heading=by_heading)


def redacted_lines(text: str) -> str:
    """A text without its secrets in which every line keeps its number; redacted text does not change."""
    while True:
        edits = [
            TextEdit(
                secret.start,
                secret.end,
                f"[REDACTED:{secret.kind}]" + "\n" * text.count("\n", secret.start, secret.end),
            )
            for secret in find_secrets(text)
        ]
        redacted = apply_edits(text, edits).text
        if redacted == text:
            return text
        text = redacted
