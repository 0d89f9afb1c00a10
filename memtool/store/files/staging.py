"""Staging: complete files under temporary names, and the renames that put them in place."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import stat
import time
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from memtool.core.records.document import etag_of
from memtool.errors import StaleWrite, UnreadableFile, Unwritable
from memtool.store.files import private
from memtool.store.files.posix import appended_since, encode, error_reason, exists, write_all
from memtool.store.files.reader import TreeReader, read_open_folder
from memtool.store.files.system_calls import exchange, rename_to_free_name, sync_file_system
from memtool.store.root import PRIVATE_FOLDER

STAGING_FOLDER = PurePosixPath(PRIVATE_FOLDER, "tmp")
"""The folder of a workspace's temporary files: ignored by git, and emptied by the next writer."""

INTENT_PATH = STAGING_FOLDER / "intent"
"""The record of a transaction that is not complete."""

TEMPORARY_SUFFIX = ".memtool-tmp"
"""The suffix of a temporary file beside its target; its name begins with a dot, so that listings skip it."""

_FILE_MODE = 0o600
_FOLDER_MODE = 0o700
_NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
"""Errors of a file system without hard links."""


class StagingArea(TreeReader):
    """A tree with a place for temporary files.

    With `staging_folder`, which only the holder of the workspace's lock uses, temporary files are there, else
    beside their targets; so are those of a target on another file system, where no rename leads.
    """

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self.staging_folder: PurePosixPath | None = None
        self._numbers = itertools.count()
        self._name = f"{os.getpid()}-{time.time_ns():x}"
        """Begins the names of this writer's temporary files; unlike those of dead ones."""

    def step(self, operation: str, path: PurePosixPath) -> None:
        """Called before each operation that changes the disk; tests override it to simulate crashes."""

    def write(self, handle: int, content: memoryview) -> int:
        """Write to an open file as os.write does; tests override it to simulate torn writes."""
        return os.write(handle, content)

    def temporary_path(self, place: PurePosixPath) -> PurePosixPath:
        """An unused path for a temporary file that can be renamed to a real path. Raises OSError."""
        if self.staging_folder is not None:
            with private.opened(self.root, self.staging_folder.name) as folder:
                device = os.fstat(folder).st_dev
            if device == self._device(place):
                return self.staging_folder / f"{self._name}-{next(self._numbers)}"
        self.make_folders(place)
        name = f".{etag_of(encode(place.name))[:12]}-{next(self._numbers)}{TEMPORARY_SUFFIX}"
        self.drop([place.with_name(name)])  # left by a writer that died
        return place.with_name(name)

    def stage(self, path: PurePosixPath, content: bytes, *, sync: bool = True) -> PurePosixPath:
        """Write a file's content to a temporary file, and return its path. Raises Unwritable.

        It is synced, except without `sync` a file in the staging folder: `sync_staged` syncs all of those.
        """
        place = self.resolve(path)
        with _unwritable(path):
            temporary = self.temporary_path(place)
            with self._open_folder(temporary) as folder:
                self.step("create", temporary)
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
                handle = os.open(temporary.name, flags, _FILE_MODE, dir_fd=folder)
                try:
                    if sync or temporary.parent != self.staging_folder:
                        self.write_and_sync(handle, temporary, content)
                    else:
                        self.step("write", temporary)
                        write_all(handle, content, self.write)
                except OSError:
                    os.unlink(temporary.name, dir_fd=folder)
                    raise
                finally:
                    os.close(handle)
        return temporary

    def sync_staged(self) -> None:
        """Sync the file system of the staging folder. Raises Unwritable."""
        if self.staging_folder is not None:
            with (
                _unwritable(self.staging_folder),
                private.opened(self.root, self.staging_folder.name) as folder,
            ):
                self.step("syncfs", self.staging_folder)
                sync_file_system(folder)

    def publish(self, staged: PurePosixPath, path: PurePosixPath, mode: int | None = None) -> None:
        """Give a staged file its name, which must be free, and a mode, by default private.

        The temporary name remains, where the file system has hard links. Raises StaleWrite, Unwritable.
        """
        with self.open_for_writing(path) as (place, folder), self._open_folder(staged) as source:
            if mode is not None:
                _change_mode(staged.name, source, mode, None)
            self.step("link", place)
            try:
                os.link(staged.name, place.name, src_dir_fd=source, dst_dir_fd=folder, follow_symlinks=False)
            except FileExistsError as error:
                raise StaleWrite(path) from error
            except OSError as error:
                if error.errno not in _NO_LINKS:
                    raise
                try:
                    rename_to_free_name(staged.name, place.name, source, folder)
                except FileExistsError as taken:
                    raise StaleWrite(path) from taken

    def swap(self, staged: PurePosixPath, path: PurePosixPath, expect: str) -> None:
        """Put a staged file in the place of a file whose etag is `expect`. Raises StaleWrite, Unwritable.

        The file gets the mode and, if permitted, the owner of the old one, which then has the temporary name
        or that of `replaced_names`. What the exchange brings out is compared: lines that another program has
        appended are carried over, and after any other change the old file is put back. Without an exchange of
        names, a write in the moment between test and rename is lost.
        """
        with self.open_for_writing(path) as (place, folder), self._open_folder(staged) as source:
            try:
                info = os.stat(place.name, dir_fd=folder, follow_symlinks=False)
            except FileNotFoundError as error:
                raise StaleWrite(path) from error
            owner = (os.geteuid(), os.getegid())
            if (stat.S_IMODE(info.st_mode), (info.st_uid, info.st_gid)) != (_FILE_MODE, owner):
                _change_mode(staged.name, source, stat.S_IMODE(info.st_mode), info)
            new = read_open_folder(staged.name, source)
            self.step("rename", place)
            try:
                exchanged = exchange(staged.name, place.name, source, folder)
            except FileNotFoundError as error:
                raise StaleWrite(path) from error
            if not exchanged:
                self.check(place, expect)
                kept = replaced_names(staged)[1].name
                os.link(place.name, kept, src_dir_fd=folder, dst_dir_fd=source, follow_symlinks=False)
                os.rename(staged.name, place.name, src_dir_fd=source, dst_dir_fd=folder)
                return
            try:
                self.step("compare", place)
                old = _content(staged.name, source)
            except OSError:
                exchange(staged.name, place.name, source, folder)
                raise
            if old is None or etag_of(old) != expect:
                more = None if old is None or not new.endswith(b"\n") else appended_since(old, expect)
                if more is None:
                    self._take_back(staged, place, source, folder, new)
                    raise StaleWrite(path)
                self._append_bytes(place, folder, more)

    def _take_back(
        self, staged: PurePosixPath, place: PurePosixPath, source: int, folder: int, new: bytes
    ) -> None:
        """Undo an exchange that brought out another file than expected.

        If another program wrote to the name again meanwhile, lines that it appended are carried over, and a
        file that it put there stays.
        """
        self.step("rename", place)
        exchange(staged.name, place.name, source, folder)
        content = _content(staged.name, source)
        if content is None or not content.startswith(new):
            exchange(staged.name, place.name, source, folder)
        elif content != new:
            self._append_bytes(place, folder, content[len(new) :])

    def _append_bytes(self, place: PurePosixPath, folder: int, content: bytes) -> None:
        """Append to a file what another program wrote to the file that it replaces."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        handle = os.open(place.name, flags, dir_fd=folder)
        try:
            self.write_and_sync(handle, place, content)
        finally:
            os.close(handle)

    def set_aside(self, path: PurePosixPath, kept: PurePosixPath, expect: str | None) -> None:
        """Rename a file to a temporary name if its etag is `expect`, or with None a folder or a link itself.

        Raises StaleWrite, Unwritable.
        """
        place = self.resolve_parent(path) if expect is None else self.resolve(path)
        with _unwritable(path, "removed"):
            try:
                with self._open_folder(place) as folder, self._open_folder(kept) as target:
                    self.step("rename", place)
                    rename_to_free_name(place.name, kept.name, folder, target)
                    if expect is None:
                        return
                    try:
                        self.step("compare", place)
                        content = _content(kept.name, target)
                        if content is None or etag_of(content) != expect:
                            raise StaleWrite(path)
                    except (OSError, StaleWrite):
                        rename_to_free_name(kept.name, place.name, target, folder)
                        raise
            except FileNotFoundError as error:
                raise StaleWrite(path) from error

    def put_back(self, kept: PurePosixPath, place: PurePosixPath) -> bool:
        """Rename what was set aside to its real path; False if something is there now. Raises Unwritable."""
        with self.open_for_writing(place) as (_, folder), self._open_folder(kept) as source:
            self.step("rename", place)
            try:
                rename_to_free_name(kept.name, place.name, source, folder)
            except FileExistsError:
                return False
        return True

    def drop(self, temporaries: Iterable[PurePosixPath]) -> None:
        """Remove temporary files and folders; what cannot be removed is left to the next writer."""
        for path in temporaries:
            with contextlib.suppress(OSError), self._open_folder(path) as folder:
                mode = os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode
                self.step("remove", path)
                if stat.S_ISDIR(mode):
                    import shutil

                    shutil.rmtree(path.name, ignore_errors=True, dir_fd=folder)
                else:
                    os.unlink(path.name, dir_fd=folder)

    def temporaries(self) -> list[PurePosixPath]:
        """What is in the staging folder, sorted. Raises Unwritable if it is no folder."""
        if self.staging_folder is None:
            return []
        try:
            with self._open_folder(self.staging_folder / "_") as folder:
                return [self.staging_folder / name for name in sorted(os.listdir(folder))]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise Unwritable(f"{self.staging_folder} cannot be listed: {error_reason(error)}") from error

    def has_intent(self) -> bool:
        """Whether the staging folder contains the record of a transaction."""
        return self.staging_folder is not None and os.path.lexists(os.path.join(self.root, str(INTENT_PATH)))

    def write_and_sync(self, handle: int, place: PurePosixPath, content: bytes) -> None:
        """Write a content to an open file and sync it. Raises OSError."""
        self.step("write", place)
        write_all(handle, content, self.write)
        self.step("fsync", place)
        os.fsync(handle)

    @contextlib.contextmanager
    def open_for_writing(self, path: PurePosixPath) -> Iterator[tuple[PurePosixPath, int]]:
        """Open the folder of a file to write, created if missing; yields the real path and the folder.

        An OSError in the body becomes Unwritable.
        """
        place = self.resolve(path)
        with _unwritable(path):
            self.make_folders(place)
            with self._open_folder(place) as folder:
                yield place, folder

    def missing_folder(self, place: PurePosixPath) -> PurePosixPath | None:
        """The first folder on the way to a real path that does not exist; None if all exist."""
        parents = [*place.parents][-2::-1]
        return next((path for path in parents if not os.path.isdir(os.path.join(self.root, str(path)))), None)

    def make_folders(self, place: PurePosixPath) -> None:
        """Create the missing folders on the way to a real path, private and synced. Raises OSError."""
        missing = self.missing_folder(place)
        for path in [] if missing is None else [*place.parents][-2::-1]:
            with self._open_folder(path) as folder:
                if not exists(path.name, folder):
                    self.step("mkdir", path)
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(path.name, _FOLDER_MODE, dir_fd=folder)
                    os.fsync(folder)

    def _device(self, place: PurePosixPath) -> int:
        """The device of the nearest existing folder above a real path."""
        for parent in place.parents:
            with contextlib.suppress(OSError):
                return os.stat(os.path.join(self.root, str(parent))).st_dev
        return -1


def replaced_names(staged: PurePosixPath) -> tuple[PurePosixPath, PurePosixPath]:
    """The two names under which `swap` may leave the old file, beside or instead of a staged one."""
    return staged, staged.with_name(f"{staged.name}-old")


@contextlib.contextmanager
def _unwritable(path: PurePosixPath, done: str = "written") -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Unwritable(f"{path} cannot be {done}: {error_reason(error)}; it was not changed") from error


def _content(name: str, folder: int) -> bytes | None:
    """The bytes of a file in an open folder; None if it is no regular file. Raises OSError."""
    try:
        return read_open_folder(name, folder)
    except UnreadableFile:
        return None


def _change_mode(name: str, folder: int, mode: int, like: os.stat_result | None) -> None:
    """Set a file's mode and, if permitted, its owner to those of another. Raises OSError."""
    handle = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW, dir_fd=folder)
    try:
        if like is not None and (like.st_uid, like.st_gid) != (os.geteuid(), os.getegid()):
            with contextlib.suppress(PermissionError):
                os.fchown(handle, like.st_uid, like.st_gid)
        if stat.S_IMODE(os.fstat(handle).st_mode) != mode:  # only the owner may, even to the same mode
            os.fchmod(handle, mode)
    finally:
        os.close(handle)
