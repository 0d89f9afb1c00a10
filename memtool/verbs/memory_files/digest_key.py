"""The key of digests: it lies in the tree beside what it is for, so that both travel together."""

from __future__ import annotations

from memtool.core.records.plan import Plan
from memtool.formats import forget_receipt
from memtool.store.workspace import Workspace
from memtool.verbs.memory_files.editable_file import append_plan

_KEY_BYTES = 32


def stored_keys(workspace: Workspace) -> list[bytes]:
    """All keys of the tree; merged trees have several."""
    document = workspace.read(workspace.layout.path("digest-keys"))
    return [*forget_receipt.parse_keys(document.text)] if document else []


def digest_key(workspace: Workspace) -> tuple[bytes, Plan]:
    """The key of new digests: the first of the tree, else a new one with the plan that stores it."""
    if keys := stored_keys(workspace):
        return keys[0], ()
    import secrets  # most commands need no new key

    key = secrets.token_bytes(_KEY_BYTES)
    path = workspace.layout.path("digest-keys")
    return key, append_plan(workspace, path, forget_receipt.render_key(key))
