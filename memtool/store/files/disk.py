"""Writing: all files of the tree are written, renamed and removed here."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from memtool.core.records.document import etag_of
from memtool.errors import StaleWrite, Unwritable
from memtool.store.files import private
from memtool.store.files.posix import (
    TAIL_BYTES,
    anonymous_file,
    append_all,
    bytes_to_append,
    encode,
    error_reason,
    exists,
    fsync_folder,
    is_same_file,
    kind_name,
    relocated_link,
    remove_hidden,
    write_all,
)
from memtool.store.files.reader import TreeReader
from memtool.store.root import PRIVATE_FOLDER

TEMPORARY_SUFFIX = ".memtool-tmp"
"""The suffix of temporary files' names, which begin with a dot, so that watchers and listings skip them."""

REMOVED_SUFFIX = ".memtool-removed"
"""The suffix of the hidden name under which a folder is being removed."""

_FILE_MODE = 0o600
_FOLDER_MODE = 0o700


class Disk(TreeReader):
    """Read and write access to a tree by paths relative to `root`.

    All paths are checked by the path guard. Writes are atomic: a temporary file beside the target, fsync,
    rename, fsync of the folder. Writers hold the workspace's lock, so an existing temporary file was left by
    a writer that died and is removed.
    """

    def step(self, operation: str, path: PurePosixPath) -> None:
        """Called before each operation that changes the disk; tests override it to simulate crashes."""

    def check_folder(self, path: PurePosixPath) -> None:
        """Raise Unwritable if something on the path to a file is not a folder."""
        for parent in self.resolve(path).parents:
            try:
                info = os.lstat(os.path.join(self.root, str(parent)))
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:  # a loop of links, or a folder without permission
                raise Unwritable(
                    f"{path} cannot be written: {error_reason(error)}; nothing was written"
                ) from error
            if not stat.S_ISDIR(info.st_mode):
                raise Unwritable(f"{path} cannot be written: {parent} is not a folder; nothing was written")

    def create(self, path: PurePosixPath, text: str, like: PurePosixPath | None = None) -> None:
        """Create a file atomically, private or with the mode of the file `like`.

        Raises StaleWrite if the path exists, Unwritable.
        """
        mode = _FILE_MODE if like is None else self._permissions(like)
        with self._open_for_writing(path) as (place, folder):
            if exists(place.name, folder):
                raise StaleWrite(path)
            self.step("create", place)
            handle = anonymous_file(folder, _FILE_MODE)
            if handle is None:
                self._create_by_rename(place, folder, text, path, mode)
            else:
                try:
                    os.fchmod(handle, mode)
                    self._write_and_sync(handle, place, encode(text))
                    self.step("link", place)
                    os.link(f"/proc/self/fd/{handle}", place.name, dst_dir_fd=folder)
                except FileExistsError as error:
                    raise StaleWrite(path) from error
                finally:
                    os.close(handle)
            self._sync_folder(place, folder)

    def append(self, path: PurePosixPath, text: str) -> None:
        """Append text to a file on lines of its own, with the file's line ends.

        Existing content is not rewritten, so concurrent appends of other programs are not lost. An incomplete
        write is truncated. Raises StaleWrite if the file is missing, Unwritable.
        """
        with self._open_for_writing(path) as (place, folder):
            try:
                flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
                handle = os.open(place.name, flags, dir_fd=folder)
            except FileNotFoundError as error:
                raise StaleWrite(path) from error
            try:
                info = os.fstat(handle)
                if not stat.S_ISREG(info.st_mode):
                    raise Unwritable(f"{path} is {kind_name(info.st_mode)}, not a file; nothing was written")
                content = bytes_to_append(
                    os.pread(handle, TAIL_BYTES, max(0, info.st_size - TAIL_BYTES)), text
                )
                self.step("append", place)
                append_all(handle, content, info.st_size)
                self.step("fsync", place)
                os.fsync(handle)
            finally:
                os.close(handle)

    def replace(self, path: PurePosixPath, text: str, expect: str) -> None:
        """Replace a file's text if its etag is `expect`. Raises StaleWrite, UnreadableFile, Unwritable.

        The file's mode and, if permitted, its owner are preserved; a symbolic link stays a link.
        """
        self.check(path, expect)
        with self._open_for_writing(path) as (place, folder):
            info = os.stat(place.name, dir_fd=folder, follow_symlinks=False)
            temporary = self._write_temporary(place, folder, text, stat.S_IMODE(info.st_mode), info)
            self.check(path, expect)
            self.step("rename", place)
            os.rename(temporary, place.name, src_dir_fd=folder, dst_dir_fd=folder)
            self._sync_folder(place, folder)

    def move(self, path: PurePosixPath, target: PurePosixPath, expect: str, *, sync: bool = True) -> None:
        """Rename a file, never over an existing one. Raises StaleWrite, UnreadableFile, Unwritable.

        Without `sync` the caller must sync both folders with `sync_folders`.
        """
        self.check(path, expect)
        self._rename(self.resolve(path), target, sync=sync)

    def remove(self, path: PurePosixPath, expect: str) -> None:
        """Remove a file if its etag is `expect`. Raises StaleWrite, UnreadableFile, Unwritable."""
        self.check(path, expect)
        with self._open_for_writing(path) as (place, folder):
            self.step("unlink", place)
            os.unlink(place.name, dir_fd=folder)
            self._sync_folder(place, folder)

    def move_tree(self, path: PurePosixPath, target: PurePosixPath) -> None:
        """Rename a file, folder or link, never over an existing one. Raises StaleWrite, Unwritable.

        A link itself is moved, and keeps its target.
        """
        self._rename(self.resolve_parent(path), target)

    def remove_tree(self, path: PurePosixPath) -> None:
        """Remove a file, a folder with its contents, or a link itself. Raises Unwritable.

        A folder disappears atomically: it is first renamed to a hidden name and then removed there.
        """
        source = self.resolve_parent(path)
        try:
            with self._open_folder(source) as folder:
                if stat.S_ISDIR(os.stat(source.name, dir_fd=folder, follow_symlinks=False).st_mode):
                    self._remove_folder(source, folder)
                else:
                    self.step("unlink", source)
                    os.unlink(source.name, dir_fd=folder)
                    self._sync_folder(source, folder)
        except OSError as error:
            raise Unwritable(
                f"{path} cannot be removed: {error_reason(error)}; nothing of it was changed"
            ) from error

    def make_folder(self, path: PurePosixPath) -> None:
        """Create a private folder and its missing parents. Raises Unwritable."""
        try:
            self._make_folders(self.resolve(path) / "_")
        except OSError as error:
            raise Unwritable(f"{path} cannot be made: {error_reason(error)}") from error

    def remove_empty_folders(self, path: PurePosixPath, until: PurePosixPath | None = None) -> None:
        """Remove a folder and its parents up to `until`, as long as they are empty."""
        for folder in (path, *path.parents):
            if folder == until or not folder.parts:
                return
            try:
                self.step("rmdir", folder)
                os.rmdir(os.path.join(self.root, str(self.resolve(folder))))
            except OSError:
                return

    def sync_folders(self, paths: Iterable[PurePosixPath]) -> None:
        """Sync the folders of these files to disk, each once. Raises Unwritable."""
        for folder in dict.fromkeys(self.resolve(path).parent for path in paths):
            try:
                with self._open_folder(folder / "_") as handle:
                    self._sync_folder(folder / "_", handle)
            except OSError as error:
                raise Unwritable(f"{folder} cannot be written to the disk: {error_reason(error)}") from error

    def _rename(self, source: PurePosixPath, target: PurePosixPath, *, sync: bool = True) -> None:
        with self._open_for_writing(target) as (place, folder), self._open_folder(source) as old:
            if exists(place.name, folder) and not is_same_file(source, place, old, folder):
                raise StaleWrite(target)
            link = relocated_link(self.root, source, place)
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

    def resolve_or_root(self, path: PurePosixPath) -> PurePosixPath:
        """As `resolve`, but also accepts the root itself (`.`). Raises OutsideWorkspace."""
        return path if path == PurePosixPath() else self.resolve(path)

    @staticmethod
    def private_mode(mode: int) -> int:
        """A mode without group's and others' permissions; of a folder, without their write permission."""
        return mode & (~0o022 if stat.S_ISDIR(mode) else ~0o077)

    def mode(self, path: PurePosixPath) -> int | None:
        """The full mode of a file or folder; None if it is missing or neither."""
        place = self.resolve_or_root(path)
        try:
            with self._open_folder(place / "_" if place == PurePosixPath() else place) as folder:
                mode = os.stat(place.name or ".", dir_fd=folder, follow_symlinks=False).st_mode
        except OSError:
            return None
        return mode if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else None

    def make_private(self, path: PurePosixPath) -> None:
        """Remove group's and others' permissions of a file; of a folder, only their write permission.

        A missing file is ignored. Raises Unwritable, OutsideWorkspace.
        """
        mode = self.mode(path)
        if mode is not None:
            self.change_mode(path, stat.S_IMODE(self.private_mode(mode)), stat.S_IMODE(mode))

    def change_mode(self, path: PurePosixPath, mode: int, expect: int) -> None:
        """Change the mode of a file or folder if it is `expect`. Raises as `make_private`."""
        try:
            with self._open(path) as (place, handle):
                if stat.S_IMODE(os.fstat(handle).st_mode) == expect != mode:
                    self.step("chmod", place)
                    os.fchmod(handle, mode)
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            raise Unwritable(f"the permissions of {path} cannot be changed: {error_reason(error)}") from error

    @contextlib.contextmanager
    def _open(self, path: PurePosixPath) -> Iterator[tuple[PurePosixPath, int]]:
        """Open a file or folder, also the root; yields its real path and handle. Raises OSError."""
        place = self.resolve_or_root(path)
        flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        with self._open_folder(place / "_" if place == PurePosixPath() else place) as folder:
            handle = os.open(place.name or ".", flags, dir_fd=folder)
            try:
                yield place, handle
            finally:
                os.close(handle)

    @contextlib.contextmanager
    def _open_for_writing(self, path: PurePosixPath) -> Iterator[tuple[PurePosixPath, int]]:
        """Open the folder of a file to write, created if missing; yields the real path and the folder.

        Removes a temporary file that a dead writer left. An OSError in the body becomes Unwritable.
        """
        place = self.resolve(path)
        try:
            self._make_folders(place)
            with self._open_folder(place) as folder:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(_temporary_name(place), dir_fd=folder)
                yield place, folder
        except OSError as error:
            raise Unwritable(
                f"{path} cannot be written: {error_reason(error)}; nothing of it was changed"
            ) from error

    def _write_temporary(
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
                self._write_and_sync(handle, place, encode(text))
            finally:
                os.close(handle)
        except OSError:
            os.unlink(name, dir_fd=folder)
            raise
        return name

    def _permissions(self, path: PurePosixPath) -> int:
        """The permissions of a file. Raises StaleWrite if it is missing."""
        place = self.resolve(path)
        try:
            with self._open_folder(place) as folder:
                return stat.S_IMODE(os.stat(place.name, dir_fd=folder, follow_symlinks=False).st_mode)
        except OSError as error:
            raise StaleWrite(path) from error

    def _create_by_rename(
        self, place: PurePosixPath, folder: int, text: str, path: PurePosixPath, mode: int
    ) -> None:
        """Create a file by renaming a complete temporary one, on systems without anonymous files."""
        temporary = self._write_temporary(place, folder, text, mode)
        self.step("rename", place)
        if exists(place.name, folder):
            os.unlink(temporary, dir_fd=folder)
            raise StaleWrite(path)
        os.rename(temporary, place.name, src_dir_fd=folder, dst_dir_fd=folder)

    def _write_and_sync(self, handle: int, place: PurePosixPath, content: bytes) -> None:
        self.step("write", place)
        write_all(handle, content)
        self.step("fsync", place)
        os.fsync(handle)

    def _remove_folder(self, source: PurePosixPath, folder: int) -> None:
        """Rename a folder to a hidden name and remove it there, with remains of dead writers.

        It is renamed into the private folder, or, if that is on another file system, beside itself.
        """
        private.make(self.root)
        name = f".{time.time_ns()}{REMOVED_SUFFIX}"
        with self._open_folder(PurePosixPath(PRIVATE_FOLDER, name)) as private_folder:
            trash_folder = private_folder
            self.step("rename", source)
            try:
                os.rename(source.name, name, src_dir_fd=folder, dst_dir_fd=trash_folder)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                trash_folder = folder
                os.rename(source.name, name, src_dir_fd=folder, dst_dir_fd=trash_folder)
            self._sync_folder(source, folder)
            self.step("remove", source)
            remove_hidden(trash_folder, REMOVED_SUFFIX)

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


def _temporary_name(place: PurePosixPath) -> str:
    return f".{etag_of(encode(place.name))[:12]}{TEMPORARY_SUFFIX}"
