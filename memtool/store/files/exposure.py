"""Exposure: which files and folders of a tree other users of the machine can read or change."""

from __future__ import annotations

import functools
import os
import stat
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

_GROUP, _OTHERS = 0o070, 0o007


class Exposed(Struct, frozen=True):
    """A file or folder (`.` is the root) that others can read, or, as `is_writable` says, change."""

    path: str
    mode: int
    is_folder: bool
    is_writable: bool


def exposed(root: str, whole: Mapping[str, os.stat_result], wanted: Iterable[str]) -> Iterator[Exposed]:
    """What others can get at: of the wanted files and the folders they lie in, as `whole` describes them.

    A permission counts where somebody can use it: who may not enter a folder on the way sees nothing in it. A
    group that is its owner's own, as many systems make one for each user, is nobody else.
    """
    reach = _Reach(root, whole)
    folders = {""}
    for path in wanted:
        info = whole.get(path)
        folder = path.rpartition("/")[0]
        while folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
        if info is not None and info.st_mode & 0o066:
            usable = reach.usable(path, info)
            if usable & 0o066:
                is_writable = bool(usable & 0o022)
                yield Exposed(path, stat.S_IMODE(info.st_mode), is_folder=False, is_writable=is_writable)
    for folder in sorted(folders):
        info = whole.get(folder) if folder else _stat(root)
        if info is None or not info.st_mode & 0o022 or info.st_mode & stat.S_ISVTX:
            continue
        if reach.usable(folder, info) & 0o022:
            mode = stat.S_IMODE(info.st_mode)
            yield Exposed(folder or ".", mode, is_folder=True, is_writable=True)


def is_open(root: str, whole: Mapping[str, os.stat_result], folder: str) -> bool:
    """Whether others can look into a folder of the tree, or change what is in it."""
    info = _stat(os.path.join(root, folder))
    return info is not None and bool(_Reach(root, whole).usable(folder, info) & 0o066)


class _Reach:
    """Who gets as far as the folders of a tree: strangers (None), or the members of a group."""

    def __init__(self, root: str, whole: Mapping[str, os.stat_result]) -> None:
        self._root = root
        self._whole = whole
        self._known: dict[tuple[str, int | None], bool] = {}

    def usable(self, path: str, info: os.stat_result) -> int:
        """The bits of a file's or folder's mode that somebody else can use."""
        above = path.rpartition("/")[0] if path else None
        bits = _OTHERS if self._enters(above, None) else 0
        if not _is_own_group(info.st_uid, info.st_gid) and self._enters(above, info.st_gid):
            bits |= _GROUP
        return info.st_mode & bits

    def _enters(self, folder: str | None, group: int | None) -> bool:
        """Whether they get into a folder of the tree; None is the folder that the root lies in."""
        if folder is None:
            return self._gets_there(os.path.dirname(self._root), group)
        key = folder, group
        if key not in self._known:
            info = self._whole.get(folder) if folder else _stat(self._root)
            above = folder.rpartition("/")[0] if folder else None
            self._known[key] = info is not None and _admits(info, group) and self._enters(above, group)
        return self._known[key]

    def _gets_there(self, folder: str, group: int | None) -> bool:
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
    """Whether a group has nobody in it but the owner: it is named like him, and no one else is in it."""
    try:
        import grp
        import pwd

        name, group = pwd.getpwuid(uid).pw_name, grp.getgrgid(gid)
    except (ImportError, KeyError):
        return False
    return group.gr_name == name and not set(group.gr_mem) - {name}
