"""What git does with the work tree that contains a workspace, by the files in git's folder; git is not run.

Git writes the files of the tree first and its index last. So a file that git has written since its index was
recorded here is newer than that index.
"""

from __future__ import annotations

import os

from memtool.store.files import derived
from memtool.store.root import enclosing_work_tree

_NAME, _REPORTED = "git-index", "git-reported"
_UNFINISHED = ("index.lock", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
"""Files and folders of an operation that is running, or waits for conflicts to be resolved."""
_MOST_DIGITS = 20
_MOST_CHARS = 5000
"""Of a file `.git`: a path and the word before it."""


def is_unfinished(root: str) -> bool:
    """Whether git is writing the tree, or a merge, rebase, cherry-pick or revert waits to be continued."""
    folder = _git_folder(root)
    return folder is not None and any(os.path.lexists(os.path.join(folder, name)) for name in _UNFINISHED)


def has_new_index(root: str) -> bool:
    """Whether git has an index that is not the recorded one; a few looks at the disk."""
    stamp = index_stamp(root)
    return bool(stamp) and stamp != _recorded(root)


def has_unreported_index(root: str) -> bool:
    """Whether git has an index whose state was not reported to the user."""
    stamp = index_stamp(root)
    return bool(stamp) and stamp != _recorded(root, _REPORTED)


def index_stamp(root: str) -> str:
    """The modification time in nanoseconds, size and inode of git's index; "" where there is none."""
    folder = _git_folder(root)
    try:
        info = os.stat(os.path.join(folder, "index")) if folder is not None else None
    except OSError:
        info = None
    return f"{info.st_mtime_ns} {info.st_size} {info.st_ino}" if info else ""


def record_index(root: str, stamp: str) -> None:
    """Record the stamp of an index. Raises Unwritable, OutsideWorkspace."""
    derived.write(root, _NAME, stamp.encode())


def record_report(root: str) -> None:
    """Record that the state of the present index was reported. Raises Unwritable, OutsideWorkspace."""
    derived.write(root, _REPORTED, index_stamp(root).encode())


def recorded_time(root: str) -> int | None:
    """When the recorded index was written, in nanoseconds since 1970; None where none is recorded."""
    time = _recorded(root).partition(" ")[0]
    return int(time) if time.isdecimal() and len(time) < _MOST_DIGITS else None


def _recorded(root: str, name: str = _NAME) -> str:
    return (derived.read(root, name) or b"").decode("ascii", "replace")


def _git_folder(root: str) -> str | None:
    """The folder with the index of the work tree that contains a folder (gitrepository-layout(5))."""
    tree = enclosing_work_tree(root)
    if tree is None:
        return None
    path = os.path.join(tree, ".git")
    if not os.path.isfile(path):
        return path
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            name = file.read(_MOST_CHARS).removeprefix("gitdir:").strip()
    except OSError:
        return None
    return None if "\0" in name else os.path.join(tree, name)
