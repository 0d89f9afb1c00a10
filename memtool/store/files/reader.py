"""Reading: all files of the tree are opened for reading here."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import PurePosixPath

from memtool.core.records.document import Document, Folder, Standing, Stat
from memtool.errors import OutsideWorkspace, StaleWrite, Unreadable, Unwritable
from memtool.store.files import guard
from memtool.store.files.posix import TAIL, kind, numbered_lines, reason, standing_of, stat_of

_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


_BLOCK = 1 << 16
_MOST = 1 << 28
"""Largest file that is read as a whole: 256 MB. Memory files are text written by people and models."""


def etag_of(content: bytes) -> str:
    """The hash of a file's content: equal etags mean equal bytes (BLAKE2b, 128 bits)."""
    return blake2b(content, digest_size=16).hexdigest()


class Reader:
    """Read access to a tree by paths relative to `root`, each checked by the path guard."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)
        self.walls: str | None = None
        """The folder whose subfolders are isolated: links must not lead out of them."""

    def place(self, path: PurePosixPath | str) -> PurePosixPath:
        """The real path, relative to the root. Raises OutsideWorkspace."""
        name = guard.clean(path)
        real = guard.real(self.root, name)
        if name.parts[0] == self.walls and real.parts[:2] != name.parts[:2]:
            raise OutsideWorkspace(
                f"{name} is refused: it is a link that leads out of {self.walls}/{name.parts[1:2][0]}"
            )
        return real

    def named(self, path: PurePosixPath) -> PurePosixPath:
        """The path with links in its parents resolved, but not a link at the path itself."""
        name = guard.clean(path)
        return self.place(name.parent) / name.name if len(name.parts) > 1 else name

    def stands(self, path: PurePosixPath) -> bool:
        """Whether anything exists at a path, including a dangling link."""
        return os.path.lexists(os.path.join(self.root, str(self.named(path))))

    def read_bytes(self, path: PurePosixPath) -> bytes | None:
        """The bytes of a regular file; None if nothing exists there.

        Raises Unreadable for a folder, a pipe, a device, or a file that cannot be read.
        """
        place = self.place(path)
        try:
            with self._folder(place) as folder:
                return _whole(place.name, folder)[1]
        except (FileNotFoundError, NotADirectoryError):
            return None
        except Unreadable as error:
            raise Unreadable(f"{path} {error}") from error
        except OSError as error:
            raise Unreadable(f"{path} cannot be read: {reason(error)}") from error

    def read(self, path: PurePosixPath) -> Document | None:
        """A file's text and etag; None if nothing exists there. Raises Unreadable.

        Bytes that are not UTF-8 become lone surrogates, which are written back as the same bytes.
        """
        content = self.read_bytes(path)
        if content is None:
            return None
        return Document(path, content.decode("utf-8", "surrogateescape"), etag_of(content))

    def stat(self, path: PurePosixPath) -> Stat | None:
        """The stat of a regular file; None if nothing exists there.

        Raises Unreadable for a folder, a pipe or a device, or without permission.
        """
        place = self.place(path)
        try:
            with self._folder(place) as folder:
                info = os.stat(place.name, dir_fd=folder, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise Unreadable(f"{path} cannot be looked at: {reason(error)}") from error
        if not stat.S_ISREG(info.st_mode):
            raise Unreadable(f"{path} is {kind(info.st_mode)}, not a file")
        return stat_of(info)

    def lines(self, path: PurePosixPath) -> Iterator[tuple[int, str]]:
        """The numbered lines of a file of any size, each cut at a million bytes. Raises Unreadable."""
        place = self.place(path)
        try:
            with (
                self._folder(place) as folder,
                os.fdopen(os.open(place.name, _READ, dir_fd=folder), "rb") as file,
            ):
                yield from numbered_lines(file)
        except OSError as error:
            raise Unreadable(f"{path} cannot be read: {reason(error)}") from error

    def check(self, path: PurePosixPath, expect: str) -> bytes:
        """The bytes of a file with this etag. Raises StaleWrite if it is missing or has another etag."""
        content = self.read_bytes(path)
        if content is None or etag_of(content) != expect:
            raise StaleWrite(path)
        return content

    @contextlib.contextmanager
    def _folder(self, place: PurePosixPath) -> Iterator[int]:
        """Open the folder of a real path step by step, so that no step can be a link created meanwhile."""
        handle = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for step in place.parts[:-1]:
                try:
                    next_handle = os.open(
                        step, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW, dir_fd=handle
                    )
                except OSError as error:
                    if error.errno == errno.ELOOP:
                        raise OutsideWorkspace(
                            f"{place} is refused: a folder on the way became a link"
                        ) from error
                    raise
                os.close(handle)
                handle = next_handle
            yield handle
        finally:
            os.close(handle)

    def folder(self, path: PurePosixPath) -> Folder | None:
        """The entries of a folder, without names that begin with a dot; None if it does not exist.

        The empty path is the root. Its stat is taken before the names are read, so later changes show in the
        next one. Raises Unreadable without permission, OutsideWorkspace for a link.
        """
        inside = guard.clean(path) / "_" if path.parts else PurePosixPath("_")
        try:
            with self._folder(inside) as handle:
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
            raise Unreadable(f"{path} cannot be listed: {reason(error)}") from error
        return Folder(
            path, folder_stat, folders, tuple(sorted(files)), len(visible) - len(folder_names) - len(files)
        )

    def within(self, folder: PurePosixPath, steps: Iterable[str]) -> PurePosixPath:
        """The real path of steps from a folder of the tree. Raises OutsideWorkspace if it leaves that."""
        return guard.within(self.root, self.place(folder), steps)

    def standing(self, place: PurePosixPath) -> Standing | None:
        """The kind and size of the file or folder at a real path; None for nothing or a dangling link.

        Raises Unreadable without permission.
        """
        try:
            with self._folder(place) as folder:
                return standing_of(os.stat(place.name, dir_fd=folder, follow_symlinks=False))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise Unreadable(f"{place} cannot be looked at: {reason(error)}") from error

    def entries(self, place: PurePosixPath, base: PurePosixPath) -> list[tuple[str, PurePosixPath, Standing]]:
        """The names in a folder, sorted, each with its real path and its kind and size.

        Links are followed if they lead to something in `base`; other links, and names that begin with a dot,
        are skipped. `place` and `base` are real paths. Raises Unreadable without permission.
        """
        entries_found: list[tuple[str, PurePosixPath, Standing]] = []
        try:
            with self._folder(place / "_") as folder:
                for name in sorted(os.listdir(folder)):
                    if name[0] == ".":
                        continue
                    with contextlib.suppress(OutsideWorkspace, FileNotFoundError, Unreadable):
                        link_stat = os.stat(name, dir_fd=folder, follow_symlinks=False)
                        real = place / name
                        kind_and_size = standing_of(link_stat)
                        if stat.S_ISLNK(link_stat.st_mode):
                            real = guard.within(self.root, base, (*place.relative_to(base).parts, name))
                            kind_and_size = self.standing(real)
                        if kind_and_size is not None:
                            entries_found.append((name, real, kind_and_size))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise Unreadable(f"{place} cannot be listed: {reason(error)}") from error
        return entries_found

    def clock_ns(self) -> int:
        """The real time in nanoseconds, taken before reading: later changes may not be seen."""
        return time.time_ns()

    def folder_stat(self, path: PurePosixPath | str) -> Stat | None:
        """The stat of a folder; None for anything else, including links. Raises Unreadable."""
        try:
            info = os.stat(os.path.join(self.root, str(path)), follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise Unreadable(f"{path} cannot be looked at: {reason(error)}") from error
        return stat_of(info) if stat.S_ISDIR(info.st_mode) else None

    def stats(self, path: PurePosixPath, names: Iterable[str]) -> dict[str, Stat]:
        """The stats of the regular files among these names in a folder; fast for thousands.

        Raises Unreadable if a stat fails, so that the file does not count as deleted.
        """
        stats_by_name: dict[str, Stat] = {}
        make, name = Stat._make, ""
        try:
            handle = os.open(os.path.join(self.root, str(path)), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                for name in names:
                    try:
                        info = os.stat(name, dir_fd=handle, follow_symlinks=False)
                    except FileNotFoundError:
                        continue
                    if stat.S_ISREG(info.st_mode):
                        stats_by_name[name] = make(
                            (info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino)
                        )
            finally:
                os.close(handle)
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            raise Unreadable(f"{path / name} cannot be looked at: {reason(error)}") from error
        return stats_by_name

    def files(
        self, path: PurePosixPath, names: Iterable[str]
    ) -> Iterator[tuple[str, Stat | None, bytes | Unreadable]]:
        """The files of a folder by name, each with its stat from before it was read; fast for thousands.

        Missing files are skipped; an unreadable one has no stat, and its error as content. Raises as
        `folder`.
        """
        try:
            with self._folder(guard.clean(path / "_")) as handle:
                for name in names:
                    try:
                        stat_and_content = _whole(name, handle)
                    except FileNotFoundError:
                        continue
                    except (OSError, Unreadable) as error:
                        message = (
                            f"cannot be read: {reason(error)}" if isinstance(error, OSError) else str(error)
                        )
                        yield name, None, Unreadable(f"{path / name} {message}")
                        continue
                    yield name, *stat_and_content
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            raise Unreadable(f"{path} cannot be listed: {reason(error)}") from error

    def tail(self, path: PurePosixPath) -> tuple[int, bytes]:
        """The size and last bytes of a file that will be appended to. Raises StaleWrite, Unwritable."""
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
        """The files at or below a path, sorted, with their sizes; None for what is not a regular file.

        Links are not followed. A folder that cannot be listed or has more than `most` entries is returned as
        itself.
        """
        start = self.named(path)
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
            if len(files) + len(stack) > most:
                return [(start, None)]
        return sorted(files)


def _whole(name: str, folder: int) -> tuple[Stat, bytes]:
    """The stat of a regular file in an open folder, and its content. Raises OSError, Unreadable."""
    try:
        handle = os.open(name, _READ, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise Unreadable("is a socket or a pipe, not a file") from error
        raise
    try:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode):
            raise Unreadable(f"is {kind(info.st_mode)}, not a file")
        if info.st_size > _MOST:
            raise Unreadable(f"is too large to be read whole ({info.st_size} bytes)")
        blocks = []
        while block := os.read(handle, max(info.st_size, _BLOCK) + 1):
            blocks.append(block)
            if len(block) == info.st_size and len(blocks) == 1 and os.fstat(handle).st_size == info.st_size:
                break  # the common case: read at once
        return stat_of(info), blocks[0] if len(blocks) == 1 else b"".join(blocks)
    finally:
        os.close(handle)
