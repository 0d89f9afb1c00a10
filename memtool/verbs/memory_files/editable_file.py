"""A file that is read to be rewritten, and the plans that rewrite it or append to it."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

from msgspec import Struct

from memtool.core.records.document import etag_of
from memtool.core.records.plan import Append, Create, Plan, Replace
from memtool.layouts.seeds import seed_text
from memtool.store.workspace import Workspace


class EditableFile(Struct, frozen=True):
    """A file as it was read: its text and etag; the seed's text and no etag where there is no file."""

    path: PurePosixPath
    text: str
    etag: str | None

    def rewrite_plan(self, new: str) -> Plan:
        """The plan that gives the file a new text; empty where nothing changes."""
        if new == self.text:
            return ()
        return (Create(self.path, new) if self.etag is None else Replace(self.path, new, self.etag),)

    def after(self, text: str) -> EditableFile:
        """The file once a plan that gives it this text is committed."""
        return EditableFile(self.path, text, etag_of(text.encode("utf-8", "surrogateescape")))


def open_role_file(
    workspace: Workspace, role: str, *, group: str | None = None, day: date | None = None
) -> EditableFile:
    """The file of a role, of a day where the role has one. Raises UnreadableFile, BadUsage."""
    slots = {"day": day} if day is not None and "day" in workspace.layout.place(role).template.slots else {}
    path = workspace.layout.path(role, group=group, **slots)
    document = workspace.read_text(path)
    if document is None:
        return EditableFile(path, seed_text(workspace.layout, role, day=day), None)
    return EditableFile(path, document.text, document.etag)


def append_plan(workspace: Workspace, path: PurePosixPath, text: str, seed: str = "") -> Plan:
    """The plan that appends text to a file; a new file begins with `seed`."""
    if not text:
        return ()
    exists = workspace.disk.stat(path) is not None
    return (Append(path, text) if exists else Create(path, seed + text),)


def append_to_role_plan(workspace: Workspace, role: str, text: str) -> Plan:
    """The plan that appends text to the file of a role; a new file begins with the role's seed."""
    return append_plan(workspace, workspace.layout.path(role), text, seed_text(workspace.layout, role))
