"""The reader: every file of the tree is opened for reading here and nowhere else."""

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
"""Bytes that are read whole at most: 256 MB. Memory is text that people and models wrote."""


def etag_of(content: bytes) -> str:
    """A hash of a file's whole content: equal etags mean equal bytes (BLAKE2b, 128 bits)."""
    return blake2b(content, digest_size=16).hexdigest()


class Reader:
    """One tree, read by paths relative to `root`, each of which passes the guard."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)
        self.walls: str | None = None
        """The folder whose subfolders are apart: no link leads out of one of them."""

    def place(self, path: PurePosixPath | str) -> PurePosixPath:
        """Where a path really leads, relative to the root. Raises OutsideWorkspace for what it may not."""
        name = guard.clean(path)
        real = guard.real(self.root, name)
        if name.parts[0] == self.walls and real.parts[:2] != name.parts[:2]:
            raise OutsideWorkspace(
                f"{name} is refused: it is a link that leads out of {self.walls}/{name.parts[1:2][0]}"
            )
        return real

    def named(self, path: PurePosixPath) -> PurePosixPath:
        """A name in a folder, itself: the links on the way are followed, a link that it may be is not."""
        name = guard.clean(path)
        return self.place(name.parent) / name.name if len(name.parts) > 1 else name

    def stands(self, path: PurePosixPath) -> bool:
        """Whether anything has a name, a link that leads nowhere included."""
        return os.path.lexists(os.path.join(self.root, str(self.named(path))))

    def read_bytes(self, path: PurePosixPath) -> bytes | None:
        """The bytes of a regular file; None when nothing is there.

        Raises Unreadable for a folder, a pipe, a device, or a file that refuses to be read.
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
        """A file's text and etag; None when nothing is there. Raises Unreadable.

        Bytes that are not UTF-8 come as lone surrogates and go back as the same bytes.
        """
        content = self.read_bytes(path)
        if content is None:
            return None
        return Document(path, content.decode("utf-8", "surrogateescape"), etag_of(content))

    def stat(self, path: PurePosixPath) -> Stat | None:
        """What the file system says of a file; None when nothing is there.

        Raises Unreadable for a folder, a pipe or a device, or where nobody may look.
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
        """The bytes of a file that has this etag. Raises StaleWrite where it is gone or has another."""
        content = self.read_bytes(path)
        if content is None or etag_of(content) != expect:
            raise StaleWrite(path)
        return content

    @contextlib.contextmanager
    def _folder(self, place: PurePosixPath) -> Iterator[int]:
        """The folder of a real path, opened step by step so that no step can be a link put there since."""
        handle = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for step in place.parts[:-1]:
                try:
                    inner = os.open(
                        step, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW, dir_fd=handle
                    )
                except OSError as error:
                    if error.errno == errno.ELOOP:
                        raise OutsideWorkspace(
                            f"{place} is refused: a folder on the way became a link"
                        ) from error
                    raise
                os.close(handle)
                handle = inner
            yield handle
        finally:
            os.close(handle)

    def folder(self, path: PurePosixPath) -> Folder | None:
        """What lies in a folder, names that begin with a dot passed by; None when it is not there.

        The empty path is the root. Its stat was taken before the names were read, so what came later shows
        in the next one. Raises Unreadable where nobody may look, OutsideWorkspace for a link.
        """
        inside = guard.clean(path) / "_" if path.parts else PurePosixPath("_")
        try:
            with self._folder(inside) as handle:
                found = stat_of(os.fstat(handle))
                with os.scandir(handle) as entries:
                    seen = [entry for entry in entries if entry.name[0] != "."]
                inner = [entry.name for entry in seen if entry.is_dir(follow_symlinks=False)]
                files = [entry.name for entry in seen if entry.is_file(follow_symlinks=False)]
                folders = {}
                for name in sorted(inner):
                    with contextlib.suppress(FileNotFoundError):
                        folders[name] = stat_of(os.stat(name, dir_fd=handle, follow_symlinks=False))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise Unreadable(f"{path} cannot be listed: {reason(error)}") from error
        return Folder(path, found, folders, tuple(sorted(files)), len(seen) - len(inner) - len(files))

    def within(self, folder: PurePosixPath, steps: Iterable[str]) -> PurePosixPath:
        """Where steps from a folder of the tree really lead. Raises OutsideWorkspace for a way out of it."""
        return guard.within(self.root, self.place(folder), steps)

    def standing(self, place: PurePosixPath) -> Standing | None:
        """What stands at a real place; None for nothing, and for a link that leads nowhere.

        Raises Unreadable where nobody may look.
        """
        try:
            with self._folder(place) as folder:
                return standing_of(os.stat(place.name, dir_fd=folder, follow_symlinks=False))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise Unreadable(f"{place} cannot be looked at: {reason(error)}") from error

    def entries(self, place: PurePosixPath, base: PurePosixPath) -> list[tuple[str, PurePosixPath, Standing]]:
        """The names in a folder, sorted: where each really leads, and what stands there.

        Links are followed where they lead to something in `base`, and else passed by; so are names that begin
        with a dot. Both are real places. Raises Unreadable where nobody may look.
        """
        found: list[tuple[str, PurePosixPath, Standing]] = []
        try:
            with self._folder(place / "_") as folder:
                for name in sorted(os.listdir(folder)):
                    if name[0] == ".":
                        continue
                    with contextlib.suppress(OutsideWorkspace, FileNotFoundError, Unreadable):
                        info = os.stat(name, dir_fd=folder, follow_symlinks=False)
                        real = place / name
                        stands = standing_of(info)
                        if stat.S_ISLNK(info.st_mode):
                            real = guard.within(self.root, base, (*place.relative_to(base).parts, name))
                            stands = self.standing(real)
                        if stands is not None:
                            found.append((name, real, stands))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise Unreadable(f"{place} cannot be listed: {reason(error)}") from error
        return found

    def clock_ns(self) -> int:
        """The real clock's nanoseconds: what is looked at after this may have changed after it, too."""
        return time.time_ns()

    def folder_stat(self, path: PurePosixPath | str) -> Stat | None:
        """What the file system says of a folder; None for what is none, links included. Raises Unreadable."""
        try:
            info = os.stat(os.path.join(self.root, str(path)), follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise Unreadable(f"{path} cannot be looked at: {reason(error)}") from error
        return stat_of(info) if stat.S_ISDIR(info.st_mode) else None

    def stats(self, path: PurePosixPath, names: Iterable[str]) -> dict[str, Stat]:
        """What the file system says of the regular files of a folder among these names; quick for thousands.

        Raises Unreadable where it would not say, so that nobody takes a file for gone.
        """
        found: dict[str, Stat] = {}
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
                        found[name] = make((info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino))
            finally:
                os.close(handle)
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            raise Unreadable(f"{path / name} cannot be looked at: {reason(error)}") from error
        return found

    def files(
        self, path: PurePosixPath, names: Iterable[str]
    ) -> Iterator[tuple[str, Stat | None, bytes | Unreadable]]:
        """The files of one folder by name, each with its stat from before it was read; quick for thousands.

        One that is gone is passed by; one that refuses comes without a stat, with its error. Raises what
        `folder` raises.
        """
        try:
            with self._folder(guard.clean(path / "_")) as handle:
                for name in names:
                    try:
                        found = _whole(name, handle)
                    except FileNotFoundError:
                        continue
                    except (OSError, Unreadable) as error:
                        why = f"cannot be read: {reason(error)}" if isinstance(error, OSError) else str(error)
                        yield name, None, Unreadable(f"{path / name} {why}")
                        continue
                    yield name, *found
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            raise Unreadable(f"{path} cannot be listed: {reason(error)}") from error

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


def _whole(name: str, folder: int) -> tuple[Stat, bytes]:
    """A regular file in an open folder: its stat, and then all its bytes. Raises OSError, Unreadable."""
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
                break  # the usual file, read at once
        return stat_of(info), blocks[0] if len(blocks) == 1 else b"".join(blocks)
    finally:
        os.close(handle)
