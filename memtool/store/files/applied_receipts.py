"""The receipts of forgotten text that this tree has applied, in the private folder.

The file has the size and time of the file of receipts when it was read last, then a digest for each receipt
that was applied, and one after `held-` for each that waits for a person's decision.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from memtool.core.digest import blake2b
from memtool.layouts.layout import Layout
from memtool.store.files import derived

_NAME = "receipts"
_MOST_BYTES = 1 << 26
_HELD = "held-"


def is_known(root: str) -> bool:
    """Whether the file exists: without it no receipt counts as new."""
    return derived.exists(root, _NAME)


def name_of(line: str) -> str:
    """The digest of a receipt's line."""
    return blake2b(line.strip().encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def read(root: str) -> set[str]:
    """The digests of the receipts that were applied."""
    return {row for row in _rows(root)[1:] if not row.startswith(_HELD)}


def read_held(root: str) -> set[str]:
    """The digests of the receipts that wait for a person's decision."""
    return {row.removeprefix(_HELD) for row in _rows(root)[1:] if row.startswith(_HELD)}


def write(root: str, applied: Iterable[str], path: str, held: Iterable[str] = ()) -> None:
    """Record the digests of the receipts in the file at `path`, and that it was read as it is now.

    Raises Unwritable, OutsideWorkspace.
    """
    rows = [_stamp(root, path), *sorted(applied), *sorted(f"{_HELD}{name}" for name in held)]
    derived.write(root, _NAME, "\n".join(rows).encode())


def may_have_new(root: str, layout: Layout) -> bool:
    """Whether the file of receipts was written since it was read last; one look at the disk in most trees."""
    return is_known(root) and _rows(root)[:1] != [_stamp(root, str(layout.path("forgotten")))]


def _rows(root: str) -> list[str]:
    return (derived.read(root, _NAME, _MOST_BYTES) or b"").decode("ascii", "replace").split("\n")


def _stamp(root: str, path: str) -> str:
    try:
        found = os.stat(os.path.join(root, path), follow_symlinks=False)
    except OSError:
        return "none"
    return f"{found.st_size} {found.st_mtime_ns}"
