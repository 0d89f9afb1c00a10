"""The journal on disk: a line a commit, in private files under `.memtool/journal/` that may be lost."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from memtool.errors import MemtoolError, OutsideWorkspace, Unreadable, Unwritable
from memtool.store.files import private
from memtool.store.files.posix import reason, write_all
from memtool.store.files.reader import etag_of
from memtool.store.root import PRIVATE_FOLDER

if TYPE_CHECKING:
    from memtool.core.history.journal import Author, Record, Step
    from memtool.store.files.disk import Disk

_FOLDER = PurePosixPath(PRIVATE_FOLDER, "journal")
_ENDING = ".jsonl"
_TEMPORARY = "forgetting.tmp"
_SEGMENTS = 16
"""Files that the journal is split in at its largest; the oldest goes as a whole."""
_LARGEST = 16_000_000
_LARGEST_SHARE = 8
"""What a commit took away is kept up to 16 MB, and up to this part of the journal."""
_DAY = 86_400
_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


class Journal:
    """What was committed to a tree, by whom, and how to take it back. Written under the workspace's lock.

    A line is written before the commit it is about, and another one after it; neither is synced, for the
    journal may lose what a machine loses when its power fails, and what it takes back is proven by etags.
    Files are kept for `days` after they were last written, and `max_bytes` of all; either 0 keeps none.
    """

    def __init__(self, disk: Disk, days: float, max_bytes: float, say: Callable[[str], None]) -> None:
        self._disk = disk
        self._days = days
        self._most = int(max_bytes)
        self._say = say
        self._author: Callable[[], Author] | None = None
        self._clock: Callable[[], datetime] = lambda: datetime.now(UTC)
        self._run: tuple[str, datetime] | None = None
        self._failed = False

    @property
    def largest(self) -> int:
        """Bytes that are kept of what one commit took away; a commit that takes more cannot be undone."""
        return min(_LARGEST, self._most // _LARGEST_SHARE) if self._days else 0

    def sign(self, author: Callable[[], Author], clock: Callable[[], datetime]) -> None:
        """Say who commits from here on, and by which clock: this is a new run of a command."""
        self._author, self._clock, self._run = author, clock, None

    def for_another_run(self) -> Journal:
        """The same journal, of the same author; what is committed from here on is a run of its own."""
        other = Journal(self._disk, self._days, self._most, self._say)
        other._author, other._clock = self._author, self._clock
        return other

    def now(self) -> datetime:
        """The time that a commit is put down with, in UTC."""
        return self._clock().astimezone(UTC)

    def author(self) -> Author:
        """Who commits. A name that cannot be one is left out: whether it may be given is the command's."""
        from memtool.core.history.journal import Author

        return Author() if self._author is None else self._author()

    @contextlib.contextmanager
    def recorded(
        self, steps: Sequence[Step], undoes: Sequence[str] = (), *, forget: Collection[str] | None = None
    ) -> Iterator[None]:
        """Put down a commit, let it happen, and put down that it is done.

        Where the journal cannot be written the commit happens all the same, and that is said. With `forget`
        nothing of it is kept, nor what `forgotten` says; a journal that cannot be cleared so stops the
        commit. Raises Unwritable only then.
        """
        name = None
        try:
            if forget is not None:
                self._forget({path for one in steps for path in _paths(one)}, forget, undoes)
            if self._days and self._most and (steps or undoes):
                name = self._begun(steps, undoes, bare=forget is not None)
        except (OSError, MemtoolError) as error:
            if forget is not None:
                raise Unwritable(f"{_FOLDER} still holds what is to be forgotten: {_why(error)}") from error
            self._failing(error)
        yield
        if name is not None:
            from memtool.formats import journal_line

            try:
                with self._folder() as folder:
                    self._write(folder, self._segments(folder)[-1], lambda _: journal_line.done(name))
            except (OSError, MemtoolError, IndexError) as error:
                self._failing(error)

    def recent(self) -> Iterator[Record]:
        """Every commit that the journal knows, the last one first, read file by file. Raises Unreadable.

        Lines that do not read, torn by a crash or of a later version, are passed by. Whoever wants but the
        last ones stops asking, and no more is read.
        """
        from memtool.core.history.journal import Record
        from memtool.formats import journal_line

        seen: set[str] = set()
        done: set[str] = set()
        for raw in self._lines():
            try:
                said = journal_line.parse(raw)
            except journal_line.NotALine:
                continue
            if not isinstance(said, Record):
                done.add(said)
            elif said.id not in seen:
                seen.add(said.id)
                yield said._replace(done=True) if said.id in done else said

    def _lines(self) -> Iterator[bytes]:
        """The lines of all files, from the end of the last one."""
        try:
            with self._folder(make=False) as folder:
                names = self._segments(folder)
            for name in reversed(names):
                with contextlib.suppress(FileNotFoundError), self._folder(make=False) as folder:
                    content = _read(folder, name)
                yield from reversed(content.split(b"\n"))
        except FileNotFoundError:
            return
        except OSError as error:
            raise Unreadable(f"{_FOLDER} cannot be read: {reason(error)}") from error

    def _begun(self, steps: Sequence[Step], undoes: Sequence[str], *, bare: bool) -> str:
        from memtool.core.history.journal import RUN, Record, kept, without_content
        from memtool.formats import journal_line

        if bare or kept(steps) > self.largest:
            steps = tuple(map(without_content, steps))
        now = self.now()
        run = self._run[0] if self._run and abs(now - self._run[1]) < RUN else None
        name = ""

        def line(place: str) -> bytes:
            nonlocal name
            name = "j-" + etag_of(f"{place} {now} {steps[:1]}".encode("utf-8", "backslashreplace"))[:12]
            record = Record(name, now, self.author(), run or name, tuple(steps), tuple(undoes))
            return journal_line.line(record)

        with self._folder() as folder:
            self._write(folder, self._segment(folder), line)
        self._run = (run or name, now)
        return name

    def _write(self, folder: int, name: str, line: Callable[[str], bytes]) -> None:
        """Add a line to a file in one write, behind whatever a crash has left of the last one."""
        handle = os.open(name, _APPEND, 0o600, dir_fd=folder)
        try:
            info = os.fstat(handle)
            if not stat.S_ISREG(info.st_mode):
                raise Unwritable(f"{_FOLDER / name} is no file")
            torn = info.st_size and os.pread(handle, 1, info.st_size - 1) != b"\n"
            self._disk.step("journal", _FOLDER / name)
            write_all(handle, (b"\n" if torn else b"") + line(f"{name} {info.st_size}"))
        finally:
            os.close(handle)

    def _segment(self, folder: int) -> str:
        """The file to write to: the last one, or, once it is large or of another day, a new one."""
        names = self._segments(folder)
        if names:
            info = os.stat(names[-1], dir_fd=folder, follow_symlinks=False)
            if info.st_size < self._most // _SEGMENTS and info.st_mtime // _DAY == time.time() // _DAY:
                return names[-1]
            self._prune(folder, names)
        number = int(names[-1].removesuffix(_ENDING)) + 1 if names else 1
        return f"{number:08}{_ENDING}"

    def _prune(self, folder: int, names: Sequence[str]) -> None:
        """Let go of files that are too old, and of the oldest while there is too much."""
        found = [(name, os.stat(name, dir_fd=folder, follow_symlinks=False)) for name in names]
        size = sum(info.st_size for _, info in found)
        room = self._most - self._most // _SEGMENTS
        for name, info in found[:-1]:
            if size > room or info.st_mtime < time.time() - self._days * _DAY:
                self._disk.step("unlink", _FOLDER / name)
                os.unlink(name, dir_fd=folder)
                size -= info.st_size

    def _segments(self, folder: int) -> list[str]:
        names = os.listdir(folder)
        return sorted(
            name for name in names if name.endswith(_ENDING) and name.removesuffix(_ENDING).isdecimal()
        )

    def _forget(self, paths: Collection[str], said: Collection[str], undoes: Sequence[str]) -> None:
        """Write each file anew that holds what is to be forgotten; lines that do not read go, too."""
        from memtool.core.history.undo import forgotten

        old = [*self.recent()][::-1]
        new_ones = forgotten(old, paths, said, undoes)
        bare = {one.id: new for one, new in zip(old, new_ones, strict=True) if one != new}
        with contextlib.suppress(FileNotFoundError), self._folder(make=False) as folder:
            for name in self._segments(folder):
                content = _read(folder, name)
                new = b"".join(_without(content.split(b"\n"), bare))
                if new != content:
                    self._rewrite(folder, name, new)

    def _rewrite(self, folder: int, name: str, content: bytes) -> None:
        self._disk.step("create", _FOLDER / _TEMPORARY)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
        handle = os.open(_TEMPORARY, flags, 0o600, dir_fd=folder)
        try:
            write_all(handle, content)
            os.fsync(handle)
        finally:
            os.close(handle)
        self._disk.step("rename", _FOLDER / name)
        os.rename(_TEMPORARY, name, src_dir_fd=folder, dst_dir_fd=folder)
        os.fsync(folder)

    @contextlib.contextmanager
    def _folder(self, *, make: bool = True) -> Iterator[int]:
        """The journal's folder, opened so that no step of the way is a link. Raises OSError."""
        if make:
            private.make(self._disk.root)
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW
        outer = os.open(os.path.join(self._disk.root, PRIVATE_FOLDER), flags)
        try:
            try:
                inner = os.open(_FOLDER.name, flags, dir_fd=outer)
            except FileNotFoundError:
                if not make:
                    raise
                self._disk.step("mkdir", _FOLDER)
                os.mkdir(_FOLDER.name, 0o700, dir_fd=outer)
                inner = os.open(_FOLDER.name, flags, dir_fd=outer)
        finally:
            os.close(outer)
        try:
            yield inner
        finally:
            os.close(inner)

    def _failing(self, error: Exception) -> None:
        if not self._failed:
            self._failed = True
            self._say(f"{_FOLDER} cannot be written, so this cannot be undone: {_why(error)}")


def _read(folder: int, name: str) -> bytes:
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    with os.fdopen(os.open(name, flags, dir_fd=folder), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OutsideWorkspace(f"{_FOLDER / name} is no file; remove it, memtool keeps its journal there")
        return file.read()


def _without(lines: Iterable[bytes], bare: dict[str, Record]) -> Iterator[bytes]:
    """The lines of a file, the records among them that are in `bare` as they are there."""
    from memtool.formats import journal_line

    for raw in lines:
        with contextlib.suppress(journal_line.NotALine):
            said = journal_line.parse(raw)
            new = None if isinstance(said, str) else bare.get(said.id)
            yield raw + b"\n" if new is None else journal_line.line(new)


def _paths(step: Step) -> tuple[str, ...]:
    from memtool.core.history.journal import touched

    return touched(step)


def _why(error: Exception) -> str:
    return reason(error) if isinstance(error, OSError) else str(error)
