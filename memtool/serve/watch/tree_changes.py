"""The changed files of a tree, as the kernel reports them (inotify): no others need be compared.

An observer's thread reports an event a little later. Here the queue itself is read: a change that was made
before `since` is called is known, as when an agent writes a file and then asks the watcher.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import struct
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from memtool.serve.watch.inotify_limit import InotifyLimit, limit_reached
from memtool.store.files.listing import is_package_folder
from memtool.store.root import PRIVATE_FOLDER

WHOLE_TREE = ""
"""Stands among changed paths for "compare the whole tree"."""

_MODIFY, _ATTRIBUTES, _MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x2, 0x4, 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF, _UNMOUNT, _OVERFLOW = 0x400, 0x800, 0x2000, 0x4000
_ONLY_FOLDERS, _NO_LINKS = 0x01000000, 0x02000000
_IS_FOLDER = 0x40000000
_WATCHED = (
    _MODIFY | _ATTRIBUTES | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF
) | (_ONLY_FOLDERS | _NO_LINKS)
_LOST = _DELETE_SELF | _MOVE_SELF | _UNMOUNT | _OVERFLOW
_GONE = _MOVED_FROM | _DELETE
_PRIVATE_NAME = os.fsencode(PRIVATE_FOLDER)
_EVENT = struct.Struct("iIII")
"""The head of an event in inotify(7): watch, mask, cookie, length of the name that follows."""
_BLOCK = 1 << 16
_MOST_CHANGED = 10_000
"""Changed files that are remembered: where more have changed, the whole tree is compared."""
_MOUNTS = "/proc/self/mountinfo"
"""Linux's list of mounts; whoever has it open is told of changes."""
_LOCAL_FILE_SYSTEMS = frozenset(
    ("apfs", "bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "jfs", "overlay", "tmpfs", "xfs", "zfs")
)
"""File systems that only this kernel changes. It reports nothing of what is changed on a server, or by the
host of a virtual machine."""


class TreeChanges:
    """The files of a tree that changed since `cover` was called; links are not followed.

    `enters` says which folders, by their paths below the root, can contain files that matter. A tree with
    hard links is not covered: a change by a name in another folder is not reported here.
    """

    def __init__(self, root: str, enters: Callable[[str], bool]) -> None:
        self._root = root
        self._enters = enters
        self._queue = -1
        self._mounts = -1
        self._is_covered = False
        self._is_possible = True
        self._is_changed = False
        self._position = 0
        """The number of changes until now."""
        self._covered_at = 0
        """The position from which on each changed file is known."""
        self._changed: dict[str, int] = {}
        """The position of the last change of each file, in this order."""
        self.limit: InotifyLimit | None = None
        """The limit that the last `cover` reached, if it reached one."""
        self._watched: dict[int, str] = {}
        """The folder of each watch."""

    @property
    def is_covered(self) -> bool:
        """Whether every change from now on is reported."""
        return self._is_covered

    def fileno(self) -> int:
        """The handle that can be read once something has changed; -1 where the tree is not covered."""
        return self._queue if self._is_covered else -1

    def cover(self) -> None:
        """Watch all folders of the tree, anew after folders have changed.

        Where that is not possible, `since` returns None, and no watch is used.
        """
        if self._is_covered or not self._is_possible:
            return
        self.close()
        self.limit = None
        self._position += 1
        self._covered_at = self._position
        self._changed.clear()
        folders = self._folders()
        try:
            self._mounts = os.open(_MOUNTS, os.O_RDONLY | os.O_CLOEXEC)
            self._is_possible = _is_local(self._root, self._mounts) and self._watch(folders)
            self._is_covered = self._is_possible
        except OSError as error:  # a folder that is gone again, or cannot be listed: perhaps the next time
            self.limit = limit_reached(error)
            if self.limit is not None and self._queue >= 0:
                self.limit = replace(self.limit, needed=self.limit.needed + _count(folders))
        if not self._is_covered:
            self.close()

    def _watch(self, folders: Iterator[str]) -> bool:
        """Watch the folders; False where the system has no inotify. Raises OSError."""
        import ctypes

        system = ctypes.CDLL(None, use_errno=True)
        if not hasattr(system, "inotify_init1"):
            return False
        self._queue = system.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._queue < 0:
            raise _last_error(ctypes.get_errno(), self._root)
        for folder in folders:
            path = os.path.join(self._root, folder)
            watch = system.inotify_add_watch(self._queue, os.fsencode(path), _WATCHED)
            if watch < 0:
                raise _last_error(ctypes.get_errno(), path)
            self._watched[watch] = folder
        return True

    def since(
        self, position: int | None, matters: Callable[[str], bool] = lambda _: True
    ) -> tuple[int, Sequence[str] | None] | None:
        """The present position among the changes, and the files that changed after the given one.

        Only files in folders that matter, given by their paths below the root. In place of the files None if
        any may have changed; None altogether if changes may be missed until `cover` is called again.
        """
        self._read()
        if not self._is_covered:
            return None
        if position is None or position < self._covered_at:
            return self._position, None
        paths: list[str] = []
        for path in reversed(self._changed):
            if self._changed[path] <= position:
                break
            if matters(path.rpartition("/")[0]):
                paths.append(path)
        return self._position, paths

    def take(self) -> bool:
        """Whether anything has changed since the last call."""
        self._read()
        is_changed, self._is_changed = self._is_changed, False
        return is_changed

    def _read(self) -> None:
        """Read the queue to its end."""
        while self._is_covered:
            try:
                block = os.read(self._queue, _BLOCK)
            except BlockingIOError:
                if self._has_mounted():
                    self._uncover()
                return
            except OSError:
                self._uncover()
                return
            for watch, mask, name in _events(block):
                is_cut_off = mask & _GONE and name == _PRIVATE_NAME and self._watched.get(watch) == ""
                if mask & _LOST or is_cut_off or (mask & _IS_FOLDER and name[:1] != b"."):
                    self._uncover()
                elif name and name[:1] != b".":
                    self._note(os.path.join(self._watched.get(watch, ""), os.fsdecode(name)))

    def _note(self, path: str) -> None:
        """Note that a file has changed."""
        self._is_changed = True
        self._position += 1
        self._changed.pop(path, None)
        self._changed[path] = self._position
        if len(self._changed) > _MOST_CHANGED:
            self._changed.clear()
            self._covered_at = self._position

    def _uncover(self) -> None:
        self._is_covered = False
        self._is_changed = True

    def close(self) -> None:
        """Watch nothing more."""
        self._is_covered = False
        for handle in (self._queue, self._mounts):
            if handle >= 0:
                os.close(handle)
        self._queue = self._mounts = -1
        self._watched.clear()

    def _has_mounted(self) -> bool:
        """Whether anything was mounted or unmounted since the list of mounts was read."""
        poll = select.poll()
        poll.register(self._mounts, select.POLLPRI)
        return bool(poll.poll(0))

    def _folders(self) -> Iterator[str]:
        """The root ("") and the folders below it, each before it is listed.

        Raises OSError, for hard links too.
        """
        waiting = [""]
        while waiting:
            folder = waiting.pop()
            yield folder
            with os.scandir(os.path.join(self._root, folder)) as entries:
                for entry in entries:
                    below = f"{folder}/{entry.name}" if folder else entry.name
                    if entry.is_file(follow_symlinks=False):
                        if entry.name[0] != "." and entry.stat(follow_symlinks=False).st_nlink > 1:
                            raise OSError(errno.EMLINK, os.strerror(errno.EMLINK), below)
                    elif (
                        entry.name[0] != "."
                        and entry.is_dir(follow_symlinks=False)
                        and self._enters(below)
                        and not is_package_folder(below)
                    ):
                        waiting.append(below)


def _count(folders: Iterator[str]) -> int:
    """How many folders come yet, as far as they can be listed."""
    count = 0
    with contextlib.suppress(OSError):
        for _ in folders:
            count += 1
    return count


def _last_error(code: int, path: str) -> OSError:
    return OSError(code, os.strerror(code), path)


def _events(block: bytes) -> Iterator[tuple[int, int, bytes]]:
    """The watch, the mask and the name of each event, without the name's padding."""
    at = 0
    while at < len(block):
        watch, mask, _, length = _EVENT.unpack_from(block, at)
        at += _EVENT.size + length
        yield watch, mask, block[at - length : at].rstrip(b"\0")


def _is_local(root: str, mount_list: int) -> bool:
    """Whether the tree is on one file system that only this kernel changes, by the open list of mounts."""
    try:
        with open(mount_list, encoding="utf-8", errors="surrogateescape", closefd=False) as file:
            mounts = [_mount(line.split(" ")) for line in file]
    except (OSError, ValueError, IndexError):
        return False
    if any(point.startswith(f"{root}/") for point, _ in mounts):
        return False
    above = [(point, kind) for point, kind in mounts if f"{root}/".startswith(point.rstrip("/") + "/")]
    longest = max((len(point) for point, _ in above), default=0)
    kinds = [kind for point, kind in above if len(point) == longest]
    return bool(kinds) and kinds[-1] in _LOCAL_FILE_SYSTEMS  # the last mount at a place hides the others


def _mount(fields: Sequence[str]) -> tuple[str, str]:
    """The place and the file system of a line of mountinfo (proc_pid_mountinfo(5))."""
    point = fields[4]
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        point = point.replace(code, character)
    return point, fields[fields.index("-") + 1]
