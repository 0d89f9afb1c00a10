"""The journal on disk: one line per commit, in private files under `.memtool/journal/` that may be lost."""

from __future__ import annotations

import contextlib
import functools
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from memtool.core.records.document import etag_of
from memtool.core.records.plan import Append, Replace
from memtool.errors import MemtoolError, OutsideWorkspace, UnreadableFile, Unwritable
from memtool.store.files import private
from memtool.store.files.posix import error_reason, write_all
from memtool.store.root import PRIVATE_FOLDER

if TYPE_CHECKING:
    from memtool.core.history.journal import CommitAuthor, CommitRecord, CommitStep
    from memtool.core.records.plan import Change, Plan
    from memtool.store.files.disk import Disk

_FOLDER = PurePosixPath(PRIVATE_FOLDER, "journal")
_SUFFIX = ".jsonl"
_TEMPORARY = "forgetting.tmp"
_MAX_SEGMENTS = 16
"""Largest number of files of the journal; the oldest file is removed as a whole."""
_MAX_UNDO_BYTES = 16_000_000
_UNDO_SHARE = 8
"""A commit's removed bytes are stored up to 16 MB, and up to the journal's maximum size divided by this."""
_DAY = 86_400


class Journal:
    """The commits to a tree, with their authors and what is needed to undo them.

    Written under the workspace's lock, with one line before each commit and one after it. Lines are not
    synced: the journal may lose its end in a power failure, and undo verifies etags. Files are kept for
    `days` after their last write, up to `max_bytes` in total; if either is 0 there is no journal.
    """

    def __init__(self, disk: Disk, days: float, max_bytes: float, report: Callable[[str], None]) -> None:
        self._disk = disk
        self._days = days
        self._max_bytes = int(max_bytes)
        self._report = report
        self._author: Callable[[], CommitAuthor] | None = None
        self._clock: Callable[[], datetime] = lambda: datetime.now(UTC)
        self._run: tuple[str, datetime] | None = None
        self._failed = False
        self.has_commits = False
        """Whether a commit was applied in this run, recorded or not."""

    @property
    def max_undo_bytes(self) -> int:
        """Largest number of removed bytes stored per commit; a commit that removes more cannot be undone."""
        return min(_MAX_UNDO_BYTES, self._max_bytes // _UNDO_SHARE) if self._days else 0

    @property
    def entry_id(self) -> str | None:
        """The id of the entry that the commits of this run are in; None if none was recorded."""
        return self._run and self._run[0]

    def set_author(
        self, author: Callable[[], CommitAuthor], clock: Callable[[], datetime] | None = None
    ) -> None:
        """Set the author of subsequent commits, and the clock if given, and start a new run of a command."""
        self._author, self._clock, self._run = author, clock or self._clock, None

    def new_run(self) -> Journal:
        """The same journal with the same author; commits to it form a new run."""
        other = Journal(self._disk, self._days, self._max_bytes, self._report)
        other._author, other._clock = self._author, self._clock
        return other

    def now(self) -> datetime:
        """The time recorded for a commit, in UTC."""
        return self._clock().astimezone(UTC)

    def author(self) -> CommitAuthor:
        """The author of commits. Invalid names are left out; the command rejects them if it must."""
        from memtool.core.history.journal import CommitAuthor

        return CommitAuthor() if self._author is None else self._author()

    def forget(
        self, plan: Plan, steps: Sequence[CommitStep], texts: Collection[str], undoes: Sequence[str]
    ) -> None:
        """Remove the earlier content of the files of these steps, and these texts. Raises Unwritable.

        `plan` is what the steps do. Digests of lines that the files have after it are kept; with texts, so
        are steps without one of them and without a line that the plan removes.
        """
        try:
            self._forget(plan, {path for step in steps for path in _paths(step)}, texts, undoes)
        except (OSError, MemtoolError) as error:
            raise Unwritable(
                f"the text to be forgotten could not be removed from {_FOLDER}: {_error_text(error)}; "
                "no memory file was changed"
            ) from error

    def end(self) -> tuple[str, int] | None:
        """The file that is written next, and its size; None if there is no journal. Never raises."""
        if not (self._days and self._max_bytes):
            return None
        try:
            with self._folder() as folder:
                name = self._segment(folder)
                try:
                    return name, os.stat(name, dir_fd=folder, follow_symlinks=False).st_size
                except FileNotFoundError:
                    return name, 0
        except (OSError, MemtoolError):
            return None  # the commit reports it

    def cut_back(self, name: str, size: int) -> None:
        """Remove what was written to a file of the journal since it had this size. Raises Unwritable."""
        self._run = None
        try:
            with self._folder() as folder:
                if name not in self._segments(folder):
                    return
                handle = private.open_file(folder, name, os.O_WRONLY, _FOLDER.name)
                try:
                    if os.fstat(handle).st_size > size:
                        self._disk.step("truncate", _FOLDER / name)
                        os.ftruncate(handle, size)
                finally:
                    os.close(handle)
        except (OSError, MemtoolError) as error:
            raise Unwritable(f"{_FOLDER / name} cannot be written: {_error_text(error)}") from error

    def has_temporary(self) -> bool:
        """Whether a `forget` that was killed has left a temporary file."""
        return os.path.lexists(os.path.join(self._disk.root, str(_FOLDER / _TEMPORARY)))

    def drop_temporary(self) -> None:
        """Remove what a `forget` that was killed has left."""
        self._disk.drop([_FOLDER / _TEMPORARY])

    @contextlib.contextmanager
    def recording(
        self, steps: Sequence[CommitStep], undoes: Sequence[str] = (), *, with_contents: bool = True
    ) -> Iterator[None]:
        """Record a commit before the body runs, and its completion afterwards.

        If the journal cannot be written, the commit happens anyway and the failure is reported.
        """
        name = None
        try:
            if self._days and self._max_bytes and (steps or undoes):
                name = self._write_commit(steps, undoes, without_contents=not with_contents)
        except (OSError, MemtoolError) as error:
            self._report_failure(error)
        yield
        self.has_commits = self.has_commits or bool(steps)
        if name is not None:
            from memtool.formats import journal_line

            try:
                with self._folder() as folder:
                    self._write(
                        folder, self._segments(folder)[-1], lambda _: journal_line.completion_line(name)
                    )
            except (OSError, MemtoolError, IndexError) as error:
                self._report_failure(error)

    def newest_first(self) -> Iterator[CommitRecord]:
        """All recorded commits, newest first, read lazily file by file. Raises UnreadableFile.

        Invalid lines, torn by a crash or of a later version, are skipped.
        """
        from msgspec.structs import replace

        from memtool.core.history.journal import CommitRecord
        from memtool.formats import journal_line

        seen: set[str] = set()
        done: set[str] = set()
        for raw in self.lines():
            try:
                entry = journal_line.parse(raw)
            except journal_line.InvalidJournalLine:
                continue
            if not isinstance(entry, CommitRecord):
                done.add(entry)
            elif entry.id not in seen:
                seen.add(entry.id)
                yield replace(entry, done=True) if entry.id in done else entry

    def lines(self, containing: bytes = b"") -> Iterator[bytes]:
        """The lines of the files that contain these bytes, the newest first. Raises UnreadableFile."""
        try:
            with self._folder(make=False) as folder:
                names = self._segments(folder)
            for name in reversed(names):
                with contextlib.suppress(FileNotFoundError), self._folder(make=False) as folder:
                    content = _read(folder, name)
                yield from reversed(content.split(b"\n") if containing in content else [])
        except FileNotFoundError:
            return
        except OSError as error:
            raise UnreadableFile(f"{_FOLDER} cannot be read: {error_reason(error)}") from error
        except OutsideWorkspace as error:
            raise UnreadableFile(str(error)) from error

    def _write_commit(
        self, steps: Sequence[CommitStep], undoes: Sequence[str], *, without_contents: bool
    ) -> str:
        from msgspec.structs import replace

        from memtool.core.history.journal import (
            RUN_PAUSE,
            Appended,
            CommitRecord,
            Created,
            Replaced,
            stored_bytes,
            without_content,
        )
        from memtool.formats import journal_line

        if without_contents or stored_bytes(steps) > self.max_undo_bytes:
            steps = tuple(map(without_content, steps))
        now = self.now()
        run = self._run[0] if self._run and abs(now - self._run[1]) < RUN_PAUSE else None
        name = ""
        first = tuple(
            replace(step, written=None) if isinstance(step, Created | Appended | Replaced) else step
            for step in steps[:1]
        )

        def line(place: str) -> bytes:
            nonlocal name
            name = "j-" + etag_of(f"{place} {now} {first}".encode("utf-8", "backslashreplace"))[:12]
            record = CommitRecord(name, now, self.author(), run or name, tuple(steps), tuple(undoes))
            return journal_line.render_line(record)

        with self._folder() as folder:
            self._write(folder, self._segment(folder), line)
        self._run = (run or name, now)
        return name

    def _write(self, folder: int, name: str, line: Callable[[str], bytes]) -> None:
        """Append a line to a file in one write, after terminating a torn last line."""
        handle = private.open_file(folder, name, os.O_RDWR | os.O_APPEND | os.O_CREAT, _FOLDER.name)
        try:
            info = os.fstat(handle)
            torn = info.st_size and os.pread(handle, 1, info.st_size - 1) != b"\n"
            self._disk.step("journal", _FOLDER / name)
            write_all(handle, (b"\n" if torn else b"") + line(f"{name} {info.st_size}"))
        finally:
            os.close(handle)

    def _segment(self, folder: int) -> str:
        """The file to write to: the last one, or a new one if that is large or of another day."""
        names = self._segments(folder)
        if names:
            info = os.stat(names[-1], dir_fd=folder, follow_symlinks=False)
            if (
                info.st_size < self._max_bytes // _MAX_SEGMENTS
                and info.st_mtime // _DAY == time.time() // _DAY
            ):
                return names[-1]
            self._prune(folder, names)
        number = int(names[-1].removesuffix(_SUFFIX)) + 1 if names else 1
        return f"{number:08}{_SUFFIX}"

    def _prune(self, folder: int, names: Sequence[str]) -> None:
        """Remove files that are too old, and the oldest while the journal is too large."""
        files = [(name, os.stat(name, dir_fd=folder, follow_symlinks=False)) for name in names]
        size = sum(info.st_size for _, info in files)
        limit = self._max_bytes - self._max_bytes // _MAX_SEGMENTS
        for name, info in files[:-1]:
            if size > limit or info.st_mtime < time.time() - self._days * _DAY:
                self._disk.step("unlink", _FOLDER / name)
                os.unlink(name, dir_fd=folder)
                size -= info.st_size

    def _segments(self, folder: int) -> list[str]:
        names = os.listdir(folder)
        return sorted(
            name for name in names if name.endswith(_SUFFIX) and name.removesuffix(_SUFFIX).isdecimal()
        )

    def _forget(
        self, plan: Plan, paths: Collection[str], texts: Collection[str], undoes: Sequence[str]
    ) -> None:
        """Rewrite each file with content to be forgotten; invalid lines are dropped."""
        from memtool.core.history.forgotten_contents import forget_contents

        records = [*self.newest_first()][::-1]
        changes = {str(change.path): change for change in plan}
        remaining = functools.cache(lambda path: _remaining_lines(self._disk, path, changes.get(path)))
        current = functools.partial(_remaining_lines, self._disk, change=None)
        reduced_records = forget_contents(records, paths, texts, undoes, remaining, current)
        replaced = {
            record.id: new for record, new in zip(records, reduced_records, strict=True) if record != new
        }
        with contextlib.suppress(FileNotFoundError), self._folder(make=False) as folder:
            for name, content in ((name, _read(folder, name)) for name in self._segments(folder)):
                new = b"".join(_replace_records(content.split(b"\n"), replaced))
                if new != content:
                    self._rewrite(folder, name, new)

    def rewrite(self, change: Callable[[CommitRecord], CommitRecord | None]) -> None:
        """Replace each record by what `change` returns; None removes it. Call it under the lock.

        Invalid lines are dropped. Raises Unwritable.
        """
        from memtool.formats import journal_line

        try:
            with self._folder(make=False) as folder:
                for name in self._segments(folder):
                    content = _read(folder, name)
                    new = b""
                    for raw in content.split(b"\n"):
                        with contextlib.suppress(journal_line.InvalidJournalLine):
                            entry = journal_line.parse(raw)
                            after = None if isinstance(entry, str) else change(entry)
                            if isinstance(entry, str) or after == entry:
                                new += raw + b"\n"
                            elif after is not None:
                                new += journal_line.render_line(after)
                    if new != content:
                        self._rewrite(folder, name, new)
        except FileNotFoundError:
            return
        except OSError as error:
            raise Unwritable(
                f"the text to be forgotten could not be removed from {_FOLDER}: {error_reason(error)}"
            ) from error

    def _rewrite(self, folder: int, name: str, content: bytes) -> None:
        self._disk.step("create", _FOLDER / _TEMPORARY)
        handle = private.open_file(folder, _TEMPORARY, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _FOLDER.name)
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
        """The journal's folder, opened without following links. Raises OSError, Unwritable."""
        if make and not os.path.isdir(os.path.join(self._disk.root, str(_FOLDER))):
            self._disk.step("mkdir", _FOLDER)
        with private.opened(self._disk.root, _FOLDER.name, make=make) as folder:
            yield folder

    def _report_failure(self, error: Exception) -> None:
        if not self._failed:
            self._failed = True
            self._report(f"cannot write to {_FOLDER}: {_error_text(error)}; this change cannot be undone")


def _read(folder: int, name: str) -> bytes:
    with os.fdopen(private.open_file(folder, name, os.O_RDONLY, _FOLDER.name), "rb") as file:
        return file.read()


def _replace_records(lines: Iterable[bytes], replaced: dict[str, CommitRecord]) -> Iterator[bytes]:
    """The valid lines of a file, with records replaced by those in `replaced`."""
    from memtool.formats import journal_line

    for raw in lines:
        with contextlib.suppress(journal_line.InvalidJournalLine):
            entry = journal_line.parse(raw)
            new = None if isinstance(entry, str) else replaced.get(entry.id)
            yield raw + b"\n" if new is None else journal_line.render_line(new)


def _remaining_lines(disk: Disk, path: str, change: Change | None) -> frozenset[str]:
    """The digests of lines that a file will have after a change; none if that is not known."""
    from memtool.core.history.journal import LINE_SUFFIXES, line_digests

    if not path.endswith(LINE_SUFFIXES) or not isinstance(change, Replace | Append | None):
        return frozenset()
    if isinstance(change, Replace):
        return line_digests(change.text)
    with contextlib.suppress(MemtoolError):
        return line_digests((disk.read_bytes(PurePosixPath(path)) or b"").decode("utf-8", "surrogateescape"))
    return frozenset()


def _paths(step: CommitStep) -> tuple[str, ...]:
    from memtool.core.history.journal import touched_paths

    return touched_paths(step)


def _error_text(error: Exception) -> str:
    return error_reason(error) if isinstance(error, OSError) else str(error)
