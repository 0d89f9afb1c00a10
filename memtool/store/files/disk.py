"""The disk: every file of the tree is written, renamed and removed here and nowhere else."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import PurePosixPath

from memtool.errors import StaleWrite, Unwritable
from memtool.store.files.folders import Folders
from memtool.store.files.posix import (
    TAIL,
    anonymous_file,
    append_all,
    encode,
    ended,
    exists,
    is_other_case,
    kind,
    moved_link,
    reason,
    write_all,
)
from memtool.store.files.reader import etag_of

TEMPORARY = ".memtool-tmp"
"""The ending of a temporary file's name; the name begins with a dot, so watchers and listings pass it by."""

_FILE_MODE = 0o600


class Disk(Folders):
    """One tree on disk, reached by paths relative to `root`.

    Every path passes the guard. A write is whole or not at all: a temporary file beside the target, fsync,
    rename, fsync of the folder. Writers hold the workspace's lock, so a temporary file found in the way was
    left by a dead one and is removed.
    """

    def create(self, path: PurePosixPath, text: str, like: PurePosixPath | None = None) -> None:
        """A new file, whole or not at all: private, or with the mode of the file that it is like.

        Raises StaleWrite if something is there, Unwritable.
        """
        mode = _FILE_MODE if like is None else self._mode(like)
        with self._writing(path) as (place, folder):
            if exists(place.name, folder):
                raise StaleWrite(path)
            self.step("create", place)
            handle = anonymous_file(folder, _FILE_MODE)
            if handle is None:
                self._create_by_rename(place, folder, text, path, mode)
            else:
                try:
                    os.fchmod(handle, mode)
                    self._fill(handle, place, encode(text))
                    self.step("link", place)
                    os.link(f"/proc/self/fd/{handle}", place.name, dst_dir_fd=folder)
                except FileExistsError as error:
                    raise StaleWrite(path) from error
                finally:
                    os.close(handle)
            self._sync_folder(place, folder)

    def append(self, path: PurePosixPath, text: str) -> None:
        """Text at the end of a file, on lines of its own that end as the file's do.

        Raises StaleWrite if it is gone, Unwritable.

        Nothing of the file is rewritten, so what an editor or another program adds at the same time stays. A
        write that the disk cuts short is taken back.
        """
        with self._writing(path) as (place, folder):
            try:
                flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
                handle = os.open(place.name, flags, dir_fd=folder)
            except FileNotFoundError as error:
                raise StaleWrite(path) from error
            try:
                info = os.fstat(handle)
                if not stat.S_ISREG(info.st_mode):
                    raise Unwritable(f"{path} is {kind(info.st_mode)}, not a file; nothing was written")
                content = ended(os.pread(handle, TAIL, max(0, info.st_size - TAIL)), text)
                self.step("append", place)
                append_all(handle, content, info.st_size)
                self.step("fsync", place)
                os.fsync(handle)
            finally:
                os.close(handle)

    def replace(self, path: PurePosixPath, text: str, expect: str) -> None:
        """A file's whole new text, if its etag is still `expect`. Raises StaleWrite, Unreadable, Unwritable.

        The file's mode and, where permitted, its owner are kept; a symbolic link stays a link.
        """
        self.check(path, expect)
        with self._writing(path) as (place, folder):
            info = os.stat(place.name, dir_fd=folder, follow_symlinks=False)
            temporary = self._temporary(place, folder, text, stat.S_IMODE(info.st_mode), info)
            self.check(path, expect)
            self.step("rename", place)
            os.rename(temporary, place.name, src_dir_fd=folder, dst_dir_fd=folder)
            self._sync_folder(place, folder)

    def move(self, path: PurePosixPath, target: PurePosixPath, expect: str, *, sync: bool = True) -> None:
        """A file under a new name, never onto something. Raises StaleWrite, Unreadable, Unwritable.

        Without `sync` the caller sees to it that both folders reach the disk, with `sync_folders`.
        """
        self.check(path, expect)
        self._rename(self.place(path), target, sync=sync)

    def remove(self, path: PurePosixPath, expect: str) -> None:
        """A file taken away, if its etag is still `expect`. Raises StaleWrite, Unreadable, Unwritable."""
        self.check(path, expect)
        with self._writing(path) as (place, folder):
            self.step("unlink", place)
            os.unlink(place.name, dir_fd=folder)
            self._sync_folder(place, folder)

    def move_tree(self, path: PurePosixPath, target: PurePosixPath) -> None:
        """Whatever has a name under another one, never onto something. Raises StaleWrite, Unwritable.

        A link is moved itself, and leads where it did.
        """
        self._rename(self.named(path), target)

    def _rename(self, source: PurePosixPath, target: PurePosixPath, *, sync: bool = True) -> None:
        with self._writing(target) as (place, folder), self._folder(source) as old:
            if exists(place.name, folder) and not is_other_case(source, place, old, folder):
                raise StaleWrite(target)
            link = moved_link(self.root, source, place)
            if link is None:
                self.step("rename", place)
                os.rename(source.name, place.name, src_dir_fd=old, dst_dir_fd=folder)
            else:
                self.step("link", place)
                os.symlink(link, place.name, dir_fd=folder)
                self.step("unlink", source)
                os.unlink(source.name, dir_fd=old)
            if sync:
                self._sync_folder(place, folder)
                self._sync_folder(source, old)

    def place_of(self, path: PurePosixPath) -> PurePosixPath:
        """Where a path leads, the root itself (`.`) included. Raises OutsideWorkspace."""
        return path if path == PurePosixPath() else self.place(path)

    @staticmethod
    def secured(mode: int) -> int:
        """A mode without what group and others may do with a file; of a folder, that they write into it."""
        return mode & (~0o022 if stat.S_ISDIR(mode) else ~0o077)

    def mode(self, path: PurePosixPath) -> int | None:
        """The mode of a file or folder, with what it is; None for what is gone, or is neither."""
        place = self.place_of(path)
        try:
            with self._folder(place / "_" if place == PurePosixPath() else place) as folder:
                mode = os.stat(place.name or ".", dir_fd=folder, follow_symlinks=False).st_mode
        except OSError:
            return None
        return mode if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else None

    def secure(self, path: PurePosixPath) -> None:
        """Take from group and others what they may do with a file; of a folder, that they may write into it.

        Nothing else of it changes, and one that is gone is none's. Raises Unwritable, OutsideWorkspace.
        """
        mode = self.mode(path)
        if mode is not None:
            self.permit(path, stat.S_IMODE(self.secured(mode)), stat.S_IMODE(mode))

    def permit(self, path: PurePosixPath, mode: int, expect: int) -> None:
        """Another mode for a file or folder that has the one that is expected. Raises as `secure`."""
        try:
            with self._open(path) as (place, handle):
                if stat.S_IMODE(os.fstat(handle).st_mode) == expect != mode:
                    self.step("chmod", place)
                    os.fchmod(handle, mode)
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            raise Unwritable(f"the permissions of {path} cannot be changed: {reason(error)}") from error

    @contextlib.contextmanager
    def _open(self, path: PurePosixPath) -> Iterator[tuple[PurePosixPath, int]]:
        """The real place of a file or folder, the root included, and itself, opened. Raises OSError."""
        place = self.place_of(path)
        flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        with self._folder(place / "_" if place == PurePosixPath() else place) as folder:
            handle = os.open(place.name or ".", flags, dir_fd=folder)
            try:
                yield place, handle
            finally:
                os.close(handle)

    @contextlib.contextmanager
    def _writing(self, path: PurePosixPath) -> Iterator[tuple[PurePosixPath, int]]:
        """The real place of a file to write and its folder, made where missing; a refusal is Unwritable.

        What a writer that died left of this file is cleared away first.
        """
        place = self.place(path)
        try:
            self._make_folders(place)
            with self._folder(place) as folder:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(_temporary_name(place), dir_fd=folder)
                yield place, folder
        except OSError as error:
            raise Unwritable(
                f"{path} cannot be written: {reason(error)}; nothing of it was changed"
            ) from error

    def _temporary(
        self, place: PurePosixPath, folder: int, text: str, mode: int, like: os.stat_result | None = None
    ) -> str:
        name = _temporary_name(place)
        self.step("create", place)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
        handle = os.open(name, flags, mode, dir_fd=folder)
        try:
            try:
                os.fchmod(handle, mode)
                if like is not None and (like.st_uid, like.st_gid) != (os.geteuid(), os.getegid()):
                    with contextlib.suppress(PermissionError):
                        os.fchown(handle, like.st_uid, like.st_gid)
                self._fill(handle, place, encode(text))
            finally:
                os.close(handle)
        except OSError:
            os.unlink(name, dir_fd=folder)
            raise
        return name

    def _mode(self, path: PurePosixPath) -> int:
        """Who may read and write a file. Raises StaleWrite where it is gone."""
        place = self.place(path)
        try:
            with self._folder(place) as folder:
                return stat.S_IMODE(os.stat(place.name, dir_fd=folder, follow_symlinks=False).st_mode)
        except OSError as error:
            raise StaleWrite(path) from error

    def _create_by_rename(
        self, place: PurePosixPath, folder: int, text: str, path: PurePosixPath, mode: int
    ) -> None:
        """Where no file can be made without a name: one under a temporary name, given its own when whole."""
        temporary = self._temporary(place, folder, text, mode)
        self.step("rename", place)
        if exists(place.name, folder):
            os.unlink(temporary, dir_fd=folder)
            raise StaleWrite(path)
        os.rename(temporary, place.name, src_dir_fd=folder, dst_dir_fd=folder)

    def _fill(self, handle: int, place: PurePosixPath, content: bytes) -> None:
        self.step("write", place)
        write_all(handle, content)
        self.step("fsync", place)
        os.fsync(handle)


def _temporary_name(place: PurePosixPath) -> str:
    return f".{etag_of(encode(place.name))[:12]}{TEMPORARY}"
