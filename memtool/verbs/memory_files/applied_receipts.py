"""Which receipts of forgotten text the tree has applied: those of others arrive with their tree's files."""

from __future__ import annotations

from memtool.store.files import applied_receipts
from memtool.store.workspace import Workspace


def expect_receipts(workspace: Workspace) -> None:
    """From the first call on, a receipt that arrives is new; those that are here already count as applied.

    Raises UnreadableFile, Unwritable, OutsideWorkspace.
    """
    if workspace.writes and workspace.has("forgotten") and not applied_receipts.is_known(workspace.root):
        record_receipts(workspace)


def record_receipts(workspace: Workspace) -> None:
    """Record that all receipts of the tree are applied. Raises UnreadableFile, Unwritable."""
    path = str(workspace.layout.path("forgotten"))
    applied_receipts.write(workspace.root, receipt_lines(workspace), path)


def receipt_lines(workspace: Workspace) -> list[str]:
    """The lines of the file of receipts. Raises UnreadableFile."""
    document = workspace.read(workspace.layout.path("forgotten"))
    return [line for line in document.text.split("\n") if line.strip()] if document else []
