"""Foreign transcripts: files outside the tree, only ever read, as streams that can be read again."""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from typing import BinaryIO, Protocol

from memtool.errors import Unreadable
from memtool.store.files.posix import kind, reason

_BLOCK = 1 << 18
_LONGEST = 1 << 28
"""Bytes of a line that are read at most: 256 MB. What is longer is cut, and then is no JSON."""
_SQLITE = b"SQLite format 3\0"
_DAYS = 100
"""Days on which there were sessions that are looked through for one."""
_ENDINGS = (".jsonl", ".json", ".ndjson", ".sqlite", ".db")

Progress = Callable[[int, int], None]


class Opened(Protocol):
    """What `transcripts.foreign.Source` asks for."""

    @property
    def name(self) -> str:
        """Its path."""
        ...

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Its lines with their numbers."""
        ...

    def blocks(self) -> Iterator[bytes]:
        """Its bytes in blocks."""
        ...


class FileSource:
    """One file; `progress` is told how many of its bytes were read, at each of its readings.

    With `most`, only the whole lines at its end are read, within so many bytes; `is_whole` says whether that
    is all of it.
    """

    def __init__(
        self, name: str, file: BinaryIO, progress: Progress | None = None, most: int | None = None
    ) -> None:
        self.name = name
        self._file = file
        self._size = os.fstat(file.fileno()).st_size
        self._progress = progress
        self.is_whole = most is None or self._size <= most
        self._start = 0 if most is None or self.is_whole else self._size - most
        if self._start:
            self._file.seek(self._start)
            self._start += len(self._read(lambda: self._file.readline(_LONGEST)))

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """From where it begins, each line with its number (from 1), its end taken off. Raises Unreadable."""
        self._file.seek(self._start)
        read = 0
        whole = iter(lambda: self._read(lambda: self._file.readline(_LONGEST)), b"")
        for number, line in enumerate(whole, 1):
            yield number, line.rstrip(b"\r\n")
            read += len(line)
            if len(line) == _LONGEST and not line.endswith(b"\n"):
                while (rest := self._read(lambda: self._file.readline(_BLOCK))) and not rest.endswith(b"\n"):
                    read += len(rest)
            if self._progress is not None:
                self._progress(read, max(read, self._size))

    def blocks(self) -> Iterator[bytes]:
        """From its beginning, in blocks of at most 256 KiB. Raises Unreadable."""
        self._file.seek(self._start)
        read = 0
        while block := self._read(lambda: self._file.read(_BLOCK)):
            yield block
            read += len(block)
            if self._progress is not None:
                self._progress(read, max(read, self._size))

    def _read(self, step: Callable[[], bytes]) -> bytes:
        try:
            return step()
        except OSError as error:
            raise Unreadable(f"{self.name} cannot be read: {reason(error)}") from error


class EventsSource:
    """OpenClaw's SQLite file: the events of each session as lines, after a line that names the session.

    With a `session`, only that one's.
    """

    is_whole = True

    def __init__(self, name: str, session: str | None = None) -> None:
        self.name = name
        self._session = session

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Each event as a line, with its number. Raises Unreadable."""
        import apsw

        number = 0
        session = None
        try:
            flags = apsw.SQLITE_OPEN_READONLY
            with apsw.Connection(self.name, flags=flags) as database:
                database.set_busy_timeout(2000)
                database.execute("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON")
                for id_, event in database.execute(
                    "SELECT session_id, event_json FROM transcript_events"
                    " WHERE ?1 IS NULL OR session_id = ?1 ORDER BY session_id, seq",
                    (self._session,),
                ):
                    if id_ != session:
                        session = id_
                        number += 1
                        yield number, json.dumps({"type": "session", "id": str(id_), "version": 3}).encode()
                    number += 1
                    yield number, event if isinstance(event, bytes) else str(event).encode("utf-8", "replace")
        except apsw.Error as error:
            raise Unreadable(f"{self.name} cannot be read as OpenClaw's database: {error}") from error

    def blocks(self) -> Iterator[bytes]:
        """The same lines as blocks."""
        for _, line in self.lines():
            yield line + b"\n"


def files_of(path: str) -> list[str]:
    """The files that a path means: itself, or below a folder whatever may be a transcript, sorted.

    Raises Unreadable for what is not there.
    """
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {reason(error)}") from error
    if stat.S_ISREG(mode):
        return [path]
    if not stat.S_ISDIR(mode):
        raise Unreadable(f"{path} is {kind(mode)}, not a file")
    return sorted(
        os.path.join(folder, name)
        for folder, _, names in os.walk(path)
        for name in names
        if name.endswith(_ENDINGS) and os.path.isfile(os.path.join(folder, name))
    )


def rollout(home: str, thread: str) -> str | None:
    """The newest log of a thread in Codex's folder; None where there is none among its newest days."""
    if not re.fullmatch(r"[\w-]{1,64}", thread, re.ASCII):
        return None
    folders = [os.path.join(home, "sessions")]
    for _ in range(3):  # years, months, days
        folders = [inner for folder in folders for inner in _folders(folder)][:_DAYS]
    for folder in folders:
        with contextlib.suppress(OSError):
            names = [one for one in os.listdir(folder) if one.endswith(f"-{thread}.jsonl")]
            if names:
                return os.path.join(folder, max(names))
    return None


def _folders(folder: str) -> list[str]:
    """The folders in a folder, the last by name first."""
    try:
        with os.scandir(folder) as entries:
            return sorted((one.path for one in entries if one.is_dir()), reverse=True)
    except OSError:
        return []


def is_there(path: str) -> bool:
    """Whether anything lies at a path; nothing can at one that no system knows."""
    try:
        return os.path.exists(path)
    except ValueError:
        return False


def opened(
    path: str, progress: Progress | None = None, *, most: int | None = None, session: str | None = None
) -> FileSource | EventsSource:
    """A transcript's file, ready to be read; `most` and `session` are for files and databases.

    Raises Unreadable, also for what is no file: nothing is waited for.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            os.close(handle)
            raise Unreadable(f"{path} is {kind(mode)}, not a file")
        file = open(handle, "rb")  # noqa: SIM115 - it is read for as long as its source lives
        if file.read(len(_SQLITE)) == _SQLITE:
            file.close()
            return EventsSource(path, session)
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise Unreadable(f"{path} cannot be read: {why}") from error
    return FileSource(path, file, progress, most)


def spooled(stream: BinaryIO) -> FileSource:
    """What comes through a pipe, put down in a file without a name, for it may have to be read twice."""
    import shutil
    import tempfile

    file = tempfile.TemporaryFile()  # noqa: SIM115 - as above
    shutil.copyfileobj(stream, file, _BLOCK)
    return FileSource("stdin", file)
