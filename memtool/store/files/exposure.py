"""Files and folders of a tree that other users of the machine can read or change."""

from __future__ import annotations

import functools
import os
import stat
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

_GROUP_BITS, _OTHER_BITS = 0o070, 0o007


class ExposedPath(Struct, frozen=True):
    """A file or folder (`.` is the root) that other users can read or, if `is_writable`, change."""

    path: str
    mode: int
    is_folder: bool
    is_writable: bool


def exposed_paths(
    root: str, full_stats: Mapping[str, os.stat_result], paths: Iterable[str]
) -> Iterator[ExposedPath]:
    """The exposed ones of the wanted files and their folders; `full_stats` has the stat result of each.

    A permission counts only if all folders above can be entered. A user's private group, as many systems
    create one per user, does not count as other users.
    """
    access = _AccessCheck(root, full_stats)
    folders = {""}
    for path in paths:
        info = full_stats.get(path)
        folder = path.rpartition("/")[0]
        while folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
        if info is not None and info.st_mode & 0o066:
            usable = access.usable(path, info)
            if usable & 0o066:
                is_writable = bool(usable & 0o022)
                yield ExposedPath(path, stat.S_IMODE(info.st_mode), is_folder=False, is_writable=is_writable)
    for folder in sorted(folders):
        info = full_stats.get(folder) if folder else _stat(root)
        if info is None or not info.st_mode & 0o022 or info.st_mode & stat.S_ISVTX:
            continue
        if access.usable(folder, info) & 0o022:
            mode = stat.S_IMODE(info.st_mode)
            yield ExposedPath(folder or ".", mode, is_folder=True, is_writable=True)


def is_folder_exposed(root: str, full_stats: Mapping[str, os.stat_result], folder: str) -> bool:
    """Whether other users can read or change a folder of the tree."""
    info = _stat(os.path.join(root, folder))
    return info is not None and bool(_AccessCheck(root, full_stats).usable(folder, info) & 0o066)


class _AccessCheck:
    """Computes whether other users (None) or members of a group can enter the folders of a tree."""

    def __init__(self, root: str, full_stats: Mapping[str, os.stat_result]) -> None:
        self._root = root
        self._full_stats = full_stats
        self._cache: dict[tuple[str, int | None], bool] = {}

    def usable(self, path: str, info: os.stat_result) -> int:
        """The permission bits of a file or folder that other users can make use of."""
        above = path.rpartition("/")[0] if path else None
        bits = _OTHER_BITS if self._enters(above, None) else 0
        if not _is_own_group(info.st_uid, info.st_gid) and self._enters(above, info.st_gid):
            bits |= _GROUP_BITS
        return info.st_mode & bits

    def _enters(self, folder: str | None, group: int | None) -> bool:
        """Whether they can enter a folder of the tree; None is the parent folder of the root."""
        if folder is None:
            return self._enters_parents(os.path.dirname(self._root), group)
        key = folder, group
        if key not in self._cache:
            info = self._full_stats.get(folder) if folder else _stat(self._root)
            above = folder.rpartition("/")[0] if folder else None
            self._cache[key] = info is not None and _admits(info, group) and self._enters(above, group)
        return self._cache[key]

    def _enters_parents(self, folder: str, group: int | None) -> bool:
        while True:
            info = _stat(folder)
            if info is None or not _admits(info, group):
                return False
            if os.path.dirname(folder) == folder:
                return True
            folder = os.path.dirname(folder)


def _admits(info: os.stat_result, group: int | None) -> bool:
    return bool(info.st_mode & (0o010 if group is not None and group == info.st_gid else 0o001))


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


@functools.cache
def _is_own_group(uid: int, gid: int) -> bool:
    """Whether a group has no member but the owner: it has the owner's name and no other members."""
    try:
        import grp
        import pwd

        name, group = pwd.getpwuid(uid).pw_name, grp.getgrgid(gid)
    except (ImportError, KeyError):
        return False
    return group.gr_name == name and not set(group.gr_mem) - {name}
