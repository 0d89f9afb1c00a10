"""The files of histories that a merge has changed, for the next command that writes: turns may share numbers.

A merge driver runs before git puts the result into the tree, so that a command which looks at once may find
nothing to do. Each path therefore stays in the list for a minute.
"""

from __future__ import annotations

import contextlib
import os
import time

from memtool.store.files import derived, private

_SECONDS = 60.0


def merged_paths(root: str) -> dict[str, float]:
    """The paths from the root, and when each was merged, in seconds since 1970."""
    found: dict[str, float] = {}
    for line in (derived.read(root, derived.MERGED) or b"").decode("utf-8", "surrogateescape").splitlines():
        seconds, _, path = line.partition(" ")
        with contextlib.suppress(ValueError):
            found[path] = float(seconds)
    return found


def add(root: str, path: str, *, is_written: bool = False) -> None:
    """Add a path; `is_written` if its file is in the tree already. Raises Unwritable, OutsideWorkspace."""
    _write(root, merged_paths(root) | {path: 0.0 if is_written else time.time()})


def drop_settled(root: str) -> None:
    """Remove the paths that were merged more than a minute ago. Raises Unwritable, OutsideWorkspace."""
    paths = merged_paths(root)
    recent = {path: at for path, at in paths.items() if 0 <= time.time() - at < _SECONDS}
    if recent != paths or not paths:
        _write(root, recent)


def _write(root: str, paths: dict[str, float]) -> None:
    if not paths:
        with contextlib.suppress(FileNotFoundError), private.opened(root, make=False) as folder:
            os.unlink(derived.MERGED, dir_fd=folder)
        return
    lines = "".join(f"{at} {path}\n" for path, at in paths.items())
    derived.write(root, derived.MERGED, lines.encode("utf-8", "surrogateescape"))
