"""Reading: all files of the tree are opened for reading here."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import stat
import time
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from memtool.core.records.document import Document, FileStat, FolderListing, PathEntry, TreeListing, etag_of
from memtool.errors import OutsideWorkspace, StaleWrite, UnreadableFile, Unwritable
from memtool.store.files import path_guard
from memtool.store.files.posix import (
    TAIL_BYTES,
    entry_kind_of,
    error_reason,
    kind_name,
    numbered_lines,
    stat_of,
)

_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_BLOCK = 1 << 16
MAX_READ_BYTES = 1 << 28
"""Largest file that is read as a whole: 256 MB. Memory files are text written by people and models."""


class TreeReader:
    """Read access to a tree by paths relative to `root`, each checked by the path guard."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)
        self.isolated_folder: str | None = None
        """The folder whose subfolders are isolated: links must not lead out of them."""
        self.linked: path_guard.LinkedFolder | None = None

    def resolve(self, path: PurePosixPath | str) -> PurePosixPath:
        """The real path, relative to the root. Raises OutsideWorkspace."""
        name = path_guard.check_name(path)
        real = path_guard.resolve(self.root, name, self.linked)
        if name.parts[0] == self.isolated_folder and real.parts[:2] != name.parts[:2]:
            folder = f"{self.isolated_folder}/{name.parts[1:2][0]}"
            raise OutsideWorkspace(f"{name} is a link that points outside {folder}")
        return real

    def resolve_parent(self, path: PurePosixPath) -> PurePosixPath:
        """The path with links in its parents resolved, but not a link at the path itself."""
        name = path_guard.check_name(path)
        return self.resolve(name.parent) / name.name if len(name.parts) > 1 else name

    def path_exists(self, path: PurePosixPath) -> bool:
        """Whether anything exists at a path, including a dangling link."""
        return os.path.lexists(os.path.join(self.root, str(self.resolve_parent(path))))

    def read_bytes(self, path: PurePosixPath) -> bytes | None:
        """The bytes of a regular file; None if nothing exists there.

        Raises UnreadableFile for a folder, a pipe, a device, or a file that cannot be read.
        """
        place = self.resolve(path)
        try:
            with self._open_folder(place) as folder:
                return _read_file(place.name, folder)[1]
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, UnreadableFile) as error:
            raise _unreadable(path, error) from error

    def read(self, path: PurePosixPath) -> Document | None:
        """A file's text and etag; None if nothing exists there. Raises UnreadableFile.

        Bytes that are not UTF-8 become lone surrogates, which are written back as the same bytes.
        """
        content = self.read_bytes(path)
        return None if content is None else _document(path, content)

    def stat(self, path: PurePosixPath) -> FileStat | None:
        """The stat of a regular file; None if there is none. Raises UnreadableFile, as `read_bytes`."""
        place = self.resolve(path)
        try:
            with self._open_folder(place) as folder:
                info = os.stat(place.name, dir_fd=folder, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise UnreadableFile(f"{path} cannot be read: {error_reason(error)}") from error
        if not stat.S_ISREG(info.st_mode):
            raise UnreadableFile(f"{path} is {kind_name(info.st_mode)}, not a file")
        return stat_of(info)

    def read_lines(self, path: PurePosixPath) -> Iterator[tuple[int, str]]:
        """The numbered lines of a file, each cut at a million bytes.

        Raises UnreadableFile, also for a file of more than `MAX_READ_BYTES`: a sparse file of
        any length costs nothing to make.
        """
        place = self.resolve(path)
        try:
            with (
                self._open_folder(place) as folder,
                os.fdopen(os.open(place.name, _READ, dir_fd=folder), "rb") as file,
            ):
                size = os.fstat(file.fileno()).st_size
                if size > MAX_READ_BYTES:
                    raise UnreadableFile(f"{path} is too large to read ({size} bytes)")
                yield from numbered_lines(file)
        except OSError as error:
            raise UnreadableFile(f"{path} cannot be read: {error_reason(error)}") from error

    def check(self, path: PurePosixPath, expect: str) -> bytes:
        """The bytes of a file with this etag. Raises StaleWrite if it is missing or has another etag."""
        content = self.read_bytes(path)
        if content is None or etag_of(content) != expect:
            raise StaleWrite(path)
        return content

    @contextlib.contextmanager
    def _open_folder(self, place: PurePosixPath) -> Iterator[int]:
        """Open the folder of a real path step by step, so that no step can be a link created meanwhile."""
        start, steps = path_guard.start_of(self.root, place, self.linked)
        handle = os.open(start, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for step in steps:
                try:
                    next_handle = os.open(
                        step, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW, dir_fd=handle
                    )
                except OSError as error:
                    if error.errno == errno.ELOOP:
                        raise OutsideWorkspace(
                            f"{place} cannot be opened: a parent folder was replaced by a link"
                        ) from error
                    raise
                os.close(handle)
                handle = next_handle
            yield handle
        finally:
            os.close(handle)

    def list_folder(self, path: PurePosixPath) -> FolderListing | None:
        """The entries of a folder, without names that begin with a dot; None if it does not exist.

        The empty path is the root. Its stat is taken before the names are read, so later changes show in the
        next one. Raises UnreadableFile without permission, OutsideWorkspace for a link.
        """
        inside = path_guard.check_name(path) / "_" if path.parts else PurePosixPath("_")
        try:
            with self._open_folder(inside) as handle:
                folder_stat = stat_of(os.fstat(handle))
                with os.scandir(handle) as entries:
                    visible = [entry for entry in entries if entry.name[0] != "."]
                folder_names = [entry.name for entry in visible if entry.is_dir(follow_symlinks=False)]
                files = [entry.name for entry in visible if entry.is_file(follow_symlinks=False)]
                folders = {}
                for name in sorted(folder_names):
                    with contextlib.suppress(FileNotFoundError):
                        folders[name] = stat_of(os.stat(name, dir_fd=handle, follow_symlinks=False))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise UnreadableFile(f"{path} cannot be listed: {error_reason(error)}") from error
        return FolderListing(
            path, folder_stat, folders, tuple(sorted(files)), len(visible) - len(folder_names) - len(files)
        )

    def resolve_within(self, folder: PurePosixPath, steps: Iterable[str]) -> PurePosixPath:
        """The real path of steps from a folder of the tree. Raises OutsideWorkspace if it leaves that."""
        return path_guard.resolve_within(self.root, self.resolve(folder), steps, self.linked)

    def entry_kind(self, place: PurePosixPath) -> PathEntry | None:
        """The kind and size of the file or folder at a real path; None for nothing or a dangling link.

        Raises UnreadableFile without permission.
        """
        try:
            with self._open_folder(place) as folder:
                return entry_kind_of(os.stat(place.name, dir_fd=folder, follow_symlinks=False))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise UnreadableFile(f"{place} cannot be read: {error_reason(error)}") from error

    def list_entries(
        self, place: PurePosixPath, base: PurePosixPath
    ) -> list[tuple[str, PurePosixPath, PathEntry]]:
        """The names in a folder, sorted, each with its real path and its kind and size.

        Links are followed if they lead to something in `base`; other links, and names that begin with a dot,
        are skipped. `resolve` and `base` are real paths. Raises UnreadableFile without permission.
        """
        entries_found: list[tuple[str, PurePosixPath, PathEntry]] = []
        try:
            with self._open_folder(place / "_") as folder:
                for name in sorted(os.listdir(folder)):
                    if name[0] == ".":
                        continue
                    with contextlib.suppress(OutsideWorkspace, FileNotFoundError, UnreadableFile):
                        link_stat = os.stat(name, dir_fd=folder, follow_symlinks=False)
                        real = place / name
                        kind_and_size = entry_kind_of(link_stat)
                        if stat.S_ISLNK(link_stat.st_mode):
                            real = path_guard.resolve_within(
                                self.root, base, (*place.relative_to(base).parts, name), self.linked
                            )
                            kind_and_size = self.entry_kind(real)
                        if kind_and_size is not None:
                            entries_found.append((name, real, kind_and_size))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise UnreadableFile(f"{place} cannot be listed: {error_reason(error)}") from error
        return entries_found

    def read_shown(self, path: PurePosixPath) -> bytes | None:
        """As `read_bytes`, without what a `ScopedDisk` hides; None also where that is all of a file."""
        return self.read_bytes(path)

    def is_hidden(self, _: PurePosixPath | str) -> bool:
        """Whether a file is another user's than its reader's: never, save for a `ScopedDisk`."""
        return False

    def visible_bytes(self, _: PurePosixPath | str, content: bytes) -> bytes | None:
        """Some content of a file as its reader may see it: all of it, save for a `ScopedDisk`."""
        return content

    def visible_listing(self, listing: TreeListing) -> TreeListing:
        """A listing of this tree as its reader may see it: all of it, save for a `ScopedDisk`."""
        return listing

    def clock_ns(self) -> int:
        """The real time in nanoseconds, taken before reading: later changes may not be seen."""
        return time.time_ns()

    def folder_stat(self, path: PurePosixPath | str) -> FileStat | None:
        """The stat of a folder; None for anything else, including links. Raises UnreadableFile."""
        try:
            info = os.stat(os.path.join(self.root, str(path)), follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise UnreadableFile(f"{path} cannot be read: {error_reason(error)}") from error
        return stat_of(info) if stat.S_ISDIR(info.st_mode) else None

    def stat_files(self, path: PurePosixPath, names: Iterable[str]) -> dict[str, FileStat]:
        """The stats of the regular files among these names in a folder; fast for thousands.

        Raises UnreadableFile if a stat fails, so that the file does not count as deleted.
        """
        stats_by_name: dict[str, FileStat] = {}
        name = ""
        try:
            handle = os.open(os.path.join(self.root, str(path)), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                for name in names:
                    try:
                        info = os.stat(name, dir_fd=handle, follow_symlinks=False)
                    except FileNotFoundError:
                        continue
                    if stat.S_ISREG(info.st_mode):
                        stats_by_name[name] = stat_of(info)
            finally:
                os.close(handle)
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            raise UnreadableFile(f"{path / name} cannot be read: {error_reason(error)}") from error
        return stats_by_name

    def read_files(
        self, path: PurePosixPath, names: Iterable[str]
    ) -> Iterator[tuple[str, FileStat | None, bytes | UnreadableFile]]:
        """The files of a folder by name, each with its stat from before it was read; fast for thousands.

        Skips missing files; an unreadable one has no stat, and its error as content. Raises as `list_folder`.
        """
        try:
            with self._open_folder(path_guard.check_name(path / "_")) as handle:
                for name in names:
                    try:
                        stat_and_content = _read_file(name, handle)
                    except FileNotFoundError:
                        continue
                    except (OSError, UnreadableFile) as error:
                        yield name, None, _unreadable(path / name, error)
                        continue
                    yield name, *stat_and_content
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            raise UnreadableFile(f"{path} cannot be listed: {error_reason(error)}") from error

    def read_contents(
        self, paths: Iterable[PurePosixPath]
    ) -> Iterator[tuple[PurePosixPath, bytes | UnreadableFile]]:
        """The bytes of the files at these paths, in their order; fast for thousands of one folder.

        Missing files are skipped; one that cannot be read, such as a link, has its error as content, and so
        has the first file of a folder that cannot. Raises OutsideWorkspace for a folder that leads outside.
        """
        for folder, files in itertools.groupby(paths, lambda path: path.parent):
            real = self.resolve(folder) if folder.parts else folder
            by_name = {path.name: path for path in files}
            try:
                for name, _, content in self.read_files(real, by_name):
                    yield by_name[name], content
            except UnreadableFile as error:
                yield next(iter(by_name.values())), error

    def read_documents(self, paths: Iterable[PurePosixPath]) -> Iterator[Document | UnreadableFile]:
        """As `read_contents`, each file as a document."""
        for path, content in self.read_contents(paths):
            yield content if isinstance(content, UnreadableFile) else _document(path, content)

    def size_and_tail(self, path: PurePosixPath) -> tuple[int, bytes]:
        """The size and last bytes of a file that will be appended to. Raises StaleWrite, Unwritable."""
        place = self.resolve(path)
        flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        try:
            with self._open_folder(place) as folder:
                handle = os.open(place.name, flags, dir_fd=folder)
            try:
                info = os.fstat(handle)
                if not stat.S_ISREG(info.st_mode):
                    raise Unwritable(f"{path} is {kind_name(info.st_mode)}, not a file; nothing was written")
                return info.st_size, os.pread(handle, TAIL_BYTES, max(0, info.st_size - TAIL_BYTES))
            finally:
                os.close(handle)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise StaleWrite(path) from error
        except OSError as error:
            raise Unwritable(
                f"{path} cannot be written: {error_reason(error)}; nothing was written"
            ) from error

    def list_tree(self, path: PurePosixPath, max_entries: int) -> list[tuple[PurePosixPath, int | None]]:
        """The files at or below a path, sorted, with their sizes; None for what is not a regular file.

        Links are not followed. A folder that cannot be listed or has more than `max_entries` entries is
        returned as itself.
        """
        start = self.resolve_parent(path)
        files: list[tuple[PurePosixPath, int | None]] = []
        stack = [start]
        while stack:
            place = stack.pop()
            try:
                info = os.lstat(os.path.join(self.root, str(place)))
                if stat.S_ISDIR(info.st_mode):
                    stack += [place / name for name in os.listdir(os.path.join(self.root, str(place)))]
                else:
                    files.append((place, info.st_size if stat.S_ISREG(info.st_mode) else None))
            except OSError:
                return [(start, None)]
            if len(files) + len(stack) > max_entries:
                return [(start, None)]
        return sorted(files)


def read_open_folder(name: str, folder: int) -> bytes:
    """The bytes of a regular file in an open folder. Raises OSError, UnreadableFile."""
    return _read_file(name, folder)[1]


def _unreadable(path: PurePosixPath, error: OSError | UnreadableFile) -> UnreadableFile:
    reason = f"cannot be read: {error_reason(error)}" if isinstance(error, OSError) else str(error)
    return UnreadableFile(f"{path} {reason}")


def _document(path: PurePosixPath, content: bytes) -> Document:
    return Document(path, content.decode("utf-8", "surrogateescape"), etag_of(content))


def _read_file(name: str, folder: int) -> tuple[FileStat, bytes]:
    """The stat of a regular file in an open folder, and its content. Raises OSError, UnreadableFile."""
    try:
        handle = os.open(name, _READ, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise UnreadableFile("is a socket or a pipe, not a file") from error
        raise
    try:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode):
            raise UnreadableFile(f"is {kind_name(info.st_mode)}, not a file")
        if info.st_size > MAX_READ_BYTES:
            raise UnreadableFile(f"is too large to read ({info.st_size} bytes)")
        blocks = []
        while block := os.read(handle, max(info.st_size, _BLOCK) + 1):
            blocks.append(block)
            if len(block) == info.st_size and len(blocks) == 1 and os.fstat(handle).st_size == info.st_size:
                break  # the common case: read at once
        return stat_of(info), blocks[0] if len(blocks) == 1 else b"".join(blocks)
    finally:
        os.close(handle)
