"""fleet push: bring the fleet's documents of a tree in line with its files, one transaction a file.

Design notes
------------
- The files are compared by the hashes that the local index has. What a killed push did not do, the next one
  does; nothing is noted on this machine.
- Secrets in a file are replaced before it is divided into chunks, and their line ends are kept: lines keep
  their numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from memtool.core.records.document import Document, FileStat
from memtool.core.secrets.redact import find_secrets
from memtool.core.text.edits import TextEdit, apply_edits
from memtool.errors import BadUsage
from memtool.fleet.connection import connected
from memtool.fleet.document_rows import (
    PushedDocument,
    finish_push,
    pushed_documents,
    put_document,
    remove_document,
    stored_text,
)
from memtool.index.engine import DocumentRecord
from memtool.index.sync import Progress
from memtool.store.external.fleet_key import FleetKey, read_key
from memtool.store.workspace import Workspace
from memtool.verbs.indexing.document_record import record_of
from memtool.verbs.indexing.documents import DocumentSync, DocumentView, read_indexed


class PushReport(Struct, frozen=True):
    """What a push did, or would do: the files that were put, the number of those removed and unchanged.

    `unread` has a sentence for each file that may differ and could not be read.
    """

    put: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int
    unread: tuple[str, ...] = ()


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

    Raises what `connected` raises; what was pushed until then stays.
    """
    view = index.sync()
    index.end_read()
    with connected(key.dsn) as connection:
        lag = lag_of(view, pushed_documents(connection))
        if not workspace.writes:
            return PushReport(lag.put, lag.removed, lag.unchanged, tuple(view.notices))
        unread = list(view.notices) if view.unread else []
        for path in lag.removed:
            remove_document(connection, path)
        put: list[str] = []
        for number, path in enumerate(lag.put, 1):
            record = _redacted_record(workspace, view, path)
            if record is None:
                unread.append(
                    f"{path} was not pushed, because it changed while it was read; run memtool "
                    "fleet push again"
                )
            else:
                put_document(connection, record)
                put.append(path)
            if progress is not None:
                progress(number, len(lag.put))
        if not unread:
            finish_push(connection)
    return PushReport(tuple(put), lag.removed, lag.unchanged, tuple(unread))


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
