"""Which receipts of forgotten text the tree has applied: those of others arrive with their tree's files."""

from __future__ import annotations

from collections.abc import Iterable

from memtool.store.files import applied_receipts
from memtool.store.files.applied_receipts import name_of
from memtool.store.workspace import Workspace


def expect_receipts(workspace: Workspace) -> None:
    """From the first call on, a receipt that arrives is new; those that are here already count as applied.

    Raises UnreadableFile, Unwritable, OutsideWorkspace.
    """
    if workspace.writes and workspace.has("forgotten") and not applied_receipts.is_known(workspace.root):
        record_receipts(workspace)


def record_receipts(workspace: Workspace) -> None:
    """Record that all receipts of the tree are applied, as those that it had before are.

    Raises UnreadableFile, Unwritable.
    """
    _write(workspace, applied_receipts.read(workspace.root) | {*map(name_of, receipt_lines(workspace))})


def record_receipt(workspace: Workspace, line: str) -> None:
    """Record that the receipt of this line is applied; receipts that were held stay held.

    Raises UnreadableFile, Unwritable.
    """
    if applied_receipts.is_known(workspace.root):
        root = workspace.root
        _write(workspace, applied_receipts.read(root) | {name_of(line)}, applied_receipts.read_held(root))
    else:
        record_receipts(workspace)


def divide_receipts(workspace: Workspace, applied: Iterable[str], held: Iterable[str]) -> None:
    """Record that receipts are applied, and let others wait for a person, with those that wait already.

    Raises UnreadableFile, Unwritable.
    """
    root = workspace.root
    present = {*map(name_of, receipt_lines(workspace))}
    all_held = {*applied_receipts.read_held(root), *map(name_of, held)} & present
    _write(workspace, {*applied_receipts.read(root), *map(name_of, applied)}, all_held)


def arrived_receipts(workspace: Workspace) -> list[str]:
    """The lines of the receipts that are neither applied nor held. Raises UnreadableFile."""
    held = applied_receipts.read_held(workspace.root)
    return [line for line in new_receipts(workspace) if name_of(line) not in held]


def new_receipts(workspace: Workspace) -> list[str]:
    """The lines of the receipts that are not applied, held or not. Raises UnreadableFile."""
    if not applied_receipts.is_known(workspace.root):
        return []
    applied = applied_receipts.read(workspace.root)
    return [line for line in receipt_lines(workspace) if name_of(line) not in applied]


def _write(workspace: Workspace, applied: set[str], held: Iterable[str] = ()) -> None:
    applied_receipts.write(workspace.root, applied, str(workspace.layout.path("forgotten")), held)


def receipt_lines(workspace: Workspace) -> list[str]:
    """The lines of the file of receipts. Raises UnreadableFile."""
    document = workspace.read(workspace.layout.path("forgotten"))
    return [line for line in document.text.split("\n") if line.strip()] if document else []
