"""The condition of a tree on disk: remains of dead writers, free space, permissions, the lock's holder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from memtool.errors import MemtoolError
from memtool.store.files import private
from memtool.store.files.staging import STAGING_FOLDER, TEMPORARY_SUFFIX
from memtool.store.root import PRIVATE_FOLDER

TEMPORARY_SUFFIXES = (TEMPORARY_SUFFIX, ".memtool-removed")
"""Suffixes of temporary names; version 0.2 removed folders under the second."""
_SET_ASIDE = f"{STAGING_FOLDER}.untrusted-"
"""Begins the paths of staging folders whose records could not be trusted."""


def leftover_files(root: str, enters: Callable[[str], bool]) -> list[str]:
    """Temporary files that dead writers left in memory folders, sorted."""
    paths: list[str] = []
    folders = ["", PRIVATE_FOLDER]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(os.path.join(root, folder)) as entries:
                for entry in entries:
                    path = f"{folder}/{entry.name}" if folder else entry.name
                    if (
                        entry.name.startswith(".") and entry.name.endswith(TEMPORARY_SUFFIXES)
                    ) or path.startswith(_SET_ASIDE):
                        paths.append(path)
                    elif entry.name[0] != "." and entry.is_dir(follow_symlinks=False) and enters(path):
                        folders.append(path)
        except OSError:
            continue  # unreadable folders are reported by another check
    return sorted(paths)


def free_space(root: str) -> tuple[int, int]:
    """Free bytes and free inodes for this user on the root's file system; -1 if inodes are not counted."""
    info = os.statvfs(root)
    return info.f_bavail * info.f_frsize, info.f_favail if info.f_files else -1


def may_write(root: str) -> bool:
    """Whether this user may create files in the root."""
    return os.access(root, os.W_OK | os.X_OK)


def withheld(root: str, paths: Iterable[str]) -> list[str]:
    """What another user owns and this one may not read and write, of `paths` and in the private folder."""
    places = [os.path.join(root, path) for path in (*paths, PRIVATE_FOLDER)]
    for folder, folders, files in os.walk(places[-1]):
        places += [os.path.join(folder, name) for name in (*folders, *files)]
    return [os.path.relpath(place, root) for place in places if _is_withheld(place)]


def _is_withheld(place: str) -> bool:
    try:
        is_others = os.lstat(place).st_uid != os.geteuid()
    except OSError:
        return False
    return is_others and not os.access(place, os.R_OK | os.W_OK, effective_ids=True)


def lock_holder(root: str) -> int | None:
    """The id of the process that holds the workspace's lock; 0 if it is unknown, None if the lock is free.

    The system releases a lock when its holder dies, so a held lock has a running holder.
    """
    import fcntl

    try:
        with private.opened(root, make=False) as folder:
            handle = private.open_file(folder, "lock", os.O_RDWR)
    except (OSError, MemtoolError):
        return None
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.lockf(handle, fcntl.LOCK_UN)
        return None
    except OSError:
        return _holder_of_inode(os.fstat(handle).st_ino)
    finally:
        os.close(handle)


def _holder_of_inode(inode: int) -> int:
    try:
        with open("/proc/locks", encoding="ascii") as file:
            for line in file:
                words = line.split()
                if len(words) > 5 and words[5].rpartition(":")[2] == str(inode):
                    return int(words[4])
    except (OSError, ValueError):
        return 0
    return 0
