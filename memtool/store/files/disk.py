"""Writing: all files of the tree are written, renamed and removed here."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from memtool.core.records.document import etag_of
from memtool.errors import StaleWrite, Unwritable
from memtool.store.files.posix import (
    TAIL_BYTES,
    bytes_to_append,
    encode,
    error_reason,
    exists,
    is_same_file,
    kind_name,
    relocated_link,
    write_all,
)
from memtool.store.files.staging import StagingArea, replaced_names
from memtool.store.files.system_calls import rename_to_free_name


class Disk(StagingArea):
    """Read and write access to a tree by paths relative to `root`.

    All paths are checked by the path guard. A file is written whole under a temporary name, synced, and then
    put in place by one rename. Writers hold the workspace's lock, so an existing temporary file was left by a
    writer that died and is removed.
    """

    def check_folder(self, path: PurePosixPath) -> None:
        """Raise Unwritable if something on the path to a file is not a folder."""
        for parent in self.resolve(path).parents:
            try:
                is_link = self.linked is not None and str(parent) == self.linked.name
                info = os.stat(os.path.join(self.root, str(parent)), follow_symlinks=is_link)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:  # a loop of links, or a folder without permission
                raise Unwritable(
                    f"{path} cannot be written: {error_reason(error)}; nothing was written"
                ) from error
            if not stat.S_ISDIR(info.st_mode):
                raise Unwritable(f"{path} cannot be written: {parent} is not a folder; nothing was written")

    def create(self, path: PurePosixPath, text: str) -> None:
        """Create a private file atomically. Raises StaleWrite if the path exists, Unwritable."""
        if self.path_exists(self.resolve(path)):
            raise StaleWrite(path)
        staged = self.stage(path, encode(text))
        try:
            self.publish(staged, path)
        finally:
            self.drop([staged])
        self.sync_folders([path])

    def replace(self, path: PurePosixPath, text: str, expect: str) -> None:
        """Replace a file's text if its etag is `expect`. Raises StaleWrite, UnreadableFile, Unwritable.

        The file's mode and, if permitted, its owner are preserved; a symbolic link stays a link.
        """
        self.check(path, expect)
        staged = self.stage(path, encode(text))
        try:
            self.swap(staged, path, expect)
        finally:
            self.drop(replaced_names(staged))
        self.sync_folders([path])

    def remove(self, path: PurePosixPath, expect: str) -> None:
        """Remove a file if its etag is `expect`. Raises StaleWrite, UnreadableFile, Unwritable."""
        self.check(path, expect)
        kept = self.temporary_path(self.resolve(path))
        self.set_aside(path, kept, expect)
        self.drop([kept])
        self.sync_folders([path])

    def append(self, path: PurePosixPath, text: str, expect: bytes | None = None) -> None:
        """Append text to a file on lines of its own, with the file's line ends, and sync it.

        Existing content is not rewritten, so concurrent appends of other programs are not lost. Raises
        StaleWrite if the file is missing, or if the bytes to append, which depend on the file's end, are not
        `expect`; Unwritable, when a part may have been written.
        """
        with self.open_for_writing(path) as (place, folder):
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
                if expect is not None and content != expect:
                    raise StaleWrite(path)
                self.step("append", place)
                write_all(handle, content, self.write)
                self.step("fsync", place)
                os.fsync(handle)
            finally:
                os.close(handle)

    def cut(self, path: PurePosixPath, start: int, length: int) -> None:
        """Remove `length` bytes at an offset from a file, and sync it.

        What follows them stays. Raises StaleWrite, UnreadableFile, Unwritable.
        """
        content = self.read_bytes(path)
        if content is None or len(content) < start + length:
            raise StaleWrite(path)
        if len(content) > start + length:
            left = content[:start] + content[start + length :]
            self.replace(path, left.decode("utf-8", "surrogateescape"), etag_of(content))
            return
        with self.open_for_writing(path) as (place, folder):
            handle = os.open(place.name, os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW, dir_fd=folder)
            try:
                if os.fstat(handle).st_size != len(content):
                    raise StaleWrite(path)
                self.step("truncate", place)
                os.ftruncate(handle, start)
                self.step("fsync", place)
                os.fsync(handle)
            finally:
                os.close(handle)

    def move(self, path: PurePosixPath, target: PurePosixPath, expect: str) -> None:
        """Rename a file, never over an existing one. Raises StaleWrite, UnreadableFile, Unwritable.

        The folders are not synced.
        """
        self.check(path, expect)
        self._rename(self.resolve(path), target)

    def move_tree(self, path: PurePosixPath, target: PurePosixPath) -> None:
        """Rename a file, folder or link, never over an existing one. Raises StaleWrite, Unwritable.

        A link itself is moved, and keeps its target. The folders are not synced.
        """
        self._rename(self.resolve_parent(path), target)

    def link_text(self, path: PurePosixPath) -> str | None:
        """The text of a symbolic link; None for anything else."""
        try:
            return os.readlink(os.path.join(self.root, str(self.resolve_parent(path))))
        except OSError:
            return None

    def move_link_back(self, place: PurePosixPath, target: PurePosixPath, text: str) -> None:
        """Remove a link, and restore it at its old place with its old text. Raises Unwritable."""
        try:
            with self._open_folder(place) as folder, self._open_folder(target) as new:
                self.step("link", place)
                with contextlib.suppress(FileExistsError):
                    os.symlink(text, place.name, dir_fd=folder)
                os.unlink(target.name, dir_fd=new)
        except OSError as error:
            raise Unwritable(f"{place} cannot be restored: {error_reason(error)}") from error

    def make_folder(self, path: PurePosixPath) -> None:
        """Create a private folder and its missing parents. Raises Unwritable."""
        try:
            self.make_folders(self.resolve(path) / "_")
        except OSError as error:
            raise Unwritable(f"{path} cannot be created: {error_reason(error)}") from error

    def remove_empty_folders(self, path: PurePosixPath, until: PurePosixPath | None = None) -> None:
        """Remove a folder and its parents up to `until`, as long as they are empty."""
        for folder in (path, *path.parents):
            if folder == until or not folder.parts:
                return
            try:
                place = self.resolve(folder)
                self.step("rmdir", folder)
                with self._open_folder(place) as outer:
                    os.rmdir(place.name, dir_fd=outer)
            except OSError:
                return

    def sync_folders(self, paths: Iterable[PurePosixPath]) -> None:
        """Sync the folders of these files to disk, each once. Raises Unwritable."""
        for folder in dict.fromkeys(self.resolve_parent(path).parent for path in paths):
            try:
                with self._open_folder(folder / "_") as handle:
                    self.step("fsync folder", folder / "_")
                    os.fsync(handle)
            except OSError as error:
                raise Unwritable(f"{folder} cannot be synced to disk: {error_reason(error)}") from error

    def _rename(self, source: PurePosixPath, target: PurePosixPath) -> None:
        with self.open_for_writing(target) as (place, folder), self._open_folder(source) as old:
            link = relocated_link(self.root, source, place)
            self.step("rename" if link is None else "link", place)
            try:
                if link is not None:
                    os.symlink(link, place.name, dir_fd=folder)
                    self.step("unlink", source)
                    os.unlink(source.name, dir_fd=old)
                elif exists(place.name, folder) and is_same_file(source, place, old, folder):
                    os.rename(source.name, place.name, src_dir_fd=old, dst_dir_fd=folder)
                else:
                    rename_to_free_name(source.name, place.name, old, folder)
            except FileExistsError as error:
                raise StaleWrite(target) from error

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

    def permissions(self, path: PurePosixPath) -> int:
        """The permissions of a file. Raises StaleWrite if it is missing."""
        mode = self.mode(path)
        if mode is None:
            raise StaleWrite(path)
        return stat.S_IMODE(mode)

    def same_file(self, path: PurePosixPath, other: PurePosixPath) -> bool:
        """Whether two paths are names of the same file."""
        try:
            return os.path.samestat(
                os.lstat(os.path.join(self.root, str(path))), os.lstat(os.path.join(self.root, str(other)))
            )
        except OSError:
            return False
