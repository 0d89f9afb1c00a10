"""Folders of the tree: made, made durable, moved aside whole and removed. The lower half of `disk`."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Iterable
from pathlib import PurePosixPath

from memtool.errors import StaleWrite, Unwritable
from memtool.store.files import guard, private
from memtool.store.files.posix import TAIL, fsync_folder, kind, reason, remove_all
from memtool.store.files.reader import Reader
from memtool.store.root import PRIVATE_FOLDER

ASIDE = ".memtool-removed"
"""The ending of the hidden name under which a folder waits to be removed."""

_FOLDER_MODE = 0o700


class Folders(Reader):
    """The folders of one tree on disk, reached by paths relative to `root`; every path passes the guard."""

    def step(self, operation: str, path: PurePosixPath) -> None:
        """Called before each single operation that changes the disk; tests stop the world here."""

    def check_folder(self, path: PurePosixPath) -> None:
        """Raise Unwritable where something that is no folder stands in the way to a file."""
        for parent in self.place(path).parents:
            try:
                info = os.lstat(os.path.join(self.root, str(parent)))
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:  # a loop of links, or a folder that nobody may look into
                raise Unwritable(f"{path} cannot be written: {reason(error)}; nothing was written") from error
            if not stat.S_ISDIR(info.st_mode):
                raise Unwritable(f"{path} cannot be written: {parent} is not a folder; nothing was written")

    def sync_folders(self, paths: Iterable[PurePosixPath]) -> None:
        """Make the names in the folders of these files durable, each folder once. Raises Unwritable."""
        for folder in dict.fromkeys(self.place(path).parent for path in paths):
            try:
                with self._folder(folder / "_") as handle:
                    self._sync_folder(folder / "_", handle)
            except OSError as error:
                raise Unwritable(f"{folder} cannot be written to the disk: {reason(error)}") from error

    def prune(self, path: PurePosixPath, until: PurePosixPath | None = None) -> None:
        """A folder, and then those above it up to one that stays, taken away as far as nothing is in them."""
        for folder in (path, *path.parents):
            if folder == until or not folder.parts:
                return
            try:
                self.step("rmdir", folder)
                os.rmdir(os.path.join(self.root, str(self.place(folder))))
            except OSError:
                return

    def make_folder(self, path: PurePosixPath) -> None:
        """A private folder, and those above it, where missing. Raises Unwritable."""
        try:
            self._make_folders(self.place(path) / "_")
        except OSError as error:
            raise Unwritable(f"{path} cannot be made: {reason(error)}") from error

    def named(self, path: PurePosixPath) -> PurePosixPath:
        """A name in a folder, itself: the links on the way are followed, a link that it may be is not."""
        name = guard.clean(path)
        return self.place(name.parent) / name.name if len(name.parts) > 1 else name

    def stands(self, path: PurePosixPath) -> bool:
        """Whether anything has a name, a link that leads nowhere included."""
        return os.path.lexists(os.path.join(self.root, str(self.named(path))))

    def tail(self, path: PurePosixPath) -> tuple[int, bytes]:
        """The size of a file that will be added to, and its last bytes. Raises StaleWrite, Unwritable."""
        place = self.place(path)
        flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        try:
            with self._folder(place) as folder:
                handle = os.open(place.name, flags, dir_fd=folder)
            try:
                info = os.fstat(handle)
                if not stat.S_ISREG(info.st_mode):
                    raise Unwritable(f"{path} is {kind(info.st_mode)}, not a file; nothing was written")
                return info.st_size, os.pread(handle, TAIL, max(0, info.st_size - TAIL))
            finally:
                os.close(handle)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise StaleWrite(path) from error
        except OSError as error:
            raise Unwritable(f"{path} cannot be written: {reason(error)}; nothing was written") from error

    def tree(self, path: PurePosixPath, most: int) -> list[tuple[PurePosixPath, int | None]]:
        """Every file that stands at a name or below it, sorted, with its size in bytes; None: it is no file.

        Links are not followed. Of a folder with more than `most` things in it, and of one that cannot be
        listed, just the folder itself.
        """
        start = self.named(path)
        found: list[tuple[PurePosixPath, int | None]] = []
        waiting = [start]
        while waiting:
            place = waiting.pop()
            try:
                info = os.lstat(os.path.join(self.root, str(place)))
                if stat.S_ISDIR(info.st_mode):
                    waiting += [place / name for name in os.listdir(os.path.join(self.root, str(place)))]
                else:
                    found.append((place, info.st_size if stat.S_ISREG(info.st_mode) else None))
            except OSError:
                return [(start, None)]
            if len(found) + len(waiting) > most:
                return [(start, None)]
        return sorted(found)

    def remove_tree(self, path: PurePosixPath) -> None:
        """Whatever has a name taken away; a link goes itself. Raises Unwritable.

        A folder goes whole: it is moved aside in one step, and what it holds is removed where nobody sees it.
        """
        source = self.named(path)
        try:
            with self._folder(source) as folder:
                if stat.S_ISDIR(os.stat(source.name, dir_fd=folder, follow_symlinks=False).st_mode):
                    self._put_aside(source, folder)
                else:
                    self.step("unlink", source)
                    os.unlink(source.name, dir_fd=folder)
                    self._sync_folder(source, folder)
        except OSError as error:
            raise Unwritable(
                f"{path} cannot be removed: {reason(error)}; nothing of it was changed"
            ) from error

    def _put_aside(self, source: PurePosixPath, folder: int) -> None:
        """Move a folder to where nobody looks, and remove it there, with what a dead writer left there.

        That is the private folder, or, if another disk is mounted on the way, a hidden name beside it.
        """
        private.make(self.root)
        name = f".{time.time_ns()}{ASIDE}"
        with self._folder(PurePosixPath(PRIVATE_FOLDER, name)) as private_folder:
            aside = private_folder
            self.step("rename", source)
            try:
                os.rename(source.name, name, src_dir_fd=folder, dst_dir_fd=aside)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                aside = folder
                os.rename(source.name, name, src_dir_fd=folder, dst_dir_fd=aside)
            self._sync_folder(source, folder)
            self.step("remove", source)
            remove_all(aside, ASIDE)

    def _make_folders(self, place: PurePosixPath) -> None:
        made = ""
        for step in place.parts[:-1]:
            parent, made = made, os.path.join(made, step)
            full = os.path.join(self.root, made)
            if not os.path.isdir(full):
                self.step("mkdir", PurePosixPath(made))
                with contextlib.suppress(FileExistsError):
                    os.mkdir(full, _FOLDER_MODE)
                fsync_folder(os.path.join(self.root, parent))

    def _sync_folder(self, place: PurePosixPath, folder: int) -> None:
        self.step("fsync folder", place)
        os.fsync(folder)
